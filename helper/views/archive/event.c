#include "model/words/words.h"
#include "views/archive/logs.h"

/* These keys are left out: the trace shows their meaning itself. */
#define SKIP_TIMES                                                 \
	(TR2_KEY_BIT(TR2_KEY_T_ABS) | TR2_KEY_BIT(TR2_KEY_T_REL) | \
	 TR2_KEY_BIT(TR2_KEY_NESTING))
#define SPAN_NAME 100
#define NAME_KEPT 200

static void put_event(struct tr2_logs *logs, enum fxt_event type,
		      struct tr2_fxt_text category, struct tr2_fxt_text name)
{
	tr2_fxt_begin_event(&logs->writer, type, logs->time, &logs->thread->id,
			    category, name);
}

/*
 * Write an event that has no form of its own as an instant with all its keys.
 */
static void write_instant(struct tr2_logs *logs)
{
	put_event(logs, FXT_INSTANT, tr2_fxt_text("trace2"),
		  tr2_logs_key(logs, TR2_KEY_EVENT, &logs->name, "event"));
	tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, 0);
}

static void write_cmd_name(struct tr2_logs *logs)
{
	struct tr2_fxt_text name =
		tr2_logs_key(logs, TR2_KEY_NAME, &logs->name, "");

	/*
	 * Names such as `_run_dashed_` describe how the command ran, not what
	 * it is.
	 */
	if (name.len && *name.bytes != '_')
		tr2_run_name(logs, name);
	write_instant(logs);
}

/*
 * The keys of the first one become arguments of the process's slice; a process
 * that goes on in the background has more.
 */
static void write_atexit(struct tr2_logs *logs)
{
	struct tr2_buf *end = &logs->run->end;

	if (end->len) {
		write_instant(logs);
		return;
	}
	tr2_run_reserve(end, logs->record->parse.len + TR2_TOKENS_PADDING);
	tr2_buf_add(end, logs->record->parse.text, logs->record->parse.len);
	tr2_buf_fill(end, '\0', TR2_TOKENS_PADDING);
}

/*
 * If slices are open, or on the main thread, there is already a slice for the
 * thread's life: the event becomes an instant.
 */
static void write_thread_start(struct tr2_logs *logs)
{
	struct tr2_run_thread *thread = logs->thread;

	if (thread->lives ||
	    tr2_timeline_thread_at(logs->moment->timeline, logs->moment->thread)
			    ->top != TR2_NO_SPAN) {
		write_instant(logs);
		return;
	}
	thread->lives = true;
	tr2_run_put_slice(
		logs, FXT_DURATION_BEGIN, logs->time, tr2_fxt_text("thread"),
		tr2_logs_key(logs, TR2_KEY_THREAD, &logs->name, "thread"));
	tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, 0);
}

/* Another thread may get its place, but for that of the main one. */
static void end_thread(struct tr2_logs *logs)
{
	struct tr2_run_thread *thread = logs->thread;
	const bool is_main = thread == &logs->run->main;

	if (thread->lives && !is_main) {
		tr2_run_put_slice(logs, FXT_DURATION_END, logs->time,
				  tr2_fxt_text("thread"),
				  tr2_logs_key(logs, TR2_KEY_THREAD,
					       &logs->name, "thread"));
		tr2_logs_args(logs, SKIP_TIMES);
		tr2_fxt_end_event(&logs->writer, 0);
		thread->lives = false;
	} else {
		write_instant(logs);
	}
	if (!is_main && logs->moment->thread != logs->moment->timeline->main)
		*thread = (struct tr2_run_thread){ 0 };
}

#define SKIP_NAMES                                    \
	(SKIP_TIMES | TR2_KEY_BIT(TR2_KEY_CATEGORY) | \
	 TR2_KEY_BIT(TR2_KEY_LABEL))

