/* The end of all events: what is open, the order, and who ran whom. */
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/memory.h"
#include "page/spans.h"

struct tr2_map_slot *tr2_page_enter_pair(struct tr2_map *map, uint64_t first,
					 uint64_t second)
{
	const uint64_t pair[] = { first, second };

	return tr2_map_enter(map,
			     tr2_hash((const char *)pair, sizeof(pair)).a | 1);
}

static struct tr2_page_process *find_owner(const struct tr2_page_spans *spans,
					   uint32_t thread)
{
	return tr2_page_process_at(spans,
				   tr2_page_thread_at(spans, thread)->process);
}

/* A thread whose end is not in the log ends with its process. */
static void end_threads(struct tr2_page_spans *spans)
{
	const struct tr2_page_thread *thread;
	struct tr2_page_span *span;
	uint32_t i;

	for (i = 0; i < spans->threads.count; i++) {
		thread = tr2_page_thread_at(spans, i);
		if (thread->life == TR2_PAGE_NONE)
			continue;
		span = tr2_page_span_at(spans, thread->life);
		span->end =
			tr2_timeline_length(&find_owner(spans, i)->timeline);
		span->unclosed = true;
		span->ends_last = true;
	}
}

/* From places in a process to times of all. */
static void place_spans(struct tr2_page_spans *spans)
{
	struct tr2_page_span *span = spans->spans.items;
	struct tr2_page_mark *mark = spans->marks.items;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++, span++) {
		span->start += find_owner(spans, span->thread)->base;
		span->end += find_owner(spans, span->thread)->base;
	}
	for (i = 0; i < spans->marks.count; i++, mark++)
		mark->time += find_owner(spans, mark->thread)->base;
}

static uint32_t read_number(const char *bytes)
{
	uint32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

/*
 * Items of a thread stay in the order of their events, in which they began:
 * one around another one comes first, even if both have the same times.
 */
static void sort_by_thread(struct tr2_vec *vec, size_t size, size_t thread_at,
			   uint32_t threads)
{
	size_t *places = tr2_must_zeros((threads + 1U) * sizeof(*places));
	char *items = vec->items, *sorted;
	uint32_t i, thread;

	sorted = tr2_must_grow(NULL, vec->count * size + 1);
	for (i = 0; i < vec->count; i++)
		places[read_number(items + i * size + thread_at) + 1]++;
	for (i = 0; i < threads; i++)
		places[i + 1] += places[i];
	for (i = 0; i < vec->count; i++) {
		thread = read_number(items + i * size + thread_at);
		memcpy(sorted + size * places[thread]++, items + i * size,
		       size);
	}
	free(places);
	free(items);
	vec->items = sorted;
	vec->room = vec->count;
}

static void find_limits(struct tr2_page_spans *spans)
{
	const struct tr2_page_process *process;
	uint32_t i;

	for (i = 0; i < spans->processes.count; i++) {
		process = tr2_page_process_at(spans, i);
		if (!process->timed)
			continue;
		if (!spans->first || process->base < spans->first)
			spans->first = process->base;
		if (process->now > spans->last)
			spans->last = process->now;
	}
}

/*
 * Children are found by their pid, which child_exit tells. Those of a process
 * that had the same one are tied.
 */
static void note_pids(const struct tr2_page_spans *spans,
		      struct tr2_map *by_pid)
{
	struct tr2_page_span *span;
	struct tr2_map_slot *slot;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++) {
		span = tr2_page_span_at(spans, i);
		if (!span->pid)
			continue;
		slot = tr2_page_enter_pair(
			by_pid,
			tr2_page_thread_at(spans, span->thread)->process,
			span->pid);
		span->twin = (uint32_t)slot->value - 1;
		slot->value = i + UINT64_C(1);
	}
}

/* Without times nothing speaks against it. What took a place is still there. */
static bool fits_life(const struct tr2_page_span *span,
		      const struct tr2_page_process *process)
{
	if (!process->timed)
		return true;
	return process->now >= span->start &&
	       (span->is_exec || process->base <= span->end);
}

/* Did it begin nearer to the process, and before it? */
static bool is_nearer(const struct tr2_page_span *span,
		      const struct tr2_page_span *other, int64_t base)
{
	bool before = span->start <= base, other_before = other->start <= base;

	return before == other_before ? before && span->start > other->start
				      : before;
}

