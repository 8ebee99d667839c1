/*
 * sample.h - the values of each row in both sets. A value is what one process
 * adds to the row: its wall time, or the sum of the times that it spent in a
 * region or that a kind of child took.
 *
 * Up to TR2_SAMPLE_LIMIT values are kept for each row and set. Of more, those
 * whose process has the smallest hash are kept: a random choice, which does
 * not depend on the order of the logs.
 */
#ifndef TR2_DIFF_SAMPLE_H
#define TR2_DIFF_SAMPLE_H

#include "model/account/forest.h"

#define TR2_SAMPLE_LIMIT 10000

enum tr2_sample_set { TR2_SAMPLE_A, TR2_SAMPLE_B, TR2_SAMPLE_SETS };

struct tr2_sample {
	struct tr2_vec values; /* struct tr2_sample_value, then uint64_t */
	uint64_t count;	       /* of all values */
};

struct tr2_sample_row {
	enum tr2_table table;
	uint32_t command; /* numbers of texts */
	uint32_t name[2]; /* of a region or a child */
	struct tr2_sample sets[TR2_SAMPLE_SETS];
};

struct tr2_samples {
	struct tr2_rows names; /* has only texts */
	struct tr2_vec rows;   /* struct tr2_sample_row */
	struct tr2_map places;
	enum tr2_sample_set set; /* that is read now */
};

void tr2_sample_add(struct tr2_sample *sample, uint64_t key, uint64_t value);

/* There are no more values: keep only these, in order, as uint64_t. */
void tr2_sample_end(struct tr2_sample *sample);

void tr2_samples_begin(struct tr2_samples *samples);

/* A tr2_forest_taker_fn: take the values of a process. */
void tr2_samples_take(void *samples, const struct tr2_forest *forest,
		      const struct tr2_resolved *process);

/* There are no more processes. */
void tr2_samples_end(struct tr2_samples *samples);

static inline struct tr2_sample_row *
tr2_samples_at(const struct tr2_samples *samples, uint32_t place)
{
	return (struct tr2_sample_row *)samples->rows.items + place;
}

void tr2_samples_release(struct tr2_samples *samples);

#endif
