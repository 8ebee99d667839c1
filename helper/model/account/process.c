#include "model/account/forest.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

/* Of those of a root, whose time is given soon. */
#define SEGMENTS_KEPT 64

void tr2_process_release(struct tr2_life *life)
{
	struct tr2_summary_process *process =
		(struct tr2_summary_process *)life;

	tr2_vec_release(&process->spans);
	tr2_vec_release(&process->segments);
	tr2_vec_release(&process->locals);
	tr2_slots_release(&process->places);
	tr2_vec_release(&process->children);
	tr2_map_release(&process->threads);
	tr2_vec_release(&process->lengths);
	tr2_map_release(&process->stacks);
	tr2_buf_release(&process->error);
	tr2_buf_release(&process->cause);
	tr2_buf_release(&process->line);
}

uint32_t tr2_process_local(struct tr2_summary_process *process, uint32_t row)
{
	size_t place = tr2_slots_find(&process->places, row);
	struct tr2_local *local;

	if (place == TR2_NO_SLOT) {
		place = tr2_slots_add(&process->places, row);
		local = tr2_vec_renew(&process->locals, place, sizeof(*local));
		local->row = row;
	}
	return (uint32_t)place;
}

uint32_t tr2_process_find_local(const struct tr2_summary_process *process,
				uint32_t owner)
{
	return owner & TR2_OWNER_CHILD
		       ? tr2_child_span_at(process, owner & ~TR2_OWNER_CHILD)
				 ->local
		       : owner;
}

/*
 * The owner of the segment has its time until then. A child has it with those
 * that ran in it, so its stack gets none of it yet.
 */
static void give_segment(struct tr2_summary_process *process,
			 const struct tr2_segment *owner, int64_t to)
{
	uint32_t local = tr2_process_find_local(process, owner->owner);
	const bool waits = owner->owner & TR2_OWNER_CHILD;
	int64_t length = to - owner->from;

	process->phases[owner->phase] += length;
	process->waited[owner->phase] += waits ? length : 0;
	tr2_local_at(process, local)->sums.self += length;
	tr2_map_enter(&process->stacks, owner->frame + UINT64_C(1))->value +=
		waits ? 0 : (uint64_t)length;
}

/* From `from` on this is the owner. */
static void add_segment(struct tr2_summary_process *process,
			const struct tr2_segment *segment)
{
	struct tr2_segment *last = process->segments.items;

	if (process->segments.count > process->given) {
		last += process->segments.count - 1;
		if (last->owner == segment->owner &&
		    last->phase == segment->phase &&
		    last->frame == segment->frame)
			return;
	}
	TR2_VEC_COPY(&process->segments, struct tr2_segment, *segment);
}

/* From `from` on the open span at this place owns the time. */
static void add_owner(struct tr2_summary_process *process, uint32_t place,
		      int64_t from)
{
	struct tr2_segment owner = { .from = from, .owner = TR2_OWNER_PROCESS };
	const struct tr2_open_span *span;

	if (place != TR2_NO_SPAN) {
		span = tr2_open_span_at(process, place);
		owner.owner = span->owner;
		owner.frame = span->frame & TR2_FRAME_MOST;
		owner.phase = span->phase & 31U;
	}
	add_segment(process, &owner);
}

/*
 * Keep which time a child had, and in which the remote was waited for. All
 * other time is one with that before it.
 */
static void keep_given(struct tr2_summary_process *process,
		       const struct tr2_segment *segment)
{
	struct tr2_segment *kept = process->segments.items, given = *segment;

	if (!(given.owner & TR2_OWNER_CHILD)) {
		given = (struct tr2_segment){
			.from = segment->from,
			.owner = TR2_OWNER_GIVEN,
			.phase = tr2_phase_waits(segment->phase)
					 ? segment->phase
					 : TR2_PHASE_NONE,
		};
		if (process->given &&
		    kept[process->given - 1].owner == TR2_OWNER_GIVEN &&
		    kept[process->given - 1].phase == given.phase)
			return;
	}
	kept[process->given++] = given;
}

