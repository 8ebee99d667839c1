#include "views/page/spans.h"

#include <string.h>

#include "model/account/name.h"
#include "lib/common/hash.h"
#include "model/tree.h"
#include "read/value.h"
#include "lib/text/text.h"

#define VALUE_MOST 200 /* bytes of a value that the page shows */

struct page_step { /* An event on its way. */
	struct tr2_page_spans *spans;
	struct tr2_record *record;
	struct tr2_page_process *process;
	uint32_t number; /* of the process */
	const struct tr2_moment *moment;
};

/* Whose events these are, for the view of a timeline. */
struct page_context {
	struct tr2_page_spans *spans;
	uint32_t process;
};

void tr2_page_spans_begin(struct tr2_page_spans *spans, struct tr2_rows *texts)
{
	memset(spans, 0, sizeof(*spans));
	spans->texts = texts;
}

void tr2_page_spans_release(struct tr2_page_spans *spans)
{
	struct tr2_page_process *process;
	uint32_t i;

	for (i = 0; i < spans->processes.count; i++) {
		process = tr2_page_process_at(spans, i);
		tr2_timeline_release(&process->timeline);
		tr2_vec_release(&process->open);
	}
	tr2_vec_release(&spans->processes);
	tr2_vec_release(&spans->threads);
	tr2_vec_release(&spans->spans);
	tr2_vec_release(&spans->marks);
	tr2_map_release(&spans->by_sid);
	tr2_map_release(&spans->by_thread);
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

	*process = (struct tr2_page_process){
		.sid = tr2_rows_name(spans->texts, sid, len),
		.pid = tr2_sid_pid(sid, len),
		.caller = TR2_PAGE_NONE,
		.span = TR2_PAGE_NONE,
	};
	tr2_timeline_begin(&process->timeline);
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

static void begin_thread(const struct page_step *step)
{
	struct tr2_page_span *span =
		add_span(step, TR2_PAGE_THREAD, step->moment->at);

	tr2_page_thread_at(step->spans, span->thread)->life =
		step->spans->spans.count - 1;
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

/* The new program has the pid of the process, unless a result comes. */
static void add_child(const struct page_step *step,
		      const struct tr2_timeline_span *begun)
{
	struct tr2_page_span *span =
		add_span(step, TR2_PAGE_CHILD, begun->begin);
	const bool is_exec = begun->kind == TR2_SPAN_EXEC;

	span->second = tr2_name_child(step->spans->texts, step->record,
				      step->process->names.alias);
	span->note = name_value(step, TR2_KEY_ARGV);
	span->first = is_exec ? tr2_rows_name(step->spans->texts, "exec", 4)
			      : name_key(step, TR2_KEY_CHILD_CLASS);
	span->pid = is_exec ? step->process->pid : 0;
	span->words = tr2_tree_read_words(step->record);
	span->call = is_exec ? TR2_CALL_EXEC : TR2_CALL_CHILD;
}

static void read_result(const struct page_step *step,
			struct tr2_page_span *span)
{
	struct tr2_tree_call call = {
		.begin = span->start,
		.end = span->end,
		.kind = (unsigned)span->call & 3,
	};
	int64_t code;

	if (tr2_record_integer(step->record, TR2_KEY_CODE, &code))
		span->code = (int32_t)code;
	tr2_tree_end_call(&call, step->record);
	span->call = call.kind;
	span->pid = call.pid;
}

static void add_mark(const struct page_step *step, uint32_t category,
		     uint32_t key, uint32_t value)
{
	uint32_t thread = find_thread(step);
	struct tr2_page_mark *mark =
		tr2_vec_add(&step->spans->marks, sizeof(*mark));

	*mark = (struct tr2_page_mark){ step->moment->at, thread, category, key,
					value };
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

static void take_names(const struct page_step *step)
{
	tr2_name_take(&step->process->names, step->spans->texts, step->record);
}

static void take_start(const struct page_step *step)
{
	take_names(step);
	step->process->argv = name_value(step, TR2_KEY_ARGV);
	step->process->arguments = tr2_tree_read_words(step->record);
}

static void (*const takers[TR2_IS_OTHER + 1])(const struct page_step *step) = {
	[TR2_IS_VERSION] = take_names,	   [TR2_IS_START] = take_start,
	[TR2_IS_CMD_NAME] = take_names,	   [TR2_IS_CMD_MODE] = take_names,
	[TR2_IS_ERROR] = take_error,	   [TR2_IS_THREAD_START] = begin_thread,
	[TR2_IS_THREAD_EXIT] = end_thread, [TR2_IS_DATA] = take_data,
	[TR2_IS_DATA_JSON] = take_data,	   [TR2_IS_ALIAS] = take_names,
};

static struct page_step make_step(void *context,
				  const struct tr2_moment *moment)
{
	const struct page_context *whose = context;

	return (struct page_step){
		.spans = whose->spans,
		.record = moment->record,
		.process = tr2_page_process_at(whose->spans, whose->process),
		.number = whose->process,
		.moment = moment,
	};
}

static void take_moment(void *context, const struct tr2_moment *moment)
{
	const struct page_step step = make_step(context, moment);

	step.process->timed |= moment->time != 0;
	if (takers[step.record->is])
		takers[step.record->is](&step);
}

static void take_begin(void *context, const struct tr2_moment *moment,
		       struct tr2_timeline_span *begun)
{
	const struct page_step step = make_step(context, moment);
	struct tr2_vec *open = &step.process->open;
	uint32_t *number;

	if (begun->kind == TR2_SPAN_REGION)
		add_region(&step, begun->begin);
	else
		add_child(&step, begun);
	while (open->count <= begun->place)
		tr2_vec_renew(open, open->count, sizeof(*number));
	number = (uint32_t *)open->items + begun->place;
	*number = step.spans->spans.count - 1;
}

static void take_end(void *context, const struct tr2_moment *moment,
		     struct tr2_timeline_span *ended)
{
	const struct page_step step = make_step(context, moment);
	const uint32_t *open = step.process->open.items;
	struct tr2_page_span *span;

	if (ended->place == TR2_NO_SPAN)
		span = add_region(&step, ended->begin);
	else
		span = tr2_page_span_at(step.spans, open[ended->place]);
	span->end = span->start + ended->length;
	span->unclosed = ended->unclosed;
	span->ends_last = !step.record;
	if (ended->kind != TR2_SPAN_REGION && step.record)
		read_result(&step, span);
}

static const struct tr2_timeline_view view = { .take = take_moment,
					       .begin_span = take_begin,
					       .end_span = take_end };

void tr2_page_spans_close(struct tr2_page_spans *spans, uint32_t number)
{
	struct page_context context = { spans, number };
	struct tr2_page_process *process = tr2_page_process_at(spans, number);

	tr2_timeline_close(&process->timeline, &view, &context);
	process->base = process->timeline.base;
	process->now = process->base + tr2_timeline_length(&process->timeline);
}

void tr2_page_spans_take(struct tr2_page_spans *spans,
			 struct tr2_record *record)
{
	struct page_context context = { .spans = spans };
	struct tr2_page_process *process;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT))
		return;
	context.process = find_process(spans, sid, len);
	process = tr2_page_process_at(spans, context.process);
	tr2_timeline_take(&process->timeline, record, &view, &context);
}
