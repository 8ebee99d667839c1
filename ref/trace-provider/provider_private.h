/*
 * provider_private.h - what the parts of libtrace-provider share.
 *
 *	provider.c	   creation, destruction, fork
 *	provider_thread.c  the thread: connection, messages of the manager
 *	provider_engine.c  what the engine asks and tells
 */
#ifndef TRACE_PROVIDER_PRIVATE_H
#define TRACE_PROVIDER_PRIVATE_H

#include <pthread.h>

#include "trace-provider/provider.h"
#include "trace/engine.h"
#include "trace/message.h"
#include "trace/wake_pipe.h"

#define TR2_PROVIDER_PATH 108 /* of sockaddr_un */

struct trace_provider {
	/* What the engine knows of us; first. */
	struct trace_handler handler;

	/* Set when it is created. */
	pid_t pid;
	char path[TR2_PROVIDER_PATH];
	char name[256];
	char *known; /* each: name, NUL, description, NUL */
	size_t known_len;
	pthread_t thread;
	bool ending; /* atomic */
	/*
	 * A pipe of packets to the thread, so that nothing else may touch
	 * the socket: alerts, or request 0 to end.
	 */
	struct tr2_wake_pipe wake;

	/* The thread's own. */
	int socket; /* or -1; atomic: its number, while it is open */
	struct tr2_descriptor connection; /* set first, closed last */
	unsigned pause_ms;		  /* before connecting again */
	struct tr2_message message;
	bool started;
	bool stopping; /* the manager wants to hear STOPPED */

	/* The thread's; read by others while the engine is initialized. */
	void *buffer; /* or NULL: nothing is initialized */
	size_t size;
	char *categories;
	size_t categories_len;
	bool left_behind; /* a writer is still in the buffer: keep it */

	/* Whoever creates it may wait until it is known how things are. */
	pthread_mutex_t lock;
	pthread_cond_t settle;
	bool settled; /* under lock */
	bool tracing; /* under lock */
};

/* provider_thread.c */
void *tr2_provider_thread(void *provider);
/* How long to wait after a connection that failed, and one before it. */
unsigned tr2_provider_next_pause(unsigned pause_ms);
void tr2_provider_settle(struct trace_provider *provider, bool tracing);
/* The connection is of no use any more; the loop sees to the rest. */
void tr2_provider_close(struct trace_provider *provider);
void tr2_provider_packet(struct trace_provider *provider, unsigned request,
			 uint32_t data32, uint64_t data64);

/* provider_engine.c: on the thread. */
void tr2_provider_initialize(struct trace_provider *provider,
			     struct tr2_message *message);
void tr2_provider_start(struct trace_provider *provider,
			const struct tr2_message *message);
void tr2_provider_stop(struct trace_provider *provider);
void tr2_provider_saved(const struct trace_provider *provider,
			const trace_provider_packet_t *packet);
void tr2_provider_terminate(struct trace_provider *provider);
extern const struct trace_handler_ops tr2_provider_ops;

#endif
