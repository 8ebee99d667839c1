/*
 * A signal comes between two instructions of a call's end, and its handler
 * traces: both keep errno.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "session/thread.h"
#include "trace2.h"

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
	trace2_printf("the first event of a process is long");
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

/* NORMAL has no regions, so the call is short. */
int main(void)
{
	char path[100];

	enter_directory();
	snprintf(path, sizeof(path), "%s/log", directory_path);
	setenv("GIT_TRACE2", path, 1);
	trace2_initialize();
	signal(SIGUSR1, trace_in_handler);
	trace2_printf("the first event");
	test_errno();
	leave_directory();
	return tap_done();
}
