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
static int run_530child_ready(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	pid_t pid;

	if (argc < 2)
		tool_die(AT(10), "expect <ready> <child_command_line>");
	child.child_class = "background";
	child.argv = argv + 1;
	TRACE(child_start, AT(11), &child);
	if (!tool_spawn(&child, &pid))
		tool_wait(pid);
	TRACE(child_ready, AT(12), &child, argv[0]);
	return 0;
}

static int run_531hook(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	if (argc < 2)
		tool_die(AT(20), "expect <hook_name> <child_command_line>");
	child.child_class = "ignored: hooks have a class of their own";
	child.hook_name = argv[0];
	child.argv = argv + 1;
	tool_exit(AT(21), tool_run(&child));
}

static int run_532child_cd(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	if (argc < 2)
		tool_die(AT(30), "expect <dir> <child_command_line>");
	child.dir = argv[0];
	child.argv = argv + 1;
	tool_exit(AT(31), tool_run(&child));
}

static int run_533child_class(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	if (argc < 2)
		tool_die(AT(40), "expect <class> <child_command_line>");
	child.child_class = argv[0];
	child.argv = argv + 1;
	tool_exit(AT(41), tool_run(&child));
}

static int run_534child_shell(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	if (!argc)
		tool_die(AT(50), "expect <script> [<args>...]");
	child.use_shell = 1;
	child.argv = argv;
	tool_exit(AT(51), tool_run(&child));
}

/* A child that never exits, according to the log; argv may be empty. */
static int run_535child_open(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	(void)argc;
	child.argv = argv;
	TRACE(child_start, AT(60), &child);
	return 0;
}

/* Calls in an order that correct programs do not have. */
static int run_536child_odd(int argc, const char **argv)
{
	struct trace2_child never = TRACE2_CHILD_INIT;
	struct trace2_child twice = TRACE2_CHILD_INIT;

	(void)argc;
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

static int run_537exec_result(int argc, const char **argv)
{
	static const char *const command[] = { "program", "argument", NULL };
	int exec_id, code;

	for (; argc--; argv++) {
		if (tool_int(&code, *argv) < 0)
			tool_die(AT(80), "expect <code>...");
		exec_id = TRACE(exec, AT(81), NULL, command);
		TRACE(exec_result, AT(82), exec_id, code);
	}
	return 0;
}

static int run_538exec(int argc, const char **argv)
{
	int exec_id;

	if (!argc)
		tool_die(AT(90), "expect <command_line>");
	exec_id = TRACE(exec, AT(91), NULL, argv);
	execvp(argv[0], (char **)argv);
	TRACE(exec_result, AT(92), exec_id, errno);
	tool_die(AT(93), "cannot exec %s: %s", argv[0], strerror(errno));
}

const struct verb verbs_child[] = {
	{ "530child_ready", run_530child_ready, "<ready> <child_command_line>",
	  NULL },
	{ "531hook", run_531hook, "<hook_name> <child_command_line>", NULL },
	{ "532child_cd", run_532child_cd, "<dir> <child_command_line>", NULL },
	{ "533child_class", run_533child_class, "<class> <child_command_line>",
	  NULL },
	{ "534child_shell", run_534child_shell, "<script> [<args>...]", NULL },
	{ "535child_open", run_535child_open, "[<argv...>]", NULL },
	{ "536child_odd", run_536child_odd, "[<argv...>]", NULL },
	{ "537exec_result", run_537exec_result, "<code>...", NULL },
	{ "538exec", run_538exec, "<command_line>", NULL },
	{ NULL, NULL, NULL, NULL },
};
