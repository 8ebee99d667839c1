/* The rows of the tables: names, places and sums that can be added. */
#include "kit/validate.h"

#include "model/totals/phase.h"
#include "model/totals/rows.h"

static void test_names(void)
{
	struct tr2_rows rows;
	uint32_t name;
	size_t len;

	tr2_rows_begin(&rows);
	tap_int(tr2_rows_name(&rows, "", 0), 0, "the empty text is number 0");
	name = tr2_rows_name(&rows, "index:x", 5);
	tap_int(name, 1, "a new text has the next number");
	tap_int(tr2_rows_name(&rows, "index", 5), 1,
		"a known text keeps its number");
	tap_str(tr2_rows_text(&rows, name, &len), "index",
		"the text ends with a NUL");
	tap_int((intmax_t)len, 5, "the length of a text is known");
	tap_int(tr2_rows_name(&rows, "index\0y", 7), 1,
		"a text ends with its first NUL");
	tr2_rows_release(&rows);
}

static int are_same(const struct tr2_sums *a, const struct tr2_sums *b)
{
	return a->count == b->count && a->failed == b->failed &&
	       a->threads == b->threads && a->total == b->total &&
	       a->self == b->self && a->min == b->min && a->max == b->max &&
	       a->last == b->last && a->last_time == b->last_time;
}

static void test_sums(void)
{
	const struct tr2_sums parts[] = {
		{ .count = 2,
		  .failed = 1,
		  .threads = 3,
		  .total = 9,
		  .self = 4,
		  .min = -2,
		  .max = 11,
		  .last = 5,
		  .last_time = 100 },
		{ .count = 1,
		  .total = -7,
		  .self = 1,
		  .min = -7,
		  .max = -7,
		  .last = 6,
		  .last_time = 100 },
		{ .failed = 1,
		  .total = 5,
		  .self = 5,
		  .min = -99,
		  .max = 99,
		  .last = 1,
		  .last_time = 900 },
		{ .count = 1,
		  .total = INT64_MAX,
		  .min = 3,
		  .max = 3,
		  .last = 7,
		  .last_time = 99 },
	};
	struct tr2_sums up = { .count = 0 }, down = { .count = 0 };
	int i;

	for (i = 0; i < 4; i++) {
		tr2_sums_add(&up, &parts[i]);
		tr2_sums_add(&down, &parts[3 - i]);
	}
	tap_ok(are_same(&up, &down), "the order of sums does not matter");
	tap_ok(up.count == 4 && up.failed == 2 && up.threads == 3 &&
		       up.self == 10,
	       "counts and times are added");
	tap_ok(up.min == -7 && up.max == 11,
	       "a sum without a count has no least and largest value");
	tap_ok(up.last == 6 && up.last_time == 100,
	       "of values at the same time the largest is the last");
	tap_ok(up.total == INT64_MIN + 6 && up.total_over == 1,
	       "a sum wraps around, and it is known how often");
	tap_ok(up.self == 10 && !up.self_over, "the other one does not");
}

static int64_t sum_of(const int64_t *values, size_t count)
{
	int64_t sum = 0, over = 0;

	for (; count; values++, count--)
		tr2_sum_add(&sum, &over, *values);
	return tr2_sum_read(sum, over);
}

static void test_wide_sums(void)
{
	static const int64_t up[] = { INT64_MAX, INT64_MAX, INT64_MAX,
				      -INT64_MAX, -INT64_MAX };
	static const int64_t down[] = { INT64_MIN, INT64_MIN, INT64_MAX,
					INT64_MAX, 1 };
	struct tr2_sums sums = { .count = 0 }, more;

	tap_ok(sum_of(up, 1) == INT64_MAX, "the largest number is a sum");
	tap_ok(sum_of(up, 2) == INT64_MAX, "more than it is shown as it");
	tap_ok(sum_of(up, 4) == INT64_MAX, "as long as it is more");
	tap_ok(sum_of(up, 5) == INT64_MAX, "until it is less");
	tap_ok(sum_of(down, 1) == INT64_MIN, "the least number is a sum");
	tap_ok(sum_of(down, 2) == INT64_MIN, "less than it is shown as it");
	tap_ok(sum_of(down, 4) == -2 && sum_of(down, 5) == -1,
	       "until it is more");
	tr2_sums_count(&sums, INT64_MAX);
	tr2_sums_count(&sums, INT64_MAX);
	sums.self_over = -1;
	more = sums;
	tr2_sums_add(&sums, &more);
	tap_ok(sums.total == -4 && sums.total_over == 2 && sums.self_over == -2,
	       "sums that have wrapped can be added");
}

int main(void)
{
	tap_run(test_names, test_sums, test_wide_sums);
	return tap_done();
}
