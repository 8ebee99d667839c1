/* A process with a trace provider: traced from outside. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/trace/provider.h"
#include "trace/event.h"

static void write_event(const char *name)
{
	const struct trace_event event = {
		.type = FXT_INSTANT,
		.category = "test",
		.name = name,
	};

	if (trace_engine_category_enabled("test"))
		trace_event_write(&event);
}

/* More than the buffer holds, as fast as possible. */
static void test_full_speed(void)
{
	const intmax_t emitted = 200000;
	struct trace_provider *provider = desk_provider("fast");
	const struct kit_result *result = &desk.got.results[0];
	intmax_t i;

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	for (i = 0; i < emitted; i++)
		TRACE_INSTANT("test", "fast", TRACE_SCOPE_THREAD, "i",
			      TA_INT32((int)i));
	tap_int(desk_end(), 0, "streaming at full speed ends well");
	tap_int((intmax_t)(result->counts.events + result->dropped), emitted,
		"streaming: recorded and dropped are what was emitted");
	tap_ok(result->counts.events > 0, "streaming: something is recorded");
	trace_provider_destroy(provider);
}

/* In the child: 0 if all is as it should be. */
static inline int child_of(struct trace_provider *parents)
{
	struct trace_provider *own;

	if (trace_engine_category_enabled("test"))
		return 1;
	write_event("lost");
	own = desk_provider("child");
	if (!own || !trace_engine_category_enabled("test"))
		return 2;
	write_event("child");
	trace_provider_destroy(own);
	trace_provider_destroy(parents);
	return 0;
}

static inline void test_fork(void)
{
	struct trace_provider *provider = desk_provider("parent");
	const char *events;
	int status = -1;
	pid_t child;

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	write_event("before");
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(child_of(provider));
	waitpid(child, &status, 0);
	tap_int(status, 0, "a child is off until it registers anew");
	write_event("after");
	desk_end();
	/* Which of both comes first in the archive is the manager's affair. */
	events = kit_events(&desk.got);
	tap_ok(!strcmp(events, "child before after") ||
		       !strcmp(events, "before child after") ||
		       !strcmp(events, "before after child"),
	       "parent and child have traces of their own");
	tap_int(desk.got.count, 2, "and are two providers");
	trace_provider_destroy(provider);
}

#ifndef __SANITIZE_THREAD__
/* A child that no handler of fork(2) has prepared. */
static void test_clone(void)
{
	struct trace_provider *provider;
	int status = -1;
	pid_t child;

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	provider = desk_provider("parent");
	write_event("before");
	fflush(stdout);
	child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!child) {
		trace_provider_destroy(provider);
		_exit(0);
	}
	waitpid(child, &status, 0);
	tap_int(status, 0, "a cloned child destroys no thread of its parent");
	write_event("after");
	desk_end();
	tap_str(kit_events(&desk.got), "before after",
		"and the parent's trace goes on");
	trace_provider_destroy(provider);
}
#endif

/* A child that lives must not keep its parent's connection open. */
static void test_orphan(void)
{
	int ready[2], status;
	pid_t parent, child = 0;

	tap_need(!pipe(ready));
	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, NULL);
	fflush(stdout);
	parent = fork();
	if (!parent) {
		desk_provider("parent");
		write_event("x");
		child = fork();
		if (child && write(ready[1], &child, sizeof(child)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	status = read(ready[0], &child, sizeof(child)) == sizeof(child);
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	while (strstr(desk_listing(false), "parent"))
		usleep(1000);
	tap_ok(status, "a dead parent is gone while its child lives");
	kill(child, SIGKILL);
	desk_end();
	tap_str(kit_events(&desk.got), "x", "and its trace is there");
	close(ready[0]);
}

/* Writes as fast as possible, and signals when it has written. */
static void trace_endlessly(int ready)
{
	long i = 0;

	desk_provider("victim");
	for (;;) {
		TRACE_INSTANT("test", "tick", TRACE_SCOPE_THREAD, "i",
			      TA_INT64(i));
		if (TRACE_CATEGORY_ENABLED("test") && ++i == 1000)
			close(ready);
	}
}

static void test_killed(enum trace_buffering_mode mode, const char *name)
{
	struct kit_reading reading;
	pid_t victim;
	int ready[2];

	tap_need(!pipe(ready));
	desk_begin(mode, NULL);
	fflush(stdout);
	victim = fork();
	if (!victim)
		trace_endlessly(ready[1]);
	close(ready[1]);
	trace_controller_wait(desk.controller, ready[0], -1);
	close(ready[0]);
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	tap_int(desk_end(), 0, kit_join("a kill does not stop it: ", name));
	kit_read(&desk.got, &reading);
	tap_int(reading.errors, 0, kit_join("a kill leaves no trace: ", name));
	tap_ok(reading.events > 0, kit_join("a kill loses little: ", name));
	if (reading.errors)
		printf("# %s\n", reading.first);
}

/* Tracing ends with its manager, and the program hears nothing of it. */
static void test_manager_dies(void)
{
	struct trace_provider *provider = desk_provider("orphan");

	desk_begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
	write_event("a");
	desk_close_manager();
	tap_int(desk_end(), EPIPE, "a client is told that its manager died");
	while (trace_engine_category_enabled("test"))
		usleep(1000);
	write_event("b");
	tap_ok(1, "tracing is off when the manager is gone");
	trace_provider_destroy(provider);
	desk_open_manager();
}

/* The masks of all threads but the first, ORed into `all`, ANDed into any. */
static int blocked_everywhere(int signal)
{
	char path[300], line[128];
	struct dirent *task;
	unsigned long long mask;
	int blocked = 1;
	DIR *tasks = opendir("/proc/self/task");

	while (tasks && (task = readdir(tasks))) {
		FILE *status;

		if (*task->d_name == '.' || atoi(task->d_name) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status",
			 task->d_name);
		status = fopen(path, "r");
		while (status && fgets(line, sizeof(line), status))
			if (sscanf(line, "SigBlk: %llx", &mask) == 1)
				blocked &= (int)(mask >> (signal - 1) & 1);
		if (status)
			fclose(status);
	}
	if (tasks)
		closedir(tasks);
	return blocked;
}

static void test_signals(void)
{
	struct trace_provider *provider;

	desk_close_manager();
	provider = desk_provider("signals");
	tap_ok(blocked_everywhere(SIGINT) && blocked_everywhere(SIGUSR1),
	       "the provider's thread has signals blocked");
	trace_provider_destroy(provider);
	desk_open_manager();
}

int main(void)
{
	desk_open();
	tap_run(test_full_speed);
#ifdef __SANITIZE_THREAD__
	tap_skip("a child registers anew",
		 "ThreadSanitizer takes its threads for its parent's");
#else
	test_fork();
	test_clone();
#endif
	test_orphan();
	test_killed(TRACE_BUFFERING_MODE_ONESHOT, "oneshot");
	test_killed(TRACE_BUFFERING_MODE_CIRCULAR, "circular");
	test_killed(TRACE_BUFFERING_MODE_STREAMING, "streaming");
	tap_run(test_manager_dies, test_signals);
	desk_close();
	return tap_done();
}
