/* fork: the engine is off in the child, and the parent's does not notice. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/trace/trace.h"

#define EVENTS 2000
#define FORKS 20

static size_t size = 1 << 20;
static int done; /* atomic */

struct seen {
	int events;
	int disorder;
	int64_t last;
	uint64_t process;
	int foreign; /* events of another process */
};

static void see_record(void *context, const struct trace_reader_record *record)
{
	struct seen *seen = context;
	int64_t i;

	if (record->type != FXT_EVENT || record->name.len != 5)
		return;
	i = record->args[0].value.integer;
	seen->events++;
	seen->disorder += i != seen->last + 1;
	seen->foreign += record->thread.process != seen->process;
	seen->last = i;
}

/* A whole archive of this process alone, the events 0 and on in order. */
static int is_clean(const void *buffer, int events)
{
	struct seen seen = { 0, 0, -1, (uint64_t)getpid(), 0 };
	struct kit_archive archive;
	int findings;

	if (kit_make_archive(&archive, buffer, size) < 0)
		return 0;
	findings = kit_read(&archive, see_record, &seen);
	free(archive.words);
	return !findings && !seen.disorder && !seen.foreign &&
	       seen.events == events;
}

static void trace_events(int from, int to)
{
	int i;

	for (i = from; i < to; i++)
		TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "i",
			      TA_INT32(i));
}

/* What a child does; its exit code counts what is wrong. */
static int trace_in_child(void)
{
	void *own = calloc(1, size);
	int wrong = TRACE_ENABLED() || TRACE_CATEGORY_ENABLED("cat");

	trace_events(0, 100);
	trace_engine_stop(0);
	wrong += trace_engine_start(TRACE_START_RETAIN_BUFFER) == 0;
	wrong += trace_start_engine(kit_handler(), TRACE_BUFFERING_MODE_ONESHOT,
				    own, size) != 0;
	trace_events(0, EVENTS);
	trace_stop_engine(0);
	wrong += !is_clean(own, EVENTS);
	free(own);
	return wrong;
}

static int child_is_good(void)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(trace_in_child());
	waitpid(child, &status, 0);
	return status == 0;
}

static void test_alone(void)
{
	int good;

	trace_events(0, EVENTS);
	good = child_is_good();
	trace_events(EVENTS, 2 * EVENTS);
	trace_engine_stop(0);
	tap_ok(good, "the engine is off in a forked child, and starts anew");
	tap_ok(is_clean(kit_buffer, 2 * EVENTS),
	       "the parent's trace has nothing of the child, and no gap");
}

static void *trace_others(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		TRACE_DURATION("cat", "other thread");
	}
	return unused;
}

/* Threads are anywhere in a record when a process forks. */
static void test_busy(void)
{
	pthread_t thread[2];
	int i, good = 0;

	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, trace_others, NULL);
	for (i = 0; i < FORKS; i++) {
		trace_events(i * 10, i * 10 + 10);
		good += child_is_good();
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	trace_engine_stop(0);
	tap_int(good, FORKS, "children of a process with busy threads trace");
}

/* Shared memory: what a child writes would be seen. */
int main(void)
{
	kit_buffer = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	trace_start_engine(kit_handler(), TRACE_BUFFERING_MODE_ONESHOT,
			   kit_buffer, size);
	test_alone();
	test_busy();
	trace_engine_terminate();
	return tap_done();
}
