#include "read/value.h"
#include "rules/stream/step.h"

/* The lists are searched for each event, so further sums are ignored. */
#define SUMS_MAX 1024
#define THREADS_MAX 4096

static bool is_timer(const struct tr2_step *step)
{
	return step->record->is == TR2_IS_TIMER ||
	       step->record->is == TR2_IS_TH_TIMER;
}

/* Returns the sum with the same category and name, or NULL. */
static struct tr2_sum *find_sum(const struct tr2_step *step,
				const struct tr2_sum *share)
{
	struct tr2_sum *sums = step->session->sums.items;

	for (uint32_t i = 0; i < step->session->sums.count; i++)
		if (sums[i].name == share->name &&
		    sums[i].category == share->category &&
		    sums[i].timer == share->timer)
			return &sums[i];
	return NULL;
}

/* Read what an event contributes or reports. False if it has no such values. */
static bool read_share(const struct tr2_step *step, struct tr2_sum *share)
{
	*share = (struct tr2_sum){
		.name = tr2_record_hash(step->record, TR2_KEY_NAME),
		.category = tr2_record_hash(step->record, TR2_KEY_CATEGORY),
		.timer = is_timer(step),
		.events = 1,
	};
	if (!share->timer)
		return tr2_record_unsigned(step->record, TR2_KEY_COUNT,
					   &share->count);
	share->max = -1;
	if (!tr2_record_seconds(step->record, TR2_KEY_T_MIN, &share->min))
		share->min = INT64_MAX;
	tr2_record_seconds(step->record, TR2_KEY_T_MAX, &share->max);
	return tr2_record_unsigned(step->record, TR2_KEY_INTERVALS,
				   &share->count) &&
	       tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &share->total);
}

/*
 * Can so many intervals between min and max have this total? Each time is
 * rounded to a microsecond.
 */
static bool is_possible(uint64_t count, int64_t min, int64_t max, int64_t total)
{
	uint64_t least, most;

	if (__builtin_mul_overflow(count, (uint64_t)max + 1, &most))
		most = UINT64_MAX;
	if (!min)
		return (uint64_t)total <= most;
	return !__builtin_mul_overflow(count, (uint64_t)min - 1, &least) &&
	       least <= (uint64_t)total + 1 && (uint64_t)total <= most;
}

/* `sums`: with the number of intervals. SPEC: stream.timer.bounds */
static void check_bounds(struct tr2_step *step, bool sums)
{
	int64_t min, max, total;
	uint64_t count;

	if (!is_timer(step) ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_MIN, &min) ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_MAX, &max) ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &total))
		return;
	if (min > max)
		tr2_step_report(step, TR2_STREAM_TIMER_BOUNDS,
				"t_min is above t_max");
	else if (max > total)
		tr2_step_report_at(step, TR2_STREAM_TIMER_BOUNDS, TR2_KEY_T_MAX,
				   "t_max is above t_total");
	else if (sums &&
		 tr2_record_unsigned(step->record, TR2_KEY_INTERVALS, &count) &&
		 count && !is_possible(count, min, max, total))
		tr2_step_report_at(
			step, TR2_STREAM_TIMER_BOUNDS, TR2_KEY_T_TOTAL,
			"%llu intervals of %lld to %lld us don't have "
			"this total",
			(unsigned long long)count, (long long)min,
			(long long)max);
}

/* Returns the new sum, or NULL: there are too many. */
static struct tr2_sum *add_sum(const struct tr2_step *step,
			       const struct tr2_sum *share)
{
	struct tr2_sum *sum;

	if (step->session->sums.count == SUMS_MAX)
		return NULL;
	sum = tr2_vec_add(&step->session->sums, sizeof(*sum));
	*sum = *share;
	sum->line = step->sink->line.number;
	return sum;
}

/* SPEC: stream.totals.order */
static void check_part_order(struct tr2_step *step)
{
	struct tr2_track *track = step->track;
	const bool timer = is_timer(step);

	if (track->counted && timer)
		tr2_step_report(step, TR2_STREAM_TOTALS_ORDER,
				"a th_timer after a th_counter of its thread");
	track->counted = !timer;
	if (track == step->session->tracks.items && step->session->seen.totals)
		tr2_step_report(step, TR2_STREAM_TOTALS_ORDER,
				"main's own share after a total");
}

/*
 * A sum may wrap around; then it means nothing. Of a share with a finding
 * nothing is asked again.
 */
void tr2_total_part(struct tr2_step *step)
{
	struct tr2_sum share, *sum;

	check_bounds(step, true);
	check_part_order(step);
	if (!read_share(step, &share))
		return;
	if (step->muted)
		share.max = INT64_MAX;
	sum = find_sum(step, &share);
	if (!sum) {
		add_sum(step, &share);
		return;
	}
	sum->min = share.min < sum->min ? share.min : sum->min;
	sum->max = share.max > sum->max ? share.max : sum->max;
	sum->overflow |=
		__builtin_add_overflow(sum->count, share.count, &sum->count);
	sum->overflow |=
		__builtin_add_overflow(sum->total, share.total, &sum->total);
	sum->events++;
}

