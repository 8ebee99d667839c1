/*
 * loop.h - a thread that waits: for descriptors, and for time to pass.
 *
 * A trace provider has to be reached while its program is busy. It puts a
 * watch on a loop, and the loop calls it. Programs create loops by the
 * names that Fuchsia gave them (<lib/async-loop/cpp/loop.h>) or by these.
 *
 * All functions may be called from any thread, and from a wake too, unless
 * they say otherwise. Errors are errno values; errno itself is kept. The
 * thread of a loop has all signals blocked. After a fork the child has no
 * such thread: there its loops may only be destroyed.
 */
#ifndef TRACE_LOOP_H
#define TRACE_LOOP_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace_loop;

/* Of the caller, who leaves it alone while it is on a loop. */
struct trace_loop_watch {
	int fd;	      /* -1: none; also after a wake with POLLNVAL */
	short events; /* as in poll(2) */
	int wait_ms;  /* wake after so long at the latest; -1: only for fd */
	/*
	 * On the loop's thread. `ready` is 0 where only time has passed.
	 * May change the three members above.
	 */
	void (*wake)(struct trace_loop_watch *watch, short ready);
};

/* So many watches can be on a loop at a time. */
#define TRACE_LOOP_WATCHES 16

/* NULL if there is no memory or no descriptor. */
TRACE_API struct trace_loop *trace_loop_create(void);

/* Run on a thread of its own (NULL: without a name); 0 or an error. */
TRACE_API int trace_loop_start_thread(struct trace_loop *loop,
				      const char *name);

/* Run on this thread, until trace_loop_quit(). */
TRACE_API void trace_loop_run(struct trace_loop *loop);
TRACE_API void trace_loop_quit(struct trace_loop *loop);

/* Quit, and wait for the loop's thread. Not from a wake. */
TRACE_API void trace_loop_shutdown(struct trace_loop *loop);

/* Shutdown, and free. NULL is fine. */
TRACE_API void trace_loop_destroy(struct trace_loop *loop);

/* Put a watch on the loop. 0, or ENOSPC. */
TRACE_API int trace_loop_watch(struct trace_loop *loop,
			       struct trace_loop_watch *watch);

/* Take it off. Afterwards it is not called, and not being called. */
TRACE_API void trace_loop_unwatch(struct trace_loop *loop,
				  struct trace_loop_watch *watch);

#ifdef __cplusplus
}
#endif

#endif
