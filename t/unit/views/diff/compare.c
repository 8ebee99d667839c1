/* Comparisons of many sets whose difference is known: none, or a tenth. */
#include "kit/validate.h"

#include "views/diff/compare.h"

#define ROWS 12
#define RUNS 30
#define ROUNDS 1000

static uint64_t state = 1;

/* splitmix64 */
static uint64_t draw_bits(void)
{
	uint64_t bits = state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/*
 * A time around a tenth of a second, which scatters by about 5 % and is 3
 * times as long now and then, as times are.
 */
static uint64_t draw_time(void)
{
	uint64_t time = 80000;
	int i;

	for (i = 0; i < 4; i++)
		time += draw_bits() % 8000;
	return draw_bits() % 20 ? time : 3 * time;
}

static void fill_row(struct tr2_samples *samples, struct tr2_sample_row *row,
		     uint32_t number, uint64_t percent)
{
	const char letter = (char)('a' + number);
	uint32_t i;

	*row = (struct tr2_sample_row){ .table = TR2_TABLE_REGIONS };
	row->name[0] = tr2_rows_name(&samples->names, &letter, 1);
	for (i = 0; i < RUNS; i++) {
		tr2_sample_add(&row->sets[TR2_SAMPLE_A], i, draw_time());
		tr2_sample_add(&row->sets[TR2_SAMPLE_B], i,
			       draw_time() * percent / 100);
	}
}

struct outcome {
	unsigned alarms; /* comparisons with a verdict */
	unsigned small;	 /* p-values of 0.05 or less */
	unsigned slower, first, regressions;
};

static void count_outcome(const struct tr2_compared *compared,
			  struct outcome *outcome)
{
	const struct tr2_comparison *row = tr2_compared_at(compared, 0);
	uint32_t i;

	outcome->alarms += compared->verdicts[TR2_VERDICT_SLOWER] ||
			   compared->verdicts[TR2_VERDICT_FASTER];
	outcome->slower += compared->verdicts[TR2_VERDICT_SLOWER];
	outcome->first += row->verdict == TR2_VERDICT_SLOWER &&
			  *row->first == 'a';
	outcome->regressions += tr2_compared_regressions(
		compared, &(struct tr2_compared_limit){ .percent = 2 });
	for (i = 0; i < ROWS; i++)
		outcome->small += row[i].p <= TR2_COMPARE_ALPHA;
}

/* In B, the first row takes so many percent of its time. */
static void compare_once(uint64_t percent, struct outcome *outcome)
{
	struct tr2_samples samples;
	struct tr2_compared compared;
	struct tr2_sample_row *row;
	uint32_t i;

	tr2_samples_begin(&samples);
	for (i = 0; i < ROWS; i++) {
		row = tr2_vec_add(&samples.rows, sizeof(*row));
		fill_row(&samples, row, i, i ? 100 : percent);
	}
	tr2_samples_end(&samples);
	tr2_compared_begin(&compared, &samples);
	count_outcome(&compared, outcome);
	tr2_compared_release(&compared);
	tr2_samples_release(&samples);
}

static struct outcome compare_often(uint64_t percent)
{
	struct outcome outcome = { 0 };
	int i;

	for (i = 0; i < ROUNDS; i++)
		compare_once(percent, &outcome);
	printf("# %u alarms, %u small, %u slower, %u regressions\n",
	       outcome.alarms, outcome.small, outcome.slower,
	       outcome.regressions);
	return outcome;
}

static void test_equal_sets(void)
{
	struct outcome outcome = compare_often(100);

	tap_ok(outcome.alarms <= ROUNDS / 20,
	       "of 1000 comparisons of equal sets at most 50 alarm");
	tap_ok(outcome.alarms >= ROUNDS / 50,
	       "the correction is not stricter than it has to be");
	tap_ok(outcome.small > ROUNDS * ROWS * 4 / 100 &&
		       outcome.small < ROUNDS * ROWS * 55 / 1000,
	       "of equal rows one in 20 has a small p-value");
	tap_ok(outcome.slower <= outcome.alarms,
	       "some of the alarms are about faster rows");
}

static void test_slower_sets(void)
{
	struct outcome outcome = compare_often(110);

	tap_ok(outcome.first >= ROUNDS * 99 / 100,
	       "a slow-down of 10 % in 30 runs is found");
	tap_ok(outcome.regressions >= ROUNDS * 99 / 100 &&
		       outcome.regressions <= ROUNDS * 103 / 100,
	       "it is a regression, and nearly nothing else is");
}

int main(void)
{
	/* 2,000 comparisons last minutes under valgrind. */
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("many comparisons", "valgrind takes too long");
	} else {
		test_equal_sets();
		test_slower_sets();
	}
	return tap_done();
}
