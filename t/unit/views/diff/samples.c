/* The values of a row: which are kept, and of which process. */
#include "views/diff/diff_kit.h"

static void test_many_values(void)
{
	struct tr2_sample sample = { .count = 0 };
	const uint64_t *values;
	uint64_t key, sum = 0;
	uint32_t i;

	/* Odd keys count down, so that the smallest ones come last. */
	for (key = 3 * TR2_SAMPLE_LIMIT; key; key--)
		tr2_sample_add(&sample, key, key % 2 ? 2 * key : key);
	tr2_sample_end(&sample);
	values = sample.values.items;
	for (i = 0; i < sample.values.count; i++)
		sum += values[i];
	tap_int((intmax_t)sample.count, 3 * TR2_SAMPLE_LIMIT,
		"all values are counted");
	tap_int(sample.values.count, TR2_SAMPLE_LIMIT, "only so many are kept");
	tap_int((intmax_t)sum,
		3 * (intmax_t)TR2_SAMPLE_LIMIT / 2 * TR2_SAMPLE_LIMIT / 2 +
			TR2_SAMPLE_LIMIT / 2,
		"those with the smallest keys are kept");
	tap_ok(values[0] == 2 && values[TR2_SAMPLE_LIMIT - 1] ==
					 2 * (TR2_SAMPLE_LIMIT - 1),
	       "the values are in order");
	tr2_vec_release(&sample.values);
}

/* Returns how many values are kept of so many; the most that are held. */
static uint32_t keep_values(uint32_t count, uint32_t *most)
{
	struct tr2_sample sample = { .count = 0 };
	uint32_t i, kept;

	*most = 0;
	for (i = 0; i < count; i++) {
		tr2_sample_add(&sample, i, 1);
		if (sample.values.count > *most)
			*most = sample.values.count;
	}
	tr2_sample_end(&sample);
	kept = sample.values.count;
	tr2_vec_release(&sample.values);
	return kept;
}

static void test_limits(void)
{
	uint32_t most;

	tap_int(keep_values(TR2_SAMPLE_LIMIT - 1, &most), TR2_SAMPLE_LIMIT - 1,
		"below the limit all values are kept");
	tap_int(keep_values(TR2_SAMPLE_LIMIT, &most), TR2_SAMPLE_LIMIT,
		"at the limit they are, too");
	tap_int(keep_values(5 * TR2_SAMPLE_LIMIT, &most), TR2_SAMPLE_LIMIT,
		"beyond it some are left out");
	tap_ok(most <= 2 * TR2_SAMPLE_LIMIT,
	       "of any number at most twice the limit is held");
}

static void test_begin(void)
{
	memset(&samples, 0xa5, sizeof(samples));
	tr2_samples_begin(&samples);
	tap_int(samples.set, TR2_SAMPLE_A, "the first set is read first");
	tap_ok(!samples.rows.count && !samples.rows.items,
	       "at first there are no rows");
	tr2_samples_release(&samples);
}

/* A process of the command x, with a row of each of these names. */
static void take_process(struct tr2_forest *forest, int64_t length)
{
	static const char *const names[][2] = { { "a", "b" },
						{ "a", "c" },
						{ "c", "b" } };
	struct tr2_vec locals = { 0 };
	const struct tr2_resolved process = {
		.key = 1,
		.command = tr2_rows_name(&forest->rows, "x", 1),
		.wall = length,
		.locals = &locals,
	};
	struct tr2_local *local;
	size_t i;

	tr2_vec_renew(&locals, 0, sizeof(*local));
	for (i = 0; i < 3; i++) {
		local = tr2_vec_renew(&locals, locals.count, sizeof(*local));
		local->row = tr2_rows_enter(
			&forest->rows, TR2_TABLE_REGIONS,
			tr2_rows_name(&forest->rows, names[i][0], 1),
			tr2_rows_name(&forest->rows, names[i][1], 1));
		local->sums.count = 1;
	}
	tr2_samples_take(&samples, forest, &process);
	tr2_vec_release(&locals);
}

static void test_take(void)
{
	struct tr2_forest forest;
	const struct tr2_sample_row *row;

	tr2_samples_begin(&samples);
	tr2_forest_begin(&forest);
	take_process(&forest, 1);
	take_process(&forest, 0);
	take_process(&forest, -1);
	tr2_forest_release(&forest);
	tr2_samples_end(&samples);
	tap_int(samples.rows.count, 4,
		"each command and each region of it has a row");
	row = tr2_samples_at(&samples, 0);
	tap_int((intmax_t)row->sets[TR2_SAMPLE_A].count, 3,
		"each process has a value");
	tap_ok(!memcmp(row->sets[TR2_SAMPLE_A].values.items,
		       ((const uint64_t[]){ 0, 0, 1 }), 3 * sizeof(uint64_t)),
	       "no time is less than nothing");
	tr2_samples_release(&samples);
}

int main(void)
{
	test_many_values();
	test_limits();
	test_begin();
	test_take();
	return tap_done();
}
