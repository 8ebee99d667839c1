/* Tracing objects: what is on, and what of it is in the file. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "tracing_kit.h"

#define FILE_1 "trace.1.json"

/* A sanitizer may have one of its own. */
static int threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	int count = -2;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static void test_nothing(void)
{
	struct trace_tracing *tracing = kit_tracing("a");
	const int before = threads();

	TRACE_INSTANT("a", "early", TRACE_SCOPE_THREAD);
	tap_ok(access(FILE_1, F_OK) && threads() == before,
	       "without an enabled object there is no file and no thread");
	tap_ok(!trace_tracing_enabled_categories(),
	       "without an enabled object no category is on");
	trace_tracing_destroy(tracing);
	tap_ok(access(FILE_1, F_OK) && threads() == before,
	       "an object that never was enabled leaves no file");
}

static void pass(void)
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
	pass();
	trace_tracing_enable(tracing);
	pass();
	trace_tracing_disable(tracing);
	pass();
	trace_tracing_enable(tracing);
	pass();
	trace_tracing_destroy(tracing);
	trace_tracing_destroy(other);
	tap_int(kit_count("p.json", KIT_HAS("passed")), 2,
		"a trace point that was passed before is switched, too");
}

static void test_errors(void)
{
	static const char *const holes[] = { "a", NULL };
	static const char *const commas[] = { "a,b" };

	errno = 0;
	tap_ok(!trace_tracing_create(NULL, 0) && errno == EINVAL,
	       "an object has at least one category");
	errno = 0;
	tap_ok(!trace_tracing_create(holes, 2) && errno == EINVAL,
	       "a category is a text");
	errno = 0;
	tap_ok(!trace_tracing_create(commas, 1) && errno == EINVAL,
	       "a category has no comma");
}

static void test_object(void)
{
	static const char *const names[] = { "b", "a", "b" };
	struct trace_tracing *tracing = trace_tracing_create(names, 3);

	tap_str(trace_tracing_categories(tracing), "b,a,b",
		"an object shows its categories as they were given");
	tap_ok(!trace_tracing_is_enabled(tracing), "an object begins disabled");
	errno = 7;
	tap_int(trace_tracing_enable(tracing), 0, "an object is enabled");
	tap_ok(errno == 7 && trace_tracing_is_enabled(tracing),
	       "an enabled object says so, and errno is kept");
	tap_int(trace_tracing_enable(tracing), 0, "enabling twice is once");
	tap_str(trace_tracing_enabled_categories(), "a,b",
		"categories that are on are sorted, each once");
	trace_tracing_disable(tracing);
	tap_ok(!trace_tracing_is_enabled(tracing) &&
		       !trace_tracing_disable(tracing),
	       "disabling twice is once");
	tap_ok(!trace_tracing_enabled_categories(),
	       "a disabled object's categories are off");
	trace_tracing_destroy(tracing);
}

static void test_union(void)
{
	static const char *const both[] = { "z", "shared" };
	struct trace_tracing *one = trace_tracing_create(both, 2);
	struct trace_tracing *two = kit_tracing("shared");

	trace_tracing_enable(one);
	trace_tracing_enable(two);
	tap_str(trace_tracing_enabled_categories(), "shared,z",
		"what is on is the union of all enabled objects");
	trace_tracing_disable(one);
	tap_str(trace_tracing_enabled_categories(), "shared",
		"a category stays on while one object has it");
	trace_tracing_destroy(one);
	trace_tracing_destroy(two);
}

static void test_groups(void)
{
	const struct trace_tracing_options options = { .pattern = NULL };
	static const char *const names[] = { "node.fs", "v8, node", "*", "" };
	struct trace_tracing *tracing;
	size_t i;

	trace_tracing_configure(&options);
	unlink(FILE_1);
	tracing = trace_tracing_create(names, 1);
	trace_tracing_enable(tracing);
	TRACE_INSTANT("node,node.fs,node.fs.sync", "member", 0);
	TRACE_INSTANT("node.fs", "exact", 0);
	TRACE_INSTANT("node", "other", 0);
	TRACE_INSTANT("node.fs.sync,node.f", "prefix", 0);
	trace_tracing_disable(tracing);
	TRACE_INSTANT("node.fs", "late", 0);
	trace_tracing_enable(tracing);
	TRACE_INSTANT("node.fs", "again", 0);
	trace_tracing_destroy(tracing);
	tap_int(kit_count("trace.1.json", "\"ph\":\"I\""), 3,
		"an event is recorded if a member of its group is on");
	tap_int(kit_count("trace.1.json", "\"node,node.fs,node.fs.sync\""), 1,
		"an event shows all of its group");
	tap_int(kit_count("trace.1.json", KIT_HAS("late")), 0,
		"an event is not recorded while its category is off");
	for (i = 2; i < 4; i++) {
		unlink(FILE_1);
		tracing = trace_tracing_create(names + i, 1);
		trace_tracing_enable(tracing);
		TRACE_INSTANT("a", "nothing", 0);
		TRACE_INSTANT("", "nothing", 0);
		trace_tracing_destroy(tracing);
	}
	tap_int(kit_count("trace.3.json", KIT_HAS("nothing")) +
			kit_count("trace.2.json", KIT_HAS("nothing")),
		0, "no name stands for several categories");
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

static int many;
static bool is_warned;

static void enable_many(void)
{
	const struct trace_tracing_options options = { .warn = is_warned };

	trace_tracing_configure(&options);
	while (many--)
		trace_tracing_enable(kit_tracing("a"));
}

static int said_of(int count, bool warn)
{
	many = count;
	is_warned = warn;
	return kit_said(enable_many);
}

static void test_many(void)
{
	tap_int(said_of(10, true), 0, "ten enabled objects are no leak");
	tap_int(said_of(13, true), 3, "each object more than ten is warned of");
	tap_int(said_of(13, false), 0, "no leak is told of without a wish");
}

static struct trace_handler other_handler;

/* Which signals the other thread blocks, as a mask. */
static unsigned long long blocked(void)
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

/* A thread that has just begun blocks all for a moment, whoever it is. */
static int blocks_signals(void)
{
	const unsigned long long signals = 1ull << (SIGTERM - 1) |
					   1ull << (SIGHUP - 1) |
					   1ull << (SIGINT - 1);
	const struct timespec step = { 0, 1000000 };
	int tries;

	for (tries = 0; tries < 50; tries++) {
		if ((blocked() & signals) != signals)
			return 0;
		nanosleep(&step, NULL);
	}
	return 1;
}

static void test_thread(void)
{
	struct trace_tracing *tracing = kit_tracing("a");
	const int before = threads();

	trace_tracing_enable(tracing);
	tap_int(threads(), before + 1, "the agent has one thread");
	tap_ok(blocks_signals(), "the agent's thread blocks signals");
	trace_tracing_destroy(tracing);
	tap_int(threads(), before,
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
		status = threads() > 1 || trace_tracing_is_enabled(tracing) ||
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
	test_nothing();
	test_errors();
	test_object();
	test_union();
	test_groups();
	test_renewal();
	test_observers();
	test_many();
	test_thread();
	test_fork();
	test_busy();
	kit_end();
	return tap_done();
}
