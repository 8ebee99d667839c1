/*
 * private.h - what the files of the trace provider share.
 *
 *	provider.c	creation, destruction, fork
 *	spare.c		a provider that the program takes over
 *	thread.c	the thread: connection, the manager's messages
 *	engine.c	the handler of the trace engine
 */
#ifndef TR2_TRACE_PROVIDER_PRIVATE_H
#define TR2_TRACE_PROVIDER_PRIVATE_H

#include <pthread.h>

#include "trace/provider/provider.h"
#include "trace/engine.h"
#include "trace/engine/loop.h"
#include "trace/provider/message.h"
#include "descriptor/wake_pipe.h"

#define TR2_PROVIDER_PATH 108 /* of sockaddr_un */

struct trace_provider {
	/*
	 * The engine knows the provider by this member, which is the first one.
	 */
	struct trace_handler handler;

	/* While it waits for the program's loop, it has no thread. */
	struct tr2_loop_waiter waiter;
	unsigned wait_ms;

	/* Set when it is created. */
	uint32_t home; /* tr2_generation() */
	char path[TR2_PROVIDER_PATH];
	pthread_t thread;
	bool ending; /* atomic */
	/*
	 * A pipe of packets to the thread: request 0 to end, or an alert that
	 * could not be sent at once.
	 */
	struct tr2_wake_pipe wake;

	/*
	 * Only the thread uses these, but a thread that sends an alert uses the
	 * socket while `is_sending`.
	 */
	int socket; /* or -1; atomic: its number, while it is open */
	struct tr2_descriptor connection; /* set first, closed last */
	int is_sending;			  /* atomic */
	unsigned pause_ms;		  /* before connecting again */
	struct tr2_message message;
	bool started;
	bool stopping; /* the manager expects STOPPED */

	/*
	 * Only the thread changes these; others read them while the engine is
	 * initialized.
	 */
	void *buffer; /* or NULL: nothing is initialized */
	size_t size;
	char *categories;
	size_t categories_len;
	bool left_behind; /* keep it: a thread is still writing to it */

	/* These change when the program takes over a spare provider. */
	char name[256]; /* under lock, like the next three */
	char *known;	/* for each: name, NUL, description, NUL */
	size_t known_len;
	bool renamed; /* the manager does not know the new name yet */

	/*
	 * The thread that creates the provider may wait until its state is
	 * known.
	 */
	pthread_mutex_t lock;
	bool settled; /* under lock */
	bool tracing; /* under lock */
};

/* provider.c */
struct trace_provider *
tr2_provider_create(const struct trace_provider_options *options);
/* Set its name and its known categories. 0, or -1 if memory fails. */
int tr2_provider_describe(struct trace_provider *provider,
			  const struct trace_provider_options *options);
/*
 * Copy as much of a text as there is room for, with a `?` in the place of each
 * byte that is not UTF-8 and of each control character.
 */
void tr2_provider_copy_text(char *to, size_t size, const char *from);
/* Without a thread the provider does nothing. */
int tr2_provider_is_idle(const struct trace_provider *provider);

/*
 * spare.c: returns the spare provider if it has the path; it belongs to the
 * caller from now on. Ends one with another path.
 */
struct trace_provider *tr2_provider_take_spare(const char *path);

/* thread.c */
void *tr2_provider_thread(void *provider);
/*
 * Returns how long to wait after a failed connection; `pause` was the last
 * wait.
 */
unsigned tr2_provider_next_pause(unsigned pause_ms);
void tr2_provider_settle(struct trace_provider *provider, bool tracing);
/* Close the connection; the loop does the rest. */
void tr2_provider_close(struct trace_provider *provider);
/* The thread ends soon. May be called twice, also by itself. */
void tr2_provider_end_turns(struct trace_provider *provider);
/* Let the thread look at the provider's members. */
void tr2_provider_wake(struct trace_provider *provider);
void tr2_provider_packet(struct trace_provider *provider, unsigned request,
			 uint32_t data32, uint64_t data64);

/* engine.c: these run on the provider's thread. */
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
