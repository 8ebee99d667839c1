/* Oneshot: the first record without room is the end, for every thread. */
#include <pthread.h>

#include "host/host.h"
#include "trace/engine/programs/numbers_kit.h"

#define LARGE 3000

static void trace_large(size_t bytes)
{
	static char text[2 * TRACE_BUFFER_CHUNK_MAX];

	memset(text, 'x', bytes);
	text[bytes] = 0;
	TRACE_BLOB_EVENT("cat", "large", text, bytes, "i", TA_INT32(-1));
}

static void fill_buffer(size_t bytes)
{
	while (!trace_engine_dropped())
		trace_large(bytes);
}

/* What was recorded of the numbers, beside the large events. */
static int count_numbers(void)
{
	struct kit_archive archive;
	struct numbers numbers = { -1, -1, 0, 0 };

	if (kit_make_archive(&archive, kit_buffer, kit_size) < 0 ||
	    kit_read(&archive, count_number, &numbers))
		numbers.count = -1;
	free(archive.words);
	return numbers.count;
}

static void test_smaller_events(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	trace_numbers(0, 10);
	fill_buffer(LARGE);
	trace_numbers(10, 20);
	tap_int((intmax_t)trace_engine_dropped(), 11,
		"after its first drop a oneshot trace drops small events too");
	trace_engine_stop(0);
	tap_int(count_numbers(), 10,
		"a oneshot trace keeps what came before its first drop");
}

/* It has a chunk of its own, nearly empty, when the buffer becomes full. */
static void *trace_around(void *gate)
{
	trace_numbers(0, 1);
	pthread_barrier_wait(gate);
	pthread_barrier_wait(gate);
	trace_numbers(1, 2);
	return NULL;
}

static void test_other_thread(void)
{
	pthread_barrier_t gate;
	pthread_t thread;

	pthread_barrier_init(&gate, NULL, 2);
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	pthread_create(&thread, NULL, trace_around, &gate);
	pthread_barrier_wait(&gate);
	fill_buffer(LARGE);
	pthread_barrier_wait(&gate);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&gate);
	tap_int((intmax_t)trace_engine_dropped(), 2,
		"the first drop of a thread ends the recording of all threads");
	trace_engine_stop(0);
	tap_int(count_numbers(), 1,
		"a thread with room records nothing after another's drop");
}

/* A chunk of this buffer, and the largest chunk of any. */
static void test_longer_than_a_chunk(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	trace_large(kit_header()->chunk_size);
	trace_numbers(0, 10);
	trace_engine_stop(0);
	tap_int(count_numbers(), 0,
		"an event for which a small buffer has no room ends its trace");
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	trace_large(TRACE_BUFFER_CHUNK_MAX);
	trace_numbers(0, 10);
	tap_int((intmax_t)trace_engine_dropped(), 1,
		"an event for which no buffer has room is counted");
	trace_engine_stop(0);
	tap_int(count_numbers(), 10,
		"an event for which no buffer has room ends nothing");
}

/*
 * A kernel object is asked for by its number.
 */

static struct tr2_host host;
static int questions;

static ssize_t count_question(pid_t pid, char *text, size_t size)
{
	questions++;
	return (ssize_t)snprintf(text, size, "%d (name)", (int)pid);
}

static void test_kernel_object(void)
{
	const struct tr2_host *usual = tr2_host;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	trace_numbers(0, 1);
	host = *usual;
	host.process_stat = count_question;
	tr2_host = &host;
	TRACE_KERNEL_OBJECT(4711);
	tap_int(questions, 1, "a kernel object is asked for once");
	fill_buffer(LARGE);
	TRACE_KERNEL_OBJECT(4711);
	tap_ok(questions == 1 && trace_engine_dropped() == 2,
	       "an object whose record is dropped is not asked for");
	trace_engine_stop(0);
	TRACE_KERNEL_OBJECT(4711);
	tap_int(questions, 1,
		"an object is not asked for while tracing is off");
	tr2_host = usual;
}

int main(void)
{
	tap_run(test_smaller_events, test_other_thread,
		test_longer_than_a_chunk, test_kernel_object);
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
