#include "model/timeline_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"

static const uint8_t endings[TR2_IS_OTHER + 1] = {
	[TR2_IS_SIGNAL] = TR2_ENDING_SIGNAL,
	[TR2_IS_EXIT] = TR2_ENDING_EXIT,
	[TR2_IS_ATEXIT] = TR2_ENDING_ATEXIT,
};

/* ending.c */
static enum tr2_ending find_ending(const struct tr2_record *record)
{
	return endings[record->is];
}

void tr2_ending_note(struct tr2_timeline *timeline,
		     const struct tr2_record *record,
		     const struct tr2_claim *claim, int64_t at)
{
	enum tr2_ending ending = find_ending(record);

	timeline->erred = record->is == TR2_IS_ERROR;
	timeline->went_on = ending < timeline->ending || !ending;
	if (timeline->went_on)
		return;
	if (timeline->ending == TR2_ENDING_SIGNAL)
		timeline->has_code = false;
	timeline->ending = ending;
	timeline->ended_at = claim->since >= 0 ? claim->since : at;
	timeline->has_code |= tr2_record_integer(
		record,
		ending == TR2_ENDING_SIGNAL ? TR2_KEY_SIGNO : TR2_KEY_CODE,
		&timeline->code);
}

int64_t tr2_timeline_length(const struct tr2_timeline *timeline)
{
	int64_t length = timeline->ended_at;

	if (length > TR2_PLACE_MOST)
		length = TR2_PLACE_MOST;
	if (length < timeline->child_end)
		length = timeline->child_end;
	if (!timeline->ending || (timeline->went_on && length < timeline->now))
		length = timeline->now;
	if (timeline->is_replaced && length < timeline->replaced_until)
		length = timeline->replaced_until;
	return length;
}

/* Returns how long after the process the child began; -1: it is unknown. */
static int64_t find_gap(const struct tr2_timeline *timeline,
			const struct tr2_timeline *child)
{
	if (!timeline->base || !child->base || child->base < timeline->base)
		return -1;
	return child->base - timeline->base;
}

static bool fits_exec(const struct tr2_timeline *timeline,
		      const struct tr2_timeline *child)
{
	if (!timeline->is_replaced)
		return false;
	return !timeline->base || !child->base ||
	       child->base + child->first >=
		       timeline->base + timeline->replaced_at;
}

bool tr2_timeline_offer_heir(struct tr2_timeline *timeline,
			     const struct tr2_timeline *child, bool has_pid)
{
	int64_t began = child->base + child->first;

	if (!fits_exec(timeline, child))
		return false;
	if (timeline->has_heir &&
	    (timeline->heir_has_pid == has_pid ? timeline->heir_began <= began
					       : timeline->heir_has_pid))
		return false;
	timeline->has_heir = true;
	timeline->heir_has_pid = has_pid;
	timeline->heir_began = began;
	return true;
}

void tr2_timeline_end_with(struct tr2_timeline *timeline,
			   const struct tr2_timeline *child)
{
	int64_t gap = find_gap(timeline, child);

	if (gap < timeline->replaced_at)
		gap = timeline->replaced_at;
	timeline->replaced_until =
		tr2_capped_add(gap, tr2_timeline_length(child));
	if (timeline->replaced_until > TR2_PLACE_MOST)
		timeline->replaced_until = TR2_PLACE_MOST;
}

static uint32_t take_place(struct tr2_timeline *timeline)
{
	uint32_t place = timeline->free;

	if (place == TR2_NO_SPAN)
		return timeline->spans.count;
	timeline->free = tr2_timeline_span_at(timeline, place)->before;
	return place;
}

struct tr2_timeline_span *tr2_span_begin(const struct tr2_moment *moment,
					 enum tr2_span_kind kind)
{
	struct tr2_timeline *timeline = moment->timeline;
	uint32_t place = take_place(timeline);
	struct tr2_timeline_span *span =
		tr2_vec_renew(&timeline->spans, place, sizeof(*span));

	*span = (struct tr2_timeline_span){
		.kind = kind,
		.place = place,
		.thread = moment->thread,
		.outer = tr2_timeline_thread_at(timeline, moment->thread)->top,
		.before = timeline->last,
		.after = TR2_NO_SPAN,
		.number = timeline->spans_begun++,
		.begin = moment->at,
		.time = moment->time,
	};
	if (timeline->last != TR2_NO_SPAN)
		tr2_timeline_span_at(timeline, timeline->last)->after = place;
	timeline->last = place;
	return span;
}

/* The id may belong to several children that are open. */
static void remove_child(struct tr2_timeline *timeline,
			 const struct tr2_timeline_span *span)
{
	const uint32_t *places = timeline->child_spans.items;
	size_t slot = tr2_slots_find(&timeline->child_ids, span->key);

	if (slot != TR2_NO_SLOT && places[slot] == span->place)
		tr2_slots_remove(&timeline->child_ids, slot);
}

void tr2_span_remove(struct tr2_timeline *timeline,
		     struct tr2_timeline_span *span)
{
	struct tr2_timeline_thread *thread =
		tr2_timeline_thread_at(timeline, span->thread);

