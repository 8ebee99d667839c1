/* The engine's life cycle: start, stop, and which handler owns the engine. */
#include "trace/engine.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "trace/engine/session.h"
#include "host/gate.h"
#include "host/system.h"

/*
 * How long a stop waits for threads that are inside a record: about a tenth of
 * a second. A thread that has jumped out of one never ends it.
 */
#define STOP_TRIES 600
#define STOP_STEP_NS 100000

/* The delay, in ms, until trace_engine_service() should be called again. */
#define SERVICE_BUSY 1
#define SERVICE_IDLE 10
#define SERVICE_OFF 50

uint32_t trace_internal_epoch;

/*
 * Every function of this file locks this, except those that a record may
 * call.
 */
static struct tr2_gate_lock control = TR2_GATE_LOCK_INIT(NULL);

/* Protected by `control`. */
static struct {
	int has_fork_handler;
	int was_started; /* since it was initialized */
	uint64_t served; /* the place at the last service */
} engine;

/*
 * Stopped or started
 */

static int is_started(void)
{
	return TRACE_INTERNAL_ENABLED() && !tr2_trace_only_waits();
}

static void set_handler(struct trace_handler *handler)
{
	__atomic_store_n(&tr2_trace.handler, handler, __ATOMIC_RELEASE);
}

/*
 * Switch tracing off and wait until no thread is inside a record; else
 * ETIMEDOUT. If this thread is, a signal handler has interrupted it, and its
 * record never ends meanwhile.
 */
static int switch_off(void)
{
	const struct timespec step = { 0, STOP_STEP_NS };
	int tries, busy;

	tr2_trace_begin_epoch(0);
	for (tries = 0; (busy = tr2_trace_writer_rest_all()) != 0; tries++) {
		if (tries == STOP_TRIES ||
		    busy == tr2_trace_writer_is_inside(tr2_trace_self))
			return ETIMEDOUT;
		nanosleep(&step, NULL);
	}
	return 0;
}

int tr2_trace_leave_record(void)
{
	return tr2_trace_self && tr2_trace_writer_leave_record(tr2_trace_self);
}

/* SPEC: engine.fork */
static void in_child(void)
{
	tr2_gate_open(TR2_GATE_WRITER);
	tr2_trace.awaited = NULL;
	tr2_trace.yield = NULL;
	tr2_trace.is_waiting = 0;
	tr2_trace.beginners = 0;
	set_handler(NULL);
	tr2_trace_begin_epoch(0);
	tr2_trace_writer_forget();
	tr2_trace.lost = 0;
	tr2_trace.early = 0;
	tr2_trace.dropped_before = 0;
	tr2_gate_adopt(TR2_GATE_ENGINE, &control);
}

/*
 * Initialized or not
 */

/* Needs `control`. */
static int watch_forks(void)
{
	tr2_host_stay();
	if (!engine.has_fork_handler)
		engine.has_fork_handler =
			!tr2_host_at_fork(NULL, NULL, in_child);
	return engine.has_fork_handler ? 0 : ENOMEM;
}

void tr2_trace_watch_forks(void)
{
	int cancel;

	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return;
	watch_forks();
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
}

static int prepare_process(void)
{
	if (tr2_trace_writer_start() < 0 || watch_forks())
		return ENOMEM;
	if (!tr2_trace.strings)
		tr2_trace.strings = tr2_trace_strings_make();
	tr2_trace_ticks_start();
	return tr2_trace.strings ? 0 : ENOMEM;
}

/* Needs `control`. May the engine write to another handler from now on? */
static int take_over(struct trace_handler *handler)
{
	static const struct tr2_trace_space none;
	int error;

	if (!handler || !handler->ops)
		return EINVAL;
	if (!FXT_IS_SUPPORTED)
		return ENOTSUP;
	if (tr2_trace.handler || tr2_trace_writer_rest_all())
		return EBUSY;
	error = prepare_process();
	if (error)
		return error;
	tr2_trace.space = none;
	set_handler(handler);
	engine.was_started = 0;
	return 0;
}