/* Write the begin of the region, and keep its names for the end. */
static void begin_region(struct tr2_logs *logs, struct tr2_run_span *own)
{
	struct tr2_fxt_text category =
		tr2_logs_key(logs, TR2_KEY_CATEGORY, &logs->category, "region");
	struct tr2_fxt_text name =
		tr2_logs_key(logs, TR2_KEY_LABEL, &logs->name, "");

	if (!name.len)
		name = tr2_logs_key(logs, TR2_KEY_MSG, &logs->name, "region");
	tr2_run_put_slice(logs, FXT_DURATION_BEGIN, logs->time, category, name);
	tr2_logs_args(logs, SKIP_NAMES);
	tr2_fxt_end_event(&logs->writer, 0);
	category = tr2_fxt_shorten(category, NAME_KEPT);
	tr2_run_keep(&own->name, category);
	tr2_run_keep(&own->name, tr2_fxt_shorten(name, NAME_KEPT));
	own->category = category.len;
}

/* Without an event it ends with its thread or its process. */
static void end_region(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span,
		       const struct tr2_run_span *own)
{
	const struct tr2_buf *name = &own->name;

	tr2_run_put_slice(logs, FXT_DURATION_END,
			  tr2_run_time(logs->run, span->begin + span->length),
			  (struct tr2_fxt_text){ name->bytes, own->category },
			  (struct tr2_fxt_text){ name->bytes + own->category,
						 name->len - own->category });
	if (!span->unclosed)
		tr2_logs_args(logs, SKIP_NAMES);
	tr2_fxt_end_event(&logs->writer, 0);
}

static void write_data(struct tr2_logs *logs)
{
	put_event(logs, FXT_INSTANT,
		  tr2_logs_key(logs, TR2_KEY_CATEGORY, &logs->category, "data"),
		  tr2_logs_key(logs, TR2_KEY_KEY, &logs->name, "data"));
	tr2_logs_args(logs, SKIP_TIMES | TR2_KEY_BIT(TR2_KEY_CATEGORY) |
				    TR2_KEY_BIT(TR2_KEY_KEY));
	tr2_fxt_end_event(&logs->writer, 0);
}

/* A counter's argument has to be a number; other values are left out. */
static void put_series(struct tr2_logs *logs, enum tr2_key which,
		       const char *name)
{
	const struct tr2_value *value = &logs->record->value[which];

	if (tr2_record_has(logs->record, which) &&
	    value->kind & (TR2_INTEGER | TR2_FRACTION))
		tr2_fxt_arg_literal(&logs->writer, tr2_fxt_text(name),
				    value->kind,
				    logs->record->parse.text + value->start);
}

/*
 * The share of one thread has the thread's id, which makes it a separate
 * counter.
 * SPEC: fxt.counter.series
 */
static void write_total(struct tr2_logs *logs)
{
	enum tr2_is is = logs->record->is;
	bool own = is == TR2_IS_TH_TIMER || is == TR2_IS_TH_COUNTER;

	put_event(logs, FXT_COUNTER,
		  tr2_logs_key(logs, TR2_KEY_CATEGORY, &logs->category,
			       "trace2"),
		  tr2_logs_key(logs, TR2_KEY_NAME, &logs->name, "total"));
	put_series(logs, TR2_KEY_COUNT, "count");
	put_series(logs, TR2_KEY_INTERVALS, "intervals");
	put_series(logs, TR2_KEY_T_TOTAL, "t_total");
	put_series(logs, TR2_KEY_T_MIN, "t_min");
	put_series(logs, TR2_KEY_T_MAX, "t_max");
	if (!logs->writer.args)
		tr2_fxt_arg_int(&logs->writer, tr2_fxt_text("count"), 0);
	tr2_fxt_end_event(&logs->writer, own ? logs->thread->id.thread : 0);
}

static void begin_call(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span)
{
	struct tr2_run *run = logs->run;
	struct tr2_run_call *call =
		tr2_vec_renew(&run->calls, run->calls.count, sizeof(*call));

	call->from =
		(struct tr2_flow_end){ logs->time, logs->thread->id.thread };
	call->call.begin = span->begin;
	if (span->kind == TR2_SPAN_EXEC) {
		call->call.kind = TR2_CALL_EXEC;
		call->call.pid = run->life.self.pid;
	}
	call->call.words = tr2_words_hash(logs->record) & TR2_WORDS_MOST;
}

/*
 * The span is open until it ends, which may be on another thread. A program
 * that was executed has a log of its own, as if it were a child.
 */
