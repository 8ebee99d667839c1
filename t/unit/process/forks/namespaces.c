/*
 * Processes that a pid does not tell apart, or that the system makes without
 * a handler of fork(2): each has a session of its own and ends by itself. And
 * threads of a child that trace before the library's handler has run.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "process/every_kit.h"

#define SKIPPED 77

static int trace_and_exit(void)
{
	make_every_call(0);
	trace2_printf("in the child");
	exit(trace2_cmd_exit(0));
}

static pid_t clone_bare(unsigned long flags)
{
	return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL,
			      NULL);
}

/* Its only process is 1, as is the parent. */
static int fork_in_namespace(void)
{
	pid_t pid;

	if (getpid() != 1 || unshare(CLONE_NEWPID))
		return SKIPPED;
	pid = fork();
	if (!pid)
		trace_and_exit();
	return wait_soon(pid);
}

static int clone_into_namespace(void)
{
	pid_t pid;

	if (getpid() != 1)
		return SKIPPED;
	pid = clone_bare(CLONE_NEWPID);
	if (!pid)
		trace_and_exit();
	return pid < 0 ? SKIPPED : wait_soon(pid);
}

static int clone_a_child(void)
{
	pid_t pid = clone_bare(0);

	if (!pid)
		trace_and_exit();
	return wait_soon(pid);
}

enum { DESCRIPTORS = 1024 };

static int count_kept(const char *was_open)
{
	int fd, kept = 0;

	for (fd = 0; fd < DESCRIPTORS; fd++)
		kept += was_open[fd] && fcntl(fd, F_GETFD) >= 0;
	return kept;
}

/* With CLONE_FILES what the child closes is closed in its parent. */
static int clone_with_files(void)
{
	char was_open[DESCRIPTORS];
	int fd, count, code;
	pid_t pid;

	for (fd = 0; fd < DESCRIPTORS; fd++)
		was_open[fd] = fcntl(fd, F_GETFD) >= 0;
	count = count_kept(was_open);
	pid = clone_bare(CLONE_FILES);
	if (!pid)
		trace_and_exit();
	code = wait_soon(pid);
	return code ? code : count - count_kept(was_open);
}

static int is_engines(void)
{
	return getenv("GIT_TRACE2_FXT") || getenv("GIT_TRACE2_CHROME") ||
	       getenv("TRACE_EVENT_CATEGORIES");
}

/* The trace engine does not know that there is another process. */
static int counts_drops(uint64_t drops)
{
	return trace2_dropped() == (is_engines() ? drops : 0);
}

/* A region may be two calls of its target; see target/target.h. */
static int clone_into_region(void)
{
	pid_t pid = clone_bare(0);

	if (!pid) {
		trace2_region_enter("c", "first", 0);
		trace2_region_leave("c", "first", 0);
		if (!counts_drops(4)) /* and version and start */
			exit(103);
		pid = fork();
		if (!pid)
			trace2_printf("in its child");
		exit(pid ? wait_soon(pid) : counts_drops(3) ? 0 : 104);
	}
	return wait_soon(pid);
}

static int clone_out_of_region(void)
{
	pid_t pid;

	trace2_region_enter("c", "around", 0);
	pid = clone_bare(0);
	if (!pid) {
		trace2_region_leave("c", "around", 0);
		exit(0);
	}
	return wait_soon(pid);
}

/* It never traces. */
static int clone_a_quiet_child(void)
{
	pid_t pid = clone_bare(0);

	if (!pid)
		exit(0);
	return wait_soon(pid);
}

static int is_handled(int signo)
{
	struct sigaction action;

	sigaction(signo, NULL, &action);
	return action.sa_handler != SIG_DFL;
}

/* A handler would end its calls with EINTR: it does not die. */
static int signal_process_1(void)
{
	pid_t pid;

	if (getpid() != 1)
		return SKIPPED;
	if (is_handled(SIGTERM))
		return 101;
	pid = fork();
	if (!pid)
		_exit(is_handled(SIGTERM) ? 0 : 102);
	return wait_soon(pid);
}

static int has_thread; /* in the child's handler */

static void *trace_early(void *unused)
{
	int i;

	for (i = 0; i < 20; i++) {
		make_every_call(i);
		usleep(2000);
	}
	pause();
	return unused;
}

static void start_thread_in_child(void)
{
	pthread_t thread;

	if (has_thread && !pthread_create(&thread, NULL, trace_early, NULL))
		usleep(10000);
}

