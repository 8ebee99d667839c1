#include "model/timeline_part.h"

#include <stdlib.h>

#include "lib/common/memory.h"

/*
 * Differences up to this are believed at once. Two clocks differ by
 * microseconds; steps of a coarse clock, and clocks that are set, are more.
 */
#define BELIEVED 2000 /* microseconds */

/* Then the differences are believed, too, */
#define EVENTS_MOST 1000
#define BYTES_MOST ((size_t)256 * 1024)
/* and no `time` is waited for any longer. */
#define TIMELESS_MOST 100

struct held_event {
	size_t start, len;  /* of its text */
	int64_t difference; /* to the event before it */
	uint64_t key;	    /* of the thread, or the child */
	uint8_t begins;	    /* enum tr2_pair */
	bool ended;
	bool fixed; /* its difference is known from a duration */
};

struct tr2_held {
	struct tr2_buf texts; /* each with an LF */
	struct tr2_vec events;
	int64_t latest; /* the last `time` */
	int64_t since;	/* the last t_abs */
	bool is_first;	/* the process begins with them */
	bool timeless;	/* nothing told yet when it began */
	struct tr2_record record;
};

/* Does nothing tell yet when the process began? A later `time` may. */
static bool lacks_time(const struct tr2_timeline *timeline,
		       const struct tr2_record *record,
		       const struct tr2_claim *claim)
{
	return !timeline->latest && !timeline->timeless && !claim->time &&
	       !tr2_ending_of(record);
}

/*
 * A process whose log begins in its middle began before its first event; how
 * long before is told by the first t_abs.
 */
bool tr2_held_wants(const struct tr2_timeline *timeline,
		    const struct tr2_record *record,
		    const struct tr2_claim *claim)
{
	if (lacks_time(timeline, record, claim))
		return true;
	if (tr2_place_find(timeline, claim) >= 0)
		return false;
	if (!timeline->introduced)
		return record->is != TR2_IS_VERSION;
	if (!claim->time)
		return record->is == TR2_IS_REGION_ENTER;
	return tr2_place_difference(timeline, claim) > BELIEVED;
}

static struct tr2_held *begin_hold(struct tr2_timeline *timeline, bool timeless)
{
	if (!timeline->held) {
		timeline->held = tr2_must_zeros(sizeof(*timeline->held));
		timeline->held->is_first = !timeline->introduced;
		timeline->held->timeless = timeless;
	}
	return timeline->held;
}

static struct held_event *keep_event(struct tr2_held *held,
				     const struct tr2_record *record)
{
	struct held_event *event = tr2_vec_add(&held->events, sizeof(*event));

	*event = (struct held_event){ .start = held->texts.len,
				      .len = record->parse.len };
	tr2_buf_add(&held->texts, record->parse.text, record->parse.len);
	tr2_buf_byte(&held->texts, '\n');
	tr2_must_hold(&held->texts);
	return event;
}

TR2_VEC_AT(event_at, tr2_held, events, held_event);

/* Returns the last event that is held and opens what this one ends, or -1. */
static int64_t find_opening(const struct tr2_held *held,
			    const struct tr2_claim *claim)
{
	uint64_t key = claim->ends == TR2_PAIR_CHILD ? claim->child
						     : claim->thread;
	const struct held_event *event;
	int64_t place;

	for (place = (int64_t)held->events.count - 1; claim->ends && place >= 0;
	     place--) {
		event = event_at(held, (uint32_t)place);
		if (event->begins == claim->ends && event->key == key &&
		    !event->ended)
			return place;
	}
	return -1;
}

/* Take the excess from the largest differences that are not known. */
static void cut_differences(const struct tr2_held *held, uint32_t from,
			    uint32_t to, int64_t excess)
{
	struct held_event *event, *largest;

	while (excess > 0) {
		largest = NULL;
		for (uint32_t i = from; i < to; i++) {
			event = event_at(held, i);
			if (!event->fixed && event->difference > 0 &&
			    (!largest ||
			     event->difference > largest->difference))
				largest = event;
		}
		if (!largest)
			return;
		if (largest->difference > excess) {
			largest->difference -= excess;
			return;
		}
		excess -= largest->difference;
		largest->difference = 0;
	}
}

/*
 * Make the sum of these differences `length`, and note that they are known. An
 * excess is cut; what lacks is added at `lacking`, if that is one of them.
 */
static void fit_differences(const struct tr2_held *held, uint32_t from,
			    uint32_t to, int64_t length, uint32_t lacking)
{
	int64_t excess = -length;

	for (uint32_t i = from; i < to; i++)
		excess += event_at(held, i)->difference;
	if (excess > 0)
		cut_differences(held, from, to, excess);
	else if (lacking < to)
		event_at(held, lacking)->difference -= excess;
	for (uint32_t i = from; i < to; i++)
		event_at(held, i)->fixed = true;
}

/* The last event ends what the one at `opening` began, so long after it. */
static void fix_pair(const struct tr2_held *held, uint32_t opening,
		     int64_t length)
{
	const uint32_t end = held->events.count;

	event_at(held, opening)->ended = true;
	if (length >= 0)
		fit_differences(held, opening + 1, end, length, end - 1);
}

/*
 * The t_rel of a `data` tells when the innermost region of its thread began:
 * the last one that is held and open.
 */