/*
 * Does the log show every thread, and did each one write its shares? This is
 * true at the end of the log and at main's exit. If a thread number is
 * missing, that thread wrote nothing and may still have a share in totals.
 * Missing lines matter only when a rule is violated.
 */
static bool has_all_shares(const struct tr2_step *step)
{
	const struct tr2_track *tracks = step->session->tracks.items;
	uint32_t numbered = 0, highest = 0;

	if (step->session->tracks.count > THREADS_MAX)
		return false;
	for (uint32_t i = 1; i < step->session->tracks.count; i++) {
		if (!tracks[i].exited)
			return false;
		numbered += tracks[i].number > 0;
		if (tracks[i].number > highest)
			highest = tracks[i].number;
	}
	return numbered == highest;
}

/* Returns how the total differs from the sum of its parts, or NULL: correct. */
static const char *find_relation(uint64_t all, uint64_t sum, uint64_t slack,
				 bool exact)
{
	if (all + slack < sum)
		return "below";
	return exact && all > sum + slack ? "above" : NULL;
}

/*
 * Times are cut to microseconds, so the sum of several may be smaller.
 * SPEC: stream.timer.sum
 */
static void check_total(struct tr2_step *step, const struct tr2_sum *all,
			const struct tr2_sum *sum, bool exact)
{
	const char *how = find_relation((uint64_t)all->total,
					(uint64_t)sum->total,
					(uint64_t)sum->events + 1, exact);

	if (how)
		tr2_step_report(step, TR2_STREAM_TIMER_SUM,
				"%s the sum of its threads, %lld us", how,
				(long long)sum->total);
}

/* Are the shortest and the longest time known? */
static bool has_extremes(const struct tr2_sum *sum)
{
	return sum->timer && sum->min < INT64_MAX && sum->max >= 0 &&
	       sum->max < INT64_MAX;
}

/*
 * The shortest and the longest time are those of a thread.
 * SPEC: stream.timer.sum
 */
static void check_extremes(struct tr2_step *step, const struct tr2_sum *all,
			   const struct tr2_sum *sum, bool exact)
{
	if (!has_extremes(all) || !has_extremes(sum))
		return;
	if (all->min > sum->min + 1 || (exact && all->min + 1 < sum->min))
		tr2_step_report_at(step, TR2_STREAM_TIMER_SUM, TR2_KEY_T_MIN,
				   "the shortest of its threads is %lld us",
				   (long long)sum->min);
	else if (all->max + 1 < sum->max || (exact && all->max > sum->max + 1))
		tr2_step_report_at(step, TR2_STREAM_TIMER_SUM, TR2_KEY_T_MAX,
				   "the longest of its threads is %lld us",
				   (long long)sum->max);
}

/*
 * A counter has no times: they are 0 on both sides.
 * SPEC: stream.timer.sum, stream.counter.sum
 */
static void check_sum(struct tr2_step *step, const struct tr2_sum *all,
		      const struct tr2_sum *sum)
{
	bool exact = has_all_shares(step);
	const char *how = find_relation(all->count, sum->count, 0, exact);

	if (how)
		tr2_step_report_at(step,
				   all->timer ? TR2_STREAM_TIMER_SUM
					      : TR2_STREAM_COUNTER_SUM,
				   all->timer ? TR2_KEY_INTERVALS
					      : TR2_KEY_COUNT,
				   "%s the sum of its threads, %llu", how,
				   (unsigned long long)sum->count);
	check_total(step, all, sum, exact);
	check_extremes(step, all, sum, exact);
}

/* SPEC: stream.totals.order */
static void check_total_order(struct tr2_step *step)
{
	struct tr2_seen *seen = &step->session->seen;

	if (is_timer(step) && seen->counted)
		tr2_step_report(step, TR2_STREAM_TOTALS_ORDER,
				"a timer after a counter");
	seen->counted |= !is_timer(step);
	seen->totals = true;
}

/* SPEC: stream.totals.once */
static void check_once(struct tr2_step *step, struct tr2_sum *sum)
{
	if (sum->totalled)
		tr2_step_report(step, TR2_STREAM_TOTALS_ONCE,
				"it had its total in line %lu", sum->line);
	sum->totalled = true;
	sum->line = step->sink->line.number;
}

void tr2_total_sum(struct tr2_step *step)
{
	struct tr2_sum all, *sum;
	bool has = read_share(step, &all);

	check_bounds(step, false);
	check_total_order(step);
	sum = find_sum(step, &all);
	if (has && sum && !sum->overflow && sum->events)
		check_sum(step, &all, sum);
	check_bounds(step, true);
	all.events = 0;
	if (!sum)
		sum = add_sum(step, &all);
	if (sum)
		check_once(step, sum);
}

/* SPEC: stream.totals.missing */
void tr2_total_missing(struct tr2_step *step)
{
	const struct tr2_sum *sums = step->session->sums.items;

	for (uint32_t i = 0; i < step->session->sums.count; i++)
		if (!sums[i].totalled && !sums[i].overflow)
			tr2_step_report(step, TR2_STREAM_TOTALS_MISSING,
					"the %s of line %lu has no total",
					sums[i].timer ? "th_timer"
						      : "th_counter",
					sums[i].line);
}
