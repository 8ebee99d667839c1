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
	bool remove;		    /* files that all outputs have got */
	const char *const *outputs; /* directories where this service writes */
	uint32_t output_count;
	uint64_t held_most; /* files that are held; each has a descriptor */

	/* Private */
	struct tr2_watched_table table;
	uint64_t due;			/* when to look again (ns) */
	struct tr2_journal_marks marks; /* as a look finds them */
	unsigned budget;	  /* reads until the sockets have their turn */
	bool last;		  /* no later look need be waited for */
	uint64_t unread;	  /* files that cannot be read */
	unsigned held;		  /* files */
	unsigned wanted, wanting; /* places for files that are written, */
				  /* after the last look and in this one */
	struct tr2_map heads;	  /* of files that were read, by their begins */
	struct tr2_vec origins;	  /* struct origin: their lists */
	struct tr2_mark_begin begin; /* of a new file */
	char own_id[18];	     /* this service, in such lists */
};

void tr2_watch_begin(struct tr2_watches *watches, struct tr2_journal *journal);
void tr2_watch_end(struct tr2_watches *watches);

/* Returns how long poll(2) may wait, in ms; -1: for ever. */
int tr2_watch_timeout(const struct tr2_watches *watches);

/* Look at all directories if it is time, or in any case. */
void tr2_watch_read(struct tr2_watches *watches,
		    struct tr2_collect_intake *intake, bool now);

/*
 * Several services could be a ring, in which each reads the files of the one
 * before it. So a directory where a service writes has a list of the services
 * whose events can be there, as an extended attribute: this one first, and
 * those in the lists of the directories that it watches. A service that finds
 * itself in the list of such a directory no longer reads what services write
 * there. It stays so until its end: if several of a ring begin at once, all do
 * so, and each would see that the other does.
 */

void tr2_ring_begin(struct tr2_watches *watches, const char *spool);

/* Before a look: read the lists of all directories, and write our own. */
void tr2_ring_look(struct tr2_watches *watches);

/*
 * Is it a file that closes a ring? `again`: its bytes are to be read now, and
 * whoever wrote them had written the list before, so look at the lists again.
 */
bool tr2_ring_has(struct tr2_watches *watches, const struct tr2_watch *watch,
		  const char *name, bool again);

#endif
