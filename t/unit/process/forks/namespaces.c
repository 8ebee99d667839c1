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

static int trace_and_exit(void)
{
	make_every_call(0);
	trace2_printf("in the child");
	return trace2_cmd_exit(0);
}

static pid_t clone_bare(unsigned long flags)
{
	return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL,
			      NULL);
}

/* What the child ends with, in which this is 0, and which does that. */
static int run_child(pid_t pid, int (*child)(void))
{
	if (!pid)
		exit(child());
	return pid < 0 ? SKIPPED : wait_soon(pid);
}

/* Its only process is 1, as is the parent. */
static int fork_in_namespace(void)
{
	if (getpid() != 1 || unshare(CLONE_NEWPID))
		return SKIPPED;
	return run_child(fork(), trace_and_exit);
}

static int clone_into_namespace(void)
{
	return getpid() != 1
		       ? SKIPPED
		       : run_child(clone_bare(CLONE_NEWPID), trace_and_exit);
}

static int clone_a_child(void)
{
	return run_child(clone_bare(0), trace_and_exit);
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

	for (int fd = 0; fd < DESCRIPTORS; fd++)
		was_open[fd] = fcntl(fd, F_GETFD) >= 0;
	count = count_kept(was_open);
	code = run_child(clone_bare(CLONE_FILES), trace_and_exit);
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

static int speak_in_child(void)
{
	trace2_printf("in its child");
	return counts_drops(3) ? 0 : 104;
}

/* A region may be two calls of its target; see target/target.h. */
static int begin_with_region(void)
{
	trace2_region_enter("c", "first", 0);
	trace2_region_leave("c", "first", 0);
	if (!counts_drops(4)) /* and version and start */
		return 103;
	return run_child(fork(), speak_in_child);
}

static int clone_into_region(void)
{
	return run_child(clone_bare(0), begin_with_region);
}

static int end_region(void)
{
	trace2_region_leave("c", "around", 0);
	return 0;
}

static int clone_out_of_region(void)
{
	trace2_region_enter("c", "around", 0);
	return run_child(clone_bare(0), end_region);
}

/* It never traces. */
static int be_quiet(void)
{
	return 0;
}

static int clone_a_quiet_child(void)
{
	return run_child(clone_bare(0), be_quiet);
}

static int is_handled(int signo)
{
	struct sigaction action;

	sigaction(signo, NULL, &action);
	return action.sa_handler != SIG_DFL;
}

static int handle_signal(void)
{
	return is_handled(SIGTERM) ? 0 : 102;
}

/* A handler would end its calls with EINTR: it does not die. */
static int signal_process_1(void)
{
	if (getpid() != 1)
		return SKIPPED;
	return is_handled(SIGTERM) ? 101 : run_child(fork(), handle_signal);
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

static int live_a_while(void)
{
	return usleep(60000);
}

static int fork_with_thread(void)
{
	has_thread = 1;
	return run_child(fork(), live_a_while);
}

/* Its target can't open a file; one of lines may need none. */
static int lose_region(void)
{
	const struct rlimit few = { 3, 3 };

	setrlimit(RLIMIT_NOFILE, &few);
	trace2_region_enter("c", "first", 0);
	trace2_region_leave("c", "first", 0);
	return is_engines() && !counts_drops(4) ? 105 : 0;
}

static int fork_without_files(void)
{
	return run_child(fork(), lose_region);
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
