/* What a command says about itself. */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(line) "command.c", (line)

static int run_520cmd_mode(const char **argv)
{
	for (; *argv; argv++)
		TRACE(cmd_mode, AT(10), *argv);
	return 0;
}

static int run_521alias(const char **argv)
{
	TRACE(cmd_alias, AT(21), argv[0], argv + 1);
	return 0;
}

static int run_522cmd_path(const char **argv)
{
	for (; *argv; argv++)
		TRACE(cmd_path, AT(30), *argv);
	return 0;
}

static int run_523cmd_name(const char **argv)
{
	for (; *argv; argv++)
		TRACE(cmd_name, AT(40), *argv);
	return 0;
}

static int run_524cmd_ancestry(const char **argv)
{
	TRACE(cmd_ancestry, AT(50), argv);
	TRACE(collect_process_info, AT(51), TRACE2_PROCESS_INFO_EXIT);
	return 0;
}

/* Messages without text, and without a format. */
static int run_525cmd_error(const char **argv)
{
	if (*argv) {
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

static int run_526location(const char **argv)
{
	size_t i;

	for (i = 0; !*argv && i < ARRAY_SIZE(places); i++)
		TRACE(printf, places[i].file, places[i].line, "message");
	for (; *argv; argv++)
		TRACE(printf, *argv, 7, "message");
	return 0;
}

/* An empty word means a repository without a worktree. */
static int run_527def_repo(const char **argv)
{
	int repo = 0;

	for (; *argv; argv++) {
		repo = TRACE(def_repo, AT(70), **argv ? *argv : NULL);
		TRACE(data_string, AT(71), "cat", repo, "worktree", *argv);
	}
	TRACE(region_enter, AT(72), "cat", "in the last one", repo);
	TRACE(data_intmax, AT(73), "cat", 1, "in the first one", 1);
	TRACE(data_json, AT(74), "cat", TRACE2_REPO_UNANNOUNCED,
	      "in an unannounced one", "{}");
	TRACE(region_leave, AT(75), "cat", "in the last one", repo);
	return 0;
}

/* The program does not report the code with which it exits. */
static void run_528exit_unreported(int *code)
{
	fake_tick();
	exit(*code);
}

static void run_529session_id(void)
{
	puts(trace2_session_id());
}

const struct verb verbs_command[] = {
	VERB(520cmd_mode, "<mode>..."),
	NEEDS(521alias, "<alias> [<argv...>]", 1, AT(20)),
	VERB(522cmd_path, "<path>..."),
	VERB(523cmd_name, "<name>..."),
	VERB(524cmd_ancestry, "[<name>...]"),
	VERB(525cmd_error, "[secret]"),
	VERB(526location, "[<file>...]"),
	VERB(527def_repo, "<worktree>..."),
	NUMERIC(528exit_unreported, "<exit_code>", 1, AT(80)),
	PLAIN(529session_id),
	{ .name = NULL },
};
