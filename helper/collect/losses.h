/*
 * losses.h - what was lost, told while it happens: on standard error, at most
 * once a minute, and at the head of metrics.prom, which --status prints. What a
 * receiver refused is reported by its output.
 */
#ifndef TR2_COLLECT_LOSSES_H
#define TR2_COLLECT_LOSSES_H

#include <stdint.h>
#include <stdio.h>

struct tr2_losses {
	uint64_t dropped; /* before the journal */
	uint64_t missed;  /* by outputs */
	uint64_t refused; /* by receivers */
};

struct tr2_losses_told { /* An empty one is all zero. */
	uint64_t sum;
	uint64_t at; /* ns */
};

/* A comment, or nothing if nothing was lost. */
void tr2_losses_put(FILE *out, const struct tr2_losses *losses);

/* Report them if there are more than those that were told. */
void tr2_losses_tell(struct tr2_losses_told *told,
		     const struct tr2_losses *losses);

#endif
