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

static void test_nobody_there(void)
{
	const struct trace_provider_options nowhere = {
		.socket = "/nonexistent/socket",
	};
	struct trace_provider *provider;

	unsetenv("TRACE_MANAGER");
	unsetenv("XDG_RUNTIME_DIR");
	errno = 77;
	provider = trace_provider_create(NULL);
	tap_ok(provider != NULL,
	       "a provider that knows no manager fails no program");
	tap_int(errno, 77, "creating keeps errno");
	trace_provider_destroy(provider);
	provider = trace_provider_create_with_options(&nowhere);
	tap_ok(provider != NULL, "a manager that is not there may come");
	trace_provider_destroy(provider);
	tap_int(errno, 77, "destroying keeps errno");
	trace_provider_destroy(NULL);
}

static void test_late_provider(void)
{
	struct trace_provider *provider, *second;
	bool started = false;

	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, NULL);
	setenv("TRACE_MANAGER", desk.socket, 1);
	provider = trace_provider_create_synchronously(NULL, "late", &started);
	unsetenv("TRACE_MANAGER");
	tap_ok(started, "a trace that runs is told to who waits for it");
	write_event("first");
	second = desk_provider("second");
	tap_str(desk_listing(false), "late", "a second provider does nothing");
	trace_provider_destroy(second);
	write_event("more");
	trace_provider_destroy(provider);
	tap_int(desk_end(), 0, "a provider may go while tracing runs");
	tap_str(kit_events(&desk.got), "first more",
		"nothing is missed of a trace that runs");
	tap_str(desk.got.results[0].wrong, "", "a provider may just go");
	tap_int((intmax_t)desk.got.results[0].counts.pid, getpid(),
		"the manager knows the process by itself");
}

/* `TRACE_MANAGER` shows that a user wants to trace this process. */
static void test_environment(void)
{
	struct trace_provider *provider;

	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, NULL);
	setenv("TRACE_MANAGER", desk.socket, 1);
	provider = trace_provider_create(NULL);
	unsetenv("TRACE_MANAGER");
	write_event("early");
	desk_end();
	tap_str(kit_events(&desk.got), "early",
		"a manager that is named is waited for");
	tap_ok(strstr(desk.got.results[0].name, "provider") != NULL,
	       "a provider has the program's name");
	trace_provider_destroy(provider);
}

static void test_modes(void)
{
	struct trace_provider *provider = desk_provider("modes");
	int mode;

	for (mode = 0; mode < 3; mode++) {
		write_event("off");
		desk_begin((enum trace_buffering_mode)mode, NULL);
		write_event("a");
		write_event("b");
		tap_int(trace_controller_stop(desk.controller), 0,
			"a trace can be stopped");
		write_event("off");
		desk_end();
		tap_str(kit_events(&desk.got), "a b",
			"what is between start and stop is in the trace");
		tap_int((intmax_t)desk.got.results[0].dropped, 0,
			"nothing is dropped without need");
	}
	trace_provider_destroy(provider);
}

static void test_categories(void)
{
	const struct trace_known_category known[] = {
		{ "io", "the disk" },
		{ "net", NULL },
	};
	const struct trace_provider_options options = {
		.name = "na\x01me\xff",
		.socket = desk.socket,
		.categories = known,
		.category_count = 2,
		.wait_ms = 10000,
	};
	struct trace_provider *provider =
		trace_provider_create_with_options(&options);

	tap_str(desk_listing(false), "na?me?", "a name is made presentable");
	tap_str(desk_listing(true),
		"io=the disk net=", "known categories can be listed");
	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, "other");
	write_event("a");
	desk_end();
	tap_str(kit_events(&desk.got), "", "a category that is off is off");
	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, "test");
	write_event("b");
	desk_end();
	tap_str(kit_events(&desk.got), "b", "a category that is named is on");
	trace_provider_destroy(provider);
}

static void test_alert(void)
{
	struct trace_provider *provider = desk_provider("alert");

	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, NULL);
	TRACE_ALERT("test", "fourteen-chars");
	while (!*desk.alert)
		trace_controller_wait(desk.controller, -1, 10);
	desk_end();
	tap_str(desk.alert, "fourteen-chars", "an alert goes to the client");
	trace_provider_destroy(provider);
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

/* Two traces of one provider, and the buffer kept over a stop. */
static void test_restart(void)
{
	struct trace_provider *provider = desk_provider("restart");

	desk_begin(TRACE_BUFFERING_MODE_CIRCULAR, NULL);
	write_event("a");
	trace_controller_stop(desk.controller);
	trace_controller_start(desk.controller, TRACE_START_RETAIN_BUFFER);
	write_event("b");
	trace_controller_stop(desk.controller);
	desk_end();
	tap_str(kit_events(&desk.got), "a b", "a start may keep the buffer");
	desk_begin(TRACE_BUFFERING_MODE_CIRCULAR, NULL);
	write_event("a");
	trace_controller_stop(desk.controller);
	trace_controller_start(desk.controller,
			       TRACE_START_CLEAR_NONDURABLE_BUFFER);
	write_event("b");
	desk_end();
	tap_str(kit_events(&desk.got), "b", "a start may clear the buffer");
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
	tap_int(desk_end(), 0, kit_text("a kill does not stop it: ", name));
	kit_read(&desk.got, &reading);
	tap_int(reading.errors, 0, kit_text("a kill leaves no trace: ", name));
	tap_ok(reading.events > 0, kit_text("a kill loses little: ", name));
	if (reading.errors)
		printf("# %s\n", reading.first);
}

/* Connecting again is tried after 100 ms. */
static void test_manager_comes_back(void)
{
	struct trace_provider *provider = desk_provider("faithful");

	desk_close_manager();
	desk_open_manager();
	while (strcmp(desk_listing(false), "faithful"))
		usleep(10000);
	desk_begin(TRACE_BUFFERING_MODE_ONESHOT, NULL);
	write_event("again");
	desk_end();
	tap_str(kit_events(&desk.got), "again",
		"a provider finds a manager that came back");
	trace_provider_destroy(provider);
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
	test_nobody_there();
	desk_open();
	tap_run(test_late_provider, test_environment, test_modes,
		test_categories, test_alert, test_full_speed, test_restart);
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
	tap_run(test_manager_comes_back, test_manager_dies, test_signals);
	desk_close();
	return tap_done();
}
