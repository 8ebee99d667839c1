#include "page/spans.h"

#include <string.h>

#include "account/name.h"
#include "common/hash.h"
#include "rules/value.h"
#include "text/text.h"

#define VALUE_MOST 200		  /* bytes of a value that the page shows */
#define TIME_MOST (INT64_MAX / 2) /* so that differences fit, too */

struct page_step { /* An event on its way. */
	struct tr2_page_spans *spans;
	struct tr2_record *record;
	struct tr2_page_process *process;
	uint32_t number; /* of the process */
	int64_t time;	 /* 0: the event has none */
};

void tr2_page_spans_begin(struct tr2_page_spans *spans, struct tr2_rows *texts)
{
	memset(spans, 0, sizeof(*spans));
	spans->texts = texts;
}

void tr2_page_spans_release(struct tr2_page_spans *spans)
{
	tr2_vec_release(&spans->processes);
	tr2_vec_release(&spans->threads);
	tr2_vec_release(&spans->spans);
	tr2_vec_release(&spans->marks);
	tr2_map_release(&spans->by_sid);
	tr2_map_release(&spans->by_thread);
	tr2_map_release(&spans->by_child);
}

static uint32_t name_key(const struct page_step *step, enum tr2_key key)
{
	return tr2_name_key(step->spans->texts, step->record, key);
}

static uint32_t add_process(struct tr2_page_spans *spans, const char *sid,
			    size_t len)
{
	uint32_t number = spans->processes.count;
	struct tr2_page_process *process =
		tr2_vec_add(&spans->processes, sizeof(*process));
	size_t slash = len;

	while (slash && sid[slash - 1] != '/')
		slash--;
	*process = (struct tr2_page_process){
		.parent = slash ? tr2_hash(sid, slash - 1).a | 1 : 0,
		.sid = tr2_rows_name(spans->texts, sid, len),
		.pid = tr2_sid_pid(sid, len),
		.code = -1,
		.caller = TR2_PAGE_NONE,
		.span = TR2_PAGE_NONE,
	};
	return number;
}

static uint32_t find_process(struct tr2_page_spans *spans, const char *sid,
			     size_t len)
{
	struct tr2_map_slot *slot =
		tr2_map_enter(&spans->by_sid, tr2_hash(sid, len).a | 1);

	if (!slot->value)
		slot->value = add_process(spans, sid, len) + UINT64_C(1);
	return (uint32_t)(slot->value - 1);
}

static uint32_t find_thread(const struct page_step *step)
{
	struct tr2_page_spans *spans = step->spans;
	uint32_t name = name_key(step, TR2_KEY_THREAD);
	struct tr2_map_slot *slot =
		tr2_page_enter_pair(&spans->by_thread, step->number, name);
	struct tr2_page_thread *thread;

	if (!slot->value) {
		slot->value = spans->threads.count + UINT64_C(1);
		thread = tr2_vec_add(&spans->threads, sizeof(*thread));
		*thread = (struct tr2_page_thread){ step->number, name,
						    TR2_PAGE_NONE };
	}
	return (uint32_t)(slot->value - 1);
}

static struct tr2_page_span *add_span(const struct page_step *step,
				      enum tr2_page_kind kind)
{
	struct tr2_page_span *span =
		tr2_vec_add(&step->spans->spans, sizeof(*span));

	*span = (struct tr2_page_span){
		.start = step->process->now,
		.end = INT64_MIN,
		.thread = find_thread(step),
		.outer = TR2_PAGE_NONE,
		.kind = (uint8_t)kind,
	};
	return span;
}

/* Regions and the thread's life are a stack. */
static void push_span(const struct page_step *step, struct tr2_page_span *span)
{
	struct tr2_page_thread *thread =
		tr2_page_thread_at(step->spans, span->thread);

	span->outer = thread->top;
	thread->top = step->spans->spans.count - 1;
}

/* Events of a brief log have no time, but know how long a span was open. */
static void end_span(const struct page_step *step, struct tr2_page_span *span)
{
	struct tr2_page_process *process = step->process;
	int64_t length;

	if (!step->time &&
	    tr2_record_seconds(step->record, TR2_KEY_T_REL, &length) &&
	    length < TIME_MOST - span->start &&
	    span->start + length > process->now)
		process->now = span->start + length;
	span->end = process->now;
}

/*
 * End the thread's open spans up to this one, whose length the event has. The
 * ends of those inside it are missing. TR2_PAGE_NONE: all are missing.
 */
static void pop_spans(const struct page_step *step,
		      struct tr2_page_thread *thread, uint32_t number)
{
	struct tr2_page_span *span;

