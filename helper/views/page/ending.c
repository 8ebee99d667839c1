/* The end of all events: what is open, the order, and who ran whom. */
#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "model/tree.h"
#include "views/page/spans.h"

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

/* Until the spans are sorted, they are in the order in which they began. */
static void add_call(struct tr2_tree *tree, struct tr2_page_span *span)
{
	const struct tr2_tree_call call = {
		.begin = span->start,
		.end = span->end,
		.pid = span->pid,
		.words = span->words & TR2_WORDS_MOST,
		.kind = (unsigned)span->call & 3,
	};

	span->words = tree->calls.count;
	tr2_tree_add_call(tree, &call);
}

static void add_process(struct tr2_tree *tree,
			const struct tr2_page_spans *spans,
			const struct tr2_page_process *process)
{
	struct tr2_tree_process added = {
		.begin = process->base,
		.end = process->now,
		.words = process->arguments,
		.timed = process->timed,
	};
	size_t len;
	const char *sid = tr2_rows_text(spans->texts, process->sid, &len);

	tr2_tree_read_sid(&added, sid, len);
	tr2_tree_add(tree, &added);
}

/* Each process, and then its children. */
static void fill_tree(struct tr2_tree *tree, const struct tr2_page_spans *spans)
{
	uint32_t *next =
		tr2_must_grow(NULL, (spans->spans.count + 1U) * sizeof(*next));
	uint32_t *first =
		tr2_must_zeros((spans->processes.count + 1U) * sizeof(*first));
	uint32_t i, at, *head;

	for (i = spans->spans.count; i; i--) {
		if (tr2_page_span_at(spans, i - 1)->kind != TR2_PAGE_CHILD)
			continue;
		at = tr2_page_span_at(spans, i - 1)->thread;
		head = &first[tr2_page_thread_at(spans, at)->process];
		next[i - 1] = *head;
		*head = i;
	}
	for (i = 0; i < spans->processes.count; i++) {
		add_process(tree, spans, tr2_page_process_at(spans, i));
		for (at = first[i]; at; at = next[at - 1])
			add_call(tree, tr2_page_span_at(spans, at - 1));
	}
	free(next);
	free(first);
}

static void end_with_process(const struct tr2_page_spans *spans,
			     struct tr2_page_span *span)
{
	span->end = find_owner(spans, span->thread)->now;
	if (span->end < span->start)
		span->end = span->start;
}

/* What the tree tells of a process and of its children. */
static void take_tree(const struct tr2_tree *tree,
		      const struct tr2_page_spans *spans)
{
	uint32_t *span_of = tr2_must_grow(NULL, (tree->calls.count + 1U) *
							sizeof(*span_of));
	const struct tr2_tree_process *found = tree->processes.items;
	struct tr2_page_process *process = spans->processes.items;
	struct tr2_page_span *span = spans->spans.items;
	uint32_t i;

	for (i = 0; i < spans->spans.count; i++, span++) {
		if (span->kind != TR2_PAGE_CHILD)
			continue;
		span_of[span->words] = i;
	}
	for (i = 0; i < spans->processes.count; i++, process++, found++) {
		process->now = found->end;
		process->caller = found->caller;
		if (found->call != TR2_TREE_NONE && found->tie != TR2_TIE_GUESS)
			process->span = span_of[found->call];
	}
	span = spans->spans.items;
	for (i = 0; i < spans->spans.count; i++, span++)
		if (span->ends_last)
			end_with_process(spans, span);
	free(span_of);
}

void tr2_page_spans_end(struct tr2_page_spans *spans)
{
	struct tr2_tree tree = { 0 };
	uint32_t i;

	for (i = 0; i < spans->processes.count; i++)
		tr2_page_spans_close(spans, i);
	end_threads(spans);
	place_spans(spans);
	fill_tree(&tree, spans);
	sort_by_thread(&spans->spans, sizeof(struct tr2_page_span),
		       offsetof(struct tr2_page_span, thread),
		       spans->threads.count);
	sort_by_thread(&spans->marks, sizeof(struct tr2_page_mark),
		       offsetof(struct tr2_page_mark, thread),
		       spans->threads.count);
	tr2_tree_resolve(&tree);
	take_tree(&tree, spans);
	tr2_tree_release(&tree);
	find_limits(spans);
}
