#include "model/timeline_part.h"

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
