/* What a command says about itself. */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(line) "command.c", (line)

static int run_520cmd_mode(int argc, const char **argv)
{
	(void)argc;
	for (; *argv; argv++)
		TRACE(cmd_mode, AT(10), *argv);
	return 0;
}

static int run_521alias(int argc, const char **argv)
{
	if (!argc)
		tool_die(AT(20), "expect <alias> [<argv...>]");
	TRACE(cmd_alias, AT(21), argv[0], argv + 1);
	return 0;
}

static int run_522cmd_path(int argc, const char **argv)
{
	(void)argc;
	for (; *argv; argv++)
		TRACE(cmd_path, AT(30), *argv);
	return 0;
}

static int run_523cmd_name(int argc, const char **argv)
{
	(void)argc;
	for (; *argv; argv++)
		TRACE(cmd_name, AT(40), *argv);
	return 0;
}

static int run_524cmd_ancestry(int argc, const char **argv)
{
	(void)argc;
	TRACE(cmd_ancestry, AT(50), argv);
	TRACE(collect_process_info, AT(51), TRACE2_PROCESS_INFO_EXIT);
	return 0;
}

/* Messages without text, and without a format. */
static int run_525cmd_error(int argc, const char **argv)
{
	(void)argv;
	if (argc) {
		TRACE(cmd_error, AT(63), "https://u:hush@host/x");
		return 0;
	}
	TRACE(cmd_error, AT(60), "%s %d", "formatted", 1);
	TRACE(cmd_error, AT(61), "%s", "");
	TRACE(cmd_error, AT(62), NULL);
	return 0;
}

static const struct {
	const char *file;
	int line;
} places[] = {
	{ NULL, 1 },
	{ "", 2 },
	{ "abcdefghijklmnopqrstuvwxy.c", 3 }, /* 29 bytes including its line */
	{ "abcdefghijklmnopqrstuvwx.c", 4 },  /* 28 */
	{ "a/path/that/is/far/longer/than/any/column/is/wide.c", 12345 },
	{ "quotes\"and\\backslashes.c", 6 },
	{ "zero.c", 0 },
};

static int run_526location(int argc, const char **argv)
{
	size_t i;

	for (; *argv; argv++)
		TRACE(printf, *argv, 7, "message");
	for (i = 0; !argc && i < ARRAY_SIZE(places); i++)
		TRACE(printf, places[i].file, places[i].line, "message");
	return 0;
}

/* An empty word means a repository without a worktree. */
static int run_527def_repo(int argc, const char **argv)
{
	int repo = 0, i;

	for (i = 0; i < argc; i++) {
		repo = TRACE(def_repo, AT(70), *argv[i] ? argv[i] : NULL);
		TRACE(data_string, AT(71), "cat", repo, "worktree", argv[i]);
	}
	TRACE(region_enter, AT(72), "cat", "in the last one", repo);
	TRACE(data_intmax, AT(73), "cat", 1, "in the first one", 1);
	TRACE(data_json, AT(74), "cat", TRACE2_REPO_UNANNOUNCED,
	      "in an unannounced one", "{}");
	TRACE(region_leave, AT(75), "cat", "in the last one", repo);
	return 0;
}

/* The program does not report the code with which it exits. */
static int run_528exit_unreported(int argc, const char **argv)
{
	int code;

	if (argc != 1 || tool_int(&code, argv[0]) < 0)
		tool_die(AT(80), "expect <exit_code>");
	fake_tick();
	exit(code);
}

static void run_529session_id(void)
{
	puts(trace2_session_id());
}

const struct verb verbs_command[] = {
	{ "520cmd_mode", run_520cmd_mode, "<mode>...", NULL },
	{ "521alias", run_521alias, "<alias> [<argv...>]", NULL },
	{ "522cmd_path", run_522cmd_path, "<path>...", NULL },
	{ "523cmd_name", run_523cmd_name, "<name>...", NULL },
	{ "524cmd_ancestry", run_524cmd_ancestry, "[<name>...]", NULL },
	{ "525cmd_error", run_525cmd_error, "[secret]", NULL },
	{ "526location", run_526location, "[<file>...]", NULL },
	{ "527def_repo", run_527def_repo, "<worktree>...", NULL },
	{ "528exit_unreported", run_528exit_unreported, "<exit_code>", NULL },
	{ "529session_id", NULL, "", run_529session_id },
	{ NULL, NULL, NULL, NULL },
};
