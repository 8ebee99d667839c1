/*
 * summary.h - `trace2 summary`: where did the time go?
 *
 * The room turns the events of logs into tables. Its idea is that every
 * microsecond of a root process has one owner. A process has a stack of spans
 * on its main thread: regions and children. The owner is the span that began
 * last and is still open, or the process itself if none is open. What a child
 * owns goes to the child's own process, and so to its spans, as far as its
 * log covers this time. So the times that are owned ("self") add up to the
 * wall time of the roots, exactly.
 *
 *	summary.c   the command: files in, tables out
 *	intake.c    events to the processes of a forest, and the first lines alone,
 *	            for `trace2 record`
 *	state.c     all tables to a file; state_merge.c: and back; state_line.c: a line
 *	explain.c   what git does in a region, as explain.tsv has it
 *
 * helper/model/account finds the owners; helper/read reads the lines.
 *
 * Memory grows with the processes that are open or wait for their parent, and
 * with 16 bytes for each process that has ended; not with the number of
 * events. Only the command's table and `trace2 record` may use the room. It never judges a log:
 * that is what `trace2 validate` is for.
 */
#ifndef TR2_SUMMARY_SUMMARY_H
#define TR2_SUMMARY_SUMMARY_H

#include <stdio.h>

/* argv[0] is "summary". Returns the exit status. */
int tr2_summary_main(char **argv);

/*
 * The lines of a summary that matter, for who has just run the command: what
 * failed, how long it took, what owns most, what to do. Of the log at this
 * path; where it has no command nothing is written.
 */
void tr2_summary_answer(const char *path, FILE *out);

/* What git does in a region, and which settings affect it. */

struct tr2_explained { /* A label that ends with `*` is the begin of several. */
	const char *category, *label, *text, *setting;
};

/* Returns what is known of a region, or NULL. */
const struct tr2_explained *tr2_explain_find(const char *category,
					     const char *label);

/* Print the regions that "CATEGORY/LABEL" names. Returns the exit status. */
int tr2_explain_region(const char *name);

#endif