static void begin_child(struct tr2_logs *logs,
			const struct tr2_timeline_span *span,
			struct tr2_run_span *own)
{
	struct tr2_fxt_text name =
		tr2_logs_key(logs, TR2_KEY_ARGV, &logs->name, "child");

	name = tr2_fxt_shorten(name, SPAN_NAME);
	own->id = ++logs->spans;
	own->call = logs->run->calls.count;
	tr2_run_keep(&own->name, name);
	put_event(logs, FXT_ASYNC_BEGIN, tr2_fxt_text("process"), name);
	tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, own->id);
	begin_call(logs, span);
}

void tr2_logs_begin_span(void *context, const struct tr2_moment *moment,
			 struct tr2_timeline_span *span)
{
	struct tr2_logs *logs = context;
	struct tr2_run_span *own =
		tr2_vec_reach(&logs->run->spans, span->place, sizeof(*own));

	(void)moment;
	logs->time = tr2_run_time(logs->run, span->begin);
	if (span->kind == TR2_SPAN_REGION)
		begin_region(logs, own);
	else
		begin_child(logs, span, own);
}

static void end_child(struct tr2_logs *logs,
		      const struct tr2_timeline_span *span,
		      const struct tr2_run_span *own)
{
	struct tr2_run_call *calls = logs->run->calls.items;
	struct tr2_tree_call *call = &calls[own->call].call;

	call->end = span->begin + span->length;
	if (logs->moment->record)
		tr2_tree_end_call(call, logs->record);
	logs->time = tr2_run_time(logs->run, call->end);
	put_event(logs, FXT_ASYNC_END, tr2_fxt_text("process"),
		  tr2_fxt_text_of(&own->name));
	if (logs->moment->record)
		tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, own->id);
}

void tr2_logs_end_span(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span)
{
	struct tr2_run_span *spans = logs->run->spans.items;
	struct tr2_run_span *own = spans + span->place;

	if (span->kind == TR2_SPAN_REGION)
		end_region(logs, span, own);
	else
		end_child(logs, span, own);
	tr2_buf_release(&own->name);
	*own = (struct tr2_run_span){ .id = 0 };
	if (logs->moment->record && logs->record->is != TR2_IS_THREAD_EXIT)
		logs->waits = false;
}

/*
 * The event ends spans, which the timeline tells. Where it ends none, it
 * becomes an instant; that of a thread ends the slice around them.
 */
static void expect_end(struct tr2_logs *logs)
{
	logs->waits = true;
}

void tr2_logs_finish(void *context, const struct tr2_moment *moment)
{
	struct tr2_logs *logs = context;

	(void)moment;
	if (!logs->waits)
		return;
	logs->waits = false;
	if (logs->record->is == TR2_IS_THREAD_EXIT)
		end_thread(logs);
	else
		write_instant(logs);
}

/* The timeline tells of the span that it begins. */
static void write_nothing(struct tr2_logs *logs)
{
	(void)logs;
}

/* NULL, like a missing entry, means an instant. */
void tr2_logs_write(struct tr2_logs *logs)
{
	static void (*const forms[])(struct tr2_logs *) = {
		[TR2_IS_ATEXIT] = write_atexit,
		[TR2_IS_CMD_NAME] = write_cmd_name,
		[TR2_IS_CHILD_START] = write_nothing,
		[TR2_IS_CHILD_EXIT] = expect_end,
		[TR2_IS_CHILD_READY] = expect_end,
		[TR2_IS_EXEC] = write_nothing,
		[TR2_IS_EXEC_RESULT] = expect_end,
		[TR2_IS_THREAD_START] = write_thread_start,
		[TR2_IS_THREAD_EXIT] = expect_end,
		[TR2_IS_REGION_ENTER] = write_nothing,
		[TR2_IS_REGION_LEAVE] = expect_end,
		[TR2_IS_DATA] = write_data,
		[TR2_IS_DATA_JSON] = write_data,
		[TR2_IS_TH_TIMER] = write_total,
		[TR2_IS_TIMER] = write_total,
		[TR2_IS_TH_COUNTER] = write_total,
		[TR2_IS_COUNTER] = write_total,
		[TR2_IS_OTHER] = NULL,
	};
	enum tr2_is is = logs->record->is;

	if (forms[is])
		forms[is](logs);
	else
		write_instant(logs);
}
