/*
 * progress.h - show progress on a terminal: one line of standard error, which
 * appears after a second and is removed at the end. If the size of the input
 * is unknown, it shows the number of bytes and the speed.
 */
#ifndef TR2_VALIDATE_PROGRESS_H
#define TR2_VALIDATE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "validate/report/report.h"

struct tr2_progress {
	bool wanted, shown;
	uint64_t begun; /* time in ns */
	uint64_t next;	/* time of the next update */
	uint64_t all;	/* total bytes to read */
	bool unknown;	/* the total is not known */
};

void tr2_progress_begin(struct tr2_progress *progress, char **paths);
/* So many more bytes of the present file were read than the totals show. */
void tr2_progress_step(struct tr2_progress *progress,
		       const struct tr2_totals *totals, uint64_t more);
void tr2_progress_end(struct tr2_progress *progress);

#endif
