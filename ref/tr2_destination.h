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
 */
#ifndef TR2_DESTINATION_H
#define TR2_DESTINATION_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum tr2_destination_kind {
	TR2_DESTINATION_OFF,
	TR2_DESTINATION_FILE,	 /* a file, also one in a directory */
	TR2_DESTINATION_STREAM,	 /* pipe, terminal, other descriptor */
	TR2_DESTINATION_SOCKET,	 /* SOCK_STREAM */
	TR2_DESTINATION_DATAGRAM /* SOCK_DGRAM: one event each */
};

struct tr2_destination {
	/* Immutable after open, and after reopen in a forked child. */
	enum tr2_destination_kind kind;
	int fd;
	int waits;	    /* a terminal: may hold the host up */
	int too_many_files; /* the file is the sentinel's */
	int debug;
	const char *variable; /* named in warnings; not owned */
	char *value;	      /* the setting; owned */

	int alive;	  /* atomic: cleared by the first failure */
	uint64_t dropped; /* atomic: events that were not written whole */
	pthread_mutex_t lock;
};

struct tr2_destination_options {
	const char *variable;  /* "GIT_TRACE2_EVENT"; outlives the rest */
	const char *value;     /* the setting's text; NULL or "": off */
	const char *file_name; /* in a directory: the SID's last component */
	int debug;	       /* warn about what fails */
	int max_files;	       /* 0: no limit */
};

/*
 * Open. 1: ready; 0: off (`kind` says TR2_DESTINATION_OFF). An unknown
 * value is always warned about, a failure only under debug. Descriptors
 * are duplicated above 9, all are close-on-exec. Keeps errno.
 */
int tr2_destination_open(struct tr2_destination *dst,
			 const struct tr2_destination_options *options);

/*
 * In a forked child: a directory gets a new file, a socket a new
 * connection; files and descriptors are shared with the parent. The lock
 * is made anew, the drop count starts at 0. 1 or 0 as for open.
 */
int tr2_destination_reopen(struct tr2_destination *dst,
			   const struct tr2_destination_options *options);

/*
 * Write one event, whole, LF included. 1: written; 0: dropped and
 * counted. A failure switches the destination off for good and is warned
 * about once under debug. All sockets and pipes of the process together
 * hold the caller up for at most 100 ms in its lifetime.
 * Never raises SIGPIPE; may change errno.
 */
int tr2_destination_write(struct tr2_destination *dst, const char *bytes,
			  size_t len);

/* The same from a signal handler: a busy lock is a drop. Allocates nothing. */
int tr2_destination_write_signal(struct tr2_destination *dst, const char *bytes,
				 size_t len);

/* Around fork(2): hold every stream lock, so that no line is cut. */
void tr2_destination_fork_prepare(struct tr2_destination *dst);
void tr2_destination_fork_parent(struct tr2_destination *dst);

#endif
