#include "model/timeline_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "read/value.h"

struct timeline_step { /* An event on its way. */
	struct tr2_moment moment;
	const struct tr2_claim *claim;
};

void tr2_timeline_begin(struct tr2_timeline *timeline,
			const struct tr2_timeline_view *view, void *context)
{
	*timeline = (struct tr2_timeline){ .view = view,
					   .context = context,
					   .last = TR2_NO_SPAN,
					   .free = TR2_NO_SPAN };
}

static void name_thread(struct tr2_timeline_thread *thread,
			struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_THREAD, &len);

	if (!text || !len)
		return;
	thread->name = memcpy(tr2_must_grow(NULL, len), text, len);
	thread->name_len = (uint32_t)len;
}

/* Returns the place of the event's thread, which may be new. */
static uint32_t enter_thread(struct tr2_timeline *timeline, uint64_t hash,
			     struct tr2_record *record)
{
	uint32_t place = tr2_timeline_find_thread(timeline, hash);
	struct tr2_timeline_thread *thread;

	if (place != TR2_NO_SPAN)
		return place;
	place = (uint32_t)tr2_slots_add(&timeline->thread_names, hash);
	thread = tr2_vec_renew(&timeline->threads, place, sizeof(*thread));
	*thread = (struct tr2_timeline_thread){ .hash = hash,
						.top = TR2_NO_SPAN,
						.begin = -1 };
	name_thread(thread, record);
	return place;
}

static void tell_begin(const struct timeline_step *step,
		       struct tr2_timeline_span *span)
{
	const struct tr2_timeline *timeline = step->moment.timeline;

	if (timeline->view->begin_span)
		timeline->view->begin_span(timeline->context, &step->moment,
					   span);
}

static void end_span(const struct timeline_step *step,
		     struct tr2_timeline_span *span, int64_t length)
{
	struct tr2_timeline *timeline = step->moment.timeline;

	span->length = length;
	if (timeline->view->end_span)
		timeline->view->end_span(timeline->context, &step->moment,
					 span);
	tr2_span_remove(timeline, span);
}

static int64_t measure_to(const struct tr2_timeline_span *span, int64_t end)
{
	return end > span->begin ? end - span->begin : 0;
}

/* The event's own duration decides. */
static int64_t measure_span(const struct timeline_step *step,
			    const struct tr2_timeline_span *span)
{
	return step->claim->length >= 0 ? step->claim->length
					: measure_to(span, step->moment.at);
}

static struct tr2_timeline_thread *find_thread(const struct timeline_step *step)
{
	return tr2_timeline_thread_at(step->moment.timeline,
				      step->moment.thread);
}

static void enter_region(const struct timeline_step *step)
{
	struct tr2_timeline_span *span =
		tr2_span_begin(&step->moment, TR2_SPAN_REGION);

	find_thread(step)->top = span->place;
	tell_begin(step, span);
}

/*
 * The log does not show where the region began, but how long it lasted. One
 * that leaves no region at all is git's own mistake.
 */
static void leave_unseen(const struct timeline_step *step)
{
	struct tr2_timeline_span *span;
	int64_t nesting = 1, length = step->claim->length;

	tr2_record_integer(step->moment.record, TR2_KEY_NESTING, &nesting);
	if (length < 0 || !nesting)
		return;
	span = tr2_span_begin(&step->moment, TR2_SPAN_REGION);
	span->begin = length < span->begin ? span->begin - length : 0;
	span->time = 0;
	span->unseen = true;
	tell_begin(step, span);
	end_span(step, span, length);
}

/* SPEC: region.pairs */
static void leave_region(const struct timeline_step *step)
{
	uint32_t place = find_thread(step)->top;
	struct tr2_timeline_span *span;

	if (place == TR2_NO_SPAN) {
		leave_unseen(step);
		return;
	}
	span = tr2_timeline_span_at(step->moment.timeline, place);
	end_span(step, span, measure_span(step, span));
}

static void begin_child(const struct timeline_step *step,
			enum tr2_span_kind kind)
{
	struct tr2_timeline *timeline = step->moment.timeline;
	struct tr2_timeline_span *span = tr2_span_begin(&step->moment, kind);
	uint64_t key = step->claim->child;
	uint32_t *place;

	span->key = key;
	if (key != TR2_NO_CHILD) {
		place = tr2_vec_renew(&timeline->child_spans,
				      tr2_slots_add(&timeline->child_ids, key),
				      sizeof(*place));
		*place = span->place;
	}
	tell_begin(step, span);
}

static void start_child(const struct timeline_step *step)
{
	begin_child(step, TR2_SPAN_CHILD);
}

static void start_exec(const struct timeline_step *step)
{
	step->moment.timeline->is_replaced = true;
	step->moment.timeline->replaced_at = step->moment.at;
	begin_child(step, TR2_SPAN_EXEC);
}

