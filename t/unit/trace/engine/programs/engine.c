/* The engine's life: starts, stops, modes, what is kept and what is lost. */
#include <errno.h>
#include <pthread.h>

#include "trace/engine/programs/numbers_kit.h"

static void test_oneshot(void)
{
	struct numbers numbers;
	uint64_t dropped;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	trace_numbers(0, 100000);
	dropped = trace_engine_dropped();
	numbers = stop_and_read();
	tap_ok(numbers.first == 0 && !numbers.gaps && numbers.count > 2000,
	       "oneshot keeps what came first");
	tap_int((intmax_t)dropped + numbers.count, 100000,
		"oneshot counts what finds no room");
	tap_ok(kit_header()->num_records_dropped == dropped,
	       "the header has the number of drops");
	tap_int(kit_heard.disposition, ENOSPC,
		"the handler hears at the stop that records were dropped");
	tap_ok(kit_heard.written > SMALL * 9 / 10 && kit_heard.written <= SMALL,
	       "the handler hears how much was written");
}

static void test_circular(void)
{
	struct numbers numbers;

	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, SMALL);
	trace_numbers(0, 100000);
	numbers = stop_and_read();
	tap_ok(numbers.last == 99999 && !numbers.gaps && numbers.count > 1000,
	       "circular keeps what came last");
	tap_ok(!trace_engine_dropped() && kit_header()->wrapped_count > 10,
	       "circular drops nothing and counts its passes");
}

/* Threads that take turns; each does so little that its chunk is kept. */
static void *trace_one(void *number)
{
	trace_numbers(*(int *)number, *(int *)number + 1);
	return NULL;
}

static void test_short_threads(void)
{
	struct numbers numbers;
	pthread_t thread;
	int i;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SMALL);
	for (i = 0; i < 300; i++) {
		pthread_create(&thread, NULL, trace_one, &i);
		pthread_join(thread, NULL);
	}
	numbers = stop_and_read();
	tap_ok(numbers.count == 300 && !numbers.gaps && !trace_engine_dropped(),
	       "a thread goes on in the chunk of one that ended");
}

static void test_many_texts(void)
{
	char name[] = "name 0000";
	struct trace_event event = { .category = "cat", .name = name };
	struct numbers numbers;
	int i;

	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, SMALL);
	for (i = 0; i < 1000; i++) {
		name[5] = (char)('0' + i / 100);
		name[6] = (char)('0' + i / 10 % 10);
		name[7] = (char)('0' + i % 10);
		trace_event_write(&event);
		trace_name_process(name);
		trace_name_thread(name);
	}
	trace_numbers(0, 10);
	numbers = stop_and_read();
	tap_ok(numbers.gaps >= 0 && numbers.count >= 10 &&
		       !trace_engine_dropped(),
	       "texts and names without end leave room for what follows");
}

static void test_durable(void)
{
	struct numbers numbers;
	uint64_t dropped;
	pthread_t thread;
	int i;

	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, SMALL);
	trace_numbers(0, 1);
	for (i = 0; i < 200; i++) {
		pthread_create(&thread, NULL, trace_one, &i);
		pthread_join(thread, NULL);
	}
	dropped = trace_engine_dropped();
	trace_numbers(0, 10);
	tap_int((intmax_t)(trace_engine_dropped() - dropped), 10,
		"nothing is written once the durable part is full");
	numbers = stop_and_read();
	tap_ok(numbers.gaps >= 0 && numbers.count > 50,
	       "a full durable part leaves what was traced before");
	tap_int((intmax_t)trace_engine_dropped() + numbers.count, 211,
		"a full durable part ends the trace, and drops are counted");
}

static void test_retain(void)
{
	struct numbers numbers;

	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, SMALL);
	trace_numbers(0, 100);
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	trace_numbers(100, 200);
	numbers = stop_and_read();
	tap_ok(numbers.first == 0 && numbers.count == 200 && !numbers.gaps,
	       "a start that retains goes on behind what is there");
	trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER);
	trace_numbers(300, 310);
	numbers = stop_and_read();
	tap_ok(numbers.first == 300 && numbers.count == 10,
	       "a start that keeps the durable part forgets all events");
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	trace_numbers(400, 410);
	numbers = stop_and_read();
	tap_ok(numbers.first == 400 && numbers.count == 10,
	       "a start that clears forgets everything");
}

static void test_many_threads(void)
{
	struct numbers numbers;
	pthread_t thread[2];
	int i, number[300];

	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
	for (i = 0; i < 300; i++) {
		number[i] = i;
		pthread_create(&thread[0], NULL, trace_one, &number[i]);
		pthread_join(thread[0], NULL);
	}
	numbers = stop_and_read();
	tap_ok(numbers.count == 300 && !numbers.gaps,
	       "threads beyond the table's 255 are recorded too");
}

static void test_file(void)
{
	const size_t chunk = TRACE_BUFFER_CHUNK_MAX;
	struct trace_buffer_header header;
	struct kit_archive archive;
	struct numbers numbers = { -1, -1, 0, 0 };
	uint64_t *space = calloc(2, chunk);

	trace_engine_terminate();
	trace_buffer_format(space, 2 * chunk);
	tap_ok(trace_engine_initialize_file(kit_handler(), &header, space,
					    chunk + 8, 2 * chunk) == EINVAL,
	       "a file grows by whole chunks");
	trace_engine_initialize_file(kit_handler(), &header, space, 2 * chunk,
				     2 * chunk);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	trace_numbers(0, 100);
	kit_begin_archive(&archive);
	kit_append(&archive, space, 2 * chunk / 8);
	tap_ok(!kit_read(&archive, count_number, &numbers) &&
		       numbers.count == 100 && !numbers.gaps,
	       "the space of a file is an archive while it is written");
	free(archive.words);
	trace_engine_terminate();
	free(space);
}

/* Growing: the handler adds one chunk at a time. */

static size_t grown;

static size_t grow_by_chunk(struct trace_handler *handler, size_t have)
{
	(void)handler;
	grown++;
	return have + TRACE_BUFFER_CHUNK_MAX;
}

static void test_growing_file(void)
{
	const size_t chunk = TRACE_BUFFER_CHUNK_MAX;
	const struct trace_handler_ops ops = { .grow = grow_by_chunk };
	struct trace_handler handler = { &ops };
	struct trace_buffer_header header;
	uint64_t *space = calloc(4, chunk);

	trace_buffer_format(space, 4 * chunk);
	trace_engine_initialize_file(&handler, &header, space, chunk,
				     4 * chunk);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	trace_numbers(0, 5000);
	tap_ok(grown == 3 && !trace_engine_dropped(),
	       "a file grows when its space is used up");
	trace_numbers(5000, 7000);
	tap_ok(grown == 3 && trace_engine_dropped(),
	       "a file that may not grow further drops and counts");
	trace_engine_terminate();
	free(space);
}

int main(void)
{
	tap_run(test_oneshot, test_circular, test_short_threads,
		test_many_texts, test_durable, test_retain, test_many_threads,
		test_file, test_growing_file);
	free(kit_buffer);
	return tap_done();
}
