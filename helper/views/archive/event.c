#include "views/archive/logs.h"

#include "lib/common/memory.h"
#include "read/value.h"

/* A flow leads from a child of a process to where the child's log begins. */

static void begin_call(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span)
{
	struct tr2_run *run = logs->run;
	uint32_t *number =
		tr2_vec_reach(&run->open_calls, span->place, sizeof(*number));
	struct tr2_run_call *call;

	*number = run->calls.count;
	call = tr2_vec_renew(&run->calls, *number, sizeof(*call));
	call->from.time = logs->time;
	call->from.thread = tr2_logs_thread(logs)->id.thread;
	call->call.begin = span->begin;
	if (span->kind == TR2_SPAN_EXEC) {
		call->call.kind = TR2_CALL_EXEC;
		call->call.pid = run->self.pid;
	}
	call->call.words = tr2_tree_read_words(logs->record) & TR2_WORDS_MOST;
}

static void end_call(struct tr2_logs *logs,
		     const struct tr2_timeline_span *span)
{
	const uint32_t *number = logs->run->open_calls.items;
	struct tr2_tree_call *call =
		&((struct tr2_run_call *)
			  logs->run->calls.items)[number[span->place]]
			 .call;

	call->end = span->begin + span->length;
	if (logs->moment->record)
		tr2_tree_end_call(call, logs->record);
}

void tr2_flow_end_process(struct tr2_logs *logs, struct tr2_run *run)
{
	const struct tr2_run_call *call = run->calls.items;
	struct tr2_tree_call placed;
	struct tr2_flow_end *added;
	uint32_t i;

	run->self.begin = tr2_timeline_unix(&run->timeline, 0);
	run->self.end = tr2_timeline_unix(&run->timeline,
					  tr2_timeline_length(&run->timeline));
	run->self.timed = run->timeline.base != 0;
	tr2_tree_add(&logs->tree, &run->self);
	added = tr2_vec_add(&logs->begins, sizeof(*added));
	*added = (struct tr2_flow_end){ run->start, run->process };
	for (i = 0; i < run->calls.count; i++, call++) {
		placed = call->call;
		placed.begin = tr2_timeline_unix(&run->timeline, placed.begin);
		placed.end = tr2_timeline_unix(&run->timeline, placed.end);
		tr2_tree_add_call(&logs->tree, &placed);
		added = tr2_vec_add(&logs->calls, sizeof(*added));
		*added = call->from;
	}
}

/*
 * DevTools connects slices that have the category and the time of the flow's
 * ends: here the child's span, there the child's slice.
 */
static void put_flow(struct tr2_logs *logs,
		     const struct tr2_tree_process *process)
{
	const struct tr2_flow_end *begins = logs->begins.items;
	const struct tr2_flow_end *calls = logs->calls.items;
	const struct tr2_flow_end *child =
		&begins[tr2_tree_number(&logs->tree, process)];
	struct tr2_fxt_text category = tr2_fxt_text("process");
	struct tr2_fxt_text name = tr2_fxt_text(
		process->tie == TR2_TIE_GUESS ? "child (by argv)" : "child");
	struct tr2_fxt_thread from = { begins[process->caller].thread,
				       calls[process->call].thread, 0 };
	struct tr2_fxt_thread to = { child->thread, child->thread, 0 };
	uint64_t id = ++logs->spans;

	tr2_fxt_begin_event(&logs->writer, FXT_FLOW_BEGIN,
			    calls[process->call].time, &from, category, name);
	tr2_fxt_end_event(&logs->writer, id);
	tr2_fxt_begin_event(&logs->writer, FXT_FLOW_END, child->time, &to,
			    category, name);
	tr2_fxt_end_event(&logs->writer, id);
}

