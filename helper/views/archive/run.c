#include "model/words/words.h"
#include "views/archive/logs.h"

#include "lib/common/memory.h"

#define TEXT_MAX_KEPT 200

void tr2_run_reserve(struct tr2_buf *buf, size_t more)
{
	if (buf->room - buf->len >= more)
		return;
	buf->room = 2 * buf->len + more;
	buf->bytes = tr2_must_grow(buf->bytes, buf->room);
}

uint64_t tr2_run_time(const struct tr2_run *run, int64_t at)
{
	uint64_t us = (uint64_t)tr2_timeline_unix(&run->life.timeline, at);

	return us < UINT64_MAX / 1000 ? 1000 * us : UINT64_MAX;
}

static uint64_t find_end(const struct tr2_run *run)
{
	return tr2_run_time(run, tr2_timeline_length(&run->life.timeline));
}

void tr2_run_begin_thread(struct tr2_logs *logs, struct tr2_run_thread *thread,
			  uint32_t process, struct tr2_fxt_text name)
{
	thread->id.thread = ++logs->ids;
	thread->id.process = process;
	tr2_fxt_name_thread(&logs->writer, &thread->id, name);
}

/*
 * No slice begins or ends before the last one: viewers would nest them wrongly.
 * DevTools needs the name and category of a slice at its end, too, where they
 * may have been cut already.
 */
void tr2_run_put_slice(struct tr2_logs *logs, enum fxt_event type,
		       uint64_t time, struct tr2_fxt_text category,
		       struct tr2_fxt_text name)
{
	struct tr2_run_thread *thread = logs->thread;

	if (thread->last < time)
		thread->last = time;
	if (type == FXT_DURATION_END) {
		category = tr2_fxt_shorten(category, TEXT_MAX_KEPT);
		name = tr2_fxt_shorten(name, TEXT_MAX_KEPT);
	}
	tr2_fxt_begin_event(&logs->writer, type, thread->last, &thread->id,
			    category, name);
}

/* The first name wins: viewers show only one. */
void tr2_run_name(struct tr2_logs *logs, struct tr2_fxt_text name)
{
	struct tr2_run *run = logs->run;

	if (run->named || !name.len)
		return;
	tr2_fxt_name_process(&logs->writer, run->main.id.process, name);
	run->named = true;
}

static struct tr2_fxt_text name_slice(const struct tr2_run *run)
{
	return run->command.len ? tr2_fxt_text_of(&run->command)
				: tr2_fxt_text("process");
}

static void put_text(struct tr2_logs *logs, const char *name,
		     struct tr2_buf *text)
{
	if (text->len)
		tr2_fxt_arg_text(&logs->writer, tr2_fxt_text(name),
				 tr2_fxt_text_of(text));
	tr2_buf_release(text);
}

/* The texts are not needed any more. */
void tr2_run_begin(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;
	struct tr2_run_thread *present = logs->thread;

	run->begun = run->main.lives = true;
	run->start = tr2_run_time(run, 0);
	logs->thread = &run->main;
	tr2_run_put_slice(logs, FXT_DURATION_BEGIN, run->start,
			  tr2_fxt_text("process"), name_slice(run));
	put_text(logs, "sid", &run->sid);
	if (run->life.self.pid)
		tr2_fxt_arg_uint(&logs->writer, tr2_fxt_text("pid"),
				 run->life.self.pid);
	put_text(logs, "exe", &run->exe);
	put_text(logs, "evt", &run->evt);
	if (logs->record && logs->record->is == TR2_IS_START)
		tr2_logs_args(logs, TR2_KEY_BIT(TR2_KEY_T_ABS));
	tr2_fxt_end_event(&logs->writer, 0);
	if (logs->record)
		run->life.self.words = tr2_words_hash(logs->record);
	logs->thread = present;
}

