/*
 * sketch.h - the distribution of numbers, such as durations in microseconds,
 * as counts in buckets.
 *
 * Each power of two has 64 buckets of equal width (the interpolated mapping
 * of DDSketch), and each number below 128 has a bucket of its own. A quantile
 * is the middle of its bucket, so it is wrong by at most 1/128, less than
 * 1 %. All is done with integers: the sum of two sketches is the same as one
 * sketch of all numbers, on any machine.
 */
#ifndef TR2_TOTALS_SKETCH_H
#define TR2_TOTALS_SKETCH_H

#include <stdint.h>

#include "lib/common/vec.h"

#define TR2_SKETCH_LAST 3775 /* the bucket of the largest number */

struct tr2_sketch_bucket {
	uint32_t number;
	uint64_t count;
};

/* An empty one is all zero. */
struct tr2_sketch {
	struct tr2_vec buckets; /* struct tr2_sketch_bucket, by number */
	uint64_t count;
};

void tr2_sketch_add(struct tr2_sketch *sketch, uint64_t value);

/* Add so many numbers of a bucket, for example one of another sketch. */
void tr2_sketch_add_bucket(struct tr2_sketch *sketch, uint32_t number,
			   uint64_t count);

/*
 * Returns the number at the given percent of the numbers in order: the first
 * one that at least so many percent of all do not exceed. 0 if there are
 * none.
 */
uint64_t tr2_sketch_quantile(const struct tr2_sketch *sketch, unsigned percent);

void tr2_sketch_release(struct tr2_sketch *sketch);

#endif
