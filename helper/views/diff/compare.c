#include "views/diff/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

/*
 * The test of Mann and Whitney: do the values of one sample tend to be larger
 * than those of another? It uses only their order, so it needs no assumption
 * about their distribution, and a few outliers do little. With so many values
 * in each sample at most, the result is exact, also with equal values;
 * otherwise the normal approximation is used, with corrections for equal values
 * and continuity.
 */
#define RANK_EXACT 20

struct ordered { /* In order, the smallest first. */
	const uint64_t *values;
	uint32_t count;
};

struct rank_result {
	double p; /* two-sided */
	int sign; /* 1: the values of b are larger, -1: smaller, 0: neither */
};

/* Ranks are doubled, so that the mean rank of equal values is an integer. */
#define MOST (2 * RANK_EXACT)
#define MOST_SUM (MOST * (MOST + 1))

struct ranks {
	uint64_t sum;	    /* of the doubled ranks of the first sample */
	double ties;	    /* sum of t^3 - t over groups of t equal values */
	uint32_t all[MOST]; /* all doubled ranks, if the test is exact */
};

/* Returns how many values from `at` on equal the given one. */
static uint32_t count_equal(struct ordered sample, uint32_t at, uint64_t value)
{
	uint32_t end = at;

	while (end < sample.count && sample.values[end] == value)
		end++;
	return end - at;
}

static uint64_t find_smallest(struct ordered a, uint32_t i, struct ordered b,
			      uint32_t j)
{
	if (i == a.count)
		return b.values[j];
	if (j == b.count || a.values[i] < b.values[j])
		return a.values[i];
	return b.values[j];
}

static struct ranks rank_values(struct ordered a, struct ordered b)
{
	struct ranks ranks = { .sum = 0 };
	uint32_t i = 0, j = 0, place, equal, of_a;
	uint64_t value;

	while (i + j < a.count + b.count) {
		value = find_smallest(a, i, b, j);
		place = i + j;
		of_a = count_equal(a, i, value);
		equal = of_a + count_equal(b, j, value);
		i += of_a;
		j += equal - of_a;
		ranks.sum += (uint64_t)of_a * (2 * place + equal + 1);
		ranks.ties += (double)equal * equal * equal - equal;
		for (; place < i + j && place < MOST; place++)
			ranks.all[place] = 2 * (i + j) - equal + 1;
	}
	return ranks;
}

/*
 * counts[k][s] is the number of ways to choose k of the ranks with the sum s.
 * Each rank is added to the ways without it.
 */
static double find_exact_chance(const struct ranks *ranks, uint32_t chosen,
				uint32_t all)
{
	double(*counts)[MOST_SUM + 1] =
		tr2_must_zeros((chosen + 1) * sizeof(*counts));
	double low = 0, high = 0, p;
	uint32_t sum;

	counts[0][0] = 1;
	for (uint32_t i = 0; i < all; i++)
		for (uint32_t k = i < chosen ? i + 1 : chosen; k; k--)
			for (sum = ranks->all[i]; sum <= MOST_SUM; sum++)
				counts[k][sum] +=
					counts[k - 1][sum - ranks->all[i]];
	for (sum = 0; sum <= MOST_SUM; sum++) {
		low += sum <= ranks->sum ? counts[chosen][sum] : 0;
		high += sum >= ranks->sum ? counts[chosen][sum] : 0;
	}
	p = 2 * fmin(low, high) / (low + high - counts[chosen][ranks->sum]);
	free(counts);
	return p;
}

/* `off` is how far the doubled sum of ranks is from its mean. */
static double approximate_chance(const struct ranks *ranks, double off,
				 double a, double b)
{
	double n = a + b;
	double variance = a * b / 12 * (n + 1 - ranks->ties / (n * (n - 1)));

	if (variance <= 0)
		return 1;
	return erfc((fabs(off) - 1) / 2 / sqrt(2 * variance));
}

/* Both samples have at least one value. */
static struct rank_result test_ranks(struct ordered a, struct ordered b)
{
	struct ranks ranks = rank_values(a, b);
	uint32_t all = a.count + b.count;
	double off = (double)ranks.sum - (double)a.count * (all + 1.0);
	struct rank_result result = { 1, (off < 0) - (off > 0) };

