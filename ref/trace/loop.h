/*
 * loop.h - an event loop: a thread that waits for descriptors and time-outs.
 *
 * Programs that were written for Fuchsia create one for their trace provider
 * (<lib/async-loop/cpp/loop.h>). A watch on the loop names a descriptor, a
 * time-out, or both, and a function that the loop calls.
 *
 * Threads: any thread may call any function, also from inside `wake`, unless
 * the function says otherwise. Functions return errno values as errors and
 * keep errno itself. The thread of a loop has all signals blocked. A forked
 * child has no such thread; it may only destroy its parent's loops.
 */
#ifndef TRACE_LOOP_H
#define TRACE_LOOP_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_loop;

/* The caller owns the watch and must not change it while it is on a loop. */
struct trace_loop_watch {
	int fd;	      /* -1: none; also after a wake with POLLNVAL */
	short events; /* as in poll(2) */
	int wait_ms;  /* the time-out in milliseconds; -1: none */
	/*
	 * Runs on the loop's thread. `ready` is 0 after a time-out. The
	 * function may change the three members above.
	 */
	void (*wake)(struct trace_loop_watch *watch, short ready);
};

/* The most watches that a loop can have at a time. */
#define TRACE_LOOP_WATCHES 16

/* Make a loop. Returns NULL if there is no memory or no descriptor. */
TRACE_API struct trace_loop *trace_loop_create(void);

/* Run the loop on a new thread of that name (NULL: no name). */
TRACE_API int trace_loop_start_thread(struct trace_loop *loop,
				      const char *name);

/* Run the loop on this thread until trace_loop_quit() is called. */
TRACE_API void trace_loop_run(struct trace_loop *loop);

/* Make the loop return. Does not wait for it. */
TRACE_API void trace_loop_quit(struct trace_loop *loop);

/* Quit and wait for the loop's thread. Must not be called from `wake`. */
TRACE_API void trace_loop_shutdown(struct trace_loop *loop);

/* Shut the loop down and free it. NULL is allowed. */
TRACE_API void trace_loop_destroy(struct trace_loop *loop);

/* Add a watch. Returns 0, or ENOSPC if the loop has too many. */
TRACE_API int trace_loop_watch(struct trace_loop *loop,
			       struct trace_loop_watch *watch);

/* Remove a watch. After this returns, `wake` does not run any more. */
TRACE_API void trace_loop_unwatch(struct trace_loop *loop,
				  struct trace_loop_watch *watch);

#ifdef __cplusplus
}
#endif

#endif
