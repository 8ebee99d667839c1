/*
 * metrics.h - what the service has done, as the file `metrics.prom` of the
 * spool directory: text that Prometheus reads, renewed each second by a
 * thread of its own. Each file is whole, and its counts are of one moment:
 *
 *	received = events + dropped + set_aside + unkept + unknown
 *	events = passed + missed + refused + waiting, less what waited at the
 *	begin
 *
 * The second line is for each output. Events that are torn, redacted or broken
 * are among the others.
 *
 * On a full disk the file is still renewed: the space of the next one is
 * reserved.
 */
#ifndef TR2_COLLECT_METRICS_H
#define TR2_COLLECT_METRICS_H

#include <stdint.h>
#include <stdio.h>

#include "collect/intake/intake.h"
#include "collect/options.h"

#define TR2_METRICS_EVERY 1000 /* ms */

struct tr2_losses_told { /* An empty one is all zero. */
	uint64_t sum;
	uint64_t at; /* ns */
};

struct tr2_collect_metrics {
	struct tr2_collect_options *options;
	struct tr2_journal *journal;
	struct tr2_collect_intake *intake;
	struct tr2_losses_told told;
	pthread_t thread;
	size_t size; /* of the last file */
	bool ended;
};

/* Start the thread; it ends with the journal. 0, or an errno value. */
int tr2_collect_begin_metrics(struct tr2_collect_metrics *metrics);

/* Call it when the outputs have ended: writes the last counts. */
void tr2_collect_end_metrics(struct tr2_collect_metrics *metrics);

/* `--status`: print the file and its age. Returns the exit status. */
int tr2_collect_show_status(const struct tr2_collect_options *options);

#endif
