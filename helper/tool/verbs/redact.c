/* Redaction and ancestry, as in git's own helper. */
#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#define AT(line) "redact.c", (line)

static int run_300redact_start(const char **argv)
{
	TRACE(cmd_start, AT(11), argv);
	return 0;
}

static int run_301redact_child_start(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = argv;
	TRACE(child_start, AT(21), &child);
	return 0;
}

static int run_302redact_exec(const char **argv)
{
	TRACE(exec, AT(31), argv[0], argv + 1);
	return 0;
}

static int run_303redact_def_param(const char **argv)
{
	TRACE(def_param, AT(41), argv[0], argv[1]);
	return 0;
}

static const struct {
	const char *name;
	const char *variable;
} targets[] = {
	{ "normal", "GIT_TRACE2" },
	{ "perf", "GIT_TRACE2_PERF" },
	{ "event", "GIT_TRACE2_EVENT" },
};

static const char *find_variable(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(targets); i++)
		if (!strcmp(targets[i].name, name))
			return targets[i].variable;
	return NULL;
}

/* The child writes only to one target of its own. */
static int run_400ancestry(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	const char *variable;
	size_t i;

	variable = find_variable(argv[0]);
	if (!variable)
		tool_die(AT(51),
			 "invalid target '%s', expected: normal, perf, event",
			 argv[0]);
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		setenv(targets[i].variable, "", 1);
	setenv("GIT_TRACE2_BRIEF", "1", 1);
	setenv(variable, argv[1], 1);
	child.argv = argv + 2;
	tool_exit(AT(52), tool_run(&child));
}

const struct verb verbs_redact[] = {
	NEEDS(300redact_start, "<argv...>", 1, AT(10)),
	NEEDS(301redact_child_start, "<argv...>", 1, AT(20)),
	NEEDS(302redact_exec, "<exe> <argv...>", 2, AT(30)),
	NEEDS(303redact_def_param, "<key> <value>", 2, AT(40)),
	NEEDS(400ancestry, "<target> <output_file> <child_command_line>", 3,
	      AT(50)),
	{ .name = NULL },
};
