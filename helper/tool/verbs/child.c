/* Children and executed programs. */
#include "verbs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define AT(line) "child.c", (line)

/*
 * A child in the background. The driver waits for it before it reports it as
 * ready: otherwise the order of the events would be unknown.
 */
static int run_530child_ready(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	pid_t pid;

	child.child_class = "background";
	child.argv = argv + 1;
	TRACE(child_start, AT(11), &child);
	if (!tool_spawn(&child, &pid))
		tool_wait(pid);
	TRACE(child_ready, AT(12), &child, argv[0]);
	return 0;
}

static int run_531hook(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.child_class = "ignored: hooks have a class of their own";
	child.hook_name = argv[0];
	child.argv = argv + 1;
	tool_exit(AT(21), tool_run(&child));
}

static int run_532child_cd(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.dir = argv[0];
	child.argv = argv + 1;
	tool_exit(AT(31), tool_run(&child));
}

static int run_533child_class(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.child_class = argv[0];
	child.argv = argv + 1;
	tool_exit(AT(41), tool_run(&child));
}

static int run_534child_shell(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.use_shell = 1;
	child.argv = argv;
	tool_exit(AT(51), tool_run(&child));
}

/* A child that never exits, according to the log; argv may be empty. */
static int run_535child_open(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = argv;
	TRACE(child_start, AT(60), &child);
	return 0;
}

/* Calls in an order that correct programs do not have. */
static int run_536child_odd(const char **argv)
{
	struct trace2_child never = TRACE2_CHILD_INIT;
	struct trace2_child twice = TRACE2_CHILD_INIT;

	twice.argv = argv;
	twice.pid = 77;
	TRACE(child_exit, AT(70), &never, 0);
	TRACE(child_ready, AT(71), &never, "error");
	TRACE(child_start, AT(72), &never);
	TRACE(child_start, AT(73), &twice);
	TRACE(child_exit, AT(74), &twice, 300);
	TRACE(child_start, AT(75), &twice);
	TRACE(child_ready, AT(76), &twice, "timeout");
	TRACE(child_exit, AT(77), &never, 5);
	return 0;
}

static int run_537exec_result(const char **argv)
{
	static const char *const command[] = { "program", "argument", NULL };
	int exec_id, code;

	for (; *argv; argv++) {
		if (tool_int(&code, *argv) < 0)
			tool_die(AT(80), "expect <code>...");
		exec_id = TRACE(exec, AT(81), NULL, command);
		TRACE(exec_result, AT(82), exec_id, code);
	}
	return 0;
}

static int run_538exec(const char **argv)
{
	int exec_id;

	exec_id = TRACE(exec, AT(91), NULL, argv);
	execvp(argv[0], (char **)argv);
	TRACE(exec_result, AT(92), exec_id, errno);
	tool_die(AT(93), "cannot exec %s: %s", argv[0], strerror(errno));
}

const struct verb verbs_child[] = {
	NEEDS(530child_ready, "<ready> <child_command_line>", 2, AT(10)),
	NEEDS(531hook, "<hook_name> <child_command_line>", 2, AT(20)),
	NEEDS(532child_cd, "<dir> <child_command_line>", 2, AT(30)),
	NEEDS(533child_class, "<class> <child_command_line>", 2, AT(40)),
	NEEDS(534child_shell, "<script> [<args>...]", 1, AT(50)),
	VERB(535child_open, "[<argv...>]"),
	VERB(536child_odd, "[<argv...>]"),
	VERB(537exec_result, "<code>..."),
	NEEDS(538exec, "<command_line>", 1, AT(90)),
	{ .name = NULL },
};
