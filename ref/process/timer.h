/*
 * timer.h - stopwatches: each thread's share, and the totals.
 *
 * A thread changes only its own share. The totals, and the list of timers,
 * belong to the caller's lock `threads`.
 * SPEC: chapter timer.*
 */
#ifndef TR2_PROCESS_TIMER_H
#define TR2_PROCESS_TIMER_H

#include <stddef.h>
#include <stdint.h>

#include "process/metric.h"

struct trace2_timer;
struct tr2_event;
struct tr2_thread;

struct tr2_timer_state {
	uint64_t intervals; /* completed ones */
	uint64_t total;	    /* ns, as are the next two */
	uint64_t min;
	uint64_t max;
	uint64_t started; /* ns on the host's clock */
	unsigned depth;	  /* open starts */
};

/* One timer of the process. */
struct tr2_timer {
	struct tr2_metric metric;
	struct tr2_timer_state total;
};

struct tr2_timers {
	struct tr2_timer *timer; /* in order of first use */
	size_t count;
	size_t room;
};

/* Give a timer its id, 1 and up; 0 where memory fails. Under the lock. */
int tr2_timers_register(struct tr2_timers *timers,
			const struct trace2_timer *timer);

/* Start and stop the calling thread's share; of id 0 nothing. No lock. */
void tr2_timer_start(struct tr2_thread *self, int id);
void tr2_timer_stop(struct tr2_thread *self, int id);

/*
 * Add the thread's share to the totals and start it anew. Under the lock.
 */
void tr2_timers_fold(struct tr2_timers *timers, struct tr2_thread *self);

/* This thread's share of a timer (an empty one if it never used it). */
struct tr2_timer_state tr2_timer_share(const struct tr2_thread *self,
				       size_t index);

/* What th_timer and timer say. */
void tr2_timer_fill(struct tr2_event *event, const struct tr2_timer *timer,
		    const struct tr2_timer_state *state);

#endif
