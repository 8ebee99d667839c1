/*
 * thread.h - what the library knows about one thread: its name, its
 * open regions, its stopwatches, and the memory in which it builds lines.
 * Only the thread itself touches it; who ends the process looks at its place.
 * SPEC: chapters thread.*, region.*
 */
#ifndef TR2_SESSION_THREAD_H
#define TR2_SESSION_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "event/event.h"
#include "session/metric.h"
#include "target/target.h"

struct tr2_session;

#define TR2_THREAD_NAME 24 /* bytes; longer ones are cut */
#define TR2_REGIONS_INLINE 16

/*
 * What other threads see of one. It is never freed: the next thread gets it.
 */
struct tr2_thread_place {
	struct tr2_thread_place *next; /* constant once it is in the list */
	int is_taken;		       /* atomic, as the next */
	int busy;		       /* inside a call */
};

struct tr2_thread {
	struct tr2_thread_place *place; /* NULL: not in the list yet */
	struct tr2_origin origin;
	char name[TR2_THREAD_NAME + 1];
	char name_json[6 * TR2_THREAD_NAME + 1];
	int is_main;
	int started;  /* trace2_thread_start() was called */
	int is_stale; /* from the parent's session, in a forked child */
	uint64_t start_us;

	/*
	 * Start times of the open regions; the first is that of the thread
	 * itself. `open` is 1 if no region is open, and 0 after a leave without
	 * a region. Frames from `frames_room` on (memory failed) have no time.
	 */
	unsigned open;
	size_t frames_room;
	uint64_t *frames;
	uint64_t frames_inline[TR2_REGIONS_INLINE];

	int saved_errno;

	/* Kept between events, so that a steady state allocates nothing. */
	struct tr2_target_memory memory;
	struct tr2_buf text;	/* a formatted message */
	struct tr2_buf scratch; /* redacted texts, JSON made of none */
	struct tr2_buf words;	/* pointers of redacted argvs */

	/* Of timers and counters. */
	struct tr2_shares shares[TR2_METRIC_KIND_COUNT];
};

/*
 * Initial-exec: the thread finds its state with one load and without a call
 * into the dynamic linker, so a signal handler can use it.
 */
extern __thread struct tr2_thread *tr2_thread_own
	__attribute__((tls_model("initial-exec")));

/*
 * How often the thread is inside of the library: in a call, in a handler of
 * fork(2), at its end. Another call is a drop, whatever the library asks the
 * host for at that moment. It counts from before the thread has a state.
 */
extern __thread unsigned tr2_thread_inside
	__attribute__((tls_model("initial-exec")));

/* Returns the calling thread's state, or NULL. Async-signal-safe. */
static inline struct tr2_thread *tr2_thread_self(void)
{
	return tr2_thread_own;
}

/*
 * Make the calling thread's state: `id` 0 is main, others are `thNN:<base>`.
 * NULL if memory fails.
 */
struct tr2_thread *tr2_thread_begin(const struct tr2_session *session,
				    unsigned id, const char *base,
				    uint64_t now_us);

/* Free the calling thread's state. */
void tr2_thread_end(struct tr2_thread *self);

/* In a forked child: this thread becomes the main thread, with a new state. */
void tr2_thread_become_main(struct tr2_thread *self,
			    const struct tr2_session *session, uint64_t now_us);

/*
 * Write the thread's name to `name` and, escaped, to `json`.
 * Async-signal-safe.
 */
void tr2_thread_name(struct tr2_thread *self, unsigned id, const char *base);

/* Regions. `now` in us on the process's clock. */
void tr2_thread_enter(struct tr2_thread *self, uint64_t now);
/* Returns the time in the region in us. SPEC: region.leave-too-many.again */
uint64_t tr2_thread_leave(struct tr2_thread *self, uint64_t now);
/* Returns the time since the innermost region, or the thread, began. */
uint64_t tr2_thread_in_region(const struct tr2_thread *self, uint64_t now);
/* Forget all open regions. */
void tr2_thread_unwind(struct tr2_thread *self);
/* Returns how many regions are open above the base. */
unsigned tr2_thread_open_regions(const struct tr2_thread *self);

#endif
