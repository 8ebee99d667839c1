#include "model/timeline_part.h"

#include "lib/common/hash.h"
#include "read/value.h"

static int64_t read_seconds(const struct tr2_record *record, enum tr2_key key)
{
	int64_t us;

	if (!tr2_record_seconds(record, key, &us))
		return -1;
	return us < TR2_PLACE_MOST ? us : TR2_PLACE_MOST;
}

/* An event without a thread belongs to the main one. */
static uint64_t hash_thread(struct tr2_record *record)
{
	uint64_t hash = tr2_record_hash(record, TR2_KEY_THREAD);

	return hash ? hash : tr2_hash("main", 4).a;
}

static uint64_t read_child(const struct tr2_record *record)
{
	bool is_exec = record->is == TR2_IS_EXEC ||
		       record->is == TR2_IS_EXEC_RESULT;
	int64_t id;

	if (!tr2_record_integer(
		    record, is_exec ? TR2_KEY_EXEC_ID : TR2_KEY_CHILD_ID, &id))
		return TR2_NO_CHILD;
	return 2 * (uint64_t)id + is_exec;
}

static const struct {
	enum tr2_pair begins, ends;
} pairs[TR2_IS_OTHER + 1] = {
	[TR2_IS_REGION_ENTER] = { .begins = TR2_PAIR_REGION },
	[TR2_IS_REGION_LEAVE] = { .ends = TR2_PAIR_REGION },
	[TR2_IS_CHILD_START] = { .begins = TR2_PAIR_CHILD },
	[TR2_IS_CHILD_EXIT] = { .ends = TR2_PAIR_CHILD },
	[TR2_IS_CHILD_READY] = { .ends = TR2_PAIR_CHILD },
	[TR2_IS_EXEC] = { .begins = TR2_PAIR_CHILD },
	[TR2_IS_EXEC_RESULT] = { .ends = TR2_PAIR_CHILD },
	[TR2_IS_THREAD_START] = { .begins = TR2_PAIR_THREAD },
	[TR2_IS_THREAD_EXIT] = { .ends = TR2_PAIR_THREAD },
};

void tr2_claim_read(struct tr2_claim *claim, struct tr2_record *record)
{
	*claim = (struct tr2_claim){
		.time = tr2_record_find_time(record),
		.since = read_seconds(record, TR2_KEY_T_ABS),
		.length = read_seconds(record, TR2_KEY_T_REL),
		.begins = pairs[record->is].begins,
		.ends = pairs[record->is].ends,
		.thread = hash_thread(record),
	};
	if (claim->begins == TR2_PAIR_CHILD || claim->ends == TR2_PAIR_CHILD)
		claim->child = read_child(record);
	if (claim->ends && claim->child == TR2_NO_CHILD)
		claim->ends = TR2_PAIR_NONE;
}

uint32_t tr2_timeline_find_thread(const struct tr2_timeline *timeline,
				  uint64_t hash)
{
	size_t place = tr2_slots_find(&timeline->thread_names, hash);

	return place == TR2_NO_SLOT ? TR2_NO_SPAN : (uint32_t)place;
}

uint32_t tr2_timeline_find_child(const struct tr2_timeline *timeline,
				 uint64_t key)
{
	size_t place = tr2_slots_find(&timeline->child_ids, key);

	if (place == TR2_NO_SLOT)
		return TR2_NO_SPAN;
	return ((const uint32_t *)timeline->child_spans.items)[place];
}

/* Returns where the span or thread that the event ends began, or -1. */
static int64_t find_begin(const struct tr2_timeline *timeline,
			  const struct tr2_claim *claim)
{
	const struct tr2_timeline_thread *thread;
	uint32_t place;

	if (claim->ends == TR2_PAIR_CHILD) {
		place = tr2_timeline_find_child(timeline, claim->child);
	} else {
		place = tr2_timeline_find_thread(timeline, claim->thread);
		if (place == TR2_NO_SPAN)
			return -1;
		thread = tr2_timeline_thread_at(timeline, place);
		if (claim->ends == TR2_PAIR_THREAD)
			return thread->begin;
		place = claim->ends == TR2_PAIR_REGION ? thread->top
						       : TR2_NO_SPAN;
	}
	return place == TR2_NO_SPAN
		       ? -1
		       : tr2_timeline_span_at(timeline, place)->begin;
}

int64_t tr2_timeline_unix(const struct tr2_timeline *timeline, int64_t at)
{
	int64_t base = timeline->base - TR2_TIME_1970;

	return base > 0 ? base + at : at;
}

int64_t tr2_place_find(const struct tr2_timeline *timeline,
		       const struct tr2_claim *claim)
{
	int64_t begin;

	if (claim->since >= 0)
		return claim->since;
	if (claim->length < 0)
		return -1;
	begin = find_begin(timeline, claim);
	return begin < 0 ? -1 : begin + claim->length;
}

int64_t tr2_place_difference(const struct tr2_timeline *timeline,
			     const struct tr2_claim *claim)
{
	int64_t at;

	if (!timeline->latest || claim->time <= timeline->latest)
		return 0;
	at = timeline->latest_at + (claim->time - timeline->latest);
	return at > timeline->now ? at - timeline->now : 0;
}

/* us: on a busy machine it takes so long at most to write a line. */
#define LATE_MOST 1000000

/*
 * The first event with a t_abs tells when that was 0, in brief form by the time
 * of the version right before it; but not later than `version` was written, if
 * a clock was not set.
 */
static void set_base(struct tr2_timeline *timeline, int64_t base)
{
	if (!timeline->base || base <= timeline->base ||
	    base - timeline->base > LATE_MOST)
		timeline->base = base;
}

int64_t tr2_place_enter(struct tr2_timeline *timeline,
			const struct tr2_record *record,
			const struct tr2_claim *claim, int64_t at)
{
	bool first = !timeline->begun;

	if (at > TR2_PLACE_MOST)
		at = TR2_PLACE_MOST;
	if (at < timeline->now)
		at = timeline->now;
	timeline->now = at;
	if (!timeline->introduced)
		timeline->first = at;
	if (claim->time) {
		timeline->latest = claim->time;
		timeline->latest_at = at;
	}
	if (timeline->latest &&
	    (!timeline->base || (first && claim->since > 0)))
		set_base(timeline, timeline->latest - at);
	timeline->introduced = true;
	timeline->begun |= record->is != TR2_IS_VERSION;
	return at;
}
