/* diff_kit.h - rows with values of both sets, and the rows compared. */
#ifndef UNIT_DIFF_DIFF_KIT_H
#define UNIT_DIFF_DIFF_KIT_H

#include <stdio.h>

#include "kit/validate.h"

#include "views/diff/compare.h"

static struct tr2_samples samples;
static struct tr2_compared compared;

static inline uint32_t name_text(const char *text)
{
	return tr2_rows_name(&samples.names, text, strlen(text));
}

/* Returns the row's place. */
static inline uint32_t add_row(enum tr2_table table, const char *command,
			       const char *first, const char *second)
{
	struct tr2_sample_row *row = tr2_vec_add(&samples.rows, sizeof(*row));

	*row = (struct tr2_sample_row){
		.table = table,
		.command = name_text(command),
		.name = { name_text(first), name_text(second) },
	};
	return samples.rows.count - 1;
}

/* So many values: `value`, and each larger by `step` than the one before. */
static inline void add_values(uint32_t place, enum tr2_sample_set set,
			      unsigned count, uint64_t value, uint64_t step)
{
	unsigned i;

	for (i = 0; i < count; i++)
		tr2_sample_add(&tr2_samples_at(&samples, place)->sets[set], i,
			       value + i * step);
}

/* A region with so many values in each set, which differ by 1. */
static inline uint32_t add_region(const char *name, unsigned count, uint64_t a,
				  uint64_t b)
{
	uint32_t place = add_row(TR2_TABLE_REGIONS, "git", name, "");

	add_values(place, TR2_SAMPLE_A, count, a, 1);
	add_values(place, TR2_SAMPLE_B, count, b, 1);
	return place;
}

static inline void begin_rows(void)
{
	tr2_samples_begin(&samples);
}

static inline void compare_rows(void)
{
	tr2_samples_end(&samples);
	tr2_compared_begin(&compared, &samples);
}

static inline void release_rows(void)
{
	tr2_compared_release(&compared);
	tr2_samples_release(&samples);
}

#endif