	if (number != TR2_PAGE_NONE)
		end_span(step, tr2_page_span_at(step->spans, number));
	for (; thread->top != number; thread->top = span->outer) {
		span = tr2_page_span_at(step->spans, thread->top);
		span->end = step->process->now;
		span->unclosed = true;
	}
	if (number != TR2_PAGE_NONE)
		thread->top = tr2_page_span_at(step->spans, number)->outer;
}

/* As in the tables, an end belongs to the innermost region with its names. */
static void leave_region(const struct page_step *step)
{
	struct tr2_page_thread *thread =
		tr2_page_thread_at(step->spans, find_thread(step));
	uint32_t category = name_key(step, TR2_KEY_CATEGORY);
	uint32_t label = name_key(step, TR2_KEY_LABEL), number = thread->top;
	const struct tr2_page_span *span;

	for (; number != TR2_PAGE_NONE; number = span->outer) {
		span = tr2_page_span_at(step->spans, number);
		if (span->kind == TR2_PAGE_REGION && span->first == category &&
		    span->second == label) {
			pop_spans(step, thread, number);
			return;
		}
	}
}

/* Regions that were not left end with their thread. */
static void end_thread(const struct page_step *step)
{
	struct tr2_page_thread *thread =
		tr2_page_thread_at(step->spans, find_thread(step));
	const struct tr2_page_span *span;
	uint32_t number = thread->top;

	for (; number != TR2_PAGE_NONE; number = span->outer) {
		span = tr2_page_span_at(step->spans, number);
		if (span->kind == TR2_PAGE_THREAD)
			break;
	}
	pop_spans(step, thread, number);
}

static void take_region(const struct page_step *step)
{
	struct tr2_page_span *span = add_span(step, TR2_PAGE_REGION);

	span->first = name_key(step, TR2_KEY_CATEGORY);
	span->second = name_key(step, TR2_KEY_LABEL);
	span->note = name_key(step, TR2_KEY_MSG);
	push_span(step, span);
}

static void take_thread(const struct page_step *step)
{
	push_span(step, add_span(step, TR2_PAGE_THREAD));
}

/* The value as the log has it; a string without its quotes. */
static uint32_t name_value(const struct page_step *step, enum tr2_key key)
{
	const struct tr2_value *value = &step->record->value[key];
	const char *text;
	size_t len;

	if (!tr2_record_has(step->record, key))
		return 0;
	text = step->record->parse.text + value->start;
	len = value->end - value->start;
	if (value->kind == TR2_STRING)
		text = tr2_record_text(step->record, key, &len);
	return tr2_rows_name(step->spans->texts, text,
			     tr2_text_cut(text, len, VALUE_MOST));
}

/* Returns NULL if the event has no valid id. Children and execs have theirs. */
static struct tr2_map_slot *find_child(const struct page_step *step,
				       bool is_exec)
{
	int64_t id;

	if (!tr2_record_integer(step->record,
				is_exec ? TR2_KEY_EXEC_ID : TR2_KEY_CHILD_ID,
				&id))
		return NULL;
	return tr2_page_enter_pair(&step->spans->by_child,
				   2 * (uint64_t)step->number + is_exec,
				   (uint64_t)id);
}

static struct tr2_page_span *begin_child(const struct page_step *step,
					 bool is_exec)
{
	struct tr2_page_span *span = add_span(step, TR2_PAGE_CHILD);
	struct tr2_map_slot *slot = find_child(step, is_exec);

	span->is_exec = is_exec;
	span->second = name_key(step, TR2_KEY_HOOK_NAME);
	if (!span->second)
		span->second = tr2_name_words(step->spans->texts, step->record);
	span->note = name_value(step, TR2_KEY_ARGV);
	if (slot)
		slot->value = step->spans->spans.count;
	return span;
}

static void take_child(const struct page_step *step)
{
	struct tr2_page_span *span = begin_child(step, false);

	span->first = name_key(step, TR2_KEY_CHILD_CLASS);
}

/* The new program has the pid of the process, unless a result comes. */
static void take_exec(const struct page_step *step)
{
	struct tr2_page_span *span = begin_child(step, true);

	span->first = tr2_rows_name(step->spans->texts, "exec", 4);
	span->pid = step->process->pid;
}

