#include "views/page/spans.h"

#include <string.h>

#include "model/account/name.h"
#include "lib/common/hash.h"
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
	for (uint32_t i = 0; i < spans->processes.count; i++) {
		tr2_vec_release(&tr2_page_process_at(spans, i)->open);
		tr2_vec_release(&tr2_page_process_at(spans, i)->calls);
	}
	for (uint32_t i = 0; i < spans->threads.count; i++) {
		tr2_vec_release(&tr2_page_thread_at(spans, i)->spans);
		tr2_vec_release(&tr2_page_thread_at(spans, i)->marks);
	}
	tr2_vec_release(&spans->processes);
	tr2_vec_release(&spans->threads);
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
		    .caller = TR2_PAGE_NONE);
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
			    .process = step->number, .name = name,
			    .life = TR2_PAGE_NONE);
	}
	return (uint32_t)(slot->value - 1);
}

/* Until its end is known, it ends with its process. */
static struct tr2_page_span *add_span(const struct page_step *step,
				      enum tr2_page_kind kind, int64_t begin,
				      struct tr2_page_place *place)
{
	struct tr2_page_thread *thread;

	place->thread = find_thread(step);
	thread = tr2_page_thread_at(step->spans, place->thread);
	place->at = thread->spans.count;
	TR2_VEC_PUT(&thread->spans, struct tr2_page_span, .start = begin,
		    .kind = (uint8_t)kind, .unclosed = true, .ends_last = true);
	return tr2_page_span_at(thread, place->at);
}

static void add_region(const struct page_step *step, int64_t begin,
		       struct tr2_page_place *place)
{
	struct tr2_page_span *span =
		add_span(step, TR2_PAGE_REGION, begin, place);

	span->first = name_key(step, TR2_KEY_CATEGORY);
	span->second = name_key(step, TR2_KEY_LABEL);
	span->note = name_key(step, TR2_KEY_MSG);
}

static void end_life(const struct page_step *step,
		     struct tr2_page_thread *thread, bool unclosed)
{
	struct tr2_page_span *span;

	if (thread->life == TR2_PAGE_NONE)
		return;
	span = tr2_page_span_at(thread, thread->life);
	span->length = step->moment->at - span->start;
	span->unclosed = unclosed;
	span->ends_last = false;
	thread->life = TR2_PAGE_NONE;
}

/* One that begins twice without an end between has two lives. */
static void begin_thread(const struct page_step *step)
{
	struct tr2_page_thread *thread;
	struct tr2_page_place place;

	add_span(step, TR2_PAGE_THREAD, step->moment->at, &place);
	thread = tr2_page_thread_at(step->spans, place.thread);
	end_life(step, thread, true);
	thread->life = place.at;
}

static void end_thread(const struct page_step *step)
{
	end_life(step, tr2_page_thread_at(step->spans, find_thread(step)),
		 false);
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

static void add_child(const struct page_step *step,
		      const struct tr2_timeline_span *begun,
		      struct tr2_page_place *place)
{
	struct tr2_page_span *span =
		add_span(step, TR2_PAGE_CHILD, begun->begin, place);

	span->second = tr2_name_child(step->spans->texts, step->record,
				      &step->summed->names);
	span->note = name_value(step, TR2_KEY_ARGV);
	span->first = begun->kind == TR2_SPAN_EXEC
			      ? tr2_rows_name(step->spans->texts, "exec", 4)
			      : name_key(step, TR2_KEY_CHILD_CLASS);
	TR2_VEC_COPY(&step->process->calls, struct tr2_page_place, *place);
}

static void add_mark(const struct page_step *step, uint32_t category,
		     uint32_t key, uint32_t value)
{
	struct tr2_page_thread *thread =
		tr2_page_thread_at(step->spans, find_thread(step));

	TR2_VEC_PUT(&thread->marks, struct tr2_page_mark, step->moment->at,
		    category, key, value);
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
	struct tr2_page_place *place = tr2_vec_reach(
		&step.process->open, begun->place, sizeof(*place));

	if (begun->kind == TR2_SPAN_REGION)
		add_region(&step, begun->begin, place);
	else
		add_child(&step, begun, place);
}

static void end_span(void *taker, struct tr2_summary_process *summed,
		     const struct tr2_moment *moment,
		     const struct tr2_timeline_span *ended)
{
	const struct page_step step = make_step(taker, summed, moment);
	const struct tr2_page_place *place =
		(struct tr2_page_place *)step.process->open.items +
		ended->place;
	struct tr2_page_span *span = tr2_page_span_at(
		tr2_page_thread_at(step.spans, place->thread), place->at);
	int64_t code;

	span->length = ended->length;
	span->unclosed = ended->unclosed;
	span->ends_last = !step.record;
	if (step.record && tr2_record_integer(step.record, TR2_KEY_CODE, &code))
		span->code = (int32_t)code;
}

static void end_process(void *taker, struct tr2_summary_process *summed)
{
	const struct page_step step = make_step(taker, summed, NULL);
	struct tr2_page_process *process = step.process;
	const struct tr2_timeline *timeline = &summed->life.timeline;
	uint32_t *number = tr2_vec_add(&step.spans->ended, sizeof(*number));

	*number = step.number;
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

/* There are no more events: find which span ran which process. */
static void resolve_spans(void *taker, const struct tr2_tree *tree)
{
	struct tr2_page_spans *spans = taker;
	const uint32_t *numbers = spans->ended.items;
	const struct tr2_tree_process *found;
	struct tr2_page_process *process, *caller;
	uint32_t child;

	for (uint32_t i = 0; i < spans->ended.count; i++) {
		found = tr2_tree_process_at(tree, i);
		process = tr2_page_process_at(spans, numbers[i]);
		if (found->caller == TR2_TREE_NONE)
			continue;
		process->caller = numbers[found->caller];
		if (found->call == TR2_TREE_NONE || found->tie == TR2_TIE_GUESS)
			continue;
		caller = tr2_page_process_at(spans, process->caller);
		child = found->call -
			tr2_tree_process_at(tree, found->caller)->first;
		process->span =
			((struct tr2_page_place *)caller->calls.items)[child];
		process->runs_in_span = true;
	}
}

const struct tr2_forest_view tr2_page_view = {
	.begin = begin_process,
	.take = take_moment,
	.begin_span = begin_span,
	.end_span = end_span,
	.end = end_process,
	.resolve = resolve_spans,
};
