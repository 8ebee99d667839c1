/*
 * counter.h - counters: each thread's share, and the totals. The same
 * rules as for timers. SPEC: chapter counter.*
 */
#ifndef TR2_PROCESS_COUNTER_H
#define TR2_PROCESS_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "process/metric.h"

struct trace2_counter;
struct tr2_event;
struct tr2_thread;

/* One counter of the process. */
struct tr2_counter {
	struct tr2_metric metric;
	uint64_t total;
};

struct tr2_counters {
	struct tr2_counter *counter; /* in order of first use */
	size_t count;
	size_t room;
};

/* Give a counter its id, 1 and up; 0 where memory fails. Under the lock. */
int tr2_counters_register(struct tr2_counters *counters,
			  const struct trace2_counter *counter);

/* Add to the calling thread's share; for id 0 nothing. No lock. */
void tr2_counter_add(struct tr2_thread *self, int id, uint64_t value);

/* Add the thread's share to the totals and clear it. Under the lock. */
void tr2_counters_fold(struct tr2_counters *counters, struct tr2_thread *self);

/* This thread's share of a counter. */
uint64_t tr2_counter_share(const struct tr2_thread *self, size_t index);

/* What th_counter and counter say. */
void tr2_counter_fill(struct tr2_event *event,
		      const struct tr2_counter *counter, uint64_t count);

#endif
