/* Parts that are full, threads that sleep, and a stop that waits. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "trace/engine/writer.h"
#include "trace/engine/programs/numbers_kit.h"

static void test_streaming(void)
{
	struct numbers numbers;
	uint64_t dropped;

	memset(&kit_heard, 0, sizeof(kit_heard));
	kit_start(TRACE_BUFFERING_MODE_STREAMING, SMALL);
	tap_int(trace_engine_mark_buffer_saved(0, 0), EINVAL,
		"what is not full can't have been saved");
	trace_numbers(0, 10000);
	dropped = trace_engine_dropped();
	tap_ok(dropped && !kit_heard.full,
	       "streaming drops when both parts are full, and never waits");
	trace_engine_service();
	trace_engine_service();
	tap_ok(kit_heard.full == 1 && kit_heard.wrapped == 0 &&
		       kit_heard.durable >= 16,
	       "a full part is told once");
	tap_ok(kit_header()->rolling_data_end[kit_heard.wrapped & 1] &&
		       !kit_header()->rolling_data_end[~kit_heard.wrapped & 1],
	       "the part to save is the lowest bit of the count");
	tap_ok(trace_engine_mark_buffer_saved(1, 0) == EINVAL &&
		       trace_engine_mark_buffer_saved(0, kit_heard.durable) ==
			       0,
	       "only the part that was told can be saved");
	trace_numbers(20000, 20010);
	tap_ok(trace_engine_dropped() == dropped,
	       "a saved part is written to again");
	trace_engine_service();
	tap_ok(kit_heard.full == 2 && kit_heard.wrapped == 1 &&
		       kit_header()->rolling_data_end[1] &&
		       !kit_header()->rolling_data_end[0],
	       "then the other part is told");
	numbers = stop_and_read();
	tap_ok(numbers.gaps == 1 && numbers.last == 20009,
	       "the end of a stream is in the buffer after the stop");
}

/* A writer that has a chunk of the full part but does nothing. */
static void *sleep_with_chunk(void *gate)
{
	trace_numbers(0, 1);
	pthread_barrier_wait(gate);
	pthread_barrier_wait(gate);
	trace_numbers(1, 2);
	return NULL;
}

static void test_sleeper(void)
{
	pthread_barrier_t gate;
	pthread_t thread;
	struct numbers numbers;

	memset(&kit_heard, 0, sizeof(kit_heard));
	pthread_barrier_init(&gate, NULL, 2);
	kit_start(TRACE_BUFFERING_MODE_STREAMING, SMALL);
	pthread_create(&thread, NULL, sleep_with_chunk, &gate);
	pthread_barrier_wait(&gate);
	trace_numbers(1000, 3000);
	trace_engine_service();
	tap_ok(kit_heard.full == 1 && kit_heard.wrapped == 0,
	       "a part is at rest though a thread sleeps in one of its chunks");
	trace_engine_mark_buffer_saved(0, kit_heard.durable);
	pthread_barrier_wait(&gate);
	pthread_join(thread, NULL);
	kit_oldest = 1;
	numbers = stop_and_read();
	kit_oldest = 0;
	tap_ok(numbers.gaps >= 0 && numbers.last == 1,
	       "a thread whose chunk was taken goes on in another one");
	pthread_barrier_destroy(&gate);
}

/* Circular: a chunk that a sleeper left is used again, and stays whole. */
static void test_circular_sleeper(void)
{
	pthread_barrier_t gate;
	pthread_t thread;
	struct numbers numbers;

	pthread_barrier_init(&gate, NULL, 2);
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, SMALL);
	pthread_create(&thread, NULL, sleep_with_chunk, &gate);
	pthread_barrier_wait(&gate);
	trace_numbers(1000, 9000);
	pthread_barrier_wait(&gate);
	pthread_join(thread, NULL);
	trace_numbers(9000, 9010);
	numbers = stop_and_read();
	tap_ok(numbers.gaps >= 0 && numbers.gaps <= 2 && numbers.count > 1000,
	       "circular takes the chunk of a thread that sleeps");
	tap_int(numbers.first == 0, 0, "what a sleeper wrote long ago is gone");
	pthread_barrier_destroy(&gate);
}

/* A writer that stops for long where it is about to get a chunk. */
static void *sleep_taking(void *gate)
{
	uint64_t resting;

	trace_numbers(0, 1);
	resting = tr2_trace_self->state;
	tr2_trace_store(&tr2_trace_self->state,
			TR2_TRACE_TAKING | TR2_TRACE_BUSY);
	pthread_barrier_wait(gate);
	pthread_barrier_wait(gate);
	tr2_trace_store(&tr2_trace_self->state, resting);
	return NULL;
}

static void test_circular_taking(void)
{
	pthread_barrier_t gate;
	pthread_t thread;
	struct numbers numbers;
	uint32_t wrapped;

	pthread_barrier_init(&gate, NULL, 2);
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, SMALL);
	pthread_create(&thread, NULL, sleep_taking, &gate);
	pthread_barrier_wait(&gate);
	trace_numbers(1000, 9000);
	wrapped = kit_header()->wrapped_count;
	pthread_barrier_wait(&gate);
	pthread_join(thread, NULL);
	tap_ok(wrapped == 1 && trace_engine_dropped(),
	       "circular overtakes nobody by two passes, and drops");
	trace_numbers(9000, 9010);
	numbers = stop_and_read();
	tap_ok(numbers.count > 1000 && numbers.last == 9009,
	       "what was there then stays, and what follows comes behind it");
	pthread_barrier_destroy(&gate);
}

/*
 * A thread that is inside a record: its handler does not return.
 */

static pthread_barrier_t inside;
static int stopped; /* atomic */

static void wait_inside(struct trace_handler *handler, const char *name)
{
	(void)handler;
	(void)name;
	pthread_barrier_wait(&inside);
	pthread_barrier_wait(&inside);
}

static void *trace_alert(void *unused)
{
	TRACE_ALERT("cat", "inside");
	return unused;
}

static void *stop_engine(void *unused)
{
	trace_engine_stop(0);
	__atomic_store_n(&stopped, 1, __ATOMIC_RELEASE);
	return unused;
}

static void test_stop_waits(void)
{
	static const struct trace_handler_ops ops = { .send_alert =
							      wait_inside };
	const struct timespec while_inside = { 0, 20000000 };
	struct trace_handler handler = { &ops };
	pthread_t alerter, stopper;
	int too_early;

	trace_engine_terminate();
	pthread_barrier_init(&inside, NULL, 2);
	trace_start_engine(&handler, TRACE_BUFFERING_MODE_ONESHOT, kit_buffer,
			   kit_size);
	pthread_create(&alerter, NULL, trace_alert, NULL);
	pthread_barrier_wait(&inside);
	pthread_create(&stopper, NULL, stop_engine, NULL);
	nanosleep(&while_inside, NULL);
	too_early = __atomic_load_n(&stopped, __ATOMIC_ACQUIRE);
	pthread_barrier_wait(&inside);
	pthread_join(alerter, NULL);
	pthread_join(stopper, NULL);
	tap_int(too_early, 0, "a stop waits for threads inside a record");
	trace_engine_terminate();
	pthread_barrier_destroy(&inside);
}

int main(void)
{
	tap_run(test_streaming, test_sleeper, test_circular_sleeper,
		test_circular_taking, test_stop_waits);
	free(kit_buffer);
	return tap_done();
}
