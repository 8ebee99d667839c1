/*
 * every_kit.h - every public call, for hosts that call from where they may
 * not expect to: handlers of fork(2) and of signals, and functions that the
 * library itself calls. Each host is this program again, with one target, for
 * some settings count from before main() on.
 */
#ifndef UNIT_PROCESS_EVERY_KIT_H
#define UNIT_PROCESS_EVERY_KIT_H

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/own_heap.h"
#include "kit/tap.h"
#include "trace/outside/outside.h"
#include "trace2.h"

/* So that the program has it: it begins before main() then. */
__attribute__((used)) static void (*const every_outside)(void) =
	tr2_outside_begin;

#ifdef __SANITIZE_ADDRESS__
/* It can't look for leaks in a child that was forked in the middle of a call. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

/*
 * The calls
 */

TRACE2_TIMER(every_timer, "c", "timer", 1);
TRACE2_COUNTER(every_counter, "c", "counter", 1);
static const char *const every_argv[] = { "git", "https://u:p@h/", NULL };

static inline void call_child(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = every_argv;
	trace2_child_start(&child);
	trace2_child_ready(&child, "ready");
	trace2_child_exit(&child, 0);
}

static inline void call_exec(void)
{
	trace2_exec_result(trace2_exec("git", every_argv), 1);
}

static inline void call_timer(void)
{
	trace2_timer_start(every_timer);
	trace2_timer_stop(every_timer);
}

static inline void call_region(void)
{
	trace2_region_enter("c", "l", 0);
	trace2_region_leave("c", "l", 0);
}

static inline void call_region_printf(void)
{
	trace2_region_enter_printf("c", "l", 0, "%d", 1);
	trace2_region_leave_printf("c", "l", 0, "%d", 1);
}

static inline void call_thread(void)
{
	trace2_thread_start("worker");
	trace2_thread_exit();
}

/* A message that no buffer has room for yet. */
static inline void call_long_printf(void)
{
	trace2_printf("%5000d", 1);
}

static inline void call_queries(void)
{
	(void)trace2_session_id();
	(void)trace2_dropped();
	(void)trace2_is_enabled();
}

/* Those whose effect is one call. */
static inline void call_printf(void)
{
	trace2_printf("text");
}

static inline void call_data(void)
{
	trace2_data_intmax("c", 0, "k", 1);
	trace2_data_string("c", 0, "k", "v");
}

static inline void call_json(void)
{
	trace2_data_json("c", 0, "k", "{\"a\":[1,2]}");
}

static inline void call_name(void)
{
	trace2_cmd_name("name");
	trace2_cmd_mode("mode");
}

static inline void call_lists(void)
{
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
	trace2_cmd_set_config("a.b", "c");
}

static inline void call_repo(void)
{
	trace2_def_repo("/worktree");
}

static inline void call_params(void)
{
	trace2_def_param("p", "v");
	trace2_cmd_alias("a", every_argv);
	trace2_cmd_path("/bin/git");
}

static inline void call_ancestry(void)
{
	trace2_cmd_ancestry(every_argv);
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
}

static inline void call_error(void)
{
	trace2_cmd_error("a %s", "https://u:p@h/");
}

static inline void call_counter(void)
{
	trace2_counter_add(every_counter, 1);
}

static inline void call_start(void)
{
	trace2_cmd_start(every_argv);
}

static inline void call_initialize(void)
{
	trace2_initialize_clock();
	trace2_initialize();
}

static void (*const every_call[])(void) = {
	call_printf,	  call_queries, call_region, call_region_printf,
	call_data,	  call_json,	call_repo,   call_name,
	call_counter,	  call_timer,	call_child,  call_exec,
	call_long_printf, call_lists,	call_params, call_ancestry,
	call_error,	  call_start,	call_thread, call_initialize,
};

enum { EVERY = sizeof(every_call) / sizeof(*every_call) };

/* All of them; this one is the first, which finds nothing prepared. */
static inline void make_every_call(int first)
{
	int i;

	for (i = 0; i < EVERY; i++)
		every_call[(first + i) % EVERY]();
}

/*
 * The targets
 */

static char every_dir[] = "/tmp/every-call-XXXXXX";

