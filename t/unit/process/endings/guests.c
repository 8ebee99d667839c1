/* A child of vfork(2) uses its parent's memory: its end is not its parent's. */
#define _DEFAULT_SOURCE /* vfork */
#include "process/process_kit.h"

#include <signal.h>

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

/* It is not to return from the function that calls vfork(2). */
static int run_guest(void (*end)(void))
{
	pid_t pid = vfork();
	int status;

	if (!pid) {
		end();
		_exit(3);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static void be_killed(void)
{
	raise(SIGTERM);
}

static void tell_signal(void)
{
	trace2_signal(SIGTERM);
}

/* As exit(3) in the place of _exit(2). */
static void exit_wrongly(void)
{
	process_exit(3);
}

static void (*guest_end)(void);
static int guest_code;

static int trace_beside_guest(void)
{
	kit_host.getpid = tr2_host_system.getpid;
	begin_program();
	if (run_guest(guest_end) != guest_code)
		return 1;
	trace2_cmd_mode_fl("main.c", 2, "on");
	return 0;
}

static void test_guest(void (*end)(void), int code, const char *name)
{
	guest_end = end;
	guest_code = code;
	tap_str(process_told(trace_beside_guest),
		BEGIN "cmd_mode main main.c:2 name:on\n", name);
}

static int trace_in_child(void)
{
	trace2_cmd_mode_fl("main.c", 3, "child");
	if (run_guest(be_killed) != 128 + SIGTERM)
		return 1;
	trace2_cmd_mode_fl("main.c", 4, "on");
	process_exit(0);
	return 0;
}

/* A child of fork(2) is no guest, and may have one. */
static int fork_host(void)
{
	kit_host.getpid = tr2_host_system.getpid;
	begin_program();
	return process_fork(trace_in_child);
}

int main(void)
{
	kit_start();
	test_guest(be_killed, 128 + SIGTERM,
		   "a process traces on when its child of vfork is killed");
	test_guest(tell_signal, 3,
		   "a process traces on when its child of vfork tells of a "
		   "signal");
	test_guest(exit_wrongly, 3,
		   "a process traces on when its child of vfork calls exit");
	tap_str(process_told(fork_host),
		BEGIN "/version main main.c:3 evt:4 exe:1.0\n"
		      "/cmd_mode main main.c:3 name:child\n"
		      "/cmd_mode main main.c:4 name:on\n"
		      "/exit main main.c:1 t_abs:0.000000 code:0\n"
		      "/atexit main main.c:1 t_abs:0.000000 code:0\n",
		"a forked child ends its log when its child of vfork does not");
	return kit_done();
}
