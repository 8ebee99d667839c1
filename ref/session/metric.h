/*
 * metric.h - timers and counters: each thread's share, and the totals.
 *
 * A thread changes only its own share. The caller's lock `threads` protects
 * the totals and the lists of timers and counters.
 * SPEC: chapters timer.*, counter.*
 */
#ifndef TR2_SESSION_METRIC_H
#define TR2_SESSION_METRIC_H

#include <stddef.h>
#include <stdint.h>

struct tr2_event;

/* In the order in which their events are written. */
enum tr2_metric_kind {
	TR2_METRIC_TIMER,
	TR2_METRIC_COUNTER,
	TR2_METRIC_KIND_COUNT
};

/* The measurement of one thread or of all. Times are in ns. */
struct tr2_metric_value {
	uint64_t total;	    /* a timer's time, a counter's sum */
	uint64_t intervals; /* only for timers, as the rest: completed ones */
	uint64_t min;
	uint64_t max;
	uint64_t started; /* on the host's clock */
	unsigned depth;	  /* open starts */
};

/* One timer or counter of the process. */
struct tr2_metric {
	char *category; /* copies: a plugin's own may be unloaded */
	char *name;
	int per_thread; /* each thread writes its own share */
	struct tr2_metric_value total;
};

/* All metrics of one kind. */
struct tr2_metrics {
	struct tr2_metric *metric; /* in order of first use */
	size_t count;
	size_t room;
};

/* A thread's shares in all metrics of one kind; the index is the id. */
struct tr2_shares {
	struct tr2_metric_value *measure;
	size_t room;
};

/*
 * Returns the id of the metric of these names, from 1, which is new if there
 * is none; 0 if memory fails. Under the lock.
 */
int tr2_metrics_add(struct tr2_metrics *metrics, const char *category,
		    const char *name, int per_thread);

/* Change the calling thread's share; nothing for id 0. No lock. */
void tr2_timer_start(struct tr2_shares *timers, int id);
void tr2_timer_stop(struct tr2_shares *timers, int id);
void tr2_counter_add(struct tr2_shares *counters, int id, uint64_t value);

/*
 * Returns the share of one metric, which is empty if the thread never used
 * it.
 */
struct tr2_metric_value tr2_shares_get(const struct tr2_shares *shares,
				       size_t index);

/* Add the thread's shares to the totals, and clear them. Under the lock. */
void tr2_metrics_fold(struct tr2_metrics *metrics, struct tr2_shares *shares);

/* Is there nothing to write? A timer may have run for no time. */
int tr2_measure_is_empty(enum tr2_metric_kind kind,
			 const struct tr2_metric_value *measure);

/* Set the fields of the metric's event. */
void tr2_metric_fill(struct tr2_event *event, enum tr2_metric_kind kind,
		     const struct tr2_metric *metric,
		     const struct tr2_metric_value *measure);

#endif
