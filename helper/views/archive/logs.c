#include "views/archive/logs.h"

#include "lib/common/hash.h"

#define COMMAND_MAX ((size_t)100) /* largest length of a slice's name */

/* Report an event that lacks a key without which it can't be placed. */
static bool is_missing(struct tr2_logs *logs, enum tr2_key key, const char *id,
		       const char *message)
{
	size_t len;

	if (tr2_record_text(logs->record, key, &len))
		return false;
	tr2_events_report(logs->events, id, message);
	return true;
}

static void keep_value(struct tr2_logs *logs, struct tr2_buf *buf,
		       enum tr2_key key)
{
	struct tr2_fxt_text text = tr2_logs_key(logs, key, &logs->value, "");

	tr2_buf_reset(buf);
	tr2_run_keep(buf, text);
}

/* Keep the words after which the process is named. */
static void keep_command(struct tr2_logs *logs)
{
	struct tr2_buf *command = &logs->run->command;

	keep_value(logs, command, TR2_KEY_ARGV);
	command->len =
		tr2_fxt_shorten(tr2_fxt_text_of(command), COMMAND_MAX).len;
}

/*
 * The slice of a process needs the data of `version` and `start`, so it is
 * not written before `start`, or before another event or the end of all logs
 * shows that there is no `start`. It begins at the time of the first event.
 * True: this event is part of the slice.
 */
static bool is_introduction(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;
	enum tr2_is is = logs->record->is;

	if (run->begun)
		return false;
	if (is == TR2_IS_VERSION) {
		keep_value(logs, &run->exe, TR2_KEY_EXE);
		keep_value(logs, &run->evt, TR2_KEY_EVT);
		return true;
	}
	if (is == TR2_IS_START)
		keep_command(logs);
	tr2_run_begin(logs);
	return is == TR2_IS_START;
}

/* Its main thread has the same id as the process. */
static void begin_run(void *context, struct tr2_life *life, const char *sid,
		      size_t len)
{
	struct tr2_logs *logs = context;
	struct tr2_run *run = (struct tr2_run *)life;

	tr2_run_keep(&run->sid, (struct tr2_fxt_text){ sid, len });
	tr2_run_begin_thread(logs, &run->main, logs->ids + 1,
			     tr2_fxt_text("main"));
}

/* The thread at this place of the timeline. */
static struct tr2_run_thread *enter_thread(struct tr2_logs *logs,
					   uint32_t place)
{
	struct tr2_run *run = logs->run;
	const struct tr2_timeline_thread *from =
		tr2_timeline_thread_at(&run->life.timeline, place);
	struct tr2_run_thread *thread;

	if (from->hash == logs->main_hash)
		return &run->main;
	thread = tr2_vec_reach(&run->threads, place, sizeof(*thread));
	if (!thread->id.thread)
		tr2_run_begin_thread(logs, thread, run->main.id.process,
				     (struct tr2_fxt_text){ from->name,
							    from->name_len });
	return thread;
}

static void take_moment(void *context, const struct tr2_moment *moment)
{
	struct tr2_logs *logs = context;

	logs->run = (struct tr2_run *)logs->walk.life;
	logs->record = moment->record;
	logs->moment = moment;
	logs->thread = enter_thread(logs, moment->thread);
	logs->time = tr2_run_time(logs->run, moment->at);
	if (!is_introduction(logs))
		tr2_logs_write(logs);
}

/* A child ends on the thread that began it, if that has not ended. */
static struct tr2_run_thread *find_thread(struct tr2_logs *logs,
					  const struct tr2_timeline_span *span)
{
	struct tr2_run_thread *thread = logs->run->threads.items;

	if (span->kind == TR2_SPAN_REGION ||
	    (span->thread < logs->run->threads.count &&
	     thread[span->thread].id.thread))
		return enter_thread(logs, span->thread);
	return &logs->run->main;
}

/* Without an event, the span ends with the process. */
static void take_end(void *context, const struct tr2_moment *moment,
		     struct tr2_timeline_span *span)
{
	struct tr2_logs *logs = context;

	logs->run = (struct tr2_run *)logs->walk.life;
	logs->moment = moment;
	if (!moment->record)
		logs->thread = find_thread(logs, span);
	tr2_logs_end_span(logs, span);
}

static bool end_run(void *context, struct tr2_life *life)
{
	struct tr2_logs *logs = context;

	logs->run = (struct tr2_run *)life;
	tr2_run_end(logs);
	return false;
}

static const struct tr2_walk_view view = {
	.size = sizeof(struct tr2_run),
	.begin = begin_run,
	.events = { .take = take_moment,
		    .begin_span = tr2_logs_begin_span,
		    .end_span = take_end,
		    .finish = tr2_logs_finish },
	.end = end_run,
	.release = tr2_run_release,
};

void tr2_logs_begin(struct tr2_logs *logs, const struct tr2_events *events,
		    struct tr2_buf *out)
{
	memset(logs, 0, sizeof(*logs));
	logs->events = events;
	logs->walk.view = &view;
	logs->walk.taker = logs;
	logs->walk.rest_most = TR2_REST_MOST;
	logs->walk.begins_again = true;
	logs->main_hash = tr2_hash("main", 4).a;
	tr2_fxt_begin(&logs->writer, out, "trace2 convert");
}

/* Find the event's process, and then its place; write what it becomes. */
void tr2_logs_event(void *context, struct tr2_record *record)
{
	struct tr2_logs *logs = context;
	const char *text;
	size_t len;

	logs->record = record;
	if (is_missing(logs, TR2_KEY_SID, "event.common.sid",
		       "no sid: the event is left out") ||
	    is_missing(logs, TR2_KEY_EVENT, "event.common.event",
		       "no name: the event is left out"))
		return;
	text = tr2_record_text(record, TR2_KEY_SID, &len);
	tr2_walk_take(&logs->walk, tr2_walk_find(&logs->walk, text, len),
		      record);
}

void tr2_logs_end(struct tr2_logs *logs)
{
	tr2_walk_end(&logs->walk);
	tr2_walk_release(&logs->walk);
	tr2_run_put_flows(logs);
	tr2_fxt_release(&logs->writer);
	tr2_record_release(&logs->again);
	tr2_buf_release(&logs->category);
	tr2_buf_release(&logs->name);
	tr2_buf_release(&logs->value);
}