/* Divide the buffer after its header into its parts. */
static void divide_buffer(struct trace_buffer_header *header,
			  const struct trace_buffer_layout *layout)
{
	struct tr2_trace_space *space = &tr2_trace.space;
	size_t durable = layout->durable_size / FXT_WORD;
	size_t rolling = layout->rolling_size / FXT_WORD;
	uint64_t *parts = (uint64_t *)(header + 1);

	space->header = header;
	space->durable = parts;
	space->durable_words = durable;
	space->rolling[0] = parts + durable;
	space->rolling[1] = parts + durable + rolling;
	space->chunk_words = layout->chunk_size / FXT_WORD;
	space->chunks = (uint32_t)(layout->rolling_size / layout->chunk_size);
	space->max_chunks = space->chunks;
	space->rolling_size = layout->rolling_size;
}

int trace_engine_initialize(struct trace_handler *handler,
			    enum trace_buffering_mode mode, void *buffer,
			    size_t size)
{
	struct trace_buffer_header *header = buffer;
	struct trace_buffer_layout layout;
	int error, cancel;

	if (!buffer || (uintptr_t)buffer % FXT_WORD ||
	    !trace_buffer_divide((int)mode, size, &layout))
		return EINVAL;
	tr2_trace_awake();
	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return EBUSY;
	error = take_over(handler);
	if (!error) {
		divide_buffer(header, &layout);
		tr2_trace.space.mode = mode;
		tr2_trace_space_describe(&tr2_trace.space, size);
	}
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
	return error;
}

int trace_engine_initialize_file(struct trace_handler *handler,
				 struct trace_buffer_header *header,
				 void *space, size_t have, size_t max)
{
	const size_t chunk = tr2_trace_space_file_chunk(max);
	const struct trace_buffer_layout layout = { 0, max, chunk };
	int error, cancel;

	if (!header || !space || (uintptr_t)space % FXT_WORD || !have ||
	    have > max || have % chunk || max % chunk || max > TRACE_BUFFER_MAX)
		return EINVAL;
	tr2_trace_awake();
	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return EBUSY;
	error = take_over(handler);
	if (!error) {
		divide_buffer(header, &layout);
		tr2_trace.space.rolling[0] = space;
		tr2_trace.space.chunks = (uint32_t)(have / chunk);
		tr2_trace.space.grower = handler->ops->grow ? handler : NULL;
		tr2_trace_space_describe(&tr2_trace.space,
					 sizeof(*header) + max);
	}
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
	return error;
}

/*
 * Starting
 */

/* The nonce shows that a chunk belongs to an earlier session. */
static void clear_rolling(struct tr2_trace_space *space)
{
	struct trace_buffer_header *header = space->header;
	uint32_t nonce = (uint32_t)trace_ticks_now();

	while (!nonce || nonce == header->nonce)
		nonce++;
	space->nonce = nonce;
	space->place = 0;
	space->notified = 0;
	header->nonce = nonce;
	header->wrapped_count = 0;
	header->rolling_data_end[0] = 0;
	header->rolling_data_end[1] = 0;
}

static void clear_all(struct tr2_trace_space *space)
{
	memset(space->durable, 0, space->durable_words * FXT_WORD);
	space->durable_end = 0;
	space->header->durable_data_end = 0;
	space->header->num_records_dropped = 0;
	tr2_trace_strings_clear(tr2_trace.strings);
	tr2_trace.threads = 0;
	tr2_trace.generation++;
	tr2_trace.dropped_before += tr2_trace_dropped();
	tr2_trace.lost +=
		__atomic_exchange_n(&tr2_trace.early, 0, __ATOMIC_RELAXED);
	clear_rolling(space);
}

static void clear_buffer(enum trace_start_mode mode)
{
	struct tr2_trace_space *space = &tr2_trace.space;

	if (mode == TRACE_START_RETAIN_BUFFER && engine.was_started)
		return;
	if (mode == TRACE_START_CLEAR_NONDURABLE_BUFFER && engine.was_started)
		clear_rolling(space);
	else
		clear_all(space);
	if (!space->durable_end)
		tr2_trace_put_first_records();
}

