/*
 * verbs.h - the verbs of `test-tool trace2`.
 *
 * A verb is a row of t/kit/contract.tsv. t/kit/drivers reads the rows and makes
 * their calls, as for the example driver in C; places.tsv says what source file
 * and line each call shows (see place.h). The calls move the clock of tool/fake;
 * they use only the public header of the library, except for the host table.
 *
 *	cmd_trace2.c  the table, and where its calls are
 *	host.c	      children, forks, threads, signals, memory, the end
 */
#ifndef VERBS_H
#define VERBS_H

#include "drivers/calls.h"
#include "tool/tool.h"
#include "tool/verbs/place.h"

/* `test-tool trace2 <name> ...`; argv[0] is "trace2". Returns the exit code. */
int cmd_trace2(int argc, const char **argv);
/* For the verb late_start: work that a program does before it initializes. */
void tool_start_late(int argc, char **argv);

#endif
