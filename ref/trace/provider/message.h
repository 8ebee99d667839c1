/*
 * message.h - what goes over a trace manager's socket.
 *
 * The socket is of type SOCK_SEQPACKET. Each message begins with a packet
 * of the form of <trace-provider/provider.h>; some have bytes behind it,
 * and some bring a descriptor. SPEC.md, "Providers", has the table.
 *
 * Nothing here blocks or raises SIGPIPE.
 */
#ifndef TR2_TRACE_PROVIDER_MESSAGE_H
#define TR2_TRACE_PROVIDER_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/provider/provider.h"

#define TRACE_MESSAGE_VERSION 1

enum trace_request {
	/* TraceRegistry: provider to manager, and the answer. */
	TRACE_REGISTER = 0x200,
	TRACE_REGISTER_CATEGORY = 0x201,
	TRACE_REGISTERED = 0x280,

	/* TraceProvider: manager to provider. Other answers are FIFO packets. */
	TRACE_INITIALIZE = 0x300,
	TRACE_START = 0x301,
	TRACE_STOP = 0x302,
	TRACE_TERMINATE = 0x303,
	TRACE_TERMINATED = 0x380, /* provider to manager */

	/* Controller: client to manager. TRACE_DONE answers each. */
	TRACE_GET_PROVIDERS = 0x400,
	TRACE_GET_CATEGORIES = 0x401,
	TRACE_INITIALIZE_TRACING = 0x402,
	TRACE_START_TRACING = 0x403,
	TRACE_STOP_TRACING = 0x404,
	TRACE_TERMINATE_TRACING = 0x405,

	/* Manager to client. */
	TRACE_PROVIDER_IS = 0x480,
	TRACE_CATEGORY_IS = 0x481,
	TRACE_ALERT_IS = 0x482,
	TRACE_RESULT_IS = 0x483,
	TRACE_DONE = 0x4ff,
};

#define TRACE_PAYLOAD_MAX ((size_t)16384)

/* What stands behind the packet of TRACE_RESULT_IS, ahead of two strings:
 * the provider's name, a NUL, and what it did wrong ("" if nothing). */
struct tr2_result_counts {
	uint64_t pid;
	uint64_t events;
	uint64_t bytes;
};

struct tr2_message {
	trace_provider_packet_t packet;
	char payload[TRACE_PAYLOAD_MAX + 1]; /* a NUL behind its end */
	size_t len;			     /* of the payload */
	int fd;	      /* that came along, or -1; the receiver closes it */
	int fd_count; /* more than one are closed already */
};

/*
 * Send a message with `len` bytes behind it, and a descriptor unless that
 * is -1. 0, or -1 and errno: EAGAIN where the other side does not read.
 */
int tr2_message_send(int socket, const trace_provider_packet_t *packet,
		     const void *payload, size_t len, int fd);

/*
 * The next message: 1; 0 where the other side is gone; -1 and errno:
 * EAGAIN where there is none, EBADMSG for one that is shorter than a packet
 * or longer than a message may be.
 */
int tr2_message_receive(int socket, struct tr2_message *message);

/* A connection to the manager at `path`, or -1 and errno. */
int tr2_message_connect(const char *path);

/*
 * The socket of the manager that belongs to this environment, in `path` of
 * `size` bytes. 0 if there is none. 1 if it is the default one, 2 if
 * TRACE_MANAGER names it.
 */
int tr2_message_default_path(char *path, size_t size);

/* The process at the other end, and whether it is ours or root's. */
int tr2_message_peer(int socket, pid_t *pid);

/* Is `name` in the list? An empty list (len 0) holds all. */
int tr2_message_has_category(const char *list, size_t len, const char *name);

#endif
