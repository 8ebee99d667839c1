#include <string.h>

#include "model/words/words.h"
#include "views/otlp/process.h"
#include "read/origin.h"
#include "read/value.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* The innermost region of the thread, or the process. */
static struct tr2_otlp_span *find_innermost(const struct tr2_otlp_step *step)
{
	struct tr2_otlp_process *process = step->process;
	uint32_t top = tr2_timeline_thread_at(step->moment->timeline,
					      step->moment->thread)
			       ->top;

	return top == TR2_NO_SPAN ? &process->span
				  : tr2_otlp_span_at(process, top);
}

/* A region or child begins. */
static void begin_span(const struct tr2_otlp_step *step,
		       struct tr2_otlp_span *span,
		       const struct tr2_timeline_span *begun, const char *type)
{
	struct tr2_otlp_process *process = step->process;
	const struct tr2_otlp_span *outer =
		begun->outer == TR2_NO_SPAN
			? &process->span
			: tr2_otlp_span_at(process, begun->outer);

	span->ids = outer->ids;
	memcpy(span->ids.parent, outer->ids.span, sizeof(outer->ids.span));
	span->ids.has_parent = true;
	tr2_otlp_inner_id(span->ids.span, process->sid.bytes, process->sid.len,
			  begun->number);
	span->kind = TR2_OTLP_INTERNAL;
	tr2_otlp_put_text(&span->attributes, "trace2.span.type", type,
			  strlen(type));
}

static void append_text(struct tr2_buf *out, struct tr2_record *record,
			enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	if (text)
		tr2_buf_add(out, text, len);
}

