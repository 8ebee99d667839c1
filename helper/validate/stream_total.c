#include "validate/stream_step.h"

static bool is_timer(const struct tr2_step *step)
{
	return step->record->is == TR2_IS_TIMER ||
	       step->record->is == TR2_IS_TH_TIMER;
}

/* What is summed up under this category and name, or NULL. */
static struct tr2_sum *find(const struct tr2_step *step, uint64_t name)
{
	struct tr2_sum *sums = step->session->sums.items;
	uint32_t i;

	for (i = 0; i < step->session->sums.count; i++)
		if (sums[i].name == name)
			return &sums[i];
	return NULL;
}

static uint64_t name_of(const struct tr2_step *step)
{
	return tr2_hash_mix(tr2_step_hash(step, TR2_KEY_CATEGORY) +
				    is_timer(step),
			    tr2_step_hash(step, TR2_KEY_NAME),
			    UINT64_C(0x9e3779b97f4a7c15));
}

/* What one event adds or sums up. False if it doesn't say. */
static bool read_share(const struct tr2_step *step, struct tr2_sum *share)
{
	*share = (struct tr2_sum){ .name = name_of(step), .events = 1 };
	if (!is_timer(step))
		return tr2_step_unsigned(step, TR2_KEY_COUNT, &share->count);
	return tr2_step_unsigned(step, TR2_KEY_INTERVALS, &share->count) &&
	       tr2_step_seconds(step, TR2_KEY_T_TOTAL, &share->total);
}

/* SPEC: stream.timer.bounds */
static void check_bounds(struct tr2_step *step)
{
	int64_t min, max, total;

	if (!is_timer(step) || !tr2_step_seconds(step, TR2_KEY_T_MIN, &min) ||
	    !tr2_step_seconds(step, TR2_KEY_T_MAX, &max) ||
	    !tr2_step_seconds(step, TR2_KEY_T_TOTAL, &total))
		return;
	if (min > max)
		tr2_step_report(step, TR2_STREAM_TIMER_BOUNDS, TR2_KEY_T_MIN,
				"t_min is above t_max");
	else if (max > total)
		tr2_step_report(step, TR2_STREAM_TIMER_BOUNDS, TR2_KEY_T_MAX,
				"t_max is above t_total");
}

/* A counter may wrap around; then its sum says nothing. */
void tr2_total_part(struct tr2_step *step)
{
	struct tr2_sum share, *sum;

	check_bounds(step);
	if (!read_share(step, &share))
		return;
	sum = find(step, share.name);
	if (!sum) {
		sum = tr2_vec_add(&step->session->sums, sizeof(*sum));
		*sum = share;
		return;
	}
	sum->overflow |= sum->count + share.count < sum->count;
	sum->count += share.count;
	sum->total += share.total;
	sum->events++;
}

/*
 * SPEC: stream.timer.sum, stream.counter.sum
 * Never above: a thread that said nothing has its share in the total too.
 */
static void check_sum(struct tr2_step *step, const struct tr2_sum *all,
		      const struct tr2_sum *sum)
{
	if (!is_timer(step)) {
		if (all->count < sum->count)
			tr2_step_report(step, TR2_STREAM_COUNTER_SUM,
					TR2_KEY_COUNT,
					"below the sum of its threads, %llu",
					(unsigned long long)sum->count);
	} else if (all->count < sum->count) {
		tr2_step_report(step, TR2_STREAM_TIMER_SUM, TR2_KEY_INTERVALS,
				"below the sum of its threads, %llu",
				(unsigned long long)sum->count);
	} else if (all->total + sum->events + 1 < sum->total) {
		tr2_step_report(step, TR2_STREAM_TIMER_SUM, TR2_KEY_T_TOTAL,
				"below the sum of its threads, %lld us",
				(long long)sum->total);
	}
}

void tr2_total_sum(struct tr2_step *step)
{
	const struct tr2_sum *sum;
	struct tr2_sum all;

	check_bounds(step);
	if (!read_share(step, &all))
		return;
	sum = find(step, all.name);
	if (sum && !sum->overflow)
		check_sum(step, &all, sum);
}
