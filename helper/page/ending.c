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

static const struct tr2_page_process *
find_owner(const struct tr2_page_spans *spans, uint32_t thread)
{
	return tr2_page_process_at(spans,
				   tr2_page_thread_at(spans, thread)->process);
}

/*
 * What was noted before the first event with a time has its distance from the
 * start of the process.
 */
static int64_t shift_time(const struct tr2_page_process *process, int64_t time)
{
	return time < process->base ? time + process->base : time;
}

static void shift_times(struct tr2_page_spans *spans)
{
	struct tr2_page_span *span = spans->spans.items;
	struct tr2_page_mark *mark = spans->marks.items;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++, span++) {
		if (span->end >= span->start)
			span->end = shift_time(find_owner(spans, span->thread),
					       span->end);
		span->start = shift_time(find_owner(spans, span->thread),
					 span->start);
	}
	for (i = 0; i < spans->marks.count; i++, mark++)
		mark->time =
			shift_time(find_owner(spans, mark->thread), mark->time);
}

static void end_spans(struct tr2_page_spans *spans)
{
	struct tr2_page_span *span = spans->spans.items;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++, span++) {
		if (span->end >= span->start)
			continue;
		span->end = find_owner(spans, span->thread)->now;
		span->unclosed = true;
	}
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

/* Children are found by their pid, which child_exit tells. */
static void note_pids(const struct tr2_page_spans *spans,
		      struct tr2_map *by_pid)
{
	const struct tr2_page_span *span;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++) {
		span = tr2_page_span_at(spans, i);
		if (span->pid)
			tr2_page_enter_pair(by_pid,
					    tr2_page_thread_at(spans,
							       span->thread)
						    ->process,
					    span->pid)
				->value = i + UINT64_C(1);
	}
}

static void tie_processes(struct tr2_page_spans *spans)
{
	struct tr2_map by_pid = { 0 };
	struct tr2_page_process *process;
	uint32_t i;

	note_pids(spans, &by_pid);
	for (i = 0; i < spans->processes.count; i++) {
		process = tr2_page_process_at(spans, i);
		if (!process->parent)
			continue;
		process->caller = (uint32_t)tr2_map_value(&spans->by_sid,
							  process->parent) -
				  1;
		if (process->caller != TR2_PAGE_NONE)
			process->span =
				(uint32_t)tr2_page_enter_pair(
					&by_pid, process->caller, process->pid)
					->value -
				1;
	}
	tr2_map_release(&by_pid);
}

void tr2_page_spans_end(struct tr2_page_spans *spans)
{
	shift_times(spans);
	end_spans(spans);
	sort_by_thread(&spans->spans, sizeof(struct tr2_page_span),
		       offsetof(struct tr2_page_span, thread),
		       spans->threads.count);
	sort_by_thread(&spans->marks, sizeof(struct tr2_page_mark),
		       offsetof(struct tr2_page_mark, thread),
		       spans->threads.count);
	find_limits(spans);
	tie_processes(spans);
}
