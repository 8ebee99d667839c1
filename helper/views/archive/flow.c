/* A flow leads from a child of a process to where the child's log begins. */
#include "views/archive/logs.h"
#include "read/value.h"

void tr2_flow_begin_call(struct tr2_logs *logs,
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

void tr2_flow_end_call(struct tr2_logs *logs,
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
