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
	int kept = 0;

	for (int fd = 0; fd < DESCRIPTORS; fd++)
		kept += was_open[fd] && fcntl(fd, F_GETFD) >= 0;
	return kept;
}

/* With CLONE_FILES what the child closes is closed in its parent. */
static int clone_with_files(void)
{
	char was_open[DESCRIPTORS];
	int count, code;
	pid_t pid;

	for (int fd = 0; fd < DESCRIPTORS; fd++)
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
	for (int i = 0; i < 20; i++) {
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

/* Does the child's line have another SID than the parent's, below it? */
static int has_own_session(const struct every_target *target)
{
	char log[65536] = "", parent[200] = "";
	int fd = open(every_path("log"), O_RDONLY);
	const char *line, *child;

	if (strcmp(target->name, "EVENT to a file"))
		return close(fd) || 1; /* others are not read */
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

static const struct every_deed deeds[] = {
	{ .says = "a child of process 1 that is 1 too is another process",
	  .run = fork_in_namespace,
	  .is_right = has_own_session,
	  .is_forking = 1 },
	{ .says = "a bare clone of process 1 that is 1 too is another process",
	  .run = clone_into_namespace,
	  .is_right = has_own_session,
	  .is_forking = 1 },
	{ .says = "a bare clone is another process",
	  .run = clone_a_child,
	  .is_right = has_own_session,
	  .is_forking = 1 },
	{ .says = "a bare clone counts what it loses",
	  .run = clone_into_region,
	  .is_forking = 1 },
	{ .says = "a forked child counts what it loses",
	  .run = fork_without_files,
	  .is_forking = 1 },
	{ .says = "a bare clone may begin with the end of a region",
	  .run = clone_out_of_region,
	  .is_forking = 1 },
	{ .says = "a bare clone leaves the descriptors open that it shares",
	  .run = clone_with_files,
	  .is_forking = 1 },
	{ .says = "a bare clone that does not trace ends by itself",
	  .run = clone_a_quiet_child,
	  .is_forking = 1 },
	{ .says = "a thread that traces before the child's handler is waited "
		  "for by nobody",
	  .run = fork_with_thread,
	  .is_forking = 1 },
	{ .says = "process 1 handles no signal that its children die of",
	  .run = signal_process_1,
	  .is_forking = 1 },
};

enum { DEEDS = sizeof(deeds) / sizeof(*deeds) };

/* Does the host have to be process 1 of a namespace? */
static int is_one(int (*run)(void))
{
	return run == fork_in_namespace || run == clone_into_namespace ||
	       run == signal_process_1;
}

static int become_one(void)
{
	pid_t pid;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) && unshare(CLONE_NEWPID))
		return SKIPPED;
	pid = fork();
	return pid > 0 ? wait_soon(pid) : -1;
}

int main(int argc, char **argv)
{
	int code;

#ifdef __SANITIZE_THREAD__
	tap_skip("threads in a forked child", "the sanitizer");
	return tap_done();
#endif
	if (argc == 1)
		return do_deeds(argv, deeds, DEEDS);
	code = is_one(deeds[atoi(argv[1])].run) ? become_one() : -1;
	if (code >= 0)
		return code;
	pthread_atfork(NULL, NULL, start_thread_in_child);
	trace2_initialize();
	trace2_cmd_start(every_argv);
	trace2_printf("in the parent");
	return trace2_cmd_exit(do_deeds(argv, deeds, DEEDS));
}
