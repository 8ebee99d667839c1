/*
 * engine_threads.h - verbs about threads at full speed, and about signals that
 * come in the middle of their records.
 */
#ifndef UNIT_TRACE_ENGINE_PROGRAMS_ENGINE_THREADS_H
#define UNIT_TRACE_ENGINE_PROGRAMS_ENGINE_THREADS_H

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "kit/script.h"
#include "kit/trace/trace.h"
#include "trace/engine/writer.h"

static void trace_number(int number)
{
	TRACE_INSTANT("cat", "number", TRACE_SCOPE_THREAD, "i",
		      TA_INT32(number));
}

#define THREADS 8

/* Fewer by `set events`. */
static int events_each;

static void *trace_events(void *number)
{
	const uint32_t thread = *(uint32_t *)number;

	for (uint32_t i = 0; i < (uint32_t)events_each; i++)
		TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "thread",
			      TA_UINT32(thread), "i", TA_UINT32(i));
	return NULL;
}

/* `threads`: eight at once; `threads in-turn`: one after the other. */
static const char *run_threads(char **word)
{
	pthread_t thread[THREADS];
	uint32_t number[THREADS];

	for (uint32_t i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, trace_events, &number[i]);
		if (*word[0])
			pthread_join(thread[i], NULL);
	}
	for (int i = 0; i < THREADS && !*word[0]; i++)
		pthread_join(thread[i], NULL);
	return NULL;
}

/* What an archive holds of each thread. */
struct seen {
	uint64_t count;
	int disorder; /* events that do not follow their predecessors */
	int gaps;
	int64_t last[THREADS];
};

static void see_record(void *context, const struct trace_reader_record *record)
{
	struct seen *seen = context;
	const uint64_t thread = record->args[0].value.word;
	const int64_t i = (int64_t)record->args[1].value.word;

	if (record->type != FXT_EVENT)
		return;
	seen->count++;
	if (thread >= THREADS || i <= seen->last[thread]) {
		seen->disorder++;
		return;
	}
	seen->gaps += seen->last[thread] >= 0 && i != seen->last[thread] + 1;
	seen->last[thread] = i;
}

/* Are the events of each thread in their order; is there a gap, or a drop? */
static const char *tell_each(SCRIPT_NONE)
{
	struct seen seen = { 0, 0, 0, { 0 } };
	struct kit_archive archive;

	memset(seen.last, 0xff, sizeof(seen.last));
	seen.disorder += kit_make_archive(&archive, kit_buffer, kit_size) < 0;
	seen.disorder += kit_read(&archive, see_record, &seen);
	free(archive.words);
	return script_say("%s, %s, %s", seen.disorder ? "disorder" : "in order",
			  seen.gaps && !trace_engine_dropped() ? "a lost event"
							       : "none lost",
			  seen.count > 10000 ? "many" : "few");
}

/*
 * ---- Threads that trace while the engine is switched
 */

static int done; /* atomic */

static void *trace_until_done(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		TRACE_DURATION("cat", "loop", "i", TA_INT32(1));
		TRACE_INSTANT("off", "off", TRACE_SCOPE_THREAD);
	}
	return unused;
}

static pthread_t busy[2];

static const char *begin_busy(SCRIPT_NONE)
{
	done = 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&busy[i], NULL, trace_until_done, NULL);
	return NULL;
}

static const char *end_busy(SCRIPT_NONE)
{
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(busy[i], NULL);
	return NULL;
}

static void use_nothing(void *unused, const struct trace_reader_record *record)
{
	(void)unused;
	(void)record;
}

/* A strict reader finds no fault with the buffer. */
static bool is_sound(void)
{
	struct kit_archive archive;
	const bool wrong = kit_make_archive(&archive, kit_buffer, kit_size) ||
			   kit_read(&archive, use_nothing, NULL);

	free(archive.words);
	return !wrong;
}

/* Stops, and starts in each way; `$i` says in which. */
static const char *switch_engine(char **word)
{
	const struct timespec time = { 0, 200000 };
	static int sound;

	if (!script_number(word[0], 0))
		sound = 0;
	nanosleep(&time, NULL);
	trace_engine_stop(0);
	sound += is_sound();
	trace_engine_start(
		(enum trace_start_mode)(script_number(word[0], 0) % 3));
	return script_say_number(sound);
}

/*
 * ---- A thread that ends inside of the engine
 */

static bool end_thread(struct trace_handler *handler, const char *category)
{
	(void)handler;
	if (!strcmp(category, "end"))
		pthread_exit(NULL);
	return true;
}

static void *trace_end(void *unused)
{
	TRACE_INSTANT("end", "end", TRACE_SCOPE_THREAD);
	return unused;
}

static const char *end_inside(SCRIPT_NONE)
{
	struct trace_handler *handler = kit_handler();
	const struct trace_handler_ops *before = handler->ops;
	struct trace_handler_ops ops = *before;
	pthread_t thread;

	ops.is_category_enabled = end_thread;
	handler->ops = &ops;
	pthread_create(&thread, NULL, trace_end, NULL);
	pthread_join(thread, NULL);
	handler->ops = before;
	return NULL;
}