/* The value follows the directory, but for a pipe. */
static const struct every_target {
	const char *name;
	const char *variable;
	const char *before; /* of the directory */
	const char *value;
} every_target[] = {
	{ "NORMAL to a file", "GIT_TRACE2", "", "/log" },
	{ "PERF to a directory", "GIT_TRACE2_PERF", "", "" },
	{ "EVENT to a file", "GIT_TRACE2_EVENT", "", "/log" },
	{ "EVENT to a directory", "GIT_TRACE2_EVENT", "", "" },
	{ "EVENT to a socket", "GIT_TRACE2_EVENT", "af_unix:stream:", "/at" },
	{ "EVENT to a pipe", "GIT_TRACE2_EVENT", NULL, "2" },
	{ "FXT", "GIT_TRACE2_FXT", "", "/log" },
	{ "Chrome", "GIT_TRACE2_CHROME", "", "/log" },
	{ "categories", "TRACE_EVENT_CATEGORIES", NULL, "*" },
};

enum { EVERY_TARGETS = sizeof(every_target) / sizeof(*every_target) };

/*
 * May a host with this target fork and go on? The agent has a thread, which
 * the address sanitizer does not stop: a child may find its allocator locked.
 */
static inline int may_fork(const struct every_target *target)
{
#ifdef __SANITIZE_ADDRESS__
	return strcmp(target->name, "Chrome") != 0 &&
	       strcmp(target->name, "categories") != 0;
#else
	(void)target;
	return 1;
#endif
}

static inline const char *every_path(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", every_dir, name);
	return path;
}

static inline void set_target(const struct every_target *target)
{
	char value[300];

	snprintf(value, sizeof(value), "%s%s%s",
		 target->before ? target->before : "",
		 target->before ? every_dir : "", target->value);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_TRACE2_CONFIG_PARAMS", "*", 1);
	setenv(target->variable, value, 1);
}

/* Reads what comes, from the pipe and from each connection. */
static inline void drain_forever(int pipe_end, int listener)
{
	struct pollfd from[200] = { { .fd = pipe_end, .events = POLLIN },
				    { .fd = listener, .events = POLLIN } };
	char bytes[4096];
	nfds_t count = 2, i;

	for (;;) {
		poll(from, count, -1);
		for (i = 0; i < count; i++)
			if (i != 1 && from[i].revents &&
			    read(from[i].fd, bytes, sizeof(bytes)) <= 0)
				from[i].fd = -1;
		if (from[1].revents && count < 200)
			from[count++] = (struct pollfd){
				.fd = accept(listener, NULL, NULL),
				.events = POLLIN,
			};
	}
}

static pid_t every_reader;

/* The pipe's writer becomes standard error of the hosts that trace to it. */
static inline void begin_reader(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int ends[2];

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/at",
		 every_dir);
	tap_need(
		!bind(listener, (struct sockaddr *)&address, sizeof(address)) &&
		!listen(listener, 100) && !pipe(ends));
	every_reader = fork();
	if (!every_reader) {
		close(ends[1]);
		drain_forever(ends[0], listener);
	}
	close(listener);
	close(ends[0]);
	tap_need(dup2(ends[1], 9) == 9);
	close(ends[1]);
}

/*
 * A host: this program with arguments, and with one target. Returns its exit
 * code, or 1000 + the signal: SIGALRM if it does not end.
 */
static inline int run_again(const struct every_target *target, char **argv)
{
	/* Not the link itself, which under valgrind is another program. */
	char self[4096];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int status;
	pid_t pid;

	if (len < 0)
		return -1;
	self[len] = '\0';
	fflush(stdout);
	unlink(every_path("log")); /* of another target */
	pid = fork();
	if (!pid) {
		set_target(target);
		if (chdir(every_dir) ||
		    (!strcmp(target->value, "2") && dup2(9, 2) != 2))
			_exit(98);
		alarm(60);
		execv(self, argv);
		_exit(99);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* A host with each target, and the code that it ends with. */
static inline void test_every(char **argv, int want, const char *says)
{
	char name[200];
	int i;

	for (i = 0; i < EVERY_TARGETS; i++) {
		snprintf(name, sizeof(name), "%s, with %s", says,
			 every_target[i].name);
		tap_int(run_again(&every_target[i], argv), want, name);
	}
}

/* Waits for a child that must end soon: its code, or -1. */
static inline int wait_soon(pid_t pid)
{
	int status, tries;

	for (tries = 0; tries < 2000; tries++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
		usleep(5000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -1;
}

/* The first thing that a host does. It ends where nothing is traced. */
static inline void begin_host(void)
{
	trace2_initialize();
	if (!trace2_is_enabled())
		_exit(97);
}

static inline void begin_every(void)
{
	tap_need(mkdtemp(every_dir));
	begin_reader();
}

static inline int end_every(void)
{
	char command[300];

	kill(every_reader, SIGKILL);
	waitpid(every_reader, NULL, 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", every_dir);
	if (system(command))
		printf("# could not remove %s\n", every_dir);
	return tap_done();
}

#endif
