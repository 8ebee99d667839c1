/*
 * loop.h - who waits until a loop begins to run, and the loops of the library
 * itself. <trace/loop.h> has the rest.
 */
#ifndef TR2_TRACE_ENGINE_LOOP_H
#define TR2_TRACE_ENGINE_LOOP_H

#include "trace/loop.h"

/* It belongs to the caller. */
struct tr2_loop_waiter {
	void (*begin)(struct tr2_loop_waiter *waiter);
	struct trace_loop *loop; /* NULL: it does not wait */
	struct tr2_loop_waiter *next;
};

/*
 * Have `begin` called, once, on the thread that runs the loop or starts its
 * thread. 0: the loop has begun before, and nothing is called.
 */
int tr2_loop_await(struct trace_loop *loop, struct tr2_loop_waiter *waiter);

/*
 * Wait no longer, if the waiter still does; the loop may be gone. If `begin` is
 * called now on another thread, it has returned then.
 */
void tr2_loop_leave(struct tr2_loop_waiter *waiter);

/*
 * trace_loop_start_thread() for a loop of the library alone: what a function of
 * the host traces on that thread is a call from inside of the library.
 */
int tr2_loop_start_own_thread(struct trace_loop *loop, const char *name);

#endif