void tr2_flow_put_all(struct tr2_logs *logs)
{
	struct tr2_tree_process **process;
	uint32_t i;

	tr2_tree_resolve(&logs->tree);
	process = logs->tree.order.items;
	for (i = 0; i < logs->tree.order.count; i++)
		if (process[i]->call != TR2_TREE_NONE)
			put_flow(logs, process[i]);
	tr2_tree_release(&logs->tree);
	tr2_vec_release(&logs->begins);
	tr2_vec_release(&logs->calls);
}

/* These keys are left out: the trace shows their meaning itself. */
#define SKIP_TIMES                                                 \
	(TR2_KEY_BIT(TR2_KEY_T_ABS) | TR2_KEY_BIT(TR2_KEY_T_REL) | \
	 TR2_KEY_BIT(TR2_KEY_NESTING))
#define SPAN_NAME 100

static void put_event(struct tr2_logs *logs, enum fxt_event type,
		      struct tr2_fxt_text category, struct tr2_fxt_text name)
{
	tr2_fxt_begin_event(&logs->writer, type, logs->time,
			    &tr2_logs_thread(logs)->id, category, name);
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
		tr2_run_name(logs, logs->run, name);
	write_instant(logs);
}

/* Nothing but an event after its end shows that it was not the last one. */
static void show_last(struct tr2_logs *logs)
{
	struct tr2_record *present = logs->record;
	uint64_t time = logs->time;
	size_t thread = logs->thread;

	if (tr2_run_read_last(logs, logs->run)) {
		logs->time = tr2_run_time(logs->run, logs->run->last_at);
		logs->thread = 0;
		write_instant(logs);
	}
	logs->record = present;
	logs->time = time;
	logs->thread = thread;
}

/* The keys of the last one become arguments of the process's slice. */
static void write_atexit(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;
	struct tr2_buf *last = &run->last;

	show_last(logs);
	tr2_buf_reset(last);
	tr2_run_reserve(last, logs->record->parse.len + TR2_TOKENS_PADDING);
	tr2_buf_add(last, logs->record->parse.text, logs->record->parse.len);
	tr2_buf_fill(last, '\0', TR2_TOKENS_PADDING);
	run->last_at = logs->moment->at;
}

/*
 * If slices are open, or on the main thread, there is already a slice for the
 * thread's life: the event becomes an instant.
 */
static void write_thread_start(struct tr2_logs *logs)
{
	struct tr2_run_thread *thread = tr2_logs_thread(logs);

	if (thread->depth || !logs->thread) {
		write_instant(logs);
		return;
	}
	thread->floor = 1;
	tr2_run_push(logs, thread, logs->time, tr2_fxt_text("thread"),
		     tr2_logs_key(logs, TR2_KEY_THREAD, &logs->name, "thread"));
	tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, 0);
}

/*
 * The first slice of the thread is its life; all slices above it are regions
 * that were not left, and end with it.
 */
static void write_thread_exit(struct tr2_logs *logs)
{
	struct tr2_run_thread *thread = tr2_logs_thread(logs);

	if (!logs->thread || !thread->floor) {
		write_instant(logs);
		return;
	}
	while (thread->depth) {
		tr2_run_pop(logs, thread, logs->time);
		if (!thread->depth)
			tr2_logs_args(logs, SKIP_TIMES);
		tr2_fxt_end_event(&logs->writer, 0);
	}
	tr2_run_drop_thread(logs->run, logs->thread);
}

static void write_region_enter(struct tr2_logs *logs)
{
	struct tr2_fxt_text category =
		tr2_logs_key(logs, TR2_KEY_CATEGORY, &logs->category, "region");
	struct tr2_fxt_text name =
		tr2_logs_key(logs, TR2_KEY_LABEL, &logs->name, "");

	if (!name.len)
		name = tr2_logs_key(logs, TR2_KEY_MSG, &logs->name, "region");
	tr2_run_push(logs, tr2_logs_thread(logs), logs->time, category, name);
	tr2_logs_args(logs, SKIP_TIMES | TR2_KEY_BIT(TR2_KEY_CATEGORY) |
				    TR2_KEY_BIT(TR2_KEY_LABEL));
	tr2_fxt_end_event(&logs->writer, 0);
}

