/*
 * verbs.h - the verbs of `test-tool trace2`.
 *
 * A verb is a row of t/kit/contract.tsv, and here is a function for each call
 * of such rows, none for a verb. t/kit/drivers reads the rows, here as for the
 * example driver in C; places.tsv says what source file and line each call
 * shows. The calls move the clock of tool/fake; they use only the public header
 * of the library, except for the host table.
 *
 *	cmd_trace2.c  the table, and where its calls are
 *	trace.c	      calls of Trace2
 *	host.c	      children, forks, threads, signals, memory, the end
 */
#ifndef VERBS_H
#define VERBS_H

#include "drivers/calls.h"
#include "tool/tool.h"

/* Where a call, or what is wrong with the arguments, stands for events. */
struct call_place {
	size_t begin; /* in the table, where what has this place begins */
	const char *file;
	int line;
};

#define OF(place) (place)->file, (place)->line

/* The place of what the table has here. */
const struct call_place *find_place(const char *at);

/* `test-tool trace2 <name> ...`; argv[0] is "trace2". Returns the exit code. */
int cmd_trace2(int argc, const char **argv);
/* For the verb late_start: work that a program does before it initializes. */
void tool_start_late(int argc, char **argv);

#endif
