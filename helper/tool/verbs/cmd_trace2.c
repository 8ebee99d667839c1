#include "verbs.h"

#include <stdio.h>
#include <string.h>

#define AT(line) "cmd_trace2.c", (line)

#define GROUP(name) verbs_##name,
static const struct verb *const groups[] = { VERB_GROUPS(GROUP) };

static int print_usage(void)
{
	const struct verb *verb;
	size_t i;

	fprintf(stderr, "usage:\n");
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		for (verb = groups[i]; verb->name; verb++)
			fprintf(stderr, "\ttest-tool trace2 %s%s%s\n",
				verb->name, *verb->usage ? " " : "",
				verb->usage);
	return 129;
}

static const struct verb *find_verb(const char *name)
{
	const struct verb *verb;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		for (verb = groups[i]; verb->name; verb++)
			if (!strcmp(verb->name, name))
				return verb;
	return NULL;
}

static int run_in_regions(const char **argv)
{
	const struct verb *verb = *argv ? find_verb(*argv) : NULL;
	int code;

	if (!verb)
		tool_die(AT(10), "expect <verb> [<args>...]");
	TRACE(region_enter, AT(11), "cat", "outer", TRACE2_REPO_NONE);
	TRACE(region_enter, AT(12), "cat", "inner", TRACE2_REPO_NONE);
	code = tool_run_verb(verb, argv + 1);
	TRACE(region_leave, AT(13), "cat", "inner", TRACE2_REPO_NONE);
	TRACE(region_leave, AT(14), "cat", "outer", TRACE2_REPO_NONE);
	return code;
}

/* main() has waited by now: see tool_start_late(). */
static void run_late_start(int *ms)
{
	(void)ms;
}

const struct verb verbs_whole[] = {
	VERB(in_regions, "<verb> [<args>...]"),
	NUMERIC(late_start, "<ms>", 1, AT(20)),
	{ .name = NULL },
};

void tool_start_late(int argc, char **argv)
{
	int ms;

	if (argc == 4 && !strcmp(argv[1], "trace2") &&
	    !strcmp(argv[2], "late_start") && tool_int(&ms, argv[3]) >= 0)
		fake_sleep((uint64_t)ms * 1000000);
}

int cmd_trace2(int argc, const char **argv)
{
	const struct verb *verb = argc > 1 ? find_verb(argv[1]) : NULL;

	if (!verb)
		return print_usage();
	return tool_run_verb(verb, argv + 2);
}