/*
 * Slices that are open end with their thread, else with the process's. A region
 * whose enter is not in the log has its slice as far as there is room.
 */
static void end_region(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span)
{
	struct tr2_run_thread *thread = tr2_logs_thread(logs);

	if (span->place == TR2_NO_SPAN) {
		logs->time = tr2_run_time(logs->run, span->begin);
		write_region_enter(logs);
	}
	if (!logs->moment->record || thread->depth <= thread->floor)
		return;
	logs->ends_none = false;
	logs->time = tr2_run_time(logs->run, span->begin + span->length);
	tr2_run_pop(logs, thread, logs->time);
	if (!span->unclosed)
		tr2_logs_args(logs, SKIP_TIMES | TR2_KEY_BIT(TR2_KEY_CATEGORY) |
					    TR2_KEY_BIT(TR2_KEY_LABEL));
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
	tr2_fxt_end_event(&logs->writer,
			  own ? tr2_logs_thread(logs)->id.thread : 0);
}

/*
 * The span is open until it ends, which may be on another thread. A program
 * that was executed has a log of its own, as if it were a child.
 */
static void begin_child(struct tr2_logs *logs,
			const struct tr2_timeline_span *span)
{
	struct tr2_run *run = logs->run;
	size_t number = tr2_slots_add(&run->child_numbers, span->number);
	struct tr2_run_child *child =
		tr2_vec_renew(&run->children, number, sizeof(*child));
	struct tr2_fxt_text name =
		tr2_logs_key(logs, TR2_KEY_ARGV, &logs->name, "child");

	name = tr2_fxt_shorten(name, SPAN_NAME);
	child->span = ++logs->spans;
	tr2_run_keep(&child->name, name);
	put_event(logs, FXT_ASYNC_BEGIN, tr2_fxt_text("process"), name);
	tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, child->span);
}

void tr2_logs_begin_span(struct tr2_logs *logs,
			 const struct tr2_timeline_span *span)
{
	if (span->kind == TR2_SPAN_REGION)
		return;
	begin_child(logs, span);
	begin_call(logs, span);
}

/* One that is still open ends with its process, which has no event for it. */
static void end_child(struct tr2_logs *logs,
		      const struct tr2_timeline_span *span)
{
	struct tr2_run *run = logs->run;
	size_t number = tr2_slots_find(&run->child_numbers, span->number);
	struct tr2_run_child *child =
		(struct tr2_run_child *)run->children.items + number;
	struct tr2_fxt_text name = { child->name.bytes, child->name.len };

	logs->ends_none = false;
	logs->time = tr2_run_time(run, span->begin + span->length);
	put_event(logs, FXT_ASYNC_END, tr2_fxt_text("process"), name);
	if (logs->moment->record)
		tr2_logs_args(logs, SKIP_TIMES);
	tr2_fxt_end_event(&logs->writer, child->span);
	tr2_buf_release(&child->name);
	tr2_slots_remove(&run->child_numbers, number);
}

void tr2_logs_end_span(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span)
{
	if (span->kind == TR2_SPAN_REGION) {
		end_region(logs, span);
		return;
	}
	end_call(logs, span);
	end_child(logs, span);
}

/*
 * The event ends a span, which the timeline tells. Where it ends none, it
 * becomes an instant.
 */
static void expect_end(struct tr2_logs *logs)
{
	logs->ends_none = true;
}

void tr2_logs_finish(struct tr2_logs *logs)
{
	if (logs->ends_none)
		write_instant(logs);
	logs->ends_none = false;
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
		[TR2_IS_THREAD_EXIT] = write_thread_exit,
		[TR2_IS_REGION_ENTER] = write_region_enter,
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
