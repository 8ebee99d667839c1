/*
 * destination.h - where a target's bytes go: standard error, an inherited
 * descriptor, a file, a file for each process in a directory, or a Unix
 * socket. A destination knows bytes and descriptors, but no events.
 * SPEC: chapter destination.*
 *
 * Threads: open and reopen on one thread, while no other thread writes; write
 * from any thread. Files need no lock: one event is one write(2) with
 * O_APPEND. Streams (pipes, terminals, stream sockets) hold `lock` for one
 * line, so that a line that needs several writes stays whole.
 *
 * A destination allocates no memory and is never closed: it lives as long as
 * its process.
 */
#ifndef TR2_DESTINATION_DESTINATION_H
#define TR2_DESTINATION_DESTINATION_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "descriptor/descriptor.h"
#include "host/hold.h"

enum tr2_destination_kind {
	TR2_DESTINATION_OFF,
	TR2_DESTINATION_FILE,	 /* a file, also one in a directory */
	TR2_DESTINATION_STREAM,	 /* pipe, terminal, device */
	TR2_DESTINATION_SOCKET,	 /* SOCK_STREAM */
	TR2_DESTINATION_DATAGRAM /* keeps message boundaries: one event each */
};

/*
 * When to check a descriptor again: see destination/look.h. Both members are
 * atomic, in ns.
 */
struct tr2_destination_look {
	uint64_t quickest_ns; /* shortest gap between two events; 0: none */
	uint64_t paid_ns;     /* time up to which looks are paid for */
};

/* What one thread has seen of one destination; begins with 0. */
struct tr2_destination_seen {
	uint64_t now_ns;    /* on the host's monotonic clock */
	uint64_t event_ns;  /* time of the previous event */
	uint64_t looked_ns; /* time of the last look */
};

struct tr2_destination {
	/* Immutable after open, and after reopen in a forked child. */
	enum tr2_destination_kind kind;
	struct tr2_descriptor ours; /* as it was when opened */
	int waits;		    /* a terminal: may delay the host */
	int polls;		    /* a write may block: poll first */
	int own;		    /* a forked child opens it anew */
	int inherited;		    /* the value named its number */
	int too_many_files;   /* the file is the sentinel, or it is there */
	int debug;	      /* warn about what fails */
	const char *variable; /* named in warnings */
	uint64_t *waited_ns;  /* the process's account, see host/wait.h */

	int alive;  /* atomic: cleared by the first failure */
	int raises; /* atomic: a write may raise SIGXFSZ or SIGPIPE */
	struct tr2_destination_look look;
	uint64_t dropped; /* atomic: events that were not written whole */

	/* What a fork uses; tr2_destination_reopen() leaves it alone. */
	int held_for_fork;    /* atomic, from prepare on */
	struct tr2_hold hold; /* of the thread that has the lock */
	pthread_mutex_t lock; /* error-checking */
};

/*
 * The variable and the account must outlive the destination; all other
 * members are used only during the call.
 */
struct tr2_destination_options {
	const char *variable;  /* "GIT_TRACE2_EVENT" */
	const char *value;     /* the setting's text; NULL or "": off */
	const char *file_name; /* in a directory: the SID's last component */
	int read_back;	       /* the file will also be read */
	int debug;	       /* warn about what fails */
	int max_files;	       /* 0: no limit */
	uint64_t *waited_ns;   /* one for the process, 0 when it starts */
};

/*
 * Open the destination. 1: ready; 0: off (`kind` is TR2_DESTINATION_OFF).
 * Always warns about an unknown value, and about a failure only under debug.
 * Descriptors are at the top of the table (see descriptor/descriptor.h) and
 * close-on-exec; an inherited one keeps its flags. Keeps errno.
 */
int tr2_destination_open(struct tr2_destination *dst,
			 const struct tr2_destination_options *options);

/*
 * Write one event, whole, LF included, at `seen->now_ns`; `seen` is the
 * thread's own. 1: written; 0: dropped and counted. A failure switches the
 * destination off for good and, under debug, warns once; but an event that is
 * too long for a datagram is only dropped. All destinations of the process
 * together delay the caller by at most 100 ms in its lifetime (terminals have
 * no limit). A descriptor that the host closed or replaced is a failure.
 * Never raises SIGPIPE or SIGXFSZ and is not a cancellation point; may change
 * errno.
 */
int tr2_destination_write(struct tr2_destination *dst, const char *bytes,
			  size_t len, struct tr2_destination_seen *seen);

/*
 * The same from a signal handler: drops the event if the lock is busy. Never
 * warns.
 */
int tr2_destination_write_signal(struct tr2_destination *dst, const char *bytes,
				 size_t len);

/*
 * 1 from the moment when the calling thread's event is written, or counted as
 * dropped, until its caller sets it to 0. A handler that comes in between and
 * never returns asks for it.
 */
extern __thread int tr2_destination_is_done
	__attribute__((tls_model("initial-exec")));

/*
 * Are these bytes the last ones that were written to the file? A handler may
 * come after the write and before it is known to be done. 0 for anything but
 * a file. Async-signal-safe.
 */
int tr2_destination_ends_with(const struct tr2_destination *dst,
			      const char *bytes, size_t len);

/*
 * Around fork(2), for each destination: hold its lock, so that the child does
 * not get a copy of half a line. The child initializes the lock again, and
 * closes descriptors that it must not keep open without its program's
 * knowledge: if a daemon closes its standard error, our copy would otherwise
 * keep the reader of it waiting.
 */
void tr2_destination_fork_prepare(struct tr2_destination *dst);
void tr2_destination_fork_parent(struct tr2_destination *dst);
void tr2_destination_fork_child(struct tr2_destination *dst);

/*
 * In the child, before it writes: a directory gets a new file, and a socket a
 * new connection; files and inherited descriptors are shared with the parent.
 * The destination is off if the child no longer has it: it closed or replaced
 * the descriptor of a file, or reused the number of a pipe or socket. The
 * drop count starts at 0; the caller resets the account. 1 or 0 as for open.
 * Keeps errno.
 */
int tr2_destination_reopen(struct tr2_destination *dst,
			   const struct tr2_destination_options *options);

#endif
