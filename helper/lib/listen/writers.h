/*
 * writers.h - programs that write lines to Unix sockets, many at once. Whole
 * lines go to an owner, who never lets them wait.
 *
 * A line that is too long, or for which the owner has no room, is dropped. A
 * line without an LF at the end of a connection or a datagram gets one, and is
 * torn.
 *
 * The begin of a line whose end has not arrived is kept in memory. Each
 * connection has a limit of its own, so that none can use up what others need;
 * only if the machine's memory is not enough for all, the longest ones are
 * dropped.
 *
 * All of this runs in one thread.
 *
 *	writers.c  connections, and whose turn it is
 *	writer.c   what one of them writes
 */
#ifndef TR2_LISTEN_WRITERS_H
#define TR2_LISTEN_WRITERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
#include "lib/files/socket.h"

/* Why lines are lost. */
enum tr2_lost {
	TR2_LOST_LONG,	 /* a line, or a datagram, is too long */
	TR2_LOST_ROOM,	 /* the owner has no room for it */
	TR2_LOST_MEMORY, /* there are too many incomplete lines, or no memory */
	TR2_LOST_READ,	 /* it can't be read; how many is unknown */
	TR2_LOST_TURN	 /* a connection that no descriptor was left for */
};

/* A connection, or a socket of datagrams. */
struct tr2_connection {
	int fd;
	bool stream;
	unsigned number; /* from 1, in the order in which they came */
	void *state;	 /* the owner's, at first NULL */
	int error;	 /* errno of the last read, if more may be there */

	/* Private */
	bool skipping;	     /* to an LF: the rest of a line that was dropped */
	struct tr2_buf rest; /* the begin of an incomplete line */
};

/* What the owner of the lines does. */
struct tr2_writers_owner {
	/*
	 * Returns room for so many bytes, to which the caller may write until
	 * the next call; or NULL.
	 */
	char *(*make_room)(void *owner, size_t len);
	/* False: nothing can be written to this room. May be NULL. */
	bool (*test_room)(void *owner, char *room, size_t len);
	/*
	 * This room begins with whole lines. If `torn`, the last one had no
	 * LF.
	 */
	void (*take)(void *owner, struct tr2_connection *writer,
		     const char *bytes, size_t len, bool torn);
	/* So many lines are lost. Without a writer, a connection is. */
	void (*lose)(void *owner, struct tr2_connection *writer,
		     enum tr2_lost why, uint64_t lines);
	/* This writer has ended. May be NULL. */
	void (*end)(void *owner, struct tr2_connection *writer);
};

struct tr2_writers {
	const char *command; /* of messages */
	struct tr2_socket *sockets;
	uint32_t socket_count;
	const struct tr2_writers_owner *calls;
	void *owner;
	size_t line_most;
	uint32_t most;	     /* connections at once; others are refused */
	bool others;	     /* other users may write */
	uint64_t rests_most; /* bytes of all incomplete lines; 0: much */

	bool ending;	      /* what was written before is read */
	uint64_t bytes;	      /* that were read */
	uint64_t connections; /* that were accepted */
	uint64_t refused;     /* connections of other users */
	uint64_t crowded;     /* connections that were too many */

	/* Private */
	struct tr2_vec items;	/* struct tr2_connection */
	struct tr2_vec polls;	/* struct pollfd */
	uint32_t datagrams;	/* of the items, which are no connections */
	uint64_t rests;		/* bytes of all incomplete lines */
	uint64_t crowded_until; /* (ns) nothing can be accepted */
	uint64_t told;		/* when it was last told */
	char *scratch;		/* for what has no room */
};

/* The sockets are open, and what is not private is set. */
void tr2_writers_begin(struct tr2_writers *writers);

/*
 * Wait for a writer, and at most so many ms (-1: for ever). False: `stop_fd`
 * can be read.
 */
bool tr2_writers_wait(struct tr2_writers *writers, int stop_fd, int timeout_ms);

/* Read what has come until then. Each connection has its turn. */
void tr2_writers_read(struct tr2_writers *writers);

/*
 * Read what was written before: it has arrived by now. If descriptors are
 * short, connections that have ended make room for those that wait.
 */
void tr2_writers_end(struct tr2_writers *writers);

/* ---- Of this room only: one writer */

#define TR2_WRITER_DATAGRAM ((size_t)256 << 10) /* no datagram is so long */

/* So many reads at most. One that has ended has no descriptor any more. */
void tr2_writer_read(struct tr2_writers *writers, struct tr2_connection *writer,
		     int reads);
void tr2_writer_end(struct tr2_writers *writers, struct tr2_connection *writer);

#endif