static void end_threads(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;
	const struct tr2_timeline_thread *from;
	struct tr2_run_thread *thread = run->threads.items;

	for (uint32_t i = 0; i < run->threads.count; i++) {
		if (!thread[i].lives)
			continue;
		from = tr2_timeline_thread_at(&run->life.timeline, i);
		logs->thread = &thread[i];
		tr2_run_put_slice(
			logs, FXT_DURATION_END, find_end(run),
			tr2_fxt_text("thread"),
			from->name_len ? (struct tr2_fxt_text){ from->name,
								from->name_len }
				       : tr2_fxt_text("thread"));
		tr2_fxt_end_event(&logs->writer, 0);
	}
}

void tr2_run_release(struct tr2_life *life)
{
	struct tr2_run *run = (struct tr2_run *)life;
	struct tr2_run_span *spans = run->spans.items;

	for (uint32_t i = 0; i < run->spans.count; i++)
		tr2_buf_release(&spans[i].name);
	tr2_vec_release(&run->threads);
	tr2_vec_release(&run->spans);
	tr2_vec_release(&run->calls);
	tr2_buf_release(&run->sid);
	tr2_buf_release(&run->exe);
	tr2_buf_release(&run->evt);
	tr2_buf_release(&run->command);
	tr2_buf_release(&run->end);
}

/* A flow leads from a child of a process to where the child's log begins. */
static void keep_flows(struct tr2_logs *logs, struct tr2_run *run)
{
	const struct tr2_tree_process *self = &run->life.self;
	const struct tr2_run_call *call = run->calls.items;
	struct tr2_tree_call placed;
	struct tr2_flow_end *added;

	tr2_tree_add(&logs->tree, self);
	added = tr2_vec_add(&logs->begins, sizeof(*added));
	*added = (struct tr2_flow_end){ run->start, run->main.id.process };
	for (uint32_t i = 0; i < run->calls.count; i++, call++) {
		placed = call->call;
		placed.begin += self->begin;
		placed.end += self->begin;
		tr2_tree_add_call(&logs->tree, &placed);
		added = tr2_vec_add(&logs->calls, sizeof(*added));
		*added = call->from;
	}
}

/* The keys of its first atexit become arguments; the code is that of the last. */
static void put_end(struct tr2_logs *logs)
{
	const struct tr2_buf *end = &logs->run->end;
	const struct tr2_timeline *timeline = &logs->run->life.timeline;
	uint64_t skipped = TR2_KEY_BIT(TR2_KEY_T_ABS);

	if (!end->len ||
	    tr2_record_read(&logs->again, end->bytes,
			    end->len - TR2_TOKENS_PADDING) != TR2_RECORD_OK)
		return;
	logs->record = &logs->again;
	if (timeline->has_code)
		skipped |= TR2_KEY_BIT(TR2_KEY_CODE);
	tr2_logs_args(logs, skipped);
	if (timeline->has_code)
		tr2_fxt_arg_int(&logs->writer, tr2_fxt_text("code"),
				timeline->code);
}

/*
 * A process without a name gets its command's. One that has only `version`
 * events, because it was killed or ran on, has not begun.
 */
void tr2_run_end(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;

	logs->record = NULL;
	if (!run->begun)
		tr2_run_begin(logs);
	end_threads(logs);
	logs->thread = &run->main;
	tr2_run_put_slice(logs, FXT_DURATION_END, find_end(run),
			  tr2_fxt_text("process"), name_slice(run));
	put_end(logs);
	tr2_fxt_end_event(&logs->writer, 0);
	tr2_run_name(logs, name_slice(run));
	keep_flows(logs, run);
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

void tr2_run_put_flows(struct tr2_logs *logs)
{
	struct tr2_tree_process **process;

	tr2_tree_resolve(&logs->tree);
	process = logs->tree.order.items;
	for (uint32_t i = 0; i < logs->tree.order.count; i++)
		if (process[i]->call != TR2_TREE_NONE)
			put_flow(logs, process[i]);
	tr2_tree_release(&logs->tree);
	tr2_vec_release(&logs->begins);
	tr2_vec_release(&logs->calls);
}