static void end_child(const struct timeline_step *step)
{
	struct tr2_timeline *timeline = step->moment.timeline;
	uint32_t place =
		step->claim->ends
			? tr2_timeline_find_child(timeline, step->claim->child)
			: TR2_NO_SPAN;
	struct tr2_timeline_span *span;

	if (place == TR2_NO_SPAN)
		return;
	span = tr2_timeline_span_at(timeline, place);
	end_span(step, span, measure_span(step, span));
}

/* There is a result only if the program could not be executed. */
static void end_exec(const struct timeline_step *step)
{
	step->moment.timeline->is_replaced = false;
	end_child(step);
}

static void start_thread(const struct timeline_step *step)
{
	struct tr2_timeline_thread *thread = find_thread(step);

	if (step->moment.thread != step->moment.timeline->main)
		thread->begin = step->moment.at;
}

static void drop_thread(struct tr2_timeline *timeline, uint32_t place)
{
	struct tr2_timeline_thread *thread =
		tr2_timeline_thread_at(timeline, place);

	free(thread->name);
	thread->name = NULL;
	tr2_slots_remove(&timeline->thread_names, place);
}

static void exit_thread(const struct timeline_step *step)
{
	struct tr2_timeline *timeline = step->moment.timeline;
	struct tr2_timeline_thread *thread = find_thread(step);
	struct tr2_timeline_span *span;

	while (thread->top != TR2_NO_SPAN) {
		span = tr2_timeline_span_at(timeline, thread->top);
		span->unclosed = true;
		end_span(step, span, measure_to(span, step->moment.at));
	}
	if (step->moment.thread == timeline->main)
		return;
	drop_thread(timeline, step->moment.thread);
}

static void (*const effects[TR2_IS_OTHER + 1])(const struct timeline_step *) = {
	[TR2_IS_REGION_ENTER] = enter_region,
	[TR2_IS_REGION_LEAVE] = leave_region,
	[TR2_IS_CHILD_START] = start_child,
	[TR2_IS_CHILD_EXIT] = end_child,
	[TR2_IS_CHILD_READY] = end_child,
	[TR2_IS_EXEC] = start_exec,
	[TR2_IS_EXEC_RESULT] = end_exec,
	[TR2_IS_THREAD_START] = start_thread,
	[TR2_IS_THREAD_EXIT] = exit_thread,
};

void tr2_timeline_apply(struct tr2_timeline *timeline,
			struct tr2_record *record,
			const struct tr2_claim *claim, int64_t at)
{
	const struct tr2_timeline_view *view = timeline->view;
	struct timeline_step step = {
		.moment = { .timeline = timeline,
			    .record = record,
			    .time = claim->time,
			    .at = tr2_place_enter(timeline, record, claim, at),
			    .thread = enter_thread(timeline, claim->thread,
						   record) },
		.claim = claim,
	};

	if (record->is == TR2_IS_START)
		timeline->main = step.moment.thread;
	tr2_ending_note(timeline, record, claim, step.moment.at);
	view->take(timeline->context, &step.moment);
	if (effects[record->is])
		effects[record->is](&step);
	if (view->finish)
		view->finish(timeline->context, &step.moment);
}

void tr2_timeline_take(struct tr2_timeline *timeline, struct tr2_record *record)
{
	const bool timeless = timeline->timeless;
	struct tr2_claim claim;
	int64_t at;

	tr2_claim_read(&claim, record);
	if (timeline->held || tr2_held_wants(timeline, record, &claim)) {
		if (!tr2_held_add(timeline, record, &claim))
			return;
		tr2_held_end(timeline, &claim);
	}
	if (timeline->timeless != timeless) {
		tr2_timeline_take(timeline, record);
		return;
	}
	at = tr2_place_find(timeline, &claim);
	if (at < 0)
		at = timeline->now + tr2_place_difference(timeline, &claim);
	tr2_timeline_apply(timeline, record, &claim, at);
}

void tr2_timeline_settle(struct tr2_timeline *timeline)
{
	while (timeline->held)
		tr2_held_end(timeline, NULL);
}

void tr2_timeline_close(struct tr2_timeline *timeline)
{
	struct timeline_step step = { .moment.timeline = timeline };
	struct tr2_timeline_span *span;

	tr2_timeline_settle(timeline);
	step.moment.at = tr2_timeline_length(timeline);
	while (timeline->last != TR2_NO_SPAN) {
		span = tr2_timeline_span_at(timeline, timeline->last);
		step.moment.thread = span->thread;
		span->unclosed = span->kind != TR2_SPAN_EXEC;
		end_span(&step, span, measure_to(span, step.moment.at));
	}
}

void tr2_timeline_release(struct tr2_timeline *timeline)
{
	struct tr2_timeline_thread *thread = timeline->threads.items;

	for (uint32_t i = 0; i < timeline->threads.count; i++)
		free(thread[i].name);
	tr2_vec_release(&timeline->threads);
	tr2_vec_release(&timeline->spans);
	tr2_vec_release(&timeline->child_spans);
	tr2_slots_release(&timeline->thread_names);
	tr2_slots_release(&timeline->child_ids);
	tr2_held_release(timeline);
}
