/*
 * A signal comes between two instructions of a call's end, and its handler
 * traces: both keep errno.
 */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>

#include "process/hosts/host_kit.h"
#include "session/thread.h"

#define STEPS_MOST 1000000
#define AFTER 16

static void trace_in_handler(int signo)
{
	const int error = errno;

	errno = EIO;
	trace2_printf("signal %d", signo);
	errno = errno == EIO ? error : EDOM;
}

/* The code of the process: what was done to errno. */
static void be_stepped(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	say_events(events); /* the first one of a process is long */
	raise(SIGSTOP);
	errno = EAGAIN;
	trace2_region_enter("category", "label", 0);
	_exit(errno == EAGAIN ? 0 : errno);
}

static int is_inside(pid_t pid)
{
	const long word =
		ptrace(PTRACE_PEEKDATA, pid, (void *)&tr2_thread_inside, NULL);
	unsigned inside;

	memcpy(&inside, &word, sizeof(inside));
	return (int)inside;
}

static int step_once(pid_t pid)
{
	int status;

	return !ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) &&
	       waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
}

/* Step through the call, and some instructions more. */
static int step_out(pid_t pid, int after)
{
	int count = 0;

	while (!is_inside(pid) && count++ < STEPS_MOST && step_once(pid))
		continue;
	while (is_inside(pid) && count++ < STEPS_MOST && step_once(pid))
		continue;
	while (after--)
		if (!step_once(pid))
			return 0;
	return count < STEPS_MOST;
}

/* The code of the process, -1 if it was not stepped. */
static int interrupt_after(int after)
{
	int status, stepped;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		be_stepped();
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	stepped = step_out(pid, after);
	ptrace(PTRACE_CONT, pid, NULL, (void *)(long)SIGUSR1);
	waitpid(pid, &status, 0);
	return stepped && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_errno(void)
{
	int code = 0;

	for (int after = 0; !code && after < AFTER; after++)
		code = interrupt_after(after);
	if (code == 77)
		tap_skip("a signal at the end of a call", "no ptrace");
	else
		tap_int(code, 0,
			"a signal at the end of a call leaves errno alone");
}

int main(void)
{
	kit_begin();
	target = "GIT_TRACE2"; /* it has no regions, so the call is short */
	value = path_of(1, "", "log");
	events = 1;
	be_traced(target, value);
	signal(SIGUSR1, trace_in_handler);
	say_events(events);
	test_errno();
	return kit_done();
}