/*
 * ---- Signal handlers that trace, at any instruction of a thread that traces
 */

static int handled; /* events of handlers; atomic */

static void trace_signal(int number)
{
	(void)number;
	TRACE_DURATION("cat", "handler");
	TRACE_INSTANT("cat", "signal", TRACE_SCOPE_THREAD);
	__atomic_fetch_add(&handled, 2, __ATOMIC_RELAXED);
}

static void *send_signals(void *to)
{
	const struct timespec time = { 0, 20000 };

	for (int i = 0; i < 100; i++) {
		pthread_kill(*(pthread_t *)to, SIGUSR1);
		nanosleep(&time, NULL);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void count_event(void *count, const struct trace_reader_record *record)
{
	*(int *)count += record->type == FXT_EVENT;
}

/* Is each record written or counted, in a sound buffer? */
static const char *trace_with_signals(SCRIPT_NONE)
{
	struct sigaction action = { .sa_handler = trace_signal };
	pthread_t self = pthread_self(), sender;
	struct kit_archive archive;
	int traced = 0, found = 0, findings;

	handled = done = 0;
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&sender, NULL, send_signals, &self);
	for (; !__atomic_load_n(&done, __ATOMIC_ACQUIRE); traced++)
		TRACE_INSTANT("cat", "main", TRACE_SCOPE_THREAD);
	pthread_join(sender, NULL);
	trace_engine_stop(0);
	kit_make_archive(&archive, kit_buffer, kit_size);
	findings = kit_read(&archive, count_event, &found);
	free(archive.words);
	return script_say("%s, %s, %s", handled ? "signals" : "no signal",
			  findings ? "broken" : "sound",
			  found + (int)trace_engine_dropped() ==
					  traced + handled
				  ? "all"
				  : "not all");
}

/*
 * ---- A thread that stops for long
 */

static pthread_barrier_t gate;
static pthread_t sleeper;

/* It has a chunk of its own, nearly empty, or is about to get one. */
static void *trace_around(void *is_taking)
{
	uint64_t resting;

	trace_number(0);
	resting = tr2_trace_self->state;
	if (is_taking)
		tr2_trace_store(&tr2_trace_self->state,
				TR2_TRACE_TAKING | TR2_TRACE_BUSY);
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
	if (is_taking)
		tr2_trace_store(&tr2_trace_self->state, resting);
	else
		trace_number(1);
	return NULL;
}

/* `sleeper [taking]`: it traces 0, and 1 when it wakes. */
static const char *begin_sleeper(char **word)
{
	pthread_barrier_init(&gate, NULL, 2);
	tap_need(!pthread_create(&sleeper, NULL, trace_around,
				 *word[0] ? &gate : NULL));
	pthread_barrier_wait(&gate);
	return NULL;
}

static const char *wake_sleeper(SCRIPT_NONE)
{
	pthread_barrier_wait(&gate);
	pthread_join(sleeper, NULL);
	pthread_barrier_destroy(&gate);
	return NULL;
}

/* It is inside a record: its handler does not return. */
static void wait_inside(struct trace_handler *handler, const char *name)
{
	(void)handler;
	(void)name;
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
}

static void *trace_alert(void *unused)
{
	TRACE_ALERT("cat", "inside");
	return unused;
}

static int stopped; /* atomic */

static void *stop_engine(void *unused)
{
	trace_engine_stop(0);
	__atomic_store_n(&stopped, 1, __ATOMIC_RELEASE);
	return unused;
}

/* Does a stop return while a thread is inside? */
static const char *stop_around(SCRIPT_NONE)
{
	static const struct trace_handler_ops ops = { .send_alert =
							      wait_inside };
	const struct timespec while_inside = { 0, 20000000 };
	struct trace_handler handler = { &ops };
	pthread_t alerter, stopper;
	int too_early;

	trace_engine_terminate();
	pthread_barrier_init(&gate, NULL, 2);
	trace_start_engine(&handler, TRACE_BUFFERING_MODE_ONESHOT, kit_buffer,
			   kit_size);
	pthread_create(&alerter, NULL, trace_alert, NULL);
	pthread_barrier_wait(&gate);
	pthread_create(&stopper, NULL, stop_engine, NULL);
	nanosleep(&while_inside, NULL);
	too_early = __atomic_load_n(&stopped, __ATOMIC_ACQUIRE);
	pthread_barrier_wait(&gate);
	pthread_join(alerter, NULL);
	pthread_join(stopper, NULL);
	trace_engine_terminate();
	pthread_barrier_destroy(&gate);
	return script_say_yes(too_early);
}

/* clang-format off */
#define ENGINE_THREADS \
	{ "threads", run_threads }, { "each", tell_each }, \
	{ "busy", begin_busy }, { "idle", end_busy }, \
	{ "switch", switch_engine }, { "end-inside", end_inside }, \
	{ "with-signals", trace_with_signals }, \
	{ "sleeper", begin_sleeper }, { "wake", wake_sleeper }, \
	{ "stop-around", stop_around }
/* clang-format on */

#endif
