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
 *	summary.c   the command: options, files in, tables out
 *	event.c     an event to its process
 *	span.c      events that begin and end spans
 *	process.c   a process while its events come: its spans and its time
 *	forest.c    a process into the tree: parents give time to children
 *	name.c      what commands, children and callers are called
 *	chain.c     the chain of the longest spans
 *	rows.c      the tables: rows with counts and sums
 *	sketch.c    quantiles that can be merged
 *	state.c     all tables to a file, and back
 *	fields.c    a line of a state
 *	advice.c    what the tables prove about settings of git
 *	text.c, json.c, csv.c  the tables for people and programs
 *
 * Memory grows with the processes that are open or wait for their parent, and
 * with 16 bytes for each process that has ended; not with the number of
 * events. It knows records (helper/rules) and uses the checker of
 * helper/validate to read them. Only the command's table may use it. It never
 * judges a log: that is what `trace2 validate` is for.
 */
#ifndef TR2_SUMMARY_SUMMARY_H
#define TR2_SUMMARY_SUMMARY_H

/* argv[0] is "summary". Returns the exit status. */
int tr2_summary_main(int argc, char **argv);

#endif
