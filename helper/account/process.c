#include "account/process.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

struct tr2_summary_process *tr2_process_new(struct tr2_rows *rows, uint64_t key)
{
	struct tr2_summary_process *process = tr2_must_zeros(sizeof(*process));

	process->key = key;
	/* Its command is not known yet, so the first row has no name. */
	tr2_process_local(process,
			  tr2_rows_enter(rows, TR2_TABLE_COMMANDS, 0, 0));
	return process;
}

static void release_spans(struct tr2_vec *children)
{
	struct tr2_child_span *child = children->items;
	uint32_t i;

	for (i = 0; i < children->count; i++)
		tr2_vec_release(&child[i].intervals);
	tr2_vec_release(children);
}

void tr2_process_free(struct tr2_summary_process *process)
{
	tr2_vec_release(&process->stack);
	tr2_vec_release(&process->segments);
	tr2_vec_release(&process->locals);
	tr2_map_release(&process->places);
	release_spans(&process->children);
	tr2_slots_release(&process->child_ids);
	tr2_map_release(&process->threads);
	tr2_vec_release(&process->lengths);
	free(process);
}

uint32_t tr2_process_local(struct tr2_summary_process *process, uint32_t row)
{
	struct tr2_map_slot *slot =
		tr2_map_enter(&process->places, row + UINT64_C(1));
	struct tr2_local *local;

	if (!slot->value) {
		local = tr2_vec_renew(&process->locals, process->locals.count,
				      sizeof(*local));
		local->row = row;
		slot->value = process->locals.count;
	}
	return (uint32_t)(slot->value - 1);
}

uint32_t tr2_process_row(const struct tr2_summary_process *process,
			 uint32_t owner)
{
	if (owner & TR2_OWNER_CHILD)
		owner = tr2_child_span_at(process, owner & ~TR2_OWNER_CHILD)
				->local;
	return tr2_local_at(process, owner)->row;
}

/* Intervals of one child that touch each other are one. */
static void add_interval(struct tr2_child_span *child, uint8_t phase,
			 int64_t from, int64_t to)
{
	struct tr2_interval *last = child->intervals.items;

	if (child->intervals.count) {
		last += child->intervals.count - 1;
		if (last->to == from && last->phase == phase) {
			last->to = to;
			return;
		}
	}
	last = tr2_vec_add(&child->intervals, sizeof(*last));
	*last = (struct tr2_interval){ from, to, phase };
}

void tr2_process_give(struct tr2_summary_process *process, uint32_t owner,
		      uint8_t phase, int64_t from, int64_t to)
{
	struct tr2_child_span *child;

	process->phases[phase] += to - from;
	if (owner & TR2_OWNER_CHILD) {
		child = tr2_child_span_at(process, owner & ~TR2_OWNER_CHILD);
		add_interval(child, phase, from, to);
		owner = child->local;
	}
	tr2_local_at(process, owner)->sums.self += to - from;
}

void tr2_process_add_segment(struct tr2_summary_process *process,
			     uint32_t owner, uint8_t phase)
{
	struct tr2_segment *last = process->segments.items;

	if (process->segments.count) {
		last += process->segments.count - 1;
		if (last->owner == owner && last->phase == phase)
			return;
	}
	last = tr2_vec_add(&process->segments, sizeof(*last));
	*last = (struct tr2_segment){ process->now, owner, phase };
}

void tr2_process_advance(struct tr2_summary_process *process, int64_t to)
{
	const struct tr2_open_span *top = process->stack.items;
	uint32_t owner = TR2_OWNER_PROCESS;
	uint8_t phase = TR2_PHASE_NONE;

	if (to <= process->now)
		return;
	if (process->stack.count) {
		top += process->stack.count - 1;
		owner = top->owner;
		phase = top->phase;
	}
	if (process->direct)
		tr2_process_give(process, owner, phase, process->now, to);
	else
		tr2_process_add_segment(process, owner, phase);
	process->now = to;
}

void tr2_process_push(struct tr2_summary_process *process, uint32_t owner,
		      enum tr2_phase phase)
{
	struct tr2_open_span *span =
		tr2_vec_add(&process->stack, sizeof(*span));

	if (!phase && process->stack.count > 1)
		phase = span[-1].phase;
	*span = (struct tr2_open_span){ .owner = owner,
					.start = process->now,
					.phase = (uint8_t)phase };
}

void tr2_process_pop(struct tr2_summary_process *process,
		     struct tr2_chains *chains, uint32_t place)
{
	struct tr2_open_span *stack = process->stack.items;
	struct tr2_open_span ended = stack[place];
	struct tr2_child_span *child;
	uint32_t link;

	process->stack.count--;
	memmove(stack + place, stack + place + 1,
		(process->stack.count - place) * sizeof(*stack));
	link = tr2_chain_offer(
		chains, place ? &stack[place - 1].longest : &process->longest,
		tr2_process_row(process, ended.owner),
		process->now - ended.start, ended.longest);
	if (!link || !(ended.owner & TR2_OWNER_CHILD))
		return;
	child = tr2_child_span_at(process, ended.owner & ~TR2_OWNER_CHILD);
	child->link = link;
	child->generation = tr2_chain_at(chains, link)->generation;
}
