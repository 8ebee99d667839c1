#include "views/archive/logs.h"

#include <stdlib.h>

#include "lib/common/memory.h"

#define COMMAND_MAX ((size_t)100) /* largest length of a slice's name */

void tr2_logs_begin(struct tr2_logs *logs, const struct tr2_events *events,
		    struct tr2_buf *out)
{
	memset(logs, 0, sizeof(*logs));
	logs->events = events;
	tr2_fxt_begin(&logs->writer, out, "trace2 convert");
}

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
	struct tr2_fxt_text text;

	keep_value(logs, command, TR2_KEY_ARGV);
	text = (struct tr2_fxt_text){ command->bytes, command->len };
	command->len = tr2_fxt_shorten(text, COMMAND_MAX).len;
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
		keep_value(logs, &run->text, TR2_KEY_SID);
		keep_value(logs, &run->exe, TR2_KEY_EXE);
		keep_value(logs, &run->evt, TR2_KEY_EVT);
		return true;
	}
	if (is == TR2_IS_START)
		keep_command(logs);
	tr2_run_begin(logs);
	return is == TR2_IS_START;
}

uint64_t tr2_run_time(const struct tr2_run *run, int64_t at)
{
	uint64_t us = (uint64_t)tr2_timeline_unix(&run->timeline, at);

	return us < UINT64_MAX / 1000 ? 1000 * us : UINT64_MAX;
}

/* An event without a thread belongs to the main thread. */
static void take_moment(void *context, const struct tr2_moment *moment)
{
	struct tr2_logs *logs = context;
	size_t len;
	const char *text;

	logs->record = moment->record;
	logs->moment = moment;
	text = tr2_record_text(logs->record, TR2_KEY_THREAD, &len);
	logs->thread = text ? tr2_run_thread(logs, logs->run, text, len) : 0;
	logs->time = tr2_run_time(logs->run, moment->at);
	if (!is_introduction(logs))
		tr2_logs_write(logs);
}

static void take_begin(void *context, const struct tr2_moment *moment,
		       struct tr2_timeline_span *span)
{
	(void)moment;
	tr2_logs_begin_span(context, span);
}

static void take_end(void *context, const struct tr2_moment *moment,
		     struct tr2_timeline_span *span)
{
	struct tr2_logs *logs = context;

	logs->moment = moment;
	tr2_logs_end_span(logs, span);
}

static void take_finish(void *context, const struct tr2_moment *moment)
{
	(void)moment;
	tr2_logs_finish(context);
}

static const struct tr2_timeline_view view = { .take = take_moment,
					       .begin_span = take_begin,
					       .end_span = take_end,
					       .finish = take_finish };

/* Its parent may have executed it, and then ends with it. */
static void offer_heir(struct tr2_logs *logs, const struct tr2_run *run)
{
	struct tr2_run *parent = tr2_run_parent(logs, run);

	if (run->self.has_parent)
		tr2_heirs_offer(&logs->heirs, run->self.parent,
				parent ? &parent->timeline : NULL,
				&run->timeline,
				run->parent_pid == run->self.pid);
}

static void settle_run(struct tr2_logs *logs, struct tr2_run *run)
{
	logs->run = run;
	tr2_timeline_settle(&run->timeline, &view, logs);
}

/* What is open ends with the process, on the main thread. */
static void end_run(struct tr2_logs *logs, struct tr2_run *run)
{
	tr2_rest_leave(&logs->rest, &run->rest);
	settle_run(logs, run);
	tr2_heirs_take(&logs->heirs, run->self.key, &run->timeline);
	logs->thread = 0;
	tr2_timeline_close(&run->timeline, &view, logs);
	offer_heir(logs, run);
	tr2_run_end(logs, run);
}

static void end_resting(struct tr2_logs *logs, size_t most)
{
	while (logs->rest.count > most)
		end_run(logs, TR2_REST_OWNER(logs->rest.first, struct tr2_run));
}

/* The process has or had an end. */
static void rest_run(struct tr2_logs *logs, struct tr2_run *run)
{
	if (run->timeline.went_on) {
		tr2_rest_leave(&logs->rest, &run->rest);
		return;
	}
	tr2_rest_enter(&logs->rest, &run->rest);
	end_resting(logs, TR2_REST_MOST);
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
	logs->run = tr2_run_find(logs, text, len);
	tr2_timeline_take(&logs->run->timeline, record, &view, logs);
	if (logs->run->timeline.ending)
		rest_run(logs, logs->run);
}

/* One that began in another one comes first. */
static int compare_depths(const void *left, const void *right)
{
	const struct tr2_run *const *a = left, *const *b = right;

	return ((*a)->depth < (*b)->depth) - ((*a)->depth > (*b)->depth);
}

static void settle_all(struct tr2_logs *logs)
{
	struct tr2_run *run;
	size_t i;

	for (i = 0; i < logs->room; i++)
		for (run = logs->buckets[i]; run; run = run->next)
			settle_run(logs, run);
}

/*
 * Processes without an end do so at the time of their last event; those that
 * executed a program end with it.
 */
static void end_open(struct tr2_logs *logs)
{
	struct tr2_vec replaced = { 0 };
	struct tr2_run **added, *run, *next;
	size_t i;

	for (i = 0; i < logs->room; i++)
		for (run = logs->buckets[i]; run; run = next) {
			next = run->next;
			if (!run->timeline.is_replaced) {
				end_run(logs, run);
				continue;
			}
			added = tr2_vec_add(&replaced, sizeof(*added));
			*added = run;
		}
	tr2_vec_sort(&replaced, sizeof(*added), compare_depths);
	added = replaced.items;
	for (i = 0; i < replaced.count; i++)
		end_run(logs, added[i]);
	tr2_vec_release(&replaced);
}

void tr2_logs_end(struct tr2_logs *logs)
{
	settle_all(logs);
	end_resting(logs, 0);
	end_open(logs);
	free(logs->buckets);
	tr2_heirs_release(&logs->heirs);
	tr2_flow_put_all(logs);
	tr2_fxt_release(&logs->writer);
	tr2_record_release(&logs->again);
	tr2_buf_release(&logs->category);
	tr2_buf_release(&logs->name);
	tr2_buf_release(&logs->value);
}