int trace_engine_start(enum trace_start_mode mode)
{
	struct trace_handler *handler;
	int error = 0, cancel;

	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return EBUSY;
	handler = tr2_trace.handler;
	if (!handler)
		error = EINVAL;
	else if (is_started() || tr2_trace_writer_rest_all())
		error = EBUSY;
	if (!error) {
		clear_buffer(mode);
		engine.was_started = 1;
		tr2_trace_set_waiting(0);
		tr2_trace_begin_epoch(TRACE_INTERNAL_STARTED);
		if (handler->ops->trace_started)
			handler->ops->trace_started(handler);
	}
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
	return error;
}

/*
 * Stopping
 */

static void fold_drops(void)
{
	tr2_trace_store(&tr2_trace.space.header->num_records_dropped,
			tr2_trace_dropped());
}

static void stop_engine(int disposition)
{
	struct trace_handler *handler = tr2_trace.handler;
	int error;

	if (!is_started())
		return;
	error = switch_off();
	fold_drops();
	tr2_trace_space_close(&tr2_trace.space);
	if (!disposition && tr2_trace_dropped())
		disposition = ENOSPC;
	if (handler->ops->trace_stopped)
		handler->ops->trace_stopped(
			handler, error ? error : disposition,
			tr2_trace_space_used(&tr2_trace.space));
}

void trace_engine_stop(int disposition)
{
	int cancel;

	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return;
	stop_engine(disposition);
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
}

void trace_engine_terminate(void)
{
	struct trace_handler *handler;
	int cancel;

	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return;
	handler = tr2_trace.handler;
	stop_engine(0);
	set_handler(NULL);
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
	if (handler && handler->ops->trace_terminated)
		handler->ops->trace_terminated(handler);
}

int trace_start_engine(struct trace_handler *handler,
		       enum trace_buffering_mode mode, void *buffer,
		       size_t size)
{
	int error = trace_engine_initialize(handler, mode, buffer, size);

	return error ? error
		     : trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
}

void trace_stop_engine(int disposition)
{
	trace_engine_stop(disposition);
	trace_engine_terminate();
}

/* While the engine is started */

/*
 * If no thread is inside a record of the full part, report it as full;
 * otherwise do it later.
 * SPEC: engine.full.told, engine.full.once
 */
static void tell_full(struct tr2_trace_space *space, uint64_t place)
{
	struct trace_handler *handler = tr2_trace.handler;
	uint32_t full = tr2_trace_wrapped(place) - 1;
	int64_t durable;

	if (tr2_trace_writer_rest_part(full & 1))
		return;
	durable = tr2_trace_space_durable_whole(space);
	if (durable < 0)
		return;
	tr2_trace_store(&space->notified, place);
	if (handler->ops->notify_buffer_full)
		handler->ops->notify_buffer_full(handler, full,
						 (uint64_t)durable * FXT_WORD);
}

static int serve_space(struct tr2_trace_space *space)
{
	uint64_t place = tr2_trace_load(&space->place);
	int is_new = place != engine.served;

	engine.served = place;
	if (!(place & TR2_TRACE_PENDING))
		return is_new ? SERVICE_BUSY : SERVICE_IDLE;
	if (tr2_trace_wrapped(space->notified) != tr2_trace_wrapped(place))
		tell_full(space, place);
	return SERVICE_BUSY;
}

int trace_engine_service(void)
{
	int wait = SERVICE_OFF;

	if (!tr2_gate_lock_now(&control))
		return SERVICE_BUSY;
	if (is_started()) {
		fold_drops();
		wait = serve_space(&tr2_trace.space);
	}
	pthread_mutex_unlock(&control.mutex);
	return wait;
}

void tr2_trace_tell_drops(void)
{
	if (!tr2_gate_lock_now(&control))
		return; /* the thread that has it does the same */
	/* is_started() may tell of another copy of the library. */
	if (tr2_trace.handler && is_started())
		fold_drops();
	pthread_mutex_unlock(&control.mutex);
}

int trace_engine_turn(void)
{
	int error, cancel;

	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return EAGAIN;
	error = is_started() ? tr2_trace_space_turn(&tr2_trace.space) : ENODATA;
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
	return error;
}

void trace_engine_renew_categories(void)
{
	int cancel;

	if (!tr2_gate_enter(TR2_GATE_ENGINE, &control, &cancel))
		return;
	if (is_started())
		tr2_trace_begin_epoch(TRACE_INTERNAL_STARTED);
	tr2_gate_leave(TR2_GATE_ENGINE, &control, cancel);
}
