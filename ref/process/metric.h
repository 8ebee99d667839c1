/*
 * metric.h - what a timer and a counter have in common: names, and
 * whether each thread writes its own share.
 */
#ifndef TR2_PROCESS_METRIC_H
#define TR2_PROCESS_METRIC_H

struct tr2_metric {
	char *category; /* copies: a plugin's own may be unloaded */
	char *name;
	int per_thread;
};

/* Copy the names. 1, or 0 where memory fails. */
int tr2_metric_keep(struct tr2_metric *metric, const char *category,
		    const char *name, int per_thread);

#endif
