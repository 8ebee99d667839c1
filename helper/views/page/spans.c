#include "views/page/spans.h"

#include <stdlib.h>
#include <string.h>

#include "model/account/name.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"
#include "lib/text/text.h"

#define VALUE_MOST 200 /* bytes of a value that the page shows */

struct page_step { /* An event on its way. */
	struct tr2_page_spans *spans;
	struct tr2_record *record;
	struct tr2_summary_process *summed;
	struct tr2_page_process *process;
	uint32_t number; /* of the process */
	const struct tr2_moment *moment;
};

void tr2_page_spans_release(struct tr2_page_spans *spans)
{
	for (uint32_t i = 0; i < spans->processes.count; i++)
		tr2_vec_release(&tr2_page_process_at(spans, i)->open);
	tr2_vec_release(&spans->processes);
	tr2_vec_release(&spans->threads);
	tr2_vec_release(&spans->spans);
	tr2_vec_release(&spans->marks);
	tr2_vec_release(&spans->ended);
	tr2_map_release(&spans->by_thread);
}

static uint32_t name_key(const struct page_step *step, enum tr2_key key)
{
	return tr2_name_key(step->spans->texts, step->record, key);
}

/* `beside` is a number and 1, because NULL is what a new process has. */
static void begin_process(void *taker, struct tr2_summary_process *summed,
			  const char *sid, size_t len)
{
	struct tr2_page_spans *spans = taker;

	TR2_VEC_PUT(&spans->processes, struct tr2_page_process,
		    .sid = tr2_rows_name(spans->texts, sid, len),
		    .caller = TR2_PAGE_NONE, .span = TR2_PAGE_NONE);
	summed->beside = (void *)(uintptr_t)spans->processes.count;
}

static uint32_t find_thread(const struct page_step *step)
{
	struct tr2_page_spans *spans = step->spans;
	const uint32_t name = name_key(step, TR2_KEY_THREAD);
	const uint32_t pair[] = { step->number, name };
	struct tr2_map_slot *slot =
		tr2_map_enter(&spans->by_thread,
			      tr2_hash((const char *)pair, sizeof(pair)).a | 1);

	if (!slot->value) {
		slot->value = spans->threads.count + UINT64_C(1);
		TR2_VEC_PUT(&spans->threads, struct tr2_page_thread,
			    step->number, name, TR2_PAGE_NONE);
	}
	return (uint32_t)(slot->value - 1);
}

static struct tr2_page_span *add_span(const struct page_step *step,
				      enum tr2_page_kind kind, int64_t begin)
{
	struct tr2_page_span *span =
		tr2_vec_add(&step->spans->spans, sizeof(*span));

	*span = (struct tr2_page_span){
		.start = begin,
		.end = INT64_MIN,
		.thread = find_thread(step),
		.kind = (uint8_t)kind,
	};
	return span;
}

static struct tr2_page_span *add_region(const struct page_step *step,
					int64_t begin)
{
	struct tr2_page_span *span = add_span(step, TR2_PAGE_REGION, begin);

	span->first = name_key(step, TR2_KEY_CATEGORY);
	span->second = name_key(step, TR2_KEY_LABEL);
	span->note = name_key(step, TR2_KEY_MSG);
	return span;
}

/* One that begins twice without an end between has two lives. */
static void begin_thread(const struct page_step *step)
{
	struct tr2_page_span *span =
		add_span(step, TR2_PAGE_THREAD, step->moment->at);
	struct tr2_page_thread *thread =
		tr2_page_thread_at(step->spans, span->thread);

	if (thread->life != TR2_PAGE_NONE) {
		span = tr2_page_span_at(step->spans, thread->life);
		span->end = step->moment->at;
		span->unclosed = true;
	}
	thread->life = step->spans->spans.count - 1;
}

static void end_thread(const struct page_step *step)
{
	struct tr2_page_thread *thread =
		tr2_page_thread_at(step->spans, find_thread(step));

	if (thread->life != TR2_PAGE_NONE)
		tr2_page_span_at(step->spans, thread->life)->end =
			step->moment->at;
	thread->life = TR2_PAGE_NONE;
}

/* The value as the log has it; a string without its quotes. */
static uint32_t name_value(const struct page_step *step, enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_any(step->record, key, &len);

	return text ? tr2_rows_name(step->spans->texts, text,
				    tr2_text_cut(text, len, VALUE_MOST))
		    : 0;
}

/* The process has just added the child to its own. */
static void add_child(const struct page_step *step,
		      const struct tr2_timeline_span *begun)
{
	struct tr2_page_span *span =
		add_span(step, TR2_PAGE_CHILD, begun->begin);

	span->second = tr2_name_child(step->spans->texts, step->record,
				      &step->summed->names);
	span->note = name_value(step, TR2_KEY_ARGV);
	span->first = begun->kind == TR2_SPAN_EXEC
			      ? tr2_rows_name(step->spans->texts, "exec", 4)
			      : name_key(step, TR2_KEY_CHILD_CLASS);
	span->child = step->summed->children.count - 1;
}

static void add_mark(const struct page_step *step, uint32_t category,
		     uint32_t key, uint32_t value)
{
	uint32_t thread = find_thread(step);

	TR2_VEC_PUT(&step->spans->marks, struct tr2_page_mark, step->moment->at,
		    thread, category, key, value);
}

