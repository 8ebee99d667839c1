/* The sketch of a distribution: its error, and that it merges. */
#include "kit/validate.h"

#include "model/totals/sketch.h"

/* Returns the number that the sketch has for a value. */
static uint64_t show_value(uint64_t value)
{
	struct tr2_sketch sketch = { .count = 0 };
	uint64_t shown;

	tr2_sketch_add(&sketch, value);
	shown = tr2_sketch_quantile(&sketch, 50);
	tr2_sketch_release(&sketch);
	return shown;
}

static uint32_t find_bucket(uint64_t value)
{
	struct tr2_sketch sketch = { .count = 0 };
	const struct tr2_sketch_bucket *bucket;
	uint32_t number;

	tr2_sketch_add(&sketch, value);
	bucket = sketch.buckets.items;
	number = bucket->number;
	tr2_sketch_release(&sketch);
	return number;
}

static int is_near(uint64_t shown, uint64_t value)
{
	uint64_t off = shown > value ? shown - value : value - shown;

	return off <= value / 128;
}

static void test_error(void)
{
	uint64_t value, last, wrong = 0;
	unsigned shift;

	for (value = 0; value < 128; value++)
		wrong += show_value(value) != value;
	tap_int((intmax_t)wrong, 0, "small numbers are exact");
	for (shift = 7; shift < 64; shift++) {
		value = UINT64_C(1) << shift;
		wrong += !is_near(show_value(value), value);
		wrong += !is_near(show_value(value - 1), value - 1);
		wrong += !is_near(show_value(value + value / 3),
				  value + value / 3);
		last = value + (value >> 6) - 1;
		wrong += !is_near(show_value(last), last);
		wrong += find_bucket(value) != find_bucket(value - 1) + 1;
	}
	tap_int((intmax_t)wrong, 0, "large numbers are off by 1/128 at most");
	tap_ok(is_near(show_value(UINT64_MAX), UINT64_MAX),
	       "the largest number is in range");
	tap_int(find_bucket(UINT64_MAX), TR2_SKETCH_LAST,
		"the largest number has the last bucket");
}

static void test_quantile(void)
{
	struct tr2_sketch sketch = { .count = 0 };
	uint64_t i;

	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 0,
		"no number has the quantile 0");
	for (i = 100; i; i--)
		tr2_sketch_add(&sketch, i);
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 50,
		"half of the numbers are up to the median");
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 99), 99,
		"the 99th of 100 numbers is p99");
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 100), 100,
		"p100 is the largest");
	tr2_sketch_add(&sketch, 101);
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 51,
		"the rank of a quantile is rounded up");
	tr2_sketch_release(&sketch);
	tap_ok(!sketch.count && !sketch.buckets.count,
	       "a released sketch is empty");
}

/* Numbers that no product with a percent may overflow. */
static void test_many(void)
{
	struct tr2_sketch sketch = { .count = 0 };

	tr2_sketch_add_bucket(&sketch, 1, UINT64_MAX / 4);
	tr2_sketch_add_bucket(&sketch, 2, UINT64_MAX / 4);
	tr2_sketch_add_bucket(&sketch, 3, UINT64_MAX / 4);
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 2,
		"the median of very many numbers is right");
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 99), 3,
		"p99 of very many numbers is right");
	tr2_sketch_release(&sketch);
}

int main(void)
{
	tap_run(test_error, test_quantile, test_many);
	return tap_done();
}
