/*
 * Threads at full speed: nothing is torn, nothing is lost silently. With
 * an argument, so many events a thread (default 20000).
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "kit/trace/trace.h"

#define THREADS 8

static int events = 20000;
static uint64_t size = 4 << 20;

static void *trace_events(void *number)
{
	uint32_t thread = *(uint32_t *)number;
	uint32_t i;

	for (i = 0; i < (uint32_t)events; i++)
		TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "thread",
			      TA_UINT32(thread), "i", TA_UINT32(i));
	return NULL;
}

static void run_thread(uint32_t number)
{
	pthread_t thread;

	pthread_create(&thread, NULL, trace_events, &number);
	pthread_join(thread, NULL);
}

static void run_threads(void)
{
	pthread_t thread[THREADS];
	uint32_t number[THREADS];
	uint32_t i;

	for (i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, trace_events, &number[i]);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
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
	int64_t i;
	uint64_t thread;

	if (record->type != FXT_EVENT)
		return;
	thread = record->args[0].value.word;
	i = (int64_t)record->args[1].value.word;
	seen->count++;
	if (thread >= THREADS || i <= seen->last[thread]) {
		seen->disorder++;
		return;
	}
	seen->gaps += seen->last[thread] >= 0 && i != seen->last[thread] + 1;
	seen->last[thread] = i;
}

static struct seen read_archive(struct kit_archive *archive)
{
	struct seen seen = { 0, 0, 0, { 0 } };
	int i;

	for (i = 0; i < THREADS; i++)
		seen.last[i] = -1;
	seen.disorder += kit_read(archive, see_record, &seen);
	free(archive->words);
	return seen;
}

static struct seen stop_and_read(void)
{
	struct kit_archive archive;

	trace_engine_stop(0);
	kit_make_archive(&archive, kit_buffer, kit_size);
	return read_archive(&archive);
}

static void test_oneshot(void)
{
	struct seen seen;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, size);
	run_threads();
	seen = stop_and_read();
	tap_ok(!seen.disorder && !seen.gaps,
	       "eight threads write whole records, each in order");
	tap_int((intmax_t)(seen.count + trace_engine_dropped()),
		(intmax_t)events * THREADS,
		"what eight threads wrote and what was dropped is all");
}

static void test_circular(void)
{
	struct seen seen;
	uint64_t dropped;

	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, size / 4);
	run_threads();
	seen = stop_and_read();
	/* A thread that is delayed inside a record may cost others theirs. */
	dropped = trace_engine_dropped();
	tap_ok(!seen.disorder && (!seen.gaps || dropped) &&
		       seen.count + dropped > 10000,
	       "eight threads in turns over the buffer leave no stale record");
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, size / 4);
	for (uint32_t i = 0; i < THREADS; i++)
		run_thread(i);
	seen = stop_and_read();
	tap_ok(!seen.disorder && !seen.gaps && seen.count > 10000 &&
		       !trace_engine_dropped(),
	       "eight threads, one after the other, drop nothing");
}

/*
 * Streaming: the service thread saves what is full.
 */

static struct kit_archive stream;
static uint64_t saved_durable;
static uint32_t saved_passes;
static int done; /* atomic */

static void save_durable(const struct trace_buffer_header *header, uint64_t to)
{
	int64_t end = trace_buffer_read_durable(
		header, kit_buffer, saved_durable, to, kit_append, &stream);

	if (end > 0)
		saved_durable = (uint64_t)end;
}

static struct trace_buffer_header stream_header;

static void save_buffer(struct trace_handler *handler, uint32_t wrapped,
			uint64_t durable)
{
	(void)handler;
	save_durable(&stream_header, durable);
	trace_buffer_read_rolling(&stream_header, kit_buffer, wrapped & 1,
				  saved_passes, kit_append, &stream);
	saved_passes = wrapped + 1;
	trace_engine_mark_buffer_saved(wrapped, durable);
}

static void *serve_buffers(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		int wait = trace_engine_service();
		struct timespec time = { 0, wait * 100000L };

		nanosleep(&time, NULL);
	}
	return unused;
}

/* Save what follows the saved part. */
static void save_rest(void)
{
	int older = (int)(saved_passes & 1);

	save_durable(&stream_header, UINT64_MAX);
	trace_buffer_read_rolling(&stream_header, kit_buffer, older,
				  saved_passes, kit_append, &stream);
	trace_buffer_read_rolling(&stream_header, kit_buffer, !older,
				  saved_passes, kit_append, &stream);
}

static void test_streaming(void)
{
	static struct trace_handler_ops ops = { .notify_buffer_full =
							save_buffer };
	struct trace_handler handler = { &ops };
	struct seen seen;
	pthread_t server;

	trace_engine_terminate();
	trace_engine_initialize(&handler, TRACE_BUFFERING_MODE_STREAMING,
				kit_buffer, kit_size);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	stream_header = *kit_header();
	kit_begin_archive(&stream);
	pthread_create(&server, NULL, serve_buffers, NULL);
	run_threads();
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	pthread_join(server, NULL);
	trace_engine_terminate();
	save_rest();
	seen = read_archive(&stream);
	tap_int(seen.disorder, 0,
		"a stream of eight threads is whole and in "
		"order");
	tap_int((intmax_t)(seen.count + trace_engine_dropped()),
		(intmax_t)events * THREADS,
		"what a stream carried and what was dropped is all");
}

/*
 * Threads that trace while the engine is started and stopped.
 */

static void *trace_until_done(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		TRACE_DURATION("cat", "loop", "i", TA_INT32(1));
		TRACE_INSTANT("off", "off", TRACE_SCOPE_THREAD);
	}
	return unused;
}

static int is_whole(void)
{
	struct kit_archive archive;
	struct kit_text nothing = { (char[64]){ 0 }, 64, 0 };
	int wrong = kit_make_archive(&archive, kit_buffer, kit_size) ||
		    kit_read(&archive, kit_put_record, &nothing);

	free(archive.words);
	return !wrong;
}

static void test_switching(void)
{
	pthread_t thread[2];
	int i, whole = 0;

	done = 0;
	kit_start(TRACE_BUFFERING_MODE_CIRCULAR, 256 << 10);
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, trace_until_done, NULL);
	for (i = 0; i < 30; i++) {
		struct timespec time = { 0, 200000 };

		nanosleep(&time, NULL);
		trace_engine_stop(0);
		whole += is_whole();
		trace_engine_start((enum trace_start_mode)(i % 3));
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	tap_int(whole, 30, "a buffer is at rest as soon as the engine stops");
}

/*
 * A thread that ends inside of the engine.
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

static void test_ending(void)
{
	struct trace_handler *handler = kit_handler();
	const struct trace_handler_ops *before = handler->ops;
	struct trace_handler_ops ops = *before;
	pthread_t thread;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 64 << 20);
	ops.is_category_enabled = end_thread;
	handler->ops = &ops;
	pthread_create(&thread, NULL, trace_end, NULL);
	pthread_join(thread, NULL);
	run_thread(0);
	tap_int((int)trace_engine_dropped(), 1,
		"a thread that ends inside of a record costs no other's");
	trace_engine_stop(0); /* tells that there was a drop */
	tap_int(kit_heard.disposition, ENOSPC,
		"nobody waits for a thread that ended");
	handler->ops = before;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		events = atoi(argv[1]);
	tap_run(test_oneshot, test_circular, test_streaming, test_switching,
		test_ending);
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