static void place_region(const struct tr2_timeline *timeline,
			 const struct tr2_held *held,
			 const struct tr2_claim *data)
{
	const struct tr2_claim leave = { .ends = TR2_PAIR_REGION,
					 .thread = data->thread };
	int64_t opening = find_opening(held, &leave);

	if (opening >= 0 && data->length >= 0)
		fit_differences(
			held, 0, (uint32_t)opening + 1,
			data->since - data->length - timeline->now,
			held->is_first && held->latest ? 0 : (uint32_t)opening);
}

/* The first one is compared with the events before it. */
static int64_t take_difference(const struct tr2_timeline *timeline,
			       struct tr2_held *held,
			       const struct tr2_claim *claim)
{
	int64_t difference = 0;

	if (!held->events.count)
		difference = tr2_place_difference(timeline, claim);
	else if (held->latest && claim->time > held->latest)
		difference = claim->time - held->latest;
	if (claim->time)
		held->latest = claim->time;
	return difference < TR2_PLACE_MOST ? difference : TR2_PLACE_MOST;
}

/* A thread has gone, or another one has its name: so have its regions. */
static void end_regions(const struct tr2_held *held, uint64_t thread)
{
	struct held_event *event;

	for (uint32_t i = 0; i < held->events.count; i++) {
		event = event_at(held, i);
		event->ended |= event->begins == TR2_PAIR_REGION &&
				event->key == thread;
	}
}

/* Does the event tell where those before it lie, or are they too many? */
static bool ends_hold(const struct tr2_timeline *timeline,
		      const struct tr2_record *record,
		      const struct tr2_claim *claim, bool is_opened)
{
	const struct tr2_held *held = timeline->held;

	if (held->events.count >= EVENTS_MOST || held->texts.len >= BYTES_MOST)
		return true;
	if (held->timeless)
		return held->events.count >= TIMELESS_MOST ||
		       !lacks_time(timeline, record, claim);
	return claim->since >= 0 || record->is == TR2_IS_ATEXIT ||
	       record->is == TR2_IS_SIGNAL ||
	       (!is_opened && tr2_place_find(timeline, claim) >= 0);
}

bool tr2_held_add(struct tr2_timeline *timeline, struct tr2_record *record,
		  const struct tr2_claim *claim)
{
	struct tr2_held *held =
		begin_hold(timeline, lacks_time(timeline, record, claim));
	int64_t opening = find_opening(held, claim), difference;
	struct held_event *event;

	if (ends_hold(timeline, record, claim, opening >= 0))
		return true;
	if (claim->ends == TR2_PAIR_THREAD || claim->begins == TR2_PAIR_THREAD)
		end_regions(held, claim->thread);
	difference = take_difference(timeline, held, claim);
	event = keep_event(held, record);
	if (claim->since >= 0)
		held->since = claim->since;
	event->difference = difference;
	event->key = claim->begins == TR2_PAIR_CHILD ? claim->child
						     : claim->thread;
	event->begins = (uint8_t)claim->begins;
	if (opening >= 0)
		fix_pair(held, (uint32_t)opening, claim->length);
	return false;
}

/*
 * The event after them knows its place. What they have too much is cut from the
 * largest difference, which may be that event's own.
 */
static void fit_before(const struct tr2_timeline *timeline,
		       struct tr2_held *held, const struct tr2_claim *next)
{
	const int64_t own = take_difference(timeline, held, next);
	const uint32_t count = held->events.count;

	TR2_VEC_PUT(&held->events, struct held_event, .difference = own);
	if (next->since >= 0)
		place_region(timeline, held, next);
	fit_differences(held, 0, count + 1,
			tr2_place_find(timeline, next) - timeline->now,
			held->is_first ? 0 : UINT32_MAX);
	held->events.count--;
}

/* It was read before, so it is read again. */
static void release_event(struct tr2_timeline *timeline, struct tr2_held *held,
			  const struct held_event *event)
{
	struct tr2_record *record = &held->record;
	struct tr2_claim claim;
	int64_t at;

	tr2_record_read(record, held->texts.bytes + event->start, event->len);
	if (held->timeless) {
		tr2_timeline_take(timeline, record);
		return;
	}
	tr2_claim_read(&claim, record);
	at = tr2_place_find(timeline, &claim);
	if (at < 0)
		at = timeline->now + event->difference;
	tr2_timeline_apply(timeline, record, &claim, at);
}

static void free_held(struct tr2_held *held)
{
	if (!held)
		return;
	tr2_buf_release(&held->texts);
	tr2_vec_release(&held->events);
	tr2_record_release(&held->record);
	free(held);
}

/* `next` tells when the process began, if it has a `time`. */
static void find_base(struct tr2_timeline *timeline,
		      const struct tr2_claim *next)
{
	timeline->timeless = true;
	if (next && next->time)
		timeline->base = next->time - (next->since >= 0
						       ? next->since
						       : timeline->held->since);
}

void tr2_held_end(struct tr2_timeline *timeline, const struct tr2_claim *next)
{
	struct tr2_held *held = timeline->held;

	if (held->timeless)
		find_base(timeline, next);
	else if (next && tr2_place_find(timeline, next) >= 0 &&
		 held->events.count)
		fit_before(timeline, held, next);
	tr2_buf_fill(&held->texts, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(&held->texts);
	timeline->held = NULL;
	for (uint32_t i = 0; i < held->events.count; i++)
		release_event(timeline, held, event_at(held, i));
	free_held(held);
}

void tr2_held_release(struct tr2_timeline *timeline)
{
	free_held(timeline->held);
}
