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
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "process/every_calls.h"
#include "trace/outside/outside.h"

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

/* Waits for a child that must end soon: its code, or -1. */
static inline int wait_soon(pid_t pid)
{
	int status;

	for (int tries = 0; tries < 2000; tries++) {
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

/* Is it one file, of a name that is known? */
static inline int has_log(const struct every_target *target)
{
	return !strcmp(target->value, "/log");
}

/*
 * What a host does with each target.
 */
struct every_deed {
	const char *says;
	int (*run)(void);
	int code;	/* that it ends with; SKIPPED: the system refuses */
	int times;	/* 0: once; each has another every_turn */
	int is_forking; /* and the child goes on */
	int is_soon;	/* in a second, but for valgrind; in one of two tries */
	const char *only; /* this target, or NULL */
	/* Is what it left right? Or NULL. */
	int (*is_right)(const struct every_target *target);
};

#define SKIPPED 77

static int every_turn;

/* What another host has left goes, but for the socket. */
static inline void clear_directory(void)
{
	char command[300];

	snprintf(command, sizeof(command),
		 "find '%s' -mindepth 1 ! -name at -delete", every_dir);
	tap_need(!system(command));
}

static inline int do_once(const struct every_deed *deed, int number,
			  const struct every_target *target)
{
	struct timespec begin, end;
	char self[] = "host", texts[2][20];
	char *argv[] = { self, texts[0], texts[1], every_dir, NULL };
	int code;

	if (deed->is_forking && !may_fork(target))
		return SKIPPED;
	clear_directory();
	snprintf(texts[0], sizeof(texts[0]), "%d", number);
	snprintf(texts[1], sizeof(texts[1]), "%d", every_turn);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	code = run_again(target, argv);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (deed->is_soon && !getenv("TEST_UNDER_VALGRIND") &&
	    (end.tv_sec - begin.tv_sec) * 1000 +
			    (end.tv_nsec - begin.tv_nsec) / 1000000 >=
		    1000)
		return -4;
	return code == deed->code && deed->is_right && !deed->is_right(target)
		       ? -3
		       : code;
}

static inline void test_deed(const struct every_deed *deed, int number,
			     const struct every_target *target)
{
	char name[200];
	int code = deed->code;

	if (deed->only && strcmp(deed->only, target->name))
		return;
	snprintf(name, sizeof(name), "%s, with %s", deed->says, target->name);
	for (int turn = 0; turn < deed->times + !deed->times; turn++) {
		every_turn =
			turn * EVERY_TARGETS + (int)(target - every_target);
		code = do_once(deed, number, target);
		if (code == -4) /* other programs may be running */
			code = do_once(deed, number, target);
		if (code != deed->code)
			break;
	}
	if (code == SKIPPED)
		tap_skip(name, "the system, or the sanitizer");
	else
		tap_int(code, deed->code, name);
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

/* The main() of a program: without arguments it runs them, each with a host. */
static inline int do_deeds(char **argv, const struct every_deed *deeds,
			   int count)
{
	if (argv[1]) {
		every_turn = atoi(argv[2]);
		strcpy(every_dir, argv[3]);
		return deeds[atoi(argv[1])].run();
	}
	begin_every();
	for (int i = 0; i < count; i++)
		for (int k = 0; k < EVERY_TARGETS; k++)
			test_deed(&deeds[i], i, &every_target[k]);
	return end_every();
}

#endif