static int fork_with_thread(void)
{
	pid_t pid;

	has_thread = 1;
	pid = fork();
	if (!pid) {
		usleep(60000);
		exit(0);
	}
	return wait_soon(pid);
}

/* Its target can't open a file; one of lines may need none. */
static int fork_without_files(void)
{
	const struct rlimit few = { 3, 3 };
	pid_t pid = fork();

	if (!pid) {
		setrlimit(RLIMIT_NOFILE, &few);
		trace2_region_enter("c", "first", 0);
		trace2_region_leave("c", "first", 0);
		exit(is_engines() && !counts_drops(4) ? 105 : 0);
	}
	return wait_soon(pid);
}

static const struct deed {
	const char *name;
	const char *says;
	int (*run)(void);
	int is_one; /* the host is process 1 of a namespace */
} deeds[] = {
	{ "fork", "a child of process 1 that is 1 too is another process",
	  fork_in_namespace, 1 },
	{ "clone", "a bare clone of process 1 that is 1 too is another process",
	  clone_into_namespace, 1 },
	{ "bare", "a bare clone is another process", clone_a_child, 0 },
	{ "region", "a bare clone counts what it loses", clone_into_region, 0 },
	{ "few", "a forked child counts what it loses", fork_without_files, 0 },
	{ "leave", "a bare clone may begin with the end of a region",
	  clone_out_of_region, 0 },
	{ "files", "a bare clone leaves the descriptors open that it shares",
	  clone_with_files, 0 },
	{ "quiet", "a bare clone that does not trace ends by itself",
	  clone_a_quiet_child, 0 },
	{ "early",
	  "a thread that traces before the child's handler is waited "
	  "for by nobody",
	  fork_with_thread, 0 },
	{ "signal", "process 1 handles no signal that its children die of",
	  signal_process_1, 1 },
};

enum { DEEDS = sizeof(deeds) / sizeof(*deeds) };

static int become_one(void)
{
	pid_t pid;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) && unshare(CLONE_NEWPID))
		return SKIPPED;
	pid = fork();
	return pid > 0 ? wait_soon(pid) : -1;
}

static int do_deed(char **argv, const struct deed *deed)
{
	int code;

	pthread_atfork(NULL, NULL, start_thread_in_child);
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_printf("in the parent");
	code = deed->run();
	return trace2_cmd_exit(code);
}

static int be_host(char **argv)
{
	const struct deed *deed = &deeds[atoi(argv[1])];
	int code;

	if (!deed->is_one)
		return do_deed(argv, deed);
	code = become_one();
	return code < 0 ? do_deed(argv, deed) : code;
}

static char self[] = "namespaces";

/* Does the child's line have another SID than the parent's, below it? */
static int has_own_session(void)
{
	char log[65536] = "", parent[200] = "";
	int fd = open(every_path("log"), O_RDONLY);
	const char *line, *child;

	if (read(fd, log, sizeof(log) - 1) < 0)
		return 0;
	close(fd);
	line = strstr(log, "\"sid\":\"");
	child = strstr(log, "\"msg\":\"in the child\"");
	if (!line || !child)
		return 0;
	snprintf(parent, sizeof(parent), "%.*s/",
		 (int)strcspn(line + 7, "\"") + 7, line);
	while (child > log && child[-1] != '\n')
		child--;
	line = strstr(child, parent);
	return line && line < strchr(child, '\n');
}

static void test_deed(int number)
{
	const struct deed *deed = &deeds[number];
	char text[20], *argv[] = { self, text, NULL }, name[200];
	int i, code;

	snprintf(text, sizeof(text), "%d", number);
	for (i = 0; i < EVERY_TARGETS; i++) {
		snprintf(name, sizeof(name), "%s, with %s", deed->says,
			 every_target[i].name);
		code = may_fork(&every_target[i])
			       ? run_again(&every_target[i], argv)
			       : SKIPPED;
		if (code == SKIPPED) {
			tap_skip(name, "no namespaces, or the sanitizer");
			continue;
		}
		if (!code && number < 3 &&
		    !strcmp(every_target[i].name, "EVENT to a file"))
			code = has_own_session() ? 0 : 100;
		tap_int(code, 0, name);
	}
}

int main(int argc, char **argv)
{
	int i;

	if (argc > 1)
		return be_host(argv);
#ifdef __SANITIZE_THREAD__
	tap_skip("threads in a forked child", "the sanitizer");
	return tap_done();
#endif
	begin_every();
	for (i = 0; i < DEEDS; i++)
		test_deed(i);
	return end_every();
}
