/*
 * tr2_destination.h - where a target's bytes go: standard error, an
 * inherited descriptor, a file, a file per process in a directory, or a
 * Unix socket. It knows bytes and descriptors and nothing else.
 * SPEC: chapter destination.*
 *
 * Threads: open and reopen on one thread, while no other one writes;
 * write from any. Files take no lock: one event is one write(2) with
 * O_APPEND. Streams (pipes, terminals, stream sockets) hold `lock` for one
 * line, so that a line that needs several writes stays whole.
 *
 * Nothing here is allocated and nothing is ever closed: a destination
 * lives as long as its process.
 */
#ifndef TR2_DESTINATION_H
#define TR2_DESTINATION_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tr2_descriptor.h"

enum tr2_destination_kind {
	TR2_DESTINATION_OFF,
	TR2_DESTINATION_FILE,	 /* a file, also one in a directory */
	TR2_DESTINATION_STREAM,	 /* pipe, terminal, device */
	TR2_DESTINATION_SOCKET,	 /* SOCK_STREAM */
	TR2_DESTINATION_DATAGRAM /* keeps the bounds of messages: one each */
};

/*
 * When a descriptor is looked at again: see tr2_destination_look.h. All of
 * it is atomic, in ns.
 */
struct tr2_destination_look {
	uint64_t event_ns;    /* the event before */
	uint64_t quickest_ns; /* between two events; 0: none */
	uint64_t looked_ns;   /* when it was looked at */
	uint64_t paid_ns;     /* looks are paid for until then */
};

struct tr2_destination {
	/* Immutable after open, and after reopen in a forked child. */
	enum tr2_destination_kind kind;
	struct tr2_descriptor ours; /* and what it was when it was opened */
	int waits;		    /* a terminal: may hold the host up */
	int polls;		    /* a write may block: ask first */
	int own;		    /* a forked child opens it anew */
	int inherited;		    /* by number */
	int too_many_files;	    /* the file is the sentinel */
	int debug;		    /* warn about what fails */
	const char *variable;	    /* named in warnings */
	uint64_t *waited_ns;	    /* the process's account, see tr2_wait.h */

	int alive;  /* atomic: cleared by the first failure */
	int raises; /* atomic: a write may raise a signal */
	struct tr2_destination_look look;
	uint64_t dropped;     /* atomic: events that were not written whole */
	int held_for_fork;    /* under lock, from prepare on */
	pthread_mutex_t lock; /* error-checking */
};

/* The variable and the account outlive the destination, the rest the call. */
struct tr2_destination_options {
	const char *variable;  /* "GIT_TRACE2_EVENT" */
	const char *value;     /* the setting's text; NULL or "": off */
	const char *file_name; /* in a directory: the SID's last component */
	int read_back;	       /* a file in it is read, too */
	int debug;	       /* warn about what fails */
	int max_files;	       /* 0: no limit */
	uint64_t *waited_ns;   /* one for the process, 0 at its start */
};

/*
 * Open. 1: ready; 0: off (`kind` says TR2_DESTINATION_OFF). An unknown
 * value is always warned about, a failure only under debug. Descriptors
 * live at the top of the table (see tr2_descriptor.h), all are
 * close-on-exec; an inherited one keeps its flags. Keeps errno.
 */
int tr2_destination_open(struct tr2_destination *dst,
			 const struct tr2_destination_options *options);

/*
 * Write one event, whole, LF included, at `now_ns` on the host's monotonic
 * clock. 1: written; 0: dropped and counted. A failure switches the destination off for good and is warned
 * about once under debug; only an event too long for a datagram is lost
 * alone. All destinations of the process together hold the caller up for
 * at most 100 ms in its lifetime (terminals: as long as they like). A
 * descriptor that the host closed or replaced is a failure.
 * Never raises SIGPIPE or SIGXFSZ, is no cancellation point; may change
 * errno.
 */
int tr2_destination_write(struct tr2_destination *dst, const char *bytes,
			  size_t len, uint64_t now_ns);

/* The same from a signal handler: a busy lock is a drop. Never warns. */
int tr2_destination_write_signal(struct tr2_destination *dst, const char *bytes,
				 size_t len);

/*
 * Around fork(2), for each destination: hold its lock, so that no line is
 * cut in two by the child's copy of it. The child makes the lock anew and
 * closes what it must not hold open behind its program's back: a daemon
 * that closes its standard error would otherwise keep whoever reads that
 * waiting.
 */
void tr2_destination_fork_prepare(struct tr2_destination *dst);
void tr2_destination_fork_parent(struct tr2_destination *dst);
void tr2_destination_fork_child(struct tr2_destination *dst);

/*
 * In the child, before it writes: a directory gets a new file, a socket a
 * new connection; files and inherited descriptors are shared with the
 * parent. Off is what the child no longer has: a file whose descriptor it
 * closed or replaced, and a pipe or socket whose number it gave to something else. The
 * drop count starts at 0; the caller sets the account back. 1 or 0 as for
 * open. Keeps errno.
 */
int tr2_destination_reopen(struct tr2_destination *dst,
			   const struct tr2_destination_options *options);

#endif
