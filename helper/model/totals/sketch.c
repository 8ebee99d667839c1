#include "model/totals/sketch.h"

#include <string.h>

#define STEPS 6 /* bits: a power of two has 64 buckets */
#define EXACT (UINT64_C(2) << STEPS)

static uint32_t find_number(uint64_t value)
{
	unsigned shift;

	if (value < EXACT)
		return (uint32_t)value;
	shift = 63 - (unsigned)__builtin_clzll(value) - STEPS;
	return (uint32_t)((uint64_t)shift << STEPS) +
	       (uint32_t)(value >> shift);
}

/* The middle of the bucket. */
static uint64_t find_value(uint32_t number)
{
	unsigned shift;

	if (number < EXACT)
		return number;
	shift = (number >> STEPS) - 1;
	return ((uint64_t)(number - (shift << STEPS)) << shift) +
	       (UINT64_C(1) << shift) / 2;
}

/* Returns the place of the first bucket that is not before this number. */
static uint32_t find_place(const struct tr2_sketch *sketch, uint32_t number)
{
	const struct tr2_sketch_bucket *buckets = sketch->buckets.items;
	uint32_t place;

	TR2_SEARCH(place, sketch->buckets.count,
		   buckets[place].number < number);
	return place;
}

void tr2_sketch_add_bucket(struct tr2_sketch *sketch, uint32_t number,
			   uint64_t count)
{
	struct tr2_sketch_bucket *bucket = sketch->buckets.items;
	uint32_t place = find_place(sketch, number);

	if (place == sketch->buckets.count || bucket[place].number != number) {
		bucket = tr2_vec_insert(&sketch->buckets, place,
					sizeof(*bucket));
		*bucket = (struct tr2_sketch_bucket){ number, 0 };
	} else {
		bucket += place;
	}
	bucket->count += count;
	sketch->count += count;
}

void tr2_sketch_add(struct tr2_sketch *sketch, uint64_t value)
{
	tr2_sketch_add_bucket(sketch, find_number(value), 1);
}

uint64_t tr2_sketch_quantile(const struct tr2_sketch *sketch, unsigned percent)
{
	const struct tr2_sketch_bucket *bucket = sketch->buckets.items;
	/* In two steps, so that no product overflows. */
	uint64_t wanted = sketch->count / 100 * percent +
			  (sketch->count % 100 * percent + 99) / 100;
	uint64_t seen = 0;

	for (uint32_t i = 0; i < sketch->buckets.count; i++) {
		seen += bucket[i].count;
		if (seen >= wanted)
			return find_value(bucket[i].number);
	}
	return 0;
}

void tr2_sketch_release(struct tr2_sketch *sketch)
{
	tr2_vec_release(&sketch->buckets);
	sketch->count = 0;
}
