/*
 * rank.h - the test of Mann and Whitney: do the values of one sample tend to
 * be larger than those of another? It uses only their order, so it needs no
 * assumption about their distribution, and a few outliers do little.
 */
#ifndef TR2_DIFF_RANK_H
#define TR2_DIFF_RANK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * With so many values in each sample at most, the result is exact, also with
 * equal values; otherwise the normal approximation is used, with corrections
 * for equal values and continuity.
 */
#define TR2_RANK_EXACT 20

struct tr2_rank_values { /* In order, the smallest first. */
	const uint64_t *values;
	uint32_t count;
};

struct tr2_rank_result {
	double p; /* two-sided */
	int sign; /* 1: the values of b are larger, -1: smaller, 0: neither */
};

/* Both samples have at least one value. */
struct tr2_rank_result tr2_rank_test(struct tr2_rank_values a,
				     struct tr2_rank_values b);

/* Could samples of this size have a p-value of 0.05 or less? */
bool tr2_rank_can_tell(uint32_t a, uint32_t b);

#endif
