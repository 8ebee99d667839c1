/*
 * progress.h - on a terminal, how far it got: one line of standard error,
 * after a second of work, wiped at the end. Without the sizes of all there
 * is a number of bytes and how many they are in a second.
 */
#ifndef TR2_VALIDATE_PROGRESS_H
#define TR2_VALIDATE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

struct tr2_progress {
	bool wanted, shown;
	uint64_t begun; /* when, in microseconds */
	uint64_t next;	/* when it is shown again */
	uint64_t all;	/* bytes that there are to be read */
	bool unknown;	/* and there are some whose number is not known */
};

uint64_t tr2_progress_now(void);

void tr2_progress_begin(struct tr2_progress *progress, char **paths);
/* So many bytes more of the file at hand than the totals say. */
void tr2_progress_step(struct tr2_progress *progress,
		       const struct tr2_totals *totals, uint64_t more);
void tr2_progress_end(struct tr2_progress *progress);

#endif
