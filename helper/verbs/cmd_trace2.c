#include "verbs.h"

#include <stdio.h>
#include <string.h>

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

int cmd_trace2(int argc, const char **argv)
{
	const struct verb *verb = argc > 1 ? find_verb(argv[1]) : NULL;

	if (!verb)
		return print_usage();
	return verb->run(argc - 2, argv + 2);
}