/* Give the time of the segments before this one; the others stay. */
static void give_until(struct tr2_summary_process *process, uint32_t end)
{
	struct tr2_segment *segment = process->segments.items;
	uint32_t last = process->segments.count;

	for (uint32_t i = process->given; i < end; i++) {
		process->given_until = i + 1 < last ? segment[i + 1].from
						    : process->now;
		give_segment(process, &segment[i], process->given_until);
		keep_given(process, &segment[i]);
	}
	if (last > end)
		memmove(segment + process->given, segment + end,
			(last - end) * sizeof(*segment));
	process->segments.count = process->given + last - end;
}

void tr2_process_flush(struct tr2_summary_process *process)
{
	give_until(process, process->segments.count);
}

/* A transport that has answered waits for git, and owns nothing. */
static uint32_t find_top(const struct tr2_summary_process *process)
{
	const uint32_t top = process->top;

	return top != TR2_NO_SPAN && tr2_open_span_at(process, top)->answered
		       ? tr2_open_span_at(process, top)->outer
		       : top;
}

/* A t_abs may go back, so the last ones may still be cut. */
void tr2_process_advance(struct tr2_summary_process *process, int64_t to)
{
	uint32_t top;

	process->before = process->now;
	if (to <= process->now)
		return;
	if (process->direct &&
	    process->segments.count - process->given >= 2 * SEGMENTS_KEPT)
		give_until(process, process->given + SEGMENTS_KEPT);
	top = find_top(process);
	add_owner(process, top, process->now);
	if (top != TR2_NO_SPAN)
		tr2_open_span_at(process, top)->spent = true;
	process->now = to;
}

/*
 * The span on top ended before now: what follows its end is not its own, if
 * the time is not given yet.
 */
static void retract_time(struct tr2_summary_process *process, uint32_t place,
			 int64_t end)
{
	const struct tr2_open_span *span = tr2_open_span_at(process, place);
	const struct tr2_segment *last = process->segments.items;

	if (process->top != place || end >= process->now ||
	    process->segments.count <= process->given)
		return;
	last += process->segments.count - 1;
	if (last->owner == span->owner)
		add_owner(process, span->outer,
			  end > last->from ? end : last->from);
}

/* The frame of a span inside this one, or in the process itself. */
static uint32_t enter_frame(struct tr2_summary_process *process,
			    const struct tr2_open_span *outer, uint32_t owner)
{
	struct tr2_forest *forest = process->forest;
	uint32_t parent = outer ? outer->frame : TR2_FRAME_NONE;
	uint32_t local = tr2_process_find_local(process, owner);

	if (outer && outer->depth >= TR2_FRAME_DEPTH) {
		forest->stacks.cut++;
		return parent;
	}
	return tr2_frames_enter(&forest->stacks, &forest->rows, parent,
				tr2_local_at(process, local)->row);
}

struct tr2_open_span *tr2_process_enter(struct tr2_summary_process *process,
					uint32_t place, uint32_t owner)
{
	struct tr2_open_span *span =
		tr2_vec_reach(&process->spans, place, sizeof(*span));

	*span = (struct tr2_open_span){ .owner = owner };
	return span;
}

/* What the present event tells: git has waited for the transport again. */
static void resume_transport(struct tr2_summary_process *process)
{
	const uint32_t place = process->transport;
	struct tr2_open_span *span = tr2_open_span_at(process, place);

	if (span->answered && process->top == place &&
	    process->before < process->now)
		add_owner(process, place, process->before);
	span->answered = false;
}

/*
 * Once the remote answers, its transport waits for something else. In brief
 * form its time may be known only when it ends.
 */
static void advance_transport(struct tr2_summary_process *process,
			      enum tr2_phase begun)
{
	const enum tr2_phase after = tr2_phase_after(begun);

	if (after == TR2_PHASE_REMOTE || process->transport == TR2_NO_SPAN)
		return;
	if (begun == TR2_PHASE_WAIT || begun == TR2_PHASE_RECEIVE)
		resume_transport(process);
	if (tr2_open_span_at(process, process->transport)->spent)
		tr2_open_span_at(process, process->transport)->phase =
			(uint8_t)after;
}

