/*
 * Signals that no lock can hold back, because the processor may raise them:
 * other processes send them too, and their handlers may exit.
 */
#include "process/process_kit.h"

#include <fcntl.h>
#include <signal.h>

static int armed; /* the call of a hook that gets the signal */
static int signo;

static void raise_if_armed(void)
{
	if (armed && !--armed)
		raise(signo);
}

static ssize_t write_and_raise(int fd, const void *bytes, size_t len)
{
	raise_if_armed();
	return tr2_host_system.write(fd, bytes, len);
}

static void *realloc_and_raise(void *old, size_t size)
{
	raise_if_armed();
	return memory_realloc(old, size);
}

/* As exit(3) does. */
static void exit_in_handler(int number)
{
	(void)number;
	process_exit(7);
	_exit(7);
}

static void arm_signal(int number, int count)
{
	signo = number;
	signal(number, exit_in_handler);
	armed = count;
}

/* EVENT goes to a pipe, whose lines have a lock. */
static int begin_with_pipe(void)
{
	int ends[2];

	if (pipe(ends) || dup2(ends[1], 7) != 7)
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	process_setenv("GIT_TRACE2_EVENT", "7");
	begin_program();
	return ends[0];
}

static int fault_in_line(void)
{
	if (begin_with_pipe() < 0)
		return 1;
	kit_host.write = write_and_raise;
	arm_signal(SIGSEGV, 1);
	trace2_cmd_mode_fl("main.c", 2, "on");
	return 2;
}

/* What the handler's exit has written is in the pipe. */
static int pipe_end;

static void exit_and_look(int number)
{
	static char log[65536];
	ssize_t got;

	(void)number;
	process_exit(7);
	got = read(pipe_end, log, sizeof(log) - 1);
	_exit(got > 0 && strstr(log, "\"name\":\"on\"}\n") &&
			      strstr(log, "\"event\":\"atexit\"")
		      ? 7
		      : 3);
}

static int abort_in_line(void)
{
	pipe_end = begin_with_pipe();
	if (pipe_end < 0)
		return 1;
	kit_host.write = write_and_raise;
	arm_signal(SIGABRT, 1);
	signal(SIGABRT, exit_and_look);
	trace2_cmd_mode_fl("main.c", 2, "on");
	return 2;
}

static int place;

/* The path of a repository is kept under the lock of the process. */
static int fault_in_memory(void)
{
	begin_program();
	kit_host.realloc = realloc_and_raise;
	arm_signal(SIGSEGV, place);
	trace2_def_repo_fl("main.c", 2, "/repo");
	return 2;
}

/* Until no more memory is asked for, which ends with 2. */
static void test_memory(void)
{
	int code;

	for (place = 1;; place++) {
		process_prepare();
		code = kit_in_child(fault_in_memory);
		if (code != 7)
			break;
	}
	tap_ok(place > 2 && code == 2,
	       "a handler of SIGSEGV exits wherever a call asks for memory");
}

int main(void)
{
	kit_start();
	process_prepare();
	tap_int(kit_in_child(fault_in_line), 7,
		"a handler of SIGSEGV exits while its thread writes a line");
	process_prepare();
	tap_int(kit_in_child(abort_in_line), 7,
		"a handler of SIGABRT exits when the line is written");
	test_memory();
	return kit_done();
}
