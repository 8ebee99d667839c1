/* A provider that the environment asks for, each time in another process. */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "kit/trace/provider.h"
#include "trace/event.h"
#include "trace/outside/outside.h"

static void write_point(void)
{
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
}

static void trace_one(void)
{
	tr2_outside_begin();
	write_point();
}

static void fork_two(void)
{
	trace_one();
	if (!fork()) {
		write_point();
		exit(0);
	}
	if (!fork())
		exit(0);
	while (wait(NULL) > 0)
		;
}

static void yield_provider(void)
{
	trace_one();
	tr2_outside_yield();
	write_point();
}

/* Record this in a process without a past. */
static void record_run(void (*run)(void))
{
	pid_t child;

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	fflush(stdout);
	child = fork();
	if (!child) {
		run();
		exit(0);
	}
	waitpid(child, NULL, 0);
	desk_end();
}

static void test_runs(void)
{
	record_run(fork_two);
	tap_int(desk.got.count, 2,
		"a process is a provider, and so is a child that traces");
	tap_str(kit_events(&desk.got), "point point", "and are recorded");
	record_run(yield_provider);
	tap_str(kit_events(&desk.got), "point",
		"a provider can be given up for a target");
	setenv("TRACE_EVENT_CATEGORIES", "app", 1);
	setenv("TRACE_EVENT_FILE_PATTERN", "/dev/null", 1);
	record_run(trace_one);
	tap_str(kit_events(&desk.got), "",
		"a file has the engine before a provider");
}

/* Each run is a forked child that starts a thread, as its parent has done. */
int main(void)
{
	desk_open();
	setenv("TRACE_MANAGER", desk.socket, 1);
#ifdef __SANITIZE_THREAD__
	(void)test_runs;
	tap_skip("a provider that the environment asks for",
		 "ThreadSanitizer takes its threads for its parent's");
#else
	test_runs();
#endif
	desk_close();
	return tap_done();
}
