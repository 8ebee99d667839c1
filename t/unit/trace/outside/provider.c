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

static pthread_key_t first_key; /* of this program */

/* The engine has not begun, for no manager answers. */
static void use_first_key(void)
{
	setenv("TRACE_MANAGER", "/nobody/answers", 1);
	pthread_setspecific(first_key, &first_key);
	trace_one();
	_exit(pthread_getspecific(first_key) == &first_key ? 0 : 1);
}

static void test_key(void)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		use_first_key();
	waitpid(child, &status, 0);
	tap_int(status, 0,
		"an event before the engine leaves the program's keys alone");
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
	pthread_key_create(&first_key, NULL);
	desk_open();
	setenv("TRACE_MANAGER", desk.socket, 1);
#ifdef __SANITIZE_THREAD__
	(void)test_key;
	(void)test_runs;
	tap_skip("a provider that the environment asks for",
		 "ThreadSanitizer takes its threads for its parent's");
#else
	test_key();
	test_runs();
#endif
	desk_close();
	return tap_done();
}
