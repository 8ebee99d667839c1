/*
 * SIGKILL at any moment, in each mode, with one thread and with eight: what
 * the reader finds is well-formed, has every record that was committed, and
 * none from before. With an argument, so many kills (default 60).
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace_kit.h"
#include "tr2_host.h"

#define THREADS 8
#define STALE 1000000000u
#define LONGEST_NS 3000000u

/* Of the process that is killed, for the one that looks. */
struct progress {
	uint32_t committed[THREADS]; /* atomic: records that were written */
	int runs; /* atomic: all of them belong to the last session */
};

struct full {
	uint32_t wrapped;
	uint64_t durable;
};

static struct progress *progress;
static char *buffer;
static size_t size;
static enum trace_buffering_mode mode;
static int threads;
static int told[2], saved[2]; /* pipes: parts that are full, and saved */

/*
 * Who is killed
 */

static void trace_one(uint32_t thread, uint32_t i)
{
	TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "thread",
		      TA_UINT32(thread), "i", TA_UINT32(i));
}

/* A stream has to have a chance to be saved. */
static void rest(uint32_t i)
{
	const struct timespec time = { 0, 100000 };

	if (mode == TRACE_BUFFERING_MODE_STREAMING && i % 256 == 255)
		nanosleep(&time, NULL);
}

static void *trace_for_ever(void *number)
{
	uint32_t thread = *(uint32_t *)number;
	uint32_t i;

	for (i = 0;; i++) {
		trace_one(thread, i);
		__atomic_store_n(&progress->committed[thread], i + 1,
				 __ATOMIC_RELEASE);
		rest(i);
	}
	return NULL;
}

static void tell(struct trace_handler *handler, uint32_t wrapped,
		 uint64_t durable)
{
	struct full full = { wrapped, durable };
	ssize_t put;

	(void)handler;
	memset(&full, 0, sizeof(full));
	full.wrapped = wrapped;
	full.durable = durable;
	put = write(told[1], &full, sizeof(full));
	(void)put;
}

static void serve_for_ever(void)
{
	for (;;) {
		struct pollfd wanted = { .fd = saved[0], .events = POLLIN };
		struct full full;

		if (poll(&wanted, 1, trace_engine_service()) > 0 &&
		    read(saved[0], &full, sizeof(full)) == sizeof(full))
			trace_engine_mark_buffer_saved(full.wrapped,
						       full.durable);
	}
}

static void be_killed(void)
{
	static const struct trace_handler_ops ops = { .notify_buffer_full =
							      tell };
	struct trace_handler handler = { &ops };
	uint32_t number[THREADS], i;
	pthread_t thread;

	trace_engine_initialize(&handler, mode, buffer, size);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	for (i = 0; i < 20000; i++)
		trace_one(0, STALE + i);
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	__atomic_store_n(&progress->runs, 1, __ATOMIC_RELEASE);
	for (i = 0; i < (uint32_t)threads; i++) {
		number[i] = i;
		pthread_create(&thread, NULL, trace_for_ever, &number[i]);
	}
	serve_for_ever();
}

/*
 * Who looks
 */

static struct {
	struct kit_archive archive;
	struct trace_buffer_header header;
	uint64_t durable; /* saved of it */
	uint32_t passes;  /* saved */
	int has_header;
} reader;

static void find_header(void)
{
	if (reader.has_header)
		return;
	memcpy(&reader.header, buffer, sizeof(reader.header));
	reader.has_header = 1;
}

static void save_durable(uint64_t to)
{
	int64_t end = trace_buffer_read_durable(&reader.header, buffer,
						reader.durable, to, kit_append,
						&reader.archive);

	if (end > 0)
		reader.durable = (uint64_t)end;
}

static void save(const struct full *full)
{
	ssize_t put;

	find_header();
	save_durable(full->durable);
	trace_buffer_read_rolling(&reader.header, buffer,
				  (int)(full->wrapped & 1), reader.passes,
				  kit_append, &reader.archive);
	reader.passes = full->wrapped + 1;
	put = write(saved[1], full, sizeof(*full));
	(void)put;
}

/* Wait until it runs, then some time more, and save what is full. */
static void wait_for_moment(uint64_t delay)
{
	struct pollfd wanted = { .fd = told[0], .events = POLLIN };
	uint64_t end = 0;
	struct full full;

	while (!end || tr2_host->mono_ns() < end) {
		if (!end && __atomic_load_n(&progress->runs, __ATOMIC_ACQUIRE))
			end = tr2_host->mono_ns() + delay;
		if (poll(&wanted, 1, 0) > 0 &&
		    read(told[0], &full, sizeof(full)) == sizeof(full))
			save(&full);
	}
}

