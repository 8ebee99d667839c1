#include "views/diff/compare.h"

#include <math.h>
#include <string.h>

#include "views/diff/rank.h"

#define VERDICT_NAME(verdict, name) name,

const char *const tr2_verdict_names[] = { TR2_VERDICTS(VERDICT_NAME) };

static struct tr2_rank_values list_values(const struct tr2_sample *sample)
{
	return (struct tr2_rank_values){ sample->values.items,
					 sample->values.count };
}

/* The first value that so many percent of all do not exceed. */
static uint64_t find_quantile(struct tr2_rank_values sample, uint32_t percent)
{
	if (!sample.count)
		return 0;
	return sample.values[(sample.count * percent + 99) / 100 - 1];
}

static void test_row(struct tr2_comparison *row, struct tr2_rank_values a,
		     struct tr2_rank_values b)
{
	struct tr2_rank_result result;

	if (!a.count) {
		row->verdict = TR2_VERDICT_NEW;
	} else if (!b.count) {
		row->verdict = TR2_VERDICT_VANISHED;
	} else if (!tr2_rank_can_tell(a.count, b.count)) {
		row->verdict = TR2_VERDICT_FEW;
	} else {
		result = tr2_rank_test(a, b);
		row->verdict = TR2_VERDICT_UNCLEAR;
		row->p = result.p;
		row->sign = result.sign;
	}
}

static void add_row(struct tr2_compared *compared,
		    const struct tr2_sample_row *from)
{
	const struct tr2_rows *names = &compared->samples->names;
	struct tr2_rank_values values[TR2_SAMPLE_SETS];
	struct tr2_comparison *row = tr2_vec_renew(
		&compared->rows, compared->rows.count, sizeof(*row));
	int set;

	row->table = from->table;
	row->command = tr2_rows_text(names, from->command, NULL);
	row->first = tr2_rows_text(names, from->name[0], NULL);
	row->second = tr2_rows_text(names, from->name[1], NULL);
	for (set = 0; set < TR2_SAMPLE_SETS; set++) {
		values[set] = list_values(&from->sets[set]);
		row->sides[set].count = from->sets[set].count;
		row->sides[set].p50 = find_quantile(values[set], 50);
		row->sides[set].p99 = find_quantile(values[set], 99);
	}
	test_row(row, values[TR2_SAMPLE_A], values[TR2_SAMPLE_B]);
}

static int compare_names(const struct tr2_comparison *a,
			 const struct tr2_comparison *b)
{
	int order = strcmp(a->command, b->command);

	if (!order)
		order = strcmp(a->first, b->first);
	return order ? order : strcmp(a->second, b->second);
}

/* Those that were tested first, the smallest p-value first. */
static int compare_chances(const void *left, const void *right)
{
	const struct tr2_comparison *a = left, *b = right;
	int tested = tr2_comparison_is_tested(a);

	if (tested != tr2_comparison_is_tested(b))
		return tested ? -1 : 1;
	return (a->p > b->p) - (a->p < b->p);
}

/*
 * Holm's correction: the smallest of m p-values counts m times, the next one
 * m - 1 times, but never less than the one before.
 */
static void correct_chances(struct tr2_compared *compared)
{
	struct tr2_comparison *row = compared->rows.items;
	double before = 0;
	uint32_t i;

	tr2_vec_sort(&compared->rows, sizeof(*row), compare_chances);
	for (i = 0; i < compared->tested; i++, row++) {
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
	return compare_names(a, b);
}

void tr2_compared_begin(struct tr2_compared *compared,
			const struct tr2_samples *samples)
{
	uint32_t i;

	*compared = (struct tr2_compared){ .samples = samples };
	for (i = 0; i < samples->rows.count; i++)
		add_row(compared, tr2_samples_at(samples, i));
	for (i = 0; i < compared->rows.count; i++)
		compared->tested +=
			tr2_comparison_is_tested(tr2_compared_at(compared, i));
	correct_chances(compared);
	tr2_vec_sort(&compared->rows, sizeof(struct tr2_comparison),
		     compare_weights);
	for (i = 0; i < compared->rows.count; i++)
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
	uint32_t i;

	for (i = 0; i < compared->rows.count; i++)
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
	uint32_t i;

	for (i = 0; i < compared->rows.count; i++) {
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
	uint32_t i, found = 0;

	for (i = 0; i < compared->rows.count; i++)
		found += is_regression(compared, tr2_compared_at(compared, i),
				       limit);
	return found;
}

void tr2_compared_release(struct tr2_compared *compared)
{
	tr2_vec_release(&compared->rows);
}
