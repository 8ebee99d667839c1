#include "views/diff/rank.h"

#include <math.h>
#include <stdlib.h>

#include "lib/common/memory.h"

/* Ranks are doubled, so that the mean rank of equal values is an integer. */
#define MOST (2 * TR2_RANK_EXACT)
#define MOST_SUM (MOST * (MOST + 1))

struct ranks {
	uint64_t sum;	    /* of the doubled ranks of the first sample */
	double ties;	    /* sum of t^3 - t over groups of t equal values */
	uint32_t all[MOST]; /* all doubled ranks, if the test is exact */
};

/* Returns how many values from `at` on equal the given one. */
static uint32_t count_equal(struct tr2_rank_values sample, uint32_t at,
			    uint64_t value)
{
	uint32_t end = at;

	while (end < sample.count && sample.values[end] == value)
		end++;
	return end - at;
}

static uint64_t find_smallest(struct tr2_rank_values a, uint32_t i,
			      struct tr2_rank_values b, uint32_t j)
{
	if (i == a.count)
		return b.values[j];
	if (j == b.count || a.values[i] < b.values[j])
		return a.values[i];
	return b.values[j];
}

static struct ranks rank_values(struct tr2_rank_values a,
				struct tr2_rank_values b)
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
	uint32_t i, k, sum;

	counts[0][0] = 1;
	for (i = 0; i < all; i++)
		for (k = i < chosen ? i + 1 : chosen; k; k--)
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

struct tr2_rank_result tr2_rank_test(struct tr2_rank_values a,
				     struct tr2_rank_values b)
{
	struct ranks ranks = rank_values(a, b);
	uint32_t all = a.count + b.count;
	double off = (double)ranks.sum - (double)a.count * (all + 1.0);
	struct tr2_rank_result result = { 1, (off < 0) - (off > 0) };

	if (a.count <= TR2_RANK_EXACT && b.count <= TR2_RANK_EXACT)
		result.p = find_exact_chance(&ranks, a.count, all);
	else
		result.p = approximate_chance(&ranks, off, a.count, b.count);
	result.p = fmin(result.p, 1);
	return result;
}

/*
 * The smallest p-value is 2 divided by the number of ways to choose the one
 * sample from both; this has to be 40 or more.
 */
bool tr2_rank_can_tell(uint32_t a, uint32_t b)
{
	double ways = 1;
	uint32_t i, few = a < b ? a : b;

	for (i = 1; i <= few && ways < 40; i++)
		ways = ways * (a + b - few + i) / i;
	return ways >= 40;
}