	if (a.count <= RANK_EXACT && b.count <= RANK_EXACT)
		result.p = find_exact_chance(&ranks, a.count, all);
	else
		result.p = approximate_chance(&ranks, off, a.count, b.count);
	result.p = fmin(result.p, 1);
	return result;
}

/*
 * Could samples of this size have a p-value of 0.05 or less? The smallest is 2
 * divided by the number of ways to choose the one sample from both, which has
 * to be 40 or more.
 */
static bool can_tell(uint32_t a, uint32_t b)
{
	double ways = 1;
	uint32_t few = a < b ? a : b;

	for (uint32_t i = 1; i <= few && ways < 40; i++)
		ways = ways * (a + b - few + i) / i;
	return ways >= 40;
}

#define VERDICT_NAME(verdict, name) name,

const char *const tr2_verdict_names[] = { TR2_VERDICTS(VERDICT_NAME) };

/* The first value that so many percent of all do not exceed. */
static uint64_t find_quantile(struct ordered sample, uint32_t percent)
{
	if (!sample.count)
		return 0;
	return sample.values[((uint64_t)sample.count * percent + 99) / 100 - 1];
}

static void test_row(struct tr2_comparison *row, struct ordered a,
		     struct ordered b)
{
	struct rank_result result;

	if (!a.count) {
		row->verdict = TR2_VERDICT_NEW;
	} else if (!b.count) {
		row->verdict = TR2_VERDICT_VANISHED;
	} else if (!can_tell(a.count, b.count)) {
		row->verdict = TR2_VERDICT_FEW;
	} else {
		result = test_ranks(a, b);
		row->verdict = TR2_VERDICT_UNCLEAR;
		row->p = result.p;
		row->sign = result.sign;
	}
}

static void add_row(struct tr2_compared *compared, struct tr2_sample_row *from)
{
	const struct tr2_rows *names = &compared->samples->names;
	struct ordered values[TR2_SAMPLE_SETS];
	struct tr2_comparison *row = tr2_vec_renew(
		&compared->rows, compared->rows.count, sizeof(*row));

	row->table = from->table;
	row->command = tr2_rows_text(names, from->command, NULL);
	row->first = tr2_rows_text(names, from->name[0], NULL);
	row->second = tr2_rows_text(names, from->name[1], NULL);
	for (int set = 0; set < TR2_SAMPLE_SETS; set++) {
		tr2_vec_sort_numbers(&from->values[set]);
		values[set] = (struct ordered){ from->values[set].items,
						from->values[set].count };
		row->sides[set].count = values[set].count;
		row->sides[set].p50 = find_quantile(values[set], 50);
		row->sides[set].p99 = find_quantile(values[set], 99);
	}
	test_row(row, values[TR2_SAMPLE_A], values[TR2_SAMPLE_B]);
}

/* Those that were tested first, the smallest p-value first. */
TR2_COMPARE(compare_chances, tr2_comparison,
	    TR2_THEN(tr2_comparison_is_tested(b), tr2_comparison_is_tested(a),
		     TR2_BY(p, 0)));

/*
 * Holm's correction: the smallest of m p-values counts m times, the next one
 * m - 1 times, but never less than the one before.
 */
static void correct_chances(struct tr2_compared *compared)
{
	struct tr2_comparison *row = compared->rows.items;
	double before = 0;

	tr2_vec_sort(&compared->rows, sizeof(*row), compare_chances);
	for (uint32_t i = 0; i < compared->tested; i++, row++) {
		before = fmax(before, row->p * (compared->tested - i));
		row->adjusted = fmin(before, 1);
		if (row->adjusted <= TR2_COMPARE_ALPHA)
			row->verdict = row->sign > 0 ? TR2_VERDICT_SLOWER
						     : TR2_VERDICT_FASTER;
	}
}

