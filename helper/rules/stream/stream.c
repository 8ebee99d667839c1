#include "rules/stream/step.h"

#include <stdlib.h>

#include "read/origin.h"
#include "rules/stream/rules.h"

#define ROW(rule, id, level, key, needs_all) \
	{ id, level, TR2_KEY_##key, needs_all },

static const struct rule_row {
	const char *id;
	enum tr2_level level;
	enum tr2_key key;
	bool needs_all;
} rules[TR2_STREAM_RULES] = { TR2_STREAM_RULE_ROWS(ROW) };

/*
 * The part that gets events of this kind, besides those that get every event.
 */
static void (*const parts[TR2_IS_OTHER + 1])(struct tr2_step *) = {
	[TR2_IS_ATEXIT] = tr2_life_atexit,
	[TR2_IS_CMD_NAME] = tr2_family_cmd_name,
	[TR2_IS_CHILD_START] = tr2_child_start,
	[TR2_IS_CHILD_EXIT] = tr2_child_exit,
	[TR2_IS_CHILD_READY] = tr2_child_ready,
	[TR2_IS_EXEC] = tr2_child_exec,
	[TR2_IS_EXEC_RESULT] = tr2_child_exec_result,
	[TR2_IS_THREAD_EXIT] = tr2_thread_exit,
	[TR2_IS_DEF_REPO] = tr2_form_def_repo,
	[TR2_IS_REGION_ENTER] = tr2_region_enter,
	[TR2_IS_REGION_LEAVE] = tr2_region_leave,
	[TR2_IS_DATA] = tr2_region_data,
	[TR2_IS_DATA_JSON] = tr2_region_data,
	[TR2_IS_TH_TIMER] = tr2_total_part,
	[TR2_IS_TH_COUNTER] = tr2_total_part,
	[TR2_IS_TIMER] = tr2_total_sum,
	[TR2_IS_COUNTER] = tr2_total_sum,
};

const char *tr2_stream_id(enum tr2_stream_rule rule)
{
	return rules[rule].id;
}

void tr2_stream_begin_log(struct tr2_stream *stream, const char *name,
			  unsigned visit)
{
	tr2_sessions_begin_log(&stream->sessions, name, visit);
	stream->sessions.log->lost_before = stream->lost;
}

bool tr2_step_is_whole(const struct tr2_step *step)
{
	return !step->session->damaged &&
	       step->session->lost == step->stream->lost;
}

void tr2_step_report_known(struct tr2_step *step, enum tr2_stream_rule rule,
			   enum tr2_key key, const char *known, const char *fmt,
			   ...)
{
	const struct rule_row *row = &rules[rule];
	struct tr2_what what = {
		.level = row->level,
		.id = row->id,
		.known = known,
	};
	const struct tr2_value *value;
	va_list ap;

	/* A broken line may have contained what seems to be missing here. */
	if (step->muted || (row->needs_all && !tr2_step_is_whole(step)))
		return;
	key = key == TR2_KEYS ? row->key : key;
	value = &step->record->value[tr2_record_has(step->record, key)
					     ? key
					     : TR2_KEY_EVENT];
	what.at = value->start;
	what.len = value->end - value->start;
	va_start(ap, fmt);
	step->muted = tr2_sink_vreport(step->sink, &what, fmt, ap) != TR2_INFO;
	va_end(ap);
}

static void open_session(struct tr2_step *step)
{
	struct tr2_stream *stream = step->stream;

	step->session = tr2_sessions_open(&stream->sessions);
	step->session->lost = stream->lost;
	/* Its earlier lines may be among the lost ones of this log. */
	step->session->damaged = stream->lost >
					 stream->sessions.log->lost_before ||
				 tr2_sid_has(step->sid, TR2_SID_TORN);
	step->session->writer = (uint8_t)tr2_sid_writer(step->sid);
	step->session->self = step->sid->hash;
	tr2_family_open(step);
	tr2_origin_note(step);
	tr2_sid_open(step->sid, step->session);
	tr2_sid_unset(step->sid, TR2_SID_TORN);
}

static void close_session(struct tr2_step *step)
{
	step->sid->value = step->session->names;
	tr2_sid_unset(step->sid, TR2_SID_OPEN);
	tr2_sid_set(step->sid, TR2_SID_ENDED);
	tr2_sessions_close(&step->stream->sessions, step->session);
}

/*
 * Each part updates its own state, whatever was reported before: a muted
 * event is followed like any other.
 */
static void take_event(struct tr2_step *step)
{
	enum tr2_is is = step->record->is;

	tr2_sessions_touch(&step->stream->sessions, step->session,
			   step->sink->line.number);
	tr2_life_event(step);
	tr2_thread_event(step);
	tr2_form_event(step);
	if (parts[is])
		parts[is](step);
	step->session->last = is;
	step->session->damaged |= step->broken;
	if (is == TR2_IS_ATEXIT)
		close_session(step);
}

void tr2_stream_event(struct tr2_stream *stream, struct tr2_sink *sink,
		      struct tr2_record *record, struct tr2_map_slot *sid,
		      bool muted, bool broken)
{
	struct tr2_step step = {
		.stream = stream,
		.sink = sink,
		.record = record,
		.sid = sid,
		.session = tr2_sid_session(sid),
		.muted = muted || broken,
		.broken = broken,
	};

	if (tr2_sid_has(sid, TR2_SID_ENDED))
		tr2_life_late(&step);
	if (tr2_sid_has(sid, TR2_SID_ENDED))
		return;
	if (!step.session)
		open_session(&step);
	take_event(&step);
}

/*
 * Returns the SID of a text that can't be read, or that of a line that was
 * not read if all of it belongs to one process.
 */
static const char *find_sid(const struct tr2_sink *sink, const char *text,
			    size_t len, size_t *sid_len)
{
	const struct tr2_line *line = &sink->line;

	return text ? tr2_glance_sid(text, len, sid_len)
		    : tr2_glance_line(line->text, line->len, sid_len);
}

static void damage_session(struct tr2_map_slot *sid)
{
	if (tr2_sid_has(sid, TR2_SID_OPEN))
		tr2_sid_session(sid)->damaged = true;
	else
		tr2_sid_set(sid, TR2_SID_TORN);
}

void tr2_stream_lose(struct tr2_stream *stream, const struct tr2_sink *sink,
		     const char *text, size_t len)
{
	size_t sid_len;
	const char *sid = find_sid(sink, text, len, &sid_len);

	if (!sid)
		tr2_stream_lose_lines(stream);
	else
		damage_session(tr2_sids_add(&stream->sids, sid, sid_len));
}

void tr2_stream_lose_lines(struct tr2_stream *stream)
{
	stream->lost++;
}

/* SPEC: stream.unfinished */
static void report_unfinished(struct tr2_sink *sink,
			      const struct tr2_stream_session *session)
{
	const struct rule_row *row = &rules[TR2_STREAM_UNFINISHED];
	struct tr2_finding finding = {
		.level = row->level,
		.id = row->id,
		.file = session->log->text,
		.line = session->line,
		.column = 1,
		.message = "the log of the process ends here, without atexit",
		.session = session->self,
		.visit = session->log->visit,
		.part = TR2_PART_END,
	};

	sink->writer = session->writer;
	sink->take(sink, &finding);
}

void tr2_stream_end(struct tr2_stream *stream, struct tr2_sink *sink)
{
	const struct tr2_stream_session *session;

	for (session = stream->sessions.first; session; session = session->next)
		if (!session->seen.signal && !session->seen.execs &&
		    !session->damaged && session->lost == stream->lost)
			report_unfinished(sink, session);
}

void tr2_stream_release(struct tr2_stream *stream)
{
	tr2_sessions_release(&stream->sessions);
	tr2_map_release(&stream->sids.all);
	free(stream->ends);
	tr2_origin_release(stream);
}