static const struct tr2_otlp_field region_fields[] = {
	{ TR2_KEY_MSG, "trace2.region.message" },
	{ TR2_KEY_NESTING, "trace2.region.nesting" },
	{ TR2_KEY_REPO, "trace2.region.repoid" },
	{ TR2_KEY_THREAD, "thread.name" },
};
static const struct tr2_otlp_field child_fields[] = {
	{ TR2_KEY_ARGV, "trace2.child.argv" },
	{ TR2_KEY_CHILD_CLASS, "trace2.child.class" },
	{ TR2_KEY_HOOK_NAME, "trace2.child.hook" },
};
static const struct tr2_otlp_field result_fields[] = {
	{ TR2_KEY_PID, "trace2.child.pid" },
	{ TR2_KEY_READY, "trace2.child.ready" },
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void begin_region(const struct tr2_otlp_step *step,
			 struct tr2_otlp_span *span,
			 const struct tr2_timeline_span *begun)
{
	begin_span(step, span, begun, "region");
	tr2_buf_str(&span->name, "region(");
	append_text(&span->name, step->record, TR2_KEY_CATEGORY);
	tr2_buf_byte(&span->name, ',');
	append_text(&span->name, step->record, TR2_KEY_LABEL);
	tr2_buf_byte(&span->name, ')');
	tr2_otlp_put_values(&span->attributes, step->record, region_fields,
			    COUNT(region_fields));
}

static void begin_child(const struct tr2_otlp_step *step,
			struct tr2_otlp_span *span,
			const struct tr2_timeline_span *begun)
{
	bool is_exec = step->record->is == TR2_IS_EXEC;

	begin_span(step, span, begun, "child");
	tr2_buf_str(&span->name, is_exec ? "child(class:exec" : "child(class:");
	append_text(&span->name, step->record, TR2_KEY_CHILD_CLASS);
	tr2_buf_byte(&span->name, ')');
	tr2_otlp_put_values(&span->attributes, step->record, child_fields,
			    COUNT(child_fields));
	if (is_exec)
		tr2_otlp_put_text(&span->attributes, "trace2.child.class",
				  "exec", 4);
}

void tr2_otlp_fail(struct tr2_otlp_span *span, const char *how,
		   const int64_t *number)
{
	span->failed = true;
	tr2_buf_reset(&span->failure);
	tr2_buf_str(&span->failure, how);
	if (number)
		tr2_buf_int(&span->failure, *number);
	tr2_must_hold(&span->failure);
	tr2_otlp_put_text(&span->attributes, "error.type", span->failure.bytes,
			  span->failure.len);
}

/* trace2receiver has exit codes as texts, OpenTelemetry as integers. */
void tr2_otlp_keep_code(struct tr2_otlp_span *span, const char *name,
			int64_t code)
{
	tr2_otlp_put_digits(&span->attributes, name, code);
	tr2_otlp_put_integer(&span->attributes, "process.exit.code", code);
	if (code)
		tr2_otlp_fail(span, "exit code ", &code);
}

static void keep_result(const struct tr2_otlp_step *step,
			struct tr2_otlp_span *span)
{
	int64_t code;

	tr2_otlp_put_values(&span->attributes, step->record, result_fields,
			    COUNT(result_fields));
	if (tr2_record_integer(step->record, TR2_KEY_CODE, &code))
		tr2_otlp_keep_code(span, "trace2.child.exitcode", code);
}

static void replace_value(const struct tr2_otlp_step *step,
			  enum tr2_otlp_latest which, const char *name,
			  enum tr2_key key)
{
	struct tr2_buf *value = &step->process->latest[which];

	tr2_buf_reset(value);
	tr2_otlp_put_value(value, name, step->record, key);
}

static void take_version(const struct tr2_otlp_step *step)
{
	replace_value(step, TR2_OTLP_VERSION, "trace2.cmd.version",
		      TR2_KEY_EXE);
	replace_value(step, TR2_OTLP_SERVICE_VERSION, "service.version",
		      TR2_KEY_EXE);
}

/* The base name of the program, without `.exe`. */
static void keep_exe(struct tr2_buf *exe, struct tr2_record *record)
{
	const struct tr2_value *list = &record->value[TR2_KEY_ARGV];
	size_t token = list->token + 1, len;
	const char *text;

	if (list->kind != TR2_STRINGS ||
	    !tr2_words_take(record, &token, &record->word))
		return;
	text = tr2_text_program(record->word.bytes, record->word.len, &len);
	tr2_buf_reset(exe);
	tr2_buf_add(exe, text, len);
}

/* Each becomes one of the resource. */
static void take_attributes(const struct tr2_otlp_step *step)
{
	struct tr2_otlp_process *process = step->process;
	struct tr2_buf *out = &process->latest[TR2_OTLP_ATTRIBUTES];
	struct tr2_value name, value;
	size_t token = 0, len;

	process->has_service =
		tr2_origin_find(step->record, "service.name", &len);
	tr2_buf_reset(out);
	while (tr2_origin_next(step->record, &token, &name, &value))
		tr2_otlp_put_pair(out, step->record, &name, &value);
}

static void take_start(const struct tr2_otlp_step *step)
{
	if (tr2_origin_of(step->record))
		take_attributes(step);
	if (!tr2_record_has(step->record, TR2_KEY_ARGV))
		return;
	keep_exe(&step->process->name.exe, step->record);
	replace_value(step, TR2_OTLP_ARGV, "trace2.cmd.argv", TR2_KEY_ARGV);
	replace_value(step, TR2_OTLP_ARGUMENTS, "process.command_args",
		      TR2_KEY_ARGV);
}

static void keep_text(struct tr2_buf *to, struct tr2_record *record,
		      enum tr2_key key)
{
	tr2_buf_reset(to);
	append_text(to, record, key);
}

static void take_name(const struct tr2_otlp_step *step)
{
	keep_text(&step->process->name.verb, step->record, TR2_KEY_NAME);
	replace_value(step, TR2_OTLP_HIERARCHY, "trace2.cmd.hierarchy",
		      TR2_KEY_HIERARCHY);
}

static void take_mode(const struct tr2_otlp_step *step)
{
	keep_text(&step->process->name.mode, step->record, TR2_KEY_NAME);
}

static void take_ancestry(const struct tr2_otlp_step *step)
{
	replace_value(step, TR2_OTLP_ANCESTRY, "trace2.cmd.ancestry",
		      TR2_KEY_ANCESTRY);
}

static void take_param(const struct tr2_otlp_step *step)
{
	size_t len;
	const char *text = tr2_record_text(step->record, TR2_KEY_PARAM, &len);

	if (!text || len != 11 || memcmp(text, "TRACEPARENT", 11) != 0)
		return;
	text = tr2_record_text(step->record, TR2_KEY_VALUE, &len);
	if (text)
		tr2_otlp_join_trace(step->process, text, len);
}

static void take_happening(const struct tr2_otlp_step *step)
{
	struct tr2_otlp_span *span = find_innermost(step);

	if (step->otlp->events_most &&
	    span->events.len >= step->otlp->events_most) {
		span->crowded++;
		step->otlp->crowded++;
		return;
	}
	tr2_otlp_put_event(&span->events, step->record,
			   tr2_timeline_unix(step->moment->timeline,
					     step->moment->at));
}

/* cmd_ancestry, which comes later, counts more. */
static void take_json(const struct tr2_otlp_step *step)
{
	size_t len;
	const char *key = tr2_record_text(step->record, TR2_KEY_KEY, &len);

	if (key && tr2_text_is(key, len, "windows/ancestry"))
		replace_value(step, TR2_OTLP_ANCESTRY, "trace2.cmd.ancestry",
			      TR2_KEY_VALUE);
	take_happening(step);
}

static void take_total(const struct tr2_otlp_step *step)
{
	tr2_otlp_put_total(&step->process->span.attributes, step->record,
			   &step->process->totals);
}

static void (*const takers[TR2_IS_OTHER + 1])(const struct tr2_otlp_step *) = {
	[TR2_IS_VERSION] = take_version,       [TR2_IS_START] = take_start,
	[TR2_IS_CMD_NAME] = take_name,	       [TR2_IS_CMD_MODE] = take_mode,
	[TR2_IS_CMD_ANCESTRY] = take_ancestry, [TR2_IS_DEF_PARAM] = take_param,
	[TR2_IS_ERROR] = take_happening,       [TR2_IS_DATA] = take_happening,
	[TR2_IS_DATA_JSON] = take_json,	       [TR2_IS_PRINTF] = take_happening,
	[TR2_IS_TIMER] = take_total,	       [TR2_IS_TH_TIMER] = take_total,
	[TR2_IS_COUNTER] = take_total,	       [TR2_IS_TH_COUNTER] = take_total,
};

static struct tr2_otlp_step make_step(void *context,
				      const struct tr2_moment *moment)
{
	struct tr2_otlp *otlp = context;

	return (struct tr2_otlp_step){
		.otlp = otlp,
		.process = (struct tr2_otlp_process *)otlp->walk.life,
		.record = moment->record,
		.moment = moment,
	};
}

static void take_moment(void *context, const struct tr2_moment *moment)
{
	const struct tr2_otlp_step step = make_step(context, moment);

	if (takers[step.record->is])
		takers[step.record->is](&step);
}

static void take_begin(void *context, const struct tr2_moment *moment,
		       struct tr2_timeline_span *span)
{
	const struct tr2_otlp_step step = make_step(context, moment);
	struct tr2_otlp_span *own =
		tr2_vec_reach(&step.process->open, span->place, sizeof(*own));

	if (span->kind == TR2_SPAN_REGION)
		begin_region(&step, own, span);
	else
		begin_child(&step, own, span);
}

static void take_end(void *context, const struct tr2_moment *moment,
		     struct tr2_timeline_span *span)
{
	const struct tr2_otlp_step step = make_step(context, moment);
	struct tr2_otlp_span *own = tr2_otlp_span_at(step.process, span->place);

	if (step.record)
		keep_result(&step, own);
	tr2_otlp_end_span(step.process, own, span->begin, span->length);
}

/* Spans that ended need not wait for the others if they are many. */
static void take_finish(void *context, const struct tr2_moment *moment)
{
	const struct tr2_otlp_step step = make_step(context, moment);

	if (step.otlp->part_most &&
	    step.process->done.len >= step.otlp->part_most)
		tr2_otlp_put_part(step.otlp, step.process);
}

const struct tr2_walk_view tr2_otlp_view = {
	.size = sizeof(struct tr2_otlp_process),
	.begin = tr2_otlp_begin_process,
	.events = { .take = take_moment,
		    .begin_span = take_begin,
		    .end_span = take_end,
		    .finish = take_finish },
	.end = tr2_otlp_end_process,
	.release = tr2_otlp_release_process,
};