/* The transport was begun for what has ended in this region. */
static void end_answer(struct tr2_summary_process *process, uint32_t region)
{
	struct tr2_open_span *span;

	if (process->transport == TR2_NO_SPAN)
		return;
	span = tr2_open_span_at(process, process->transport);
	span->answered |= span->around == region;
}

/* The innermost region stands for those around it. */
static void note_place(struct tr2_summary_process *process,
		       struct tr2_open_span *span, uint32_t place)
{
	span->around = process->region;
	if (!(span->owner & TR2_OWNER_CHILD)) {
		process->region = place;
		return;
	}
	tr2_child_span_at(process, span->owner & ~TR2_OWNER_CHILD)->frame =
		span->frame;
	if (span->phase == TR2_PHASE_REMOTE)
		process->transport = place;
}

void tr2_process_push(struct tr2_summary_process *process, uint32_t place,
		      enum tr2_phase phase)
{
	struct tr2_open_span *span = tr2_open_span_at(process, place);
	const struct tr2_open_span *region =
		process->region == TR2_NO_SPAN
			? NULL
			: tr2_open_span_at(process, process->region);

	advance_transport(process, phase);
	span->frame = enter_frame(process, region, span->owner);
	span->depth = region ? region->depth + 1 : 1;
	span->outer = process->top;
	span->inner = TR2_NO_SPAN;
	span->owns = true;
	if (span->outer != TR2_NO_SPAN)
		tr2_open_span_at(process, span->outer)->inner = place;
	if (region && region->phase && (!phase || phase == TR2_PHASE_PROGRAMS))
		phase = region->phase;
	span->phase = (uint8_t)phase;
	process->top = place;
	note_place(process, span, place);
}

static void remove_span(struct tr2_summary_process *process,
			const struct tr2_open_span *span)
{
	if (span->inner != TR2_NO_SPAN)
		tr2_open_span_at(process, span->inner)->outer = span->outer;
	else
		process->top = span->outer;
	if (span->outer != TR2_NO_SPAN)
		tr2_open_span_at(process, span->outer)->inner = span->inner;
}

/* Once refs are taken, what is around them writes them, since 2.51. */
static void advance_around(struct tr2_summary_process *process,
			   const struct tr2_open_span *span)
{
	struct tr2_open_span *around;

	if (span->phase != TR2_PHASE_WRITE || span->owner & TR2_OWNER_CHILD ||
	    span->around == TR2_NO_SPAN)
		return;
	around = tr2_open_span_at(process, span->around);
	if (!around->phase)
		around->phase = TR2_PHASE_WRITE;
}

void tr2_process_pop(struct tr2_summary_process *process, uint32_t place,
		     int64_t end)
{
	const struct tr2_open_span *span = tr2_open_span_at(process, place);

	advance_around(process, span);
	if (process->transport == place)
		resume_transport(process);
	else
		end_answer(process, place);
	retract_time(process, place, end);
	remove_span(process, span);
	if (process->region == place)
		process->region = span->around;
	if (process->transport == place)
		process->transport = TR2_NO_SPAN;
}

void tr2_process_claim(struct tr2_summary_process *process, uint32_t local,
		       enum tr2_phase phase, int64_t from)
{
	struct tr2_vec *all = &process->segments;
	struct tr2_segment *segment = all->items;
	uint32_t i = process->given;

	while (i + 1 < all->count && segment[i + 1].from <= from)
		i++;
	if (i < all->count && segment[i].owner == TR2_OWNER_PROCESS &&
	    segment[i].from < from) {
		tr2_vec_insert(all, i + 1, sizeof(*segment));
		segment = all->items;
		segment[i + 1] = segment[i];
		segment[++i].from = from;
	}
	for (; i < all->count; i++)
		if (segment[i].owner == TR2_OWNER_PROCESS)
			segment[i] = (struct tr2_segment){
				.from = segment[i].from,
				.owner = local,
				.frame = enter_frame(process, NULL, local) &
					 TR2_FRAME_MOST,
				.phase = phase & 31U,
			};
}
