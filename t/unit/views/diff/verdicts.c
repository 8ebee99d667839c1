/* Which verdict has a row, and in which order are rows? */
#include <math.h>

#include "views/diff/diff_kit.h"

static char shown[2048];

/* Each row: its names, its verdict, its corrected chance in thousandths. */
static const char *show_rows(void)
{
	const struct tr2_comparison *row;
	size_t used = 0;
	uint32_t i;

	for (i = 0; i < compared.rows.count; i++) {
		row = tr2_compared_at(&compared, i);
		used += (size_t)snprintf(shown + used, sizeof(shown) - used,
					 "%s/%s/%s %s %.0f; ", row->command,
					 row->first, row->second,
					 tr2_verdict_names[row->verdict],
					 1000 * row->adjusted);
	}
	shown[used] = '\0';
	return shown;
}

/* Four values of each set have a chance of 2 in 70 at best, five 2 in 252. */
static void test_correction(void)
{
	begin_rows();
	add_region("a", 4, 100, 200);
	compare_rows();
	tap_str(show_rows(), "git/a/ slower 29; ",
		"a row alone needs no correction");
	release_rows();
	begin_rows();
	add_region("a", 4, 100, 200);
	add_region("b", 4, 100, 200);
	compare_rows();
	tap_str(show_rows(), "git/a/ unclear 57; git/b/ unclear 57; ",
		"a chance counts at least as often as the one before");
	release_rows();
	begin_rows();
	add_region("a", 4, 100, 210);
	add_region("b", 5, 100, 200);
	compare_rows();
	tap_str(show_rows(), "git/a/ slower 29; git/b/ slower 16; ",
		"the smallest chance counts most often");
	release_rows();
}

/* Of times of 0, and of one value. */
static void test_zero(void)
{
	struct tr2_buf out = TR2_BUF_INIT;

	begin_rows();
	add_values(add_row(TR2_TABLE_REGIONS, "git", "a", "b"), TR2_SAMPLE_A, 1,
		   0, 0);
	compare_rows();
	tr2_compared_csv(&out, &compared);
	tr2_buf_byte(&out, '\0');
	tap_ok(strstr(out.bytes, "\nregions,1,0,0,0,,,,,,vanished,"),
	       "a time of 0 is no missing one");
	tr2_buf_release(&out);
	release_rows();
}

static void add_one(enum tr2_table table, const char *command,
		    const char *first, const char *second)
{
	add_values(add_row(table, command, first, second), TR2_SAMPLE_B, 1, 7,
		   0);
}

static void test_names(void)
{
	begin_rows();
	add_one(TR2_TABLE_CHILDREN, "a", "a", "a");
	add_one(TR2_TABLE_REGIONS, "b", "a", "a");
	add_one(TR2_TABLE_REGIONS, "a", "b", "a");
	add_one(TR2_TABLE_REGIONS, "a", "a", "b");
	add_one(TR2_TABLE_REGIONS, "a", "a", "a");
	add_one(TR2_TABLE_COMMANDS, "c", "", "");
	compare_rows();
	tap_str(show_rows(),
		"c// new 0; a/a/a new 0; a/a/b new 0; a/b/a new 0; b/a/a new "
		"0; a/a/a new 0; ",
		"equal changes are ordered by table and names");
	release_rows();
	begin_rows();
	compare_rows();
	tap_int(compared.rows.count, 0, "two empty sets have no rows");
	tap_ok(!tr2_compared_anything(&compared),
	       "two empty sets have nothing to compare");
	release_rows();
}

static const struct tr2_comparison_side *find_side(unsigned count)
{
	begin_rows();
	add_values(add_row(TR2_TABLE_COMMANDS, "git", "", ""), TR2_SAMPLE_A,
		   count, 1, 1);
	compare_rows();
	return &tr2_compared_at(&compared, 0)->sides[TR2_SAMPLE_A];
}

