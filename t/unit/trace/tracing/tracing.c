/* Tracing objects: trace points, observers, the agent's thread, forks. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "kit/trace/tracing.h"

static void pass_time(void)
{
	TRACE_INSTANT("a", "passed", TRACE_SCOPE_THREAD);
}

/* The same trace point all the time. */
static void test_renewal(void)
{
	const struct trace_tracing_options options = { .pattern = "p.json" };
	struct trace_tracing *tracing = kit_tracing("a");
	struct trace_tracing *other = kit_tracing("b");

	trace_tracing_configure(&options);
	trace_tracing_enable(other);
	pass_time();
	trace_tracing_enable(tracing);
	pass_time();
	trace_tracing_disable(tracing);
	pass_time();
	trace_tracing_enable(tracing);
	pass_time();
	trace_tracing_destroy(tracing);
	trace_tracing_destroy(other);
	tap_int(kit_count("p.json", KIT_HAS("passed")), 2,
		"a trace point that was passed before is switched, too");
}

static int started, stopped;

static void on_start(struct trace_observer *observer)
{
	(void)observer;
	started++;
}

static void on_stop(struct trace_observer *observer)
{
	(void)observer;
	stopped++;
}

static void test_observers(void)
{
	struct trace_observer first = { on_start, on_stop, NULL };
	struct trace_observer late = { on_start, NULL, NULL };
	struct trace_tracing *one = kit_tracing("a"), *two = kit_tracing("b");

	trace_tracing_observe(&first);
	tap_int(started, 0, "an observer waits for tracing to run");
	trace_tracing_enable(one);
	trace_tracing_enable(two);
	tap_int(started, 1, "an observer is told once that tracing runs");
	trace_tracing_observe(&late);
	tap_int(started, 2, "an observer that comes later is told at once");
	trace_tracing_disable(one);
	tap_int(stopped, 0, "tracing runs while one object is enabled");
	trace_tracing_disable(two);
	tap_int(stopped, 1, "an observer is told when tracing ends");
	trace_tracing_unobserve(&late);
	trace_tracing_unobserve(&first);
	trace_tracing_enable(two);
	tap_int(started, 2, "one that observes no more is not told");
	trace_tracing_destroy(one);
	trace_tracing_destroy(two);
}

static struct trace_handler other_handler;

/* Which signals the other thread blocks, as a mask. */
static unsigned long long read_blocked(void)
{
	unsigned long long mask = 0;
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	char line[512];
	FILE *status;

	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' || atoi(entry->d_name) == getpid())
			continue;
		snprintf(line, sizeof(line), "/proc/self/task/%s/status",
			 entry->d_name);
		status = fopen(line, "r");
		while (status && fgets(line, sizeof(line), status))
			if (!strncmp(line, "SigBlk:", 7))
				mask = strtoull(line + 7, NULL, 16);
		if (status)
			fclose(status);
	}
	if (dir)
		closedir(dir);
	return mask;
}

/* Every new thread blocks all signals for a moment. */
static int blocks_signals(void)
{
	const unsigned long long signals = 1ull << (SIGTERM - 1) |
					   1ull << (SIGHUP - 1) |
					   1ull << (SIGINT - 1);
	const struct timespec step = { 0, 1000000 };
	int tries;

	for (tries = 0; tries < 50; tries++) {
		if ((read_blocked() & signals) != signals)
			return 0;
		nanosleep(&step, NULL);
	}
	return 1;
}

static void test_thread(void)
{
	struct trace_tracing *tracing = kit_tracing("a");
	const int before = kit_threads();

	trace_tracing_enable(tracing);
	TRACE_INSTANT("b", "n", TRACE_SCOPE_THREAD);
	tap_int(kit_threads(), before,
		"no thread begins before an event that is wanted");
	TRACE_INSTANT("a", "n", TRACE_SCOPE_THREAD);
	tap_int(kit_threads(), before + 1,
		"the agent's one thread begins with the first event");
	tap_ok(blocks_signals(), "the agent's thread blocks signals");
	trace_tracing_destroy(tracing);
	tap_int(kit_threads(), before,
		"the agent's thread ends with its last client");
}

#ifdef __SANITIZE_THREAD__
static void test_fork(void)
{
	tap_skip("a forked child has no agent, and may start one",
		 "the thread sanitizer follows no thread of a child's");
}
#else
static void test_fork(void)
{
	const struct trace_tracing_options options = { .pattern = NULL };
	struct trace_tracing *tracing = kit_tracing("a");
	char name[64];
	int status = -1;
	pid_t pid;

	trace_tracing_configure(&options);
	trace_tracing_enable(tracing);
	pid = fork();
	if (!pid) {
		status = kit_threads() > 1 ||
			 trace_tracing_is_enabled(tracing) ||
			 trace_tracing_enabled_categories();
		TRACE_INSTANT("a", "unwanted", 0);
		status |= trace_tracing_enable(tracing);
		TRACE_INSTANT("a", "wanted", 0);
		trace_tracing_destroy(tracing);
		_exit(status);
	}
	waitpid(pid, &status, 0);
	tap_int(status, 0, "a forked child has no agent, and may start one");
	snprintf(name, sizeof(name), "trace.1-%d.json", (int)pid);
	tap_int(kit_count(name, KIT_HAS("wanted")), 1,
		"a forked child has a file of its own");
	tap_int(kit_count(name, KIT_HAS("unwanted")), 0,
		"a forked child does not write what nobody enabled");
	trace_tracing_destroy(tracing);
}
#endif

static void test_busy(void)
{
	static const struct trace_handler_ops ops = { 0 };
	static uint64_t buffer[1024];
	struct trace_tracing *tracing = kit_tracing("a");

	other_handler.ops = &ops;
	trace_start_engine(&other_handler, TRACE_BUFFERING_MODE_ONESHOT, buffer,
			   sizeof(buffer));
	tap_int(trace_tracing_enable(tracing), EBUSY,
		"who finds the engine in use is told so");
	tap_ok(!trace_tracing_is_enabled(tracing),
	       "an object that can't be enabled is disabled");
	tap_ok(TRACE_ENABLED(), "an engine in use goes on");
	trace_stop_engine(0);
	tap_int(trace_tracing_enable(tracing), 0,
		"an engine that is free again can be used");
	trace_tracing_destroy(tracing);
}

int main(void)
{
	kit_begin();
	test_renewal();
	test_observers();
	test_thread();
	test_fork();
	test_busy();
	kit_end();
	return tap_done();
}
