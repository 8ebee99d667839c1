/* Fork without exec. The parent waits for its child. */
#include "verbs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(line) "fork.c", (line)
#define NONE TRACE2_REPO_NONE

TRACE2_TIMER(fork_timer, "fork", "timer", 1);
TRACE2_COUNTER(fork_counter, "fork", "counter", 1);

static pid_t fork_or_die(void)
{
	pid_t traced, pid = tool_fork(&traced);

	if (pid < 0)
		tool_die(AT(1), "cannot fork");
	return pid;
}

/* Both sides trace, in a region that was open before. */
static void run_560fork(void)
{
	pid_t pid;

	TRACE(region_enter, AT(10), "cat", "around", NONE);
	pid = fork_or_die();
	if (!pid) {
		TRACE(data_string, AT(11), "cat", NONE, "side", "child");
		TRACE(region_leave, AT(12), "cat", "around", NONE);
		tool_exit(AT(13), 3);
	}
	tool_wait(pid);
	TRACE(data_string, AT(14), "cat", NONE, "side", "parent");
	TRACE(region_leave, AT(15), "cat", "around", NONE);
}

/* The child writes nothing, however it ends. */
static int run_561fork_silent(const char **argv)
{
	const char *way = *argv ? *argv : "exit";
	pid_t pid = fork_or_die();

	if (!pid && !strcmp(way, "_exit"))
		_exit(0);
	if (!pid)
		exit(0);
	tool_wait(pid);
	TRACE(printf, AT(20), "the child is gone");
	return 0;
}

static int run_562fork_exec(const char **argv)
{
	pid_t pid;

	pid = fork_or_die();
	if (!pid) {
		execvp(argv[0], (char **)argv);
		_exit(127);
	}
	tool_wait(pid);
	TRACE(printf, AT(31), "the child is gone");
	return 0;
}

/* The process in the middle is silent, or traces before and after. */
static int run_563fork_grandchild(const char **argv)
{
	int silent = *argv && !strcmp(*argv, "silent");
	pid_t pid = fork_or_die();

	if (pid) {
		tool_wait(pid);
		return 0;
	}
	if (!silent)
		TRACE(printf, AT(40), "child, before");
	pid = fork_or_die();
	if (!pid) {
		TRACE(printf, AT(41), "grandchild");
		tool_exit(AT(42), 0);
	}
	tool_wait(pid);
	if (silent)
		_exit(0);
	TRACE(printf, AT(43), "child, after");
	tool_exit(AT(44), 0);
}

static void forking_thread(int place, void *data)
{
	pid_t pid;

	(void)place;
	(void)data;
	TRACE(thread_start, AT(50), "forks");
	pid = fork_or_die();
	if (!pid) {
		TRACE(printf, AT(51), "the child's only thread");
		tool_exit(AT(52), 0);
	}
	tool_wait(pid);
	TRACE(thread_exit, AT(53));
}

static void run_564fork_thread(void)
{
	tool_threads(1, forking_thread, NULL);
}

/*
 * What the child gets from its parent: the repositories, but neither ids nor
 * totals; and its own SID for its children, until a cmd_name.
 */
static int run_565fork_state(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	pid_t pid;
	int repo;

	child.argv = argv;
	repo = TRACE(def_repo, AT(61), "/repo");
	TRACED(trace2_counter_add(fork_counter, 1));
	tool_run(&child);
	pid = fork_or_die();
	if (!pid) {
		TRACE(data_string, AT(62), "cat", repo, "side", "child");
		TRACED(trace2_counter_add(fork_counter, 10));
		tool_run(&child);
		TRACE(cmd_name, AT(63), "forked");
		tool_run(&child);
		tool_exit(AT(64), 0);
	}
	tool_wait(pid);
	return 0;
}

static void counted_thread(int place, void *data)
{
	(void)place;
	(void)data;
	TRACE(thread_start, AT(70), "counted");
	TRACE(thread_exit, AT(71));
}

static void use_ids(const char *side)
{
	static const char *const command[] = { "program", NULL };
	int exec_id;

	TRACE(data_string, AT(72), "cat", NONE, "side", side);
	exec_id = TRACE(exec, AT(73), NULL, command);
	TRACE(exec_result, AT(74), exec_id, 2);
	tool_threads(1, counted_thread, NULL);
	TRACED(trace2_timer_start(fork_timer));
	TRACED(trace2_timer_stop(fork_timer));
}

/* Both sides do the same; the parent has done it for a while. */
static void run_566fork_ids(void)
{
	pid_t pid;

	use_ids("parent");
	fake_sleep(30000000);
	TRACE(region_enter, AT(75), "cat", "around", NONE);
	pid = fork_or_die();
	if (!pid) {
		use_ids("child");
		tool_exit(AT(76), 0);
	}
	tool_wait(pid);
	TRACE(region_leave, AT(77), "cat", "around", NONE);
}

const struct verb verbs_fork[] = {
	PLAIN(560fork),
	VERB(561fork_silent, "[exit|_exit]"),
	NEEDS(562fork_exec, "<child_command_line>", 1, AT(30)),
	VERB(563fork_grandchild, "[silent]"),
	PLAIN(564fork_thread),
	NEEDS(565fork_state, "<child_command_line>", 1, AT(60)),
	PLAIN(566fork_ids),
	{ .name = NULL },
};
