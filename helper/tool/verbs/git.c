/* As in git's own helper. */
#include "verbs.h"

#include <errno.h>
#include <unistd.h>

#define AT(line) "git.c", (line)

#define ARGS_MAX 1024

static int run_001return(int argc, const char **argv)
{
	int code;

	(void)argc;
	if (tool_int(&code, argv[0]) < 0)
		tool_die(AT(10), "expect <exit_code>");
	return code;
}

static int run_002exit(int argc, const char **argv)
{
	int code;

	(void)argc;
	if (tool_int(&code, argv[0]) < 0)
		tool_die(AT(20), "expect <exit_code>");
	tool_exit(AT(21), code);
}

static int run_003error(int argc, const char **argv)
{
	int i;

	if (!argc || !*argv[0])
		tool_die(AT(30), "expect <error_message>");
	for (i = 0; i < argc; i++)
		tool_error(AT(31), "%s", argv[i]);
	return 0;
}

static int run_004child(int argc, const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	if (!argc)
		return 0;
	child.argv = argv;
	tool_exit(AT(40), tool_run(&child));
}

/* A git command: git searches for itself in PATH. */
static int run_005exec(int argc, const char **argv)
{
	const char *git[ARGS_MAX + 2] = { "git" };
	int exec_id, i;

	if (!argc)
		return 0;
	if (argc > ARGS_MAX)
		tool_die(AT(52), "too many arguments");
	for (i = 0; i < argc; i++)
		git[i + 1] = argv[i];
	exec_id = TRACE(exec, AT(50), "git", git);
	execvp("git", (char **)git);
	TRACE(exec_result, AT(51), exec_id, errno);
	return -1;
}

static int run_006data(int argc, const char **argv)
{
	int i, k;

	for (i = 0; i < argc; i += 3) {
		for (k = i; k < i + 3; k++)
			if (k >= argc || !*argv[k])
				tool_die(AT(60), "expect <cat0> <k0> <v0> "
						 "[<cat1> <k1> <v1> [...]]");
		TRACE(data_string, AT(61), argv[i], TRACE2_REPO_UNANNOUNCED,
		      argv[i + 1], argv[i + 2]);
	}
	return 0;
}

static int run_007bug(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	tool_BUG(AT(70), "the bug message");
}

static void run_008bug(void)
{
	tool_bug(AT(80), "a bug message");
	tool_bug(AT(81), "another bug message");
	tool_BUG_if_bug(AT(82),
			"an explicit BUG_if_bug() following bug() call(s) is "
			"nice, but not required");
}

static int run_009bug_BUG(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	tool_bug(AT(90), "a bug message");
	tool_bug(AT(91), "another bug message");
	return 0; /* the exit reports them */
}

static int run_010bug_BUG(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	tool_bug(AT(100), "a bug message");
	tool_BUG(AT(101), "a BUG message");
}

const struct verb verbs_git[] = {
	{ "001return", run_001return, "<exit_code>", NULL },
	{ "002exit", run_002exit, "<exit_code>", NULL },
	{ "003error", run_003error, "<error_message>+", NULL },
	{ "004child", run_004child, "[<child_command_line>]", NULL },
	{ "005exec", run_005exec, "<git_command_args>", NULL },
	{ "006data", run_006data, "[<category> <key> <value>]+", NULL },
	{ "007bug", run_007bug, "", NULL },
	{ "008bug", NULL, "", run_008bug },
	{ "009bug_BUG", run_009bug_BUG, "", NULL },
	{ "010bug_BUG", run_010bug_BUG, "", NULL },
	{ NULL, NULL, NULL, NULL },
};
