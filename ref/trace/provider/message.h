/*
 * message.h - the messages on a trace manager's socket.
 *
 * The socket has the type SOCK_SEQPACKET. Each message begins with a packet
 * as in <trace-provider/provider.h>; some have more bytes after it, and some
 * carry a descriptor. The table is in TRACING.md, "Providers".
 *
 * No function here blocks or raises SIGPIPE.
 */
#ifndef TR2_TRACE_PROVIDER_MESSAGE_H
#define TR2_TRACE_PROVIDER_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/provider/provider.h"

#define TRACE_MESSAGE_VERSION 1

enum trace_request {
	/* TraceRegistry: from provider to manager, and the answer. */
	TRACE_REGISTER = 0x200,
	TRACE_REGISTER_CATEGORY = 0x201,
	TRACE_RENAME = 0x202,
	TRACE_REGISTERED = 0x280,

	/*
	 * TraceProvider: from manager to provider. Other answers are FIFO
	 * packets.
	 */
	TRACE_INITIALIZE = 0x300,
	TRACE_START = 0x301,
	TRACE_STOP = 0x302,
	TRACE_TERMINATE = 0x303,
	TRACE_TERMINATED = 0x380, /* provider to manager */

	/* Controller: from client to manager. TRACE_DONE answers each. */
	TRACE_GET_PROVIDERS = 0x400,
	TRACE_GET_CATEGORIES = 0x401,
	TRACE_INITIALIZE_TRACING = 0x402,
	TRACE_START_TRACING = 0x403,
	TRACE_STOP_TRACING = 0x404,
	TRACE_TERMINATE_TRACING = 0x405,

	/* From manager to client. */
	TRACE_PROVIDER_IS = 0x480,
	TRACE_CATEGORY_IS = 0x481,
	TRACE_ALERT_IS = 0x482,
	TRACE_RESULT_IS = 0x483,
	TRACE_DONE = 0x4ff,
};

#define TRACE_PAYLOAD_MAX ((size_t)16384)

/*
 * What follows the packet of TRACE_RESULT_IS. Two strings follow it: the
 * provider's name, a NUL, and what it did wrong ("" if nothing).
 */
struct tr2_result_counts {
	uint64_t pid;
	uint64_t events;
	uint64_t bytes;
};

struct tr2_message {
	trace_provider_packet_t packet;
	char payload[TRACE_PAYLOAD_MAX + 1]; /* with a NUL after it */
	size_t len;			     /* of the payload */
	int fd;	      /* the descriptor, or -1; the receiver closes it */
	int fd_count; /* if more than one came, they are closed */
	int fd_lost;  /* one was sent, but this process has no room for it */
};

/*
 * Send a message with `len` bytes after the packet, and a descriptor unless
 * it is -1. 0, or -1 and errno: EAGAIN if the other side does not read.
 */
int tr2_message_send(int socket, const trace_provider_packet_t *packet,
		     const void *payload, size_t len, int fd);

/*
 * Receive the next message: 1; 0 if the other side is gone; -1 and errno:
 * EAGAIN if there is none, EBADMSG if it is shorter than a packet or longer
 * than a message may be.
 */
int tr2_message_receive(int socket, struct tr2_message *message);

/* Connect to the manager at `path`: a descriptor, or -1 and errno. */
int tr2_message_connect(const char *path);

/*
 * Find the manager's socket in the environment; `path` has `size` bytes. 0:
 * there is none; 1: the default one; 2: TRACE_MANAGER names it.
 */
int tr2_message_default_path(char *path, size_t size);

/* Find the process at the other end. Does it belong to this user or root? */
int tr2_message_peer(int socket, pid_t *pid);

/* Is `name` in the list? An empty list (len 0) contains every name. */
int tr2_message_has_category(const char *list, size_t len, const char *name);

#endif