static int64_t find_difference(const struct tr2_comparison *row)
{
	uint64_t a = row->sides[TR2_SAMPLE_A].p50;
	uint64_t b = row->sides[TR2_SAMPLE_B].p50;

	return (int64_t)(a > b ? a - b : b - a);
}

/* What is certain stands before what is not, and the largest change first. */
static int compare_weights(const void *left, const void *right)
{
	static const int places[TR2_VERDICT_COUNT] = {
		[TR2_VERDICT_NEW] = 1,
		[TR2_VERDICT_VANISHED] = 1,
		[TR2_VERDICT_UNCLEAR] = 2,
		[TR2_VERDICT_FEW] = 2,
	};
	const struct tr2_comparison *a = left, *b = right;

	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (places[a->verdict] != places[b->verdict])
		return places[a->verdict] - places[b->verdict];
	if (find_difference(a) != find_difference(b))
		return find_difference(a) < find_difference(b) ? 1 : -1;
	return TR2_BY_TEXT(command, TR2_BY_TEXT(first, TR2_BY_TEXT(second, 0)));
}

void tr2_compared_make(struct tr2_compared *compared,
		       const struct tr2_samples *samples)
{
	compared->samples = samples;
	for (uint32_t i = 0; i < samples->rows.count; i++)
		add_row(compared, tr2_samples_at(samples, i));
	for (uint32_t i = 0; i < compared->rows.count; i++)
		compared->tested +=
			tr2_comparison_is_tested(tr2_compared_at(compared, i));
	correct_chances(compared);
	tr2_vec_sort(&compared->rows, sizeof(struct tr2_comparison),
		     compare_weights);
	for (uint32_t i = 0; i < compared->rows.count; i++)
		compared->verdicts[tr2_compared_at(compared, i)->verdict]++;
}

bool tr2_comparison_change(const struct tr2_comparison *row, double *percent)
{
	double a = (double)row->sides[TR2_SAMPLE_A].p50;
	double b = (double)row->sides[TR2_SAMPLE_B].p50;

	*percent = a > 0 ? 100 * (b - a) / a : 0;
	return a > 0 && row->sides[TR2_SAMPLE_B].count;
}

static bool has_both(const struct tr2_comparison *row)
{
	return row->sides[TR2_SAMPLE_A].count && row->sides[TR2_SAMPLE_B].count;
}

bool tr2_compared_anything(const struct tr2_compared *compared)
{
	for (uint32_t i = 0; i < compared->rows.count; i++)
		if (has_both(tr2_compared_at(compared, i)))
			return true;
	return false;
}

/* Returns the row of this one's command. */
static const struct tr2_comparison *
find_command(const struct tr2_compared *compared,
	     const struct tr2_comparison *of)
{
	const struct tr2_comparison *row;

	for (uint32_t i = 0; i < compared->rows.count; i++) {
		row = tr2_compared_at(compared, i);
		if (row->table == TR2_TABLE_COMMANDS &&
		    !strcmp(row->command, of->command))
			return row;
	}
	return of;
}

static double find_growth(const struct tr2_comparison *row)
{
	return (double)row->sides[TR2_SAMPLE_B].p50 -
	       (double)row->sides[TR2_SAMPLE_A].p50;
}

static bool is_regression(const struct tr2_compared *compared,
			  const struct tr2_comparison *row,
			  const struct tr2_compared_limit *limit)
{
	const struct tr2_comparison *command;
	double before = (double)row->sides[TR2_SAMPLE_A].p50, least;

	if (row->verdict != TR2_VERDICT_SLOWER ||
	    100 * find_growth(row) <= limit->percent * before)
		return false;
	command = find_command(compared, row);
	least = limit->least ? (double)limit->least
			     : (double)command->sides[TR2_SAMPLE_A].p50 / 100;
	return find_growth(row) >= least && find_growth(command) >= least &&
	       command->p <= TR2_COMPARE_ALPHA;
}

uint32_t tr2_compared_regressions(const struct tr2_compared *compared,
				  const struct tr2_compared_limit *limit)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < compared->rows.count; i++)
		found += is_regression(compared, tr2_compared_at(compared, i),
				       limit);
	return found;
}