/* Of the values 1 to N, a quantile is the least that so many don't exceed. */
static void test_quantiles(void)
{
	static const struct {
		unsigned count, p50, p99;
	} cases[] = { { 1, 1, 1 },	{ 2, 1, 2 },	  { 3, 2, 3 },
		      { 4, 2, 4 },	{ 99, 50, 99 },	  { 100, 50, 99 },
		      { 101, 51, 100 }, { 200, 100, 198 } };
	const struct tr2_comparison_side *side;
	size_t i;
	int wrong = 0;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		side = find_side(cases[i].count);
		wrong += side->count != cases[i].count ||
			 side->p50 != cases[i].p50 || side->p99 != cases[i].p99;
		release_rows();
	}
	tap_int(wrong, 0, "a quantile is one of the values");
	side = find_side(TR2_SAMPLE_LIMIT + 5);
	tap_ok(side->count == TR2_SAMPLE_LIMIT + 5 &&
		       side->p50 == TR2_SAMPLE_LIMIT / 2,
	       "quantiles are those of the values that are kept");
	release_rows();
}

static struct tr2_comparison make_row(uint64_t a, uint64_t b)
{
	return (struct tr2_comparison){ .sides = { { 9, a, a }, { 9, b, b } },
					.verdict = TR2_VERDICT_SLOWER };
}

static void test_change(void)
{
	struct tr2_comparison row = make_row(200, 250);
	double percent;

	tap_ok(tr2_comparison_change(&row, &percent) && percent == 25,
	       "a change is a part of A's median");
	row = make_row(250, 200);
	tap_ok(tr2_comparison_change(&row, &percent) && percent == -20,
	       "a change for the better is below 0");
	row = make_row(250, 0);
	tap_ok(tr2_comparison_change(&row, &percent) && percent == -100,
	       "B's median may be 0");
	row = make_row(0, 250);
	tap_ok(!tr2_comparison_change(&row, &percent),
	       "from 0 there is no percentage");
	row = make_row(1, 250);
	tap_ok(tr2_comparison_change(&row, &percent) && percent == 24900,
	       "from a microsecond there is one");
	row.sides[TR2_SAMPLE_B].count = 0;
	tap_ok(!tr2_comparison_change(&row, &percent),
	       "a row that vanished has not changed");
}

static uint32_t count_regressions(uint64_t a, uint64_t b,
				  enum tr2_verdict verdict, double percent,
				  int64_t least)
{
	const struct tr2_compared_limit limit = { percent, least };
	struct tr2_compared one = { .tested = 1 };
	struct tr2_comparison *row = tr2_vec_add(&one.rows, sizeof(*row));
	uint32_t found;

	*row = make_row(a, b);
	row->command = "git";
	row->verdict = verdict;
	found = tr2_compared_regressions(&one, &limit);
	tr2_compared_release(&one);
	return found;
}

static void test_regressions(void)
{
	tap_int(count_regressions(100, 101, TR2_VERDICT_SLOWER, 0, 0), 1,
		"a growth of 1 % is a regression");
	tap_int(count_regressions(1000, 1009, TR2_VERDICT_SLOWER, 0, 0), 0,
		"a growth of less than 1 % of the command is none");
	tap_int(count_regressions(1000, 1009, TR2_VERDICT_SLOWER, 0, 9), 1,
		"a growth of as much as --least says is one");
	tap_int(count_regressions(1000, 1109, TR2_VERDICT_SLOWER, 0, 110), 0,
		"a growth of less than --least is none");
	tap_int(count_regressions(100, 100, TR2_VERDICT_SLOWER, 0, 0), 0,
		"a slower row whose median is the same is no regression");
	tap_int(count_regressions(100, 110, TR2_VERDICT_SLOWER, 10, 0), 0,
		"10 % are not more than 10 %");
	tap_int(count_regressions(1000, 1101, TR2_VERDICT_SLOWER, 10, 0), 1,
		"10.1 % are more than 10 %");
	tap_int(count_regressions(0, 1, TR2_VERDICT_SLOWER, 1e6, 0), 1,
		"a growth from 0 is more than any percentage");
	tap_int(count_regressions(100, 900, TR2_VERDICT_UNCLEAR, 0, 0), 0,
		"what is not certain is no regression");
	tap_int(count_regressions(100, 900, TR2_VERDICT_NEW, 0, 0), 0,
		"what is new is no regression");
}

int main(void)
{
	tap_run(test_correction, test_zero, test_names, test_quantiles,
		test_change, test_regressions);
	return tap_done();
}
