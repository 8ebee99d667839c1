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
	uint32_t i;

	for (i = 0; i < step->session->sums.count; i++)
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
	return tr2_record_unsigned(step->record, TR2_KEY_INTERVALS,
				   &share->count) &&
	       tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &share->total);
}

/* SPEC: stream.timer.bounds */
static void check_bounds(struct tr2_step *step)
{
	int64_t min, max, total;

	if (!is_timer(step) ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_MIN, &min) ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_MAX, &max) ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &total))
		return;
	if (min > max)
		tr2_step_report(step, TR2_STREAM_TIMER_BOUNDS, TR2_KEY_T_MIN,
				"t_min is above t_max");
	else if (max > total)
		tr2_step_report(step, TR2_STREAM_TIMER_BOUNDS, TR2_KEY_T_MAX,
				"t_max is above t_total");
}

static void add_sum(struct tr2_stream_session *session,
		    const struct tr2_sum *share)
{
	struct tr2_sum *sum;

	if (session->sums.count == SUMS_MAX)
		return;
	sum = tr2_vec_add(&session->sums, sizeof(*sum));
	*sum = *share;
}

/* A sum may wrap around; then it means nothing. */
void tr2_total_part(struct tr2_step *step)
{
	struct tr2_sum share, *sum;

	check_bounds(step);
	if (!read_share(step, &share))
		return;
	sum = find_sum(step, &share);
	if (!sum) {
		add_sum(step->session, &share);
		return;
	}
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
	uint32_t i, numbered = 0, highest = 0;

	if (step->session->tracks.count > THREADS_MAX)
		return false;
	for (i = 1; i < step->session->tracks.count; i++) {
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
		tr2_step_report(step, TR2_STREAM_TIMER_SUM, TR2_KEY_T_TOTAL,
				"%s the sum of its threads, %lld us", how,
				(long long)sum->total);
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
		tr2_step_report(step,
				all->timer ? TR2_STREAM_TIMER_SUM
					   : TR2_STREAM_COUNTER_SUM,
				all->timer ? TR2_KEY_INTERVALS : TR2_KEY_COUNT,
				"%s the sum of its threads, %llu", how,
				(unsigned long long)sum->count);
	check_total(step, all, sum, exact);
}

void tr2_total_sum(struct tr2_step *step)
{
	const struct tr2_sum *sum;
	struct tr2_sum all;

	check_bounds(step);
	if (!read_share(step, &all))
		return;
	sum = find_sum(step, &all);
	if (sum && !sum->overflow)
		check_sum(step, &all, sum);
}
