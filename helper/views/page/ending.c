/* The end of all events: what is open, the order, and who ran whom. */
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "model/tree.h"
#include "views/page/spans.h"

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
		span->unclosed = span->ends_last = true;
	}
}

/* From places in a process to times of all. */
static void place_spans(struct tr2_page_spans *spans)
{
	struct tr2_page_span *span = spans->spans.items;
	struct tr2_page_mark *mark = spans->marks.items;
	const struct tr2_page_process *owner;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++, span++) {
		owner = find_owner(spans, span->thread);
		span->start += owner->base;
		span->end += owner->base;
		if (span->ends_last)
			span->end = owner->now;
		if (span->ends_last && span->end < span->start)
			span->end = span->start;
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

/* Returns the number of the span of each call, which must be freed. */
static uint32_t *list_calls(const struct tr2_tree *tree,
			    const struct tr2_page_spans *spans)
{
	uint32_t *calls =
		tr2_must_grow(NULL, (tree->calls.count + 1U) * sizeof(*calls));
	const struct tr2_page_span *span = spans->spans.items;
	uint32_t i, number;

	for (i = 0; i < spans->spans.count; i++, span++) {
		if (span->kind != TR2_PAGE_CHILD)
			continue;
		number = find_owner(spans, span->thread)->number;
		calls[tr2_tree_process_at(tree, number)->first + span->child] =
			i;
	}
	return calls;
}

/* What the tree tells of a process and of its children. */
static void take_tree(const struct tr2_tree *tree,
		      const struct tr2_page_spans *spans)
{
	uint32_t *calls = list_calls(tree, spans);
	const uint32_t *numbers = spans->ended.items;
	const struct tr2_tree_process *found;
	struct tr2_page_process *process;
	uint32_t i;

	for (i = 0; i < spans->ended.count; i++) {
		found = tr2_tree_process_at(tree, i);
		process = tr2_page_process_at(spans, numbers[i]);
		if (found->caller != TR2_TREE_NONE)
			process->caller = numbers[found->caller];
		if (found->call != TR2_TREE_NONE && found->tie != TR2_TIE_GUESS)
			process->span = calls[found->call];
	}
	free(calls);
}

void tr2_page_spans_end(void *taker, const struct tr2_tree *tree)
{
	struct tr2_page_spans *spans = taker;

	end_threads(spans);
	place_spans(spans);
	sort_by_thread(&spans->spans, sizeof(struct tr2_page_span),
		       offsetof(struct tr2_page_span, thread),
		       spans->threads.count);
	sort_by_thread(&spans->marks, sizeof(struct tr2_page_mark),
		       offsetof(struct tr2_page_mark, thread),
		       spans->threads.count);
	take_tree(tree, spans);
}