/*
 * Systems use pids again. Returns the span whose child the process was; the
 * search is short, so that it takes no hours where all have one pid.
 */
#define SPANS_SEARCHED 64

static uint32_t find_span(const struct tr2_page_spans *spans, uint32_t last,
			  const struct tr2_page_process *process)
{
	const struct tr2_page_span *span;
	uint32_t found = TR2_PAGE_NONE, searched = 0;

	for (; last != TR2_PAGE_NONE && searched < SPANS_SEARCHED;
	     last = span->twin, searched++) {
		span = tr2_page_span_at(spans, last);
		if (fits_life(span, process) &&
		    (found == TR2_PAGE_NONE ||
		     is_nearer(span, tr2_page_span_at(spans, found),
			       process->base)))
			found = last;
	}
	return found;
}

static void tie_processes(struct tr2_page_spans *spans)
{
	struct tr2_map by_pid = { 0 };
	struct tr2_page_process *process;
	uint32_t i, last;

	note_pids(spans, &by_pid);
	for (i = 0; i < spans->processes.count; i++) {
		process = tr2_page_process_at(spans, i);
		if (!process->parent)
			continue;
		process->caller = (uint32_t)tr2_map_value(&spans->by_sid,
							  process->parent) -
				  1;
		if (process->caller == TR2_PAGE_NONE)
			continue;
		last = (uint32_t)tr2_page_enter_pair(&by_pid, process->caller,
						     process->pid)
			       ->value -
		       1;
		process->span = find_span(spans, last, process);
	}
	tr2_map_release(&by_pid);
}

static void find_heirs(const struct tr2_page_spans *spans)
{
	const struct tr2_page_process *process;
	struct tr2_page_process *caller;
	uint32_t i;

	for (i = 0; i < spans->processes.count; i++) {
		process = tr2_page_process_at(spans, i);
		if (process->caller == TR2_PAGE_NONE)
			continue;
		caller = tr2_page_process_at(spans, process->caller);
		if (tr2_timeline_offer_heir(&caller->timeline,
					    &process->timeline,
					    caller->pid == process->pid))
			caller->heir = i;
	}
}

/* A process that executed another program ends where that one ends. */
static void extend_process(const struct tr2_page_spans *spans, uint32_t heir)
{
	const struct tr2_page_process *child = tr2_page_process_at(spans, heir);
	struct tr2_page_process *process;

	for (; child->caller != TR2_PAGE_NONE; child = process) {
		process = tr2_page_process_at(spans, child->caller);
		if (process->heir != heir)
			return;
		tr2_timeline_end_with(&process->timeline, &child->timeline);
		process->now =
			process->base + tr2_timeline_length(&process->timeline);
		heir = child->caller;
	}
}

static void end_with_process(const struct tr2_page_spans *spans,
			     struct tr2_page_span *span)
{
	span->end = find_owner(spans, span->thread)->now;
	if (span->end < span->start)
		span->end = span->start;
}

/* The innermost heirs have theirs first: each makes the next one longer. */
static void extend_processes(const struct tr2_page_spans *spans)
{
	struct tr2_page_span *span = spans->spans.items;
	uint32_t i;

	for (i = 0; i < spans->processes.count; i++)
		if (tr2_page_process_at(spans, i)->heir == TR2_PAGE_NONE)
			extend_process(spans, i);
	for (i = 0; i < spans->spans.count; i++, span++)
		if (span->ends_last)
			end_with_process(spans, span);
}

void tr2_page_spans_end(struct tr2_page_spans *spans)
{
	uint32_t i;

	for (i = 0; i < spans->processes.count; i++)
		tr2_page_spans_close(spans, i);
	end_threads(spans);
	place_spans(spans);
	sort_by_thread(&spans->spans, sizeof(struct tr2_page_span),
		       offsetof(struct tr2_page_span, thread),
		       spans->threads.count);
	sort_by_thread(&spans->marks, sizeof(struct tr2_page_mark),
		       offsetof(struct tr2_page_mark, thread),
		       spans->threads.count);
	tie_processes(spans);
	find_heirs(spans);
	extend_processes(spans);
	find_limits(spans);
}
