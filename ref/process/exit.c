/*
 * How a process ends: exit, timers and counters, atexit.
 * SPEC: order.exit, order.totals, order.atexit-last
 */
#include "process/process.h"

#include <inttypes.h>

#include "trace2.h"
#include "target/fxt.h"
#include "base/host.h"
#include "base/memory.h"

void tr2_fold_shares(struct tr2_thread *self)
{
	pthread_mutex_lock(&tr2_process.threads_lock);
	tr2_timers_fold(&tr2_process.timers, self);
	tr2_counters_fold(&tr2_process.counters, self);
	pthread_mutex_unlock(&tr2_process.threads_lock);
}

/*
 * The names are copied out because the lists may grow meanwhile; the
 * texts stay. Each kind is asked for until it has no more.
 */
static int timer_at(size_t index, struct tr2_timer *timer)
{
	int found;

	pthread_mutex_lock(&tr2_process.threads_lock);
	found = index < tr2_process.timers.count;
	if (found)
		*timer = tr2_process.timers.timer[index];
	pthread_mutex_unlock(&tr2_process.threads_lock);
	return found;
}

static int counter_at(size_t index, struct tr2_counter *counter)
{
	int found;

	pthread_mutex_lock(&tr2_process.threads_lock);
	found = index < tr2_process.counters.count;
	if (found)
		*counter = tr2_process.counters.counter[index];
	pthread_mutex_unlock(&tr2_process.threads_lock);
	return found;
}

static void emit_timer(struct tr2_thread *self, struct tr2_event *event,
		       enum tr2_event_kind kind, const struct tr2_timer *timer,
		       const struct tr2_timer_state *state)
{
	if (!state->intervals)
		return;
	tr2_next(self, event, kind);
	tr2_timer_fill(event, timer, state);
	tr2_emit(self, event);
}

static void emit_counter(struct tr2_thread *self, struct tr2_event *event,
			 enum tr2_event_kind kind,
			 const struct tr2_counter *counter, uint64_t count)
{
	if (!count)
		return;
	tr2_next(self, event, kind);
	tr2_counter_fill(event, counter, count);
	tr2_emit(self, event);
}

/* SPEC: timer.per-thread, counter.per-thread */
void tr2_emit_shares(struct tr2_thread *self, struct tr2_event *event)
{
	struct tr2_timer_state state;
	struct tr2_counter counter;
	struct tr2_timer timer;
	size_t i;

	for (i = 0; timer_at(i, &timer); i++) {
		state = tr2_timer_share(self, i);
		if (timer.metric.per_thread)
			emit_timer(self, event, TR2_EVENT_TH_TIMER, &timer,
				   &state);
	}
	for (i = 0; counter_at(i, &counter); i++)
		if (counter.metric.per_thread)
			emit_counter(self, event, TR2_EVENT_TH_COUNTER,
				     &counter, tr2_counter_share(self, i));
	tr2_fold_shares(self);
}

void tr2_leave_shares(struct tr2_thread *self)
{
	struct tr2_event event;
	const char *file;
	int line;

	if (self->is_stale) /* its share is of the parent's session */
		return;
	if (!tr2_is_ready(self)) {
		tr2_fold_shares(self);
		return;
	}
	tr2_thread_unwind(self); /* SPEC: perf.dots-dropped */
	file = tr2_exit_place(&line);
	tr2_begin(&event, TR2_EVENT_TH_TIMER, file, line);
	tr2_emit_shares(self, &event);
	tr2_end(self);
}

/* SPEC: timer.order, counter.order */
void tr2_emit_totals(struct tr2_thread *self, struct tr2_event *event)
{
	struct tr2_counter counter;
	struct tr2_timer timer;
	size_t i;

	for (i = 0; timer_at(i, &timer); i++)
		emit_timer(self, event, TR2_EVENT_TIMER, &timer, &timer.total);
	for (i = 0; counter_at(i, &counter); i++)
		emit_counter(self, event, TR2_EVENT_COUNTER, &counter,
			     counter.total);
}

/* SPEC: failure.drops-reported, perf.dots */
static void emit_drops(struct tr2_thread *self, struct tr2_event *event,
		       unsigned open_regions)
{
	uint64_t dropped = trace2_dropped();
	char text[64];
	struct tr2_buf msg = TR2_BUF_FIXED(text);

	if (!dropped)
		return;
	tr2_buf_str(&msg, "trace2: events dropped: ");
	tr2_buf_uint(&msg, dropped);
	tr2_buf_byte(&msg, '\0');
	tr2_next(self, event, TR2_EVENT_ERROR);
	event->open_regions = open_regions;
	event->msg = text;
	event->fmt = "trace2: events dropped: %" PRIu64;
	tr2_emit(self, event);
	if (tr2_process.settings.destination_debug)
		tr2_host_warn("%s", text);
}

static void emit_code(struct tr2_thread *self, struct tr2_event *event,
		      enum tr2_event_kind kind)
{
	tr2_next(self, event, kind);
	event->code = tr2_process.exit_code;
	tr2_emit(self, event);
}

/* Texts of signals and of atexit: where the program last spoke of itself. */
const char *tr2_exit_place(int *line)
{
	if (!__atomic_load_n(&tr2_process.exit_seen, __ATOMIC_ACQUIRE)) {
		*line = tr2_process.begin_line;
		return tr2_process.begin_file;
	}
	*line = tr2_process.exit_line;
	return tr2_process.exit_file;
}

int tr2_exit_seen(const char *file, int line, int code)
{
	int first;

	pthread_mutex_lock(&tr2_process.threads_lock);
	first = !tr2_process.exit_seen;
	if (first) {
		tr2_process.exit_file = file ? tr2_memory_copy(file) : NULL;
		tr2_process.exit_line = line;
		tr2_process.exit_code = code & 0xff; /* SPEC: event.exit.code */
		__atomic_store_n(&tr2_process.exit_seen, 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&tr2_process.threads_lock);
	return first;
}

/*
 * The program may have left without trace2_cmd_exit(); then the code is
 * the one that the system knows. SPEC: order.no-cmd-exit
 */
void tr2_at_exit(int code)
{
	struct tr2_event event;
	struct tr2_thread *self;
	unsigned open_regions;
	const char *file;
	int line;

	/* SPEC: fork.silent */
	if (__atomic_load_n(&tr2_process.forked, __ATOMIC_ACQUIRE))
		return;
	file = tr2_exit_place(&line);
	self = tr2_begin(&event, TR2_EVENT_EXIT, file, line);
	if (!self) {
		/* trace2_signal() had the last word. */
		if (__atomic_load_n(&tr2_process.dying, __ATOMIC_ACQUIRE))
			tr2_fxt_close();
		return;
	}
	__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);
	tr2_others_finish(self);
	if (!__atomic_load_n(&tr2_process.exit_seen, __ATOMIC_ACQUIRE)) {
		tr2_process.exit_code = code & 0xff;
		emit_code(self, &event, TR2_EVENT_EXIT);
	}
	open_regions = tr2_thread_open_regions(self);
	tr2_thread_unwind(self);
	tr2_emit_shares(self, &event);
	tr2_emit_totals(self, &event);
	tr2_fxt_settle();
	emit_drops(self, &event, open_regions);
	emit_code(self, &event, TR2_EVENT_ATEXIT);
	tr2_fxt_close();
	tr2_end(self);
}