static void take_data(const struct page_step *step)
{
	add_mark(step, name_key(step, TR2_KEY_CATEGORY),
		 name_key(step, TR2_KEY_KEY), name_value(step, TR2_KEY_VALUE));
}

static void take_error(const struct page_step *step)
{
	add_mark(step, tr2_rows_name(step->spans->texts, "error", 5), 0,
		 name_value(step, TR2_KEY_MSG));
}

static void take_start(const struct page_step *step)
{
	step->process->argv = name_value(step, TR2_KEY_ARGV);
}

static void (*const takers[TR2_IS_OTHER + 1])(const struct page_step *step) = {
	[TR2_IS_START] = take_start,
	[TR2_IS_ERROR] = take_error,
	[TR2_IS_THREAD_START] = begin_thread,
	[TR2_IS_THREAD_EXIT] = end_thread,
	[TR2_IS_DATA] = take_data,
	[TR2_IS_DATA_JSON] = take_data,
};

static struct page_step make_step(void *taker,
				  struct tr2_summary_process *summed,
				  const struct tr2_moment *moment)
{
	struct tr2_page_spans *spans = taker;
	const uint32_t number = (uint32_t)(uintptr_t)summed->beside - 1;

	return (struct page_step){
		.spans = spans,
		.record = moment ? moment->record : NULL,
		.summed = summed,
		.process = tr2_page_process_at(spans, number),
		.number = number,
		.moment = moment,
	};
}

static void take_moment(void *taker, struct tr2_summary_process *summed,
			const struct tr2_moment *moment)
{
	const struct page_step step = make_step(taker, summed, moment);

	if (takers[step.record->is])
		takers[step.record->is](&step);
}

static void begin_span(void *taker, struct tr2_summary_process *summed,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *begun)
{
	const struct page_step step = make_step(taker, summed, moment);
	uint32_t *number;

	if (begun->kind == TR2_SPAN_REGION)
		add_region(&step, begun->begin);
	else
		add_child(&step, begun);
	number = tr2_vec_reach(&step.process->open, begun->place,
			       sizeof(*number));
	*number = step.spans->spans.count - 1;
}

static void end_span(void *taker, struct tr2_summary_process *summed,
		     const struct tr2_moment *moment,
		     const struct tr2_timeline_span *ended)
{
	const struct page_step step = make_step(taker, summed, moment);
	const uint32_t *open = step.process->open.items;
	struct tr2_page_span *span =
		tr2_page_span_at(step.spans, open[ended->place]);
	int64_t code;

	span->end = span->start + ended->length;
	span->unclosed = ended->unclosed;
	span->ends_last = !step.record;
	if (ended->kind != TR2_SPAN_REGION && step.record &&
	    tr2_record_integer(step.record, TR2_KEY_CODE, &code))
		span->code = (int32_t)code;
}

static void end_process(void *taker, struct tr2_summary_process *summed)
{
	const struct page_step step = make_step(taker, summed, NULL);
	struct tr2_page_process *process = step.process;
	const struct tr2_timeline *timeline = &summed->life.timeline;
	uint32_t *number = tr2_vec_add(&step.spans->ended, sizeof(*number));

	*number = step.number;
	process->number = step.spans->ended.count - 1;
	process->names = summed->names;
	process->base = timeline->base;
	process->now = summed->life.self.end;
	process->code = tr2_timeline_exit(timeline, -1);
	process->signal = tr2_timeline_signal(timeline);
	process->ended = !tr2_timeline_is_unfinished(timeline);
	process->timed = summed->life.self.timed;
	if (process->timed &&
	    (!step.spans->first || process->base < step.spans->first))
		step.spans->first = process->base;
	tr2_vec_release(&process->open);
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

	for (uint32_t i = 0; i < spans->threads.count; i++) {
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

	for (uint32_t i = 0; i < spans->spans.count; i++, span++) {
		owner = find_owner(spans, span->thread);
		span->start += owner->base;
		span->end += owner->base;
		if (span->ends_last)
			span->end = owner->now;
		if (span->ends_last && span->end < span->start)
			span->end = span->start;
	}
	for (uint32_t i = 0; i < spans->marks.count; i++, mark++)
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
	uint32_t thread;

	sorted = tr2_must_grow(NULL, vec->count * size + 1);
	for (uint32_t i = 0; i < vec->count; i++)
		places[read_number(items + i * size + thread_at) + 1]++;
	for (uint32_t i = 0; i < threads; i++)
		places[i + 1] += places[i];
	for (uint32_t i = 0; i < vec->count; i++) {
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
	uint32_t number;

	for (uint32_t i = 0; i < spans->spans.count; i++, span++) {
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

	for (uint32_t i = 0; i < spans->ended.count; i++) {
		found = tr2_tree_process_at(tree, i);
		process = tr2_page_process_at(spans, numbers[i]);
		if (found->caller != TR2_TREE_NONE)
			process->caller = numbers[found->caller];
		if (found->call != TR2_TREE_NONE && found->tie != TR2_TIE_GUESS)
			process->span = calls[found->call];
	}
	free(calls);
}

/*
 * There are no more events: end what is open, sort spans and marks by thread
 * and time, and find which span ran which process.
 */
static void end_spans(void *taker, const struct tr2_tree *tree)
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

const struct tr2_forest_view tr2_page_view = {
	.begin = begin_process,
	.take = take_moment,
	.begin_span = begin_span,
	.end_span = end_span,
	.end = end_process,
	.resolve = end_spans,
};