	if (span->after == TR2_NO_SPAN)
		timeline->last = span->before;
	else
		tr2_timeline_span_at(timeline, span->after)->before =
			span->before;
	if (span->before != TR2_NO_SPAN)
		tr2_timeline_span_at(timeline, span->before)->after =
			span->after;
	if (span->kind != TR2_SPAN_REGION)
		remove_child(timeline, span);
	else if (thread->top == span->place)
		thread->top = span->outer;
	span->before = timeline->free;
	timeline->free = span->place;
}

/* Then no `time` is waited for any longer. */
#define EVENTS_MOST 100
#define BYTES_MOST ((size_t)32 * 1024)

struct tr2_early {
	struct tr2_buf texts; /* each with an LF */
	uint32_t count;
};

bool tr2_early_take(struct tr2_timeline *timeline,
		    const struct tr2_record *record,
		    const struct tr2_claim *claim)
{
	struct tr2_early *early = timeline->early;

	if (timeline->introduced || timeline->held || timeline->timeless ||
	    claim->time || find_ending(record) ||
	    (early &&
	     (early->count >= EVENTS_MOST || early->texts.len >= BYTES_MOST)))
		return false;
	if (!early)
		early = timeline->early = tr2_must_zeros(sizeof(*early));
	early->count++;
	tr2_buf_add(&early->texts, record->parse.text, record->parse.len);
	tr2_buf_byte(&early->texts, '\n');
	tr2_must_hold(&early->texts);
	return true;
}

/* Let the events happen in this timeline. */
static void replay_events(const struct tr2_early *early,
			  struct tr2_timeline *timeline,
			  const struct tr2_timeline_view *view, void *context)
{
	struct tr2_record record = { 0 };
	const char *text = early->texts.bytes, *lf;
	const char *end = text + early->texts.len;

	for (; text < end; text = lf + 1) {
		lf = memchr(text, '\n', (size_t)(end - text));
		if (tr2_record_read(&record, text, (size_t)(lf - text)) ==
		    TR2_RECORD_OK)
			tr2_timeline_place(timeline, &record, view, context);
	}
	tr2_record_release(&record);
}

static void pass_over(void *context, const struct tr2_moment *moment)
{
	(void)context;
	(void)moment;
}

/* Returns when the process began by the `time` of this event after them. */
static int64_t find_base(const struct tr2_early *early,
			 struct tr2_record *record)
{
	static const struct tr2_timeline_view nobody = { .take = pass_over };
	struct tr2_timeline trial;
	int64_t base;

	tr2_timeline_begin(&trial);
	replay_events(early, &trial, &nobody, NULL);
	tr2_timeline_place(&trial, record, &nobody, NULL);
	tr2_timeline_settle(&trial, &nobody, NULL);
	base = trial.base;
	tr2_timeline_release(&trial);
	return base;
}

void tr2_early_end(struct tr2_timeline *timeline, struct tr2_record *next,
		   const struct tr2_timeline_view *view, void *context)
{
	struct tr2_early *early = timeline->early;

	timeline->early = NULL;
	timeline->timeless = true;
	tr2_buf_fill(&early->texts, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(&early->texts);
	early->texts.len -= TR2_TOKENS_PADDING;
	if (next)
		timeline->base = find_base(early, next);
	replay_events(early, timeline, view, context);
	tr2_buf_release(&early->texts);
	free(early);
}

void tr2_early_release(struct tr2_timeline *timeline)
{
	if (timeline->early)
		tr2_buf_release(&timeline->early->texts);
	free(timeline->early);
	timeline->early = NULL;
}

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
	return tr2_child_key(id, is_exec);
}

void tr2_claim_read(struct tr2_claim *claim, struct tr2_record *record)
{
	enum tr2_is is = record->is;

	*claim = (struct tr2_claim){
		.time = tr2_record_find_time(record),
		.since = read_seconds(record, TR2_KEY_T_ABS),
		.length = read_seconds(record, TR2_KEY_T_REL),
		.ends_region = is == TR2_IS_REGION_LEAVE,
		.ends_child = is == TR2_IS_CHILD_EXIT ||
			      is == TR2_IS_CHILD_READY ||
			      is == TR2_IS_EXEC_RESULT,
		.ends_thread = is == TR2_IS_THREAD_EXIT,
		.thread = hash_thread(record),
	};
	if (claim->ends_child || is == TR2_IS_CHILD_START || is == TR2_IS_EXEC)
		claim->child = read_child(record);
	claim->ends_child &= claim->child != TR2_NO_CHILD;
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

	if (claim->ends_child) {
		place = tr2_timeline_find_child(timeline, claim->child);
	} else {
		place = tr2_timeline_find_thread(timeline, claim->thread);
		if (place == TR2_NO_SPAN)
			return -1;
		thread = tr2_timeline_thread_at(timeline, place);
		if (claim->ends_thread)
			return thread->begin;
		place = claim->ends_region ? thread->top : TR2_NO_SPAN;
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

	if (!claim->time || !timeline->latest ||
	    claim->time <= timeline->latest)
		return 0;
	at = timeline->latest_at + (claim->time - timeline->latest);
	return at > timeline->now ? at - timeline->now : 0;
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
		if (!timeline->base || (first && claim->since > 0))
			timeline->base = claim->time - at;
	}
	timeline->introduced = true;
	timeline->begun |= record->is != TR2_IS_VERSION;
	return at;
}
