/*
 * verbs.h - the verbs of `test-tool trace2`.
 *
 * The room has one file for each group of verbs (git.c, region.c, ...).
 * cmd_trace2.c finds a verb by its name and calls it. A verb makes calls of
 * the library through TRACE() of tool/tool.h; it uses only the public header,
 * except for the host table.
 */
#ifndef VERBS_H
#define VERBS_H

#include "tool/tool.h"

/*
 * A file has an array of its verbs that ends with a NULL name. Those of git
 * have numbers, and our older ones too; a new one has a name alone. The groups
 * are in the order of the usage list.
 */
#define VERB_GROUPS(GROUP) \
	GROUP(git)         \
	GROUP(timer)       \
	GROUP(redact)      \
	GROUP(region)      \
	GROUP(command)     \
	GROUP(child)       \
	GROUP(signal)      \
	GROUP(thread)      \
	GROUP(fork)        \
	GROUP(param)       \
	GROUP(stopwatch)   \
	GROUP(flood)       \
	GROUP(guest)       \
	GROUP(named)       \
	GROUP(whole)

#define DECLARE_GROUP(name) extern const struct verb verbs_##name[];
VERB_GROUPS(DECLARE_GROUP)
#undef DECLARE_GROUP

/* `test-tool trace2 <name> ...`; argv[0] is "trace2". Returns the exit code. */
int cmd_trace2(int argc, const char **argv);
/* For the verb late_start: work that a program does before it initializes. */
void tool_start_late(int argc, char **argv);

#endif
