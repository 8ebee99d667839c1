/* As in git's own helper. */
#include "verbs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define AT(line) "git.c", (line)

#define ARGS_MAX 1024

static int run_001return(const char **argv)
{
	int code;

	if (tool_int(&code, argv[0]) < 0)
		tool_die(AT(10), "expect <exit_code>");
	return code;
}

static int run_002exit(const char **argv)
{
	int code;

	if (tool_int(&code, argv[0]) < 0)
		tool_die(AT(20), "expect <exit_code>");
	tool_exit(AT(21), code);
}

static int run_003error(const char **argv)
{
	if (!*argv || !**argv)
		tool_die(AT(30), "expect <error_message>");
	for (; *argv; argv++)
		tool_error(AT(31), "%s", *argv);
	return 0;
}

static int run_004child(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	if (!*argv)
		return 0;
	child.argv = argv;
	tool_exit(AT(40), tool_run(&child));
}

/* A git command: git searches for itself in PATH. */
static int run_005exec(const char **argv)
{
	const char *git[ARGS_MAX + 2] = { "git" };
	int exec_id, count = tool_count(argv);

	if (!*argv)
		return 0;
	if (count > ARGS_MAX)
		tool_die(AT(52), "too many arguments");
	memcpy(git + 1, argv, (size_t)count * sizeof(*argv));
	exec_id = TRACE(exec, AT(50), "git", git);
	execvp("git", (char **)git);
	TRACE(exec_result, AT(51), exec_id, errno);
	return -1;
}

static int run_006data(const char **argv)
{
	int k;

	for (; *argv; argv += 3) {
		for (k = 0; k < 3; k++)
			if (!argv[k] || !*argv[k])
				tool_die(AT(60), "expect <cat0> <k0> <v0> "
						 "[<cat1> <k1> <v1> [...]]");
		TRACE(data_string, AT(61), argv[0], TRACE2_REPO_UNANNOUNCED,
		      argv[1], argv[2]);
	}
	return 0;
}

static int run_007bug(const char **argv)
{
	(void)argv;
	tool_BUG(AT(70), "the bug message");
}

static void run_008bug(void)
{
	tool_bug(AT(80), "a bug message");
	tool_bug(AT(81), "another bug message");
	if (tool_has_bug())
		tool_BUG(AT(82), "an explicit BUG_if_bug() following bug() "
				 "call(s) is nice, but not required");
}

static int run_009bug_BUG(const char **argv)
{
	(void)argv;
	tool_bug(AT(90), "a bug message");
	tool_bug(AT(91), "another bug message");
	return 0; /* the exit reports them */
}

static int run_010bug_BUG(const char **argv)
{
	(void)argv;
	tool_bug(AT(100), "a bug message");
	tool_BUG(AT(101), "a BUG message");
}

const struct verb verbs_git[] = {
	VERB(001return, "<exit_code>"),
	VERB(002exit, "<exit_code>"),
	VERB(003error, "<error_message>+"),
	VERB(004child, "[<child_command_line>]"),
	VERB(005exec, "<git_command_args>"),
	VERB(006data, "[<category> <key> <value>]+"),
	VERB(007bug, ""),
	PLAIN(008bug),
	VERB(009bug_BUG, ""),
	VERB(010bug_BUG, ""),
	{ .name = NULL },
};