static void finish_child(const struct page_step *step, bool is_exec)
{
	struct tr2_map_slot *slot = find_child(step, is_exec);
	struct tr2_page_span *span;
	int64_t number;

	if (!slot || !slot->value)
		return;
	span = tr2_page_span_at(step->spans, (uint32_t)slot->value - 1);
	slot->value = 0;
	span->pid = 0;
	end_span(step, span);
	if (tr2_record_integer(step->record, TR2_KEY_CODE, &number))
		span->code = (int32_t)number;
	/* One that could not be started has the pid -1. */
	if (!is_exec &&
	    tr2_record_integer(step->record, TR2_KEY_PID, &number) &&
	    number > 0)
		span->pid = (uint32_t)number;
}

static void end_child(const struct page_step *step)
{
	finish_child(step, false);
}

static void end_exec(const struct page_step *step)
{
	finish_child(step, true);
}

static void add_mark(const struct page_step *step, uint32_t category,
		     uint32_t key, uint32_t value)
{
	uint32_t thread = find_thread(step);
	struct tr2_page_mark *mark =
		tr2_vec_add(&step->spans->marks, sizeof(*mark));

	*mark = (struct tr2_page_mark){ step->process->now, thread, category,
					key, value };
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

static void take_version(const struct page_step *step)
{
	step->process->version = name_key(step, TR2_KEY_EXE);
}

static void take_start(const struct page_step *step)
{
	step->process->words = tr2_name_words(step->spans->texts, step->record);
	step->process->argv = name_value(step, TR2_KEY_ARGV);
}

static void take_name(const struct page_step *step)
{
	step->process->name = name_key(step, TR2_KEY_NAME);
}

static void take_mode(const struct page_step *step)
{
	step->process->mode = name_key(step, TR2_KEY_NAME);
}

/* Without `time` of its own an `atexit` still has its t_abs. */
static void take_exit(const struct page_step *step)
{
	struct tr2_page_process *process = step->process;
	int64_t since, number;

	if (tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since) &&
	    process->base + since > process->now)
		process->now = process->base + since;
	if (tr2_record_integer(step->record, TR2_KEY_CODE, &number))
		process->code = number;
	if (tr2_record_integer(step->record, TR2_KEY_SIGNO, &number))
		process->signal = (int32_t)number;
	process->ended |= step->record->is != TR2_IS_EXIT;
}

static void (*const takers[TR2_IS_OTHER + 1])(const struct page_step *step) = {
	[TR2_IS_VERSION] = take_version,
	[TR2_IS_START] = take_start,
	[TR2_IS_CMD_NAME] = take_name,
	[TR2_IS_CMD_MODE] = take_mode,
	[TR2_IS_EXIT] = take_exit,
	[TR2_IS_ATEXIT] = take_exit,
	[TR2_IS_SIGNAL] = take_exit,
	[TR2_IS_ERROR] = take_error,
	[TR2_IS_THREAD_START] = take_thread,
	[TR2_IS_THREAD_EXIT] = end_thread,
	[TR2_IS_REGION_ENTER] = take_region,
	[TR2_IS_REGION_LEAVE] = leave_region,
	[TR2_IS_CHILD_START] = take_child,
	[TR2_IS_CHILD_EXIT] = end_child,
	[TR2_IS_CHILD_READY] = end_child,
	[TR2_IS_EXEC] = take_exec,
	[TR2_IS_EXEC_RESULT] = end_exec,
	[TR2_IS_DATA] = take_data,
	[TR2_IS_DATA_JSON] = take_data,
};

/*
 * The first time came late. The start of the process is as far before it as the
 * events so far need; at the end shift_times() moves what was noted.
 */
static void begin_late(const struct page_step *step)
{
	struct tr2_page_process *process = step->process;
	int64_t since = 0;

	tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since);
	if (since < process->now)
		since = process->now;
	process->base = step->time - since;
}

/* The process began t_abs before its first event that has one. */
static void note_time(const struct page_step *step)
{
	struct tr2_page_process *process = step->process;
	int64_t since = 0;

	if (!process->begun && step->record->is != TR2_IS_VERSION) {
		process->begun = true;
		tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since);
		if (step->time && (since || !process->base))
			process->base = step->time - since;
	} else if (!process->base && step->time) {
		begin_late(step);
	}
	process->timed |= step->time != 0;
	if (process->now < process->base)
		process->now = process->base;
	if (process->now < step->time)
		process->now = step->time;
}

void tr2_page_spans_take(struct tr2_page_spans *spans,
			 struct tr2_record *record)
{
	struct page_step step = { .spans = spans, .record = record };
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT))
		return;
	step.number = find_process(spans, sid, len);
	step.process = tr2_page_process_at(spans, step.number);
	if (step.process->ended)
		return;
	step.time = tr2_record_find_time(record);
	note_time(&step);
	if (takers[record->is])
		takers[record->is](&step);
}