static void read_rest(void)
{
	int older = (int)(reader.passes & 1);

	find_header();
	if (mode == TRACE_BUFFERING_MODE_STREAMING) {
		save_durable(UINT64_MAX);
		trace_buffer_read_rolling(&reader.header, buffer, older,
					  reader.passes, kit_append,
					  &reader.archive);
		trace_buffer_read_rolling(&reader.header, buffer, !older,
					  reader.passes, kit_append,
					  &reader.archive);
		return;
	}
	trace_buffer_read(&reader.header, buffer, 0, kit_append,
			  &reader.archive);
}

struct seen {
	int wrong;
	int64_t first[THREADS];
	int64_t last[THREADS];
};

static void see(void *context, const struct trace_reader_record *record)
{
	struct seen *seen = context;
	uint64_t thread;
	int64_t i;
	int has_gap;

	if (record->type != FXT_EVENT)
		return;
	thread = record->args[0].value.word;
	i = (int64_t)record->args[1].value.word;
	if (thread >= THREADS || i >= STALE || i <= seen->last[thread]) {
		seen->wrong++;
		return;
	}
	if (seen->last[thread] < 0)
		seen->first[thread] = i;
	has_gap = seen->last[thread] >= 0 && i != seen->last[thread] + 1;
	seen->wrong += has_gap && !reader.header.num_records_dropped;
	seen->last[thread] = i;
}

/* Does what is there of a thread end with what it committed last? */
static int is_complete(const struct seen *seen, int thread)
{
	int64_t committed =
		__atomic_load_n(&progress->committed[thread], __ATOMIC_ACQUIRE);

	if (seen->last[thread] + 1 < committed ||
	    seen->last[thread] > committed)
		return 0;
	return mode == TRACE_BUFFERING_MODE_CIRCULAR || !committed ||
	       seen->first[thread] == 0;
}

/*
 * All committed records are there; in circular mode those of the threads
 * that were not overwritten, and of one at least.
 */
static int are_complete(const struct seen *seen)
{
	int i, complete = 0, empty = 0;

	if (reader.header.num_records_dropped)
		return 1;
	for (i = 0; i < threads; i++) {
		complete += is_complete(seen, i);
		empty += mode == TRACE_BUFFERING_MODE_CIRCULAR &&
			 seen->last[i] < 0 && !is_complete(seen, i);
	}
	return complete && complete + empty == threads;
}

static int judge(void)
{
	struct seen seen;
	int findings;

	memset(&seen, 0xff, sizeof(seen));
	seen.wrong = 0;
	reader.header.num_records_dropped =
		((struct trace_buffer_header *)(void *)buffer)
			->num_records_dropped;
	findings = kit_read(&reader.archive, see, &seen);
	if (!findings && !seen.wrong && are_complete(&seen))
		return 1;
	printf("# findings %d, stale or doubled %d\n", findings, seen.wrong);
	for (int i = 0; i < threads; i++)
		printf("# thread %d: %d committed, %d to %d found\n", i,
		       (int)progress->committed[i], (int)seen.first[i],
		       (int)seen.last[i]);
	return 0;
}

/* One kill; 1: all is well. */
static int kill_once(uint64_t delay)
{
	pid_t child;
	int good;

	memset(progress, 0, sizeof(*progress));
	memset(&reader, 0, sizeof(reader));
	kit_begin_archive(&reader.archive);
	if (pipe(told) || pipe(saved))
		return 0;
	fcntl(saved[0], F_SETFL, O_NONBLOCK);
	fflush(stdout);
	child = fork();
	if (!child) {
		be_killed();
		_exit(0);
	}
	wait_for_moment(delay);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	read_rest();
	good = judge();
	free(reader.archive.words);
	close(told[0]);
	close(told[1]);
	close(saved[0]);
	close(saved[1]);
	return good;
}

static void *map_shared(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void test_kills(int count, const char *name)
{
	static uint64_t random = 88172645463325252u;
	int i, good = 0;

	for (i = 0; i < count; i++) {
		buffer = map_shared(size);
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		good += kill_once(random % LONGEST_NS);
		munmap(buffer, size);
	}
	tap_int(good, count, name);
}

int main(int argc, char **argv)
{
	int each = (argc > 1 ? atoi(argv[1]) : 60) / 6;

	progress = map_shared(sizeof(*progress));
	for (threads = 1; threads <= THREADS; threads += THREADS - 1) {
		char name[80];

		mode = TRACE_BUFFERING_MODE_ONESHOT;
		size = 8 << 20;
		snprintf(name, sizeof(name),
			 "oneshot survives kills with %d thread(s)", threads);
		test_kills(each, name);
		mode = TRACE_BUFFERING_MODE_CIRCULAR;
		size = 512 << 10;
		snprintf(name, sizeof(name),
			 "circular survives kills with %d thread(s)", threads);
		test_kills(each, name);
		mode = TRACE_BUFFERING_MODE_STREAMING;
		size = 1 << 20;
		snprintf(name, sizeof(name),
			 "streaming survives kills with %d thread(s)", threads);
		test_kills(each, name);
	}
	return tap_done();
}
