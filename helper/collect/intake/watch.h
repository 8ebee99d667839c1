/*
 * watch.h - directories where each process writes a file of its own: what is
 * new in them goes into the journal. The thread of the intake looks at them
 * about twice a second, and spends at most a twentieth of its time on that.
 *
 * A file is read by whole lines, from where the last read ended, also after a
 * restart. The position is written after the lines: SIGKILL between the two
 * makes the lines of one read come again, and loses none. A last line without
 * an LF is taken after a minute without a change.
 *
 * Only regular files of the same user are read, and no links. They stay, or
 * are removed when all outputs have got them and their process has ended: its
 * last event says so and nobody has the file open for writing, or nothing was
 * written for a day. Such times are those
 * of a clock that nobody sets; only what was in a directory before is as old as
 * its time of change says.
 *
 * git writes no more files into a directory in which there is a file
 * `git-trace2-discard`. It is told, read as the others, and removed like
 * those of a process that has ended.
 */
#ifndef TR2_INTAKE_WATCH_H
#define TR2_INTAKE_WATCH_H

#include <sys/types.h>

#include "collect/intake/intake.h"
#include "collect/intake/watched.h"

#define TR2_WATCH_SENTINEL "git-trace2-discard"

struct tr2_watches {
	struct tr2_watch *items;
	uint32_t count;
	bool remove;	    /* files that all outputs have got */
	uint64_t held_most; /* files that are held; each has a descriptor */

	/* Private */
	struct tr2_watched_table table;
	uint64_t due;			/* when to look again (ns) */
	struct tr2_journal_marks marks; /* as a look finds them */
	unsigned budget;       /* reads until the sockets have their turn */
	bool last;	       /* no later look need be waited for */
	uint64_t unread;       /* files that cannot be read */
	unsigned held;	       /* files */
	bool indexed;	       /* is the next one filled? */
	struct tr2_map firsts; /* of files that were read: a place, from 1,
				   * by their first lines, during a look */
};

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal);
void tr2_watch_end(struct tr2_watches *watches);

/* Returns how long poll(2) may wait, in ms; -1: for ever. */
int tr2_watch_timeout(const struct tr2_watches *watches);

/* Look at all directories if it is time, or in any case. */
void tr2_watch_read(struct tr2_watches *watches,
		    struct tr2_collect_intake *intake, bool now);

#endif
