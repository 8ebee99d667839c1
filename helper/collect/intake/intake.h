/*
 * intake.h - reads from all sockets and watched directories, and puts whole
 * lines into the journal. It never waits for anything but the sockets.
 *
 * With a filter, lines are read into memory and pass it first.
 *
 * A line that is too long (16 MiB), or for which there is no space, is dropped
 * and counted. A line without an LF at the end of a connection or a datagram
 * gets one, and is counted as torn.
 *
 * All of this room runs in one thread, and knows nothing of outputs.
 *
 *	lines.h	    whole lines to the journal, with a filter or without, and
 *		    lines without an end
 *	watch.h	    directories whose files go to the journal
 *	sight.h	    one such file: what is new in it
 *	ring.c	    services that read each other's files
 *	watched.h   how far each of these files was read
 *	identity.c  what was read of a file: is it still the same one? Is it time
 *		    to remove it?
 *	filter.h    what lines pass before: checks, hidden passwords, and the
 *		    file of broken lines
 *	judge.h	    is a line broken?
 */
#ifndef TR2_INTAKE_INTAKE_H
#define TR2_INTAKE_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/intake/filter.h"
#include "collect/journal/journal.h"
#include "lib/common/vec.h"
#include "lib/files/socket.h"

struct tr2_watches;

/* Why a line is dropped. */
enum tr2_drop {
	TR2_DROP_LONG,	 /* it is too long */
	TR2_DROP_SPACE,	 /* the disk has no space */
	TR2_DROP_MEMORY, /* there are too many incomplete lines, or no memory */
	TR2_DROP_CUT,	 /* its file was cut or removed before it was read */
	TR2_DROP_READ,	 /* its socket can't be read; how many is unknown */
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
	struct tr2_socket *sockets;
	uint32_t socket_count;
	bool others;   /* other users may write */
	uint32_t most; /* connections at once; others are refused */
	struct tr2_collect_counts counts;
	struct tr2_collect_counts shown; /* the journal's mutex guards it */

	/* Private */
	struct tr2_vec writers; /* struct tr2_writer */
	uint32_t datagrams;	/* of the writers, which are no connections */
	struct tr2_vec polls;	/* struct pollfd */
	uint64_t rests;		/* bytes of all incomplete lines */
	uint64_t rests_most;	/* of them; 0: as the machine has memory */
	bool full;		/* the disk, and this was told */
	uint64_t full_dropped;	/* lines that were dropped before */
	uint64_t crowded; /* until this time (ns) nothing can be accepted */
	uint64_t told;	  /* when it was last told */
	char *scratch;	  /* for 256 kB that are dropped */
};

/*
 * Read until `stop_fd` can be read, and then what was written before. The
 * sockets are open.
 */
void tr2_collect_receive(struct tr2_collect_intake *intake, int stop_fd);

/*
 * Tells on standard error when lines cannot be kept because the disk
 * is full, at once, and when they can be kept again.
 */

/* Look whether there is space, and tell what has changed. */
void tr2_space_watch(struct tr2_collect_intake *intake);

/* Shorten a wait of so many ms (-1: for ever) while the disk is full. */
int tr2_space_shorten(const struct tr2_collect_intake *intake, int timeout_ms);

#endif
