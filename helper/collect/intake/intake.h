/*
 * intake.h - reads from all sockets and watched directories, and puts whole
 * lines into the journal. It never waits for anything but the sockets.
 *
 * With a filter, lines are read into memory and pass it first.
 *
 * A line that is too long (16 MiB), or for which there is no space, is dropped
 * and counted. Torn lines are counted, too (lib/listen/writers.h).
 *
 * All of this room runs in one thread, and knows nothing of outputs.
 *
 *	watch.h	    directories whose files go to the journal
 *	sight.h	    one such file: what is new in it
 *	watched.h   how far each of these files was read, also on disk
 *	identity.c  is a file that is seen still the one that was read?
 *	gone.c	    files that are held, that went, or may go
 *	filter.h    what lines pass before: checks, hidden passwords, and the
 *		    file of broken lines
 */
#ifndef TR2_INTAKE_INTAKE_H
#define TR2_INTAKE_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/intake/filter.h"
#include "collect/journal/journal.h"
#include "lib/listen/writers.h"

struct tr2_watches;

/* Why a line is dropped. */
enum tr2_drop {
	TR2_DROP_LONG,	 /* it is too long */
	TR2_DROP_SPACE,	 /* the disk has no space */
	TR2_DROP_MEMORY, /* there are too many incomplete lines, or no memory */
	TR2_DROP_CUT,	 /* its file was cut or removed before it was read */
	TR2_DROP_READ,	 /* its socket can't be read; how many is unknown */
	TR2_DROP_GONE,	 /* its file went while it was written; as unknown */
	TR2_DROPS
};

extern const char *const tr2_drop_names[TR2_DROPS];

struct tr2_collect_counts {
	/* lines + dropped + what the filter holds back */
	uint64_t received;
	uint64_t lines, bytes; /* that were kept */
	uint64_t dropped;      /* lines */
	uint64_t torn;	       /* lines without an LF */
	uint64_t connections;  /* that were accepted */
	uint64_t refused;      /* connections of other users */
	uint64_t crowded;      /* connections that were too many */
	struct tr2_filter_counts filter;
	uint64_t drops[TR2_DROPS]; /* what was dropped, by its reasons */
	uint64_t unread;	   /* files that cannot be read now */
	uint64_t repeats;	   /* files of which events may come twice */
};

struct tr2_collect_intake {
	struct tr2_journal *journal;
	struct tr2_line_filter *filter; /* NULL: lines stay as they are */
	struct tr2_watches *watches;
	struct tr2_writers writers; /* its sockets, and who may write */
	struct tr2_collect_counts counts;
	struct tr2_collect_counts shown; /* the journal's mutex guards it */

	/* Private */
	bool full;		/* the disk, and this was told */
	uint64_t full_dropped;	/* lines that were dropped before */
	char scratch[64 << 10]; /* for what a file has and is dropped */
};

/*
 * Read until `stop_fd` can be read, and then what was written before. The
 * sockets are open.
 */
void tr2_collect_receive(struct tr2_collect_intake *intake, int stop_fd);

/*
 * Tell on standard error when lines cannot be kept because the disk is full, at
 * once, and when they can be kept again.
 */
void tr2_space_watch(struct tr2_collect_intake *intake);

/* Shorten a wait of so many ms (-1: for ever) while the disk is full. */
int tr2_space_shorten(const struct tr2_collect_intake *intake, int timeout_ms);

/* ---- Whole lines on their way into the journal */

/* So many lines go to no output, and are counted by the reason. */
void tr2_intake_drop(struct tr2_collect_intake *intake, enum tr2_drop reason,
		     uint64_t lines);

/*
 * Room for so many bytes, in the journal or in the filter before it; NULL:
 * there is no space, or no memory.
 */
char *tr2_intake_make_room(struct tr2_collect_intake *intake, size_t len);
/*
 * False: writing to this room fails, as its disk has no space after all. errno
 * is kept.
 */
bool tr2_intake_test_room(const struct tr2_collect_intake *intake, char *room,
			  size_t len);

/*
 * `bytes` is this room, and begins with whole lines of so many bytes. Without
 * space for them all, they are dropped.
 */
void tr2_intake_keep_lines(struct tr2_collect_intake *intake, const char *bytes,
			   size_t len);
/*
 * The same; but without space, also for those that are set aside, they are not
 * taken, not counted, and can come again. False: so it is.
 */
bool tr2_intake_try_lines(struct tr2_collect_intake *intake, const char *bytes,
			  size_t len);

#endif
