#include "read/value.h"

#include <stdlib.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "rules/known.h"
#include "rules/stream/step.h"

/* ---- Where a SID occurred first */

#define SHOWN 80 /* bytes of a log's name */

static struct tr2_first_place *find_place(const struct tr2_step *step)
{
	struct tr2_first_place **origins = &step->stream->origins;

	if (!*origins)
		*origins = tr2_must_zeros(TR2_ORIGINS * sizeof(**origins));
	return &(*origins)[step->sid->hash % TR2_ORIGINS];
}

void tr2_origin_note(const struct tr2_step *step)
{
	struct tr2_first_place *origin = find_place(step);
	struct tr2_log_name *log = step->stream->sessions.log;

	if (origin->log && origin->sid == step->sid->hash)
		return;
	log->users++;
	tr2_log_name_release(origin->log);
	*origin = (struct tr2_first_place){ step->sid->hash,
					    step->sink->line.number, log };
}

/* Returns how many bytes of a log's name a message shows. */
static int find_shown_len(const char *name)
{
	return (int)tr2_text_cut(name, strlen(name), SHOWN);
}

/* SPEC: stream.version.once */
static void report_second(struct tr2_step *step)
{
	static const char second[] = "a second version under this SID";
	const struct tr2_first_place *origin = find_place(step);
	bool here = origin->log == step->stream->sessions.log;

	/* Another session may have taken the place meanwhile. */
	if (origin->sid != step->sid->hash)
		tr2_step_report(step, TR2_STREAM_VERSION_ONCE, "%s", second);
	else
		tr2_step_report(step, TR2_STREAM_VERSION_ONCE,
				"%s, which occurs first in line %lu%s%.*s",
				second, origin->line, here ? "" : " of ",
				here ? 0 : find_shown_len(origin->log->text),
				origin->log->text);
}

void tr2_origin_release(struct tr2_stream *stream)
{
	unsigned place;

	for (place = 0; stream->origins && place < TR2_ORIGINS; place++)
		tr2_log_name_release(stream->origins[place].log);
	free(stream->origins);
}

/* ---- From version to atexit */

/*
 * Returns a known deviation if this is a process of git that may fork and go
 * on with its SID; else NULL.
 */
static const char *known_daemon(const struct tr2_step *step)
{
	return tr2_sid_has(step->sid, TR2_SID_DAEMON) ? tr2_known_daemon_sid
						      : NULL;
}

/*
 * After a second version, treat the process as another one with this SID. A
 * first version that was reported as missing is no second defect, and it is
 * unknown whether the events before it are of the same process.
 */
static void begin_anew(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;
	struct tr2_sessions *sessions = &step->stream->sessions;
	const bool missed = session->seen.no_version;

	if (!missed)
		report_second(step);
	step->session = tr2_sessions_open(sessions);
	step->session->self = session->self;
	step->session->writer = session->writer;
	step->session->lost = step->stream->lost;
	step->session->damaged = missed && session->damaged;
	tr2_sessions_close(sessions, session);
	tr2_sessions_touch(sessions, step->session, step->sink->line.number);
	tr2_sid_open(step->sid, step->session);
	tr2_sid_unset(step->sid, TR2_SID_AT_END);
	tr2_family_open(step);
}

/* SPEC: stream.version.once */
static void take_version(struct tr2_step *step)
{
	if (step->session->seen.version)
		begin_anew(step);
	step->session->seen.version = true;
}

/*
 * The events before this one are unknown, as if they were in broken lines. A
 * writer that never writes a version has not lost any.
 * SPEC: stream.version.first
 */
static void miss_version(struct tr2_step *step)
{
	tr2_step_report(step, TR2_STREAM_VERSION_FIRST,
			"the process does not begin with version");
	step->session->seen.version = step->session->seen.no_version = true;
	step->session->seen.start = TR2_START_MISSED;
	step->session->damaged |= step->session->writer != TR2_WRITER_BUNDLE;
}

/*
 * Two verbs of test-tool show how each event is written, in an order that no
 * program has.
 */
static const char *find_show(const struct tr2_step *step)
{
	static const char *const verbs[] = {
		"\"trace2\",\"300redact_start\",",
		"\"trace2\",\"592text\",",
	};
	size_t len;
	const char *argv = tr2_record_raw(step->record, TR2_KEY_ARGV, &len);

	for (size_t i = 0; argv && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (tr2_text_find(argv, len, verbs[i]))
			return tr2_known_second_start;
	return NULL;
}

/* SPEC: stream.start.second, stream.start.once */
static void take_start(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;

	if (session->seen.start == TR2_START_SEEN)
		tr2_step_report_known(step, TR2_STREAM_START_ONCE, TR2_KEYS,
				      session->seen.show,
				      "a second start of the process");
	else
		session->seen.show = find_show(step);
	session->seen.start = TR2_START_SEEN;
}

/* SPEC: stream.too-many-files.place */
static void take_too_many_files(struct tr2_step *step)
{
	if (step->session->last != TR2_IS_VERSION)
		tr2_step_report(step, TR2_STREAM_TOO_MANY_FILES_PLACE,
				"too_many_files is not right after version");
}

/* Reported once. A start that comes later is then not a second one. */
static void miss_start(struct tr2_step *step)
{
	tr2_step_report(step, TR2_STREAM_START_SECOND,
			"start is missing before this event");
	step->session->seen.start = TR2_START_MISSED;
}

/* SPEC: stream.cmd_ancestry.place */
static void take_cmd_ancestry(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;

	if (!session->seen.ancestry && !session->seen.begun)
		tr2_step_report(step, TR2_STREAM_CMD_ANCESTRY_PLACE,
				"cmd_ancestry is not right after start");
	session->seen.ancestry = true;
}

/*
 * On Windows, git asks for the ancestry as a fact of the process, which it
 * writes before the event.
 */
static void follow_start(struct tr2_step *step)
{
	enum tr2_is is = step->record->is;
	size_t len = 0;
	const char *category;

	if (is == TR2_IS_START || is == TR2_IS_TOO_MANY_FILES)
		step->session->seen.begun = true;
	else if (is != TR2_IS_DATA && is != TR2_IS_DATA_JSON)
		step->session->seen.begun = false;
	if (!step->session->seen.begun ||
	    (is != TR2_IS_DATA && is != TR2_IS_DATA_JSON))
		return;
	category = tr2_record_text(step->record, TR2_KEY_CATEGORY, &len);
	step->session->seen.begun = category &&
				    tr2_text_is(category, len, "process");
}

/* SPEC: stream.totals.order */
static void check_totals(struct tr2_step *step)
{
	if (step->session->seen.totals)
		tr2_step_report(step, TR2_STREAM_TOTALS_ORDER,
				"timers and counters came before this exit");
	step->session->seen.totals = step->session->seen.counted = false;
}

/* SPEC: stream.exit.once */
static void take_exit(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;

	if (session->seen.exit) {
		tr2_step_report_known(step, TR2_STREAM_EXIT_ONCE, TR2_KEYS,
				      known_daemon(step),
				      "a second exit of the process");
		session->seen.no_code = true;
	} else {
		check_totals(step);
	}
	session->seen.exit = true;
	if (!tr2_record_integer(step->record, TR2_KEY_CODE, &session->code))
		session->seen.no_code = true;
}

/*
 * Reported once, at the first line without another finding.
 * SPEC: stream.signal.last
 */
static void after_signal(struct tr2_step *step)
{
	if (step->session->seen.behind_signal || step->muted)
		return;
	tr2_step_report(step, TR2_STREAM_SIGNAL_LAST,
			"an event after the signal that ended the process");
	step->session->seen.behind_signal = true;
}

void tr2_life_event(struct tr2_step *step)
{
	enum tr2_is is = step->record->is;

	if (is == TR2_IS_VERSION) {
		take_version(step);
		return;
	}
	if (!step->session->seen.version)
		miss_version(step);
	if (step->session->seen.signal)
		after_signal(step);
	if (is == TR2_IS_START)
		take_start(step);
	else if (is == TR2_IS_TOO_MANY_FILES)
		take_too_many_files(step);
	else if (step->session->seen.start == TR2_START_AHEAD)
		miss_start(step);
	if (is == TR2_IS_CMD_ANCESTRY)
		take_cmd_ancestry(step);
	else if (is == TR2_IS_EXIT)
		take_exit(step);
	else if (is == TR2_IS_SIGNAL)
		step->session->seen.signal = true;
	follow_start(step);
}

/* SPEC: stream.exit.before-atexit, stream.exit.code */
static void check_exit(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;
	int64_t code;

	if (!session->seen.exit) {
		tr2_step_report(step, TR2_STREAM_EXIT_BEFORE_ATEXIT,
				"atexit without an exit");
		return;
	}
	if (session->seen.no_code ||
	    !tr2_record_integer(step->record, TR2_KEY_CODE, &code))
		return;
	if (code != session->code)
		tr2_step_report(
			step, TR2_STREAM_EXIT_CODE,
			"atexit with code %lld, the exit before it had %lld",
			(long long)code, (long long)session->code);
}

void tr2_life_atexit(struct tr2_step *step)
{
	check_exit(step);
	tr2_family_atexit(step);
	tr2_total_missing(step);
	tr2_child_unfinished(step);
	tr2_thread_unfinished(step);
}

/*
 * Reported once for each process, at the first line without another finding.
 * After a version, the SID belongs to another process, whose lines before it
 * are none of its own; a broken line may have been its version.
 * SPEC: stream.atexit.last, stream.version.once
 */
void tr2_life_late(struct tr2_step *step)
{
	struct tr2_map_slot *sid = step->sid;

	if (step->record->is == TR2_IS_VERSION) {
		report_second(step);
		tr2_sid_unset(sid, TR2_SID_AT_END | TR2_SID_TORN);
		return;
	}
	if (tr2_sid_has(sid, TR2_SID_TORN)) {
		tr2_sid_unset(sid, TR2_SID_AT_END);
		return;
	}
	if (tr2_sid_has(sid, TR2_SID_LATE_TOLD) || step->muted)
		return;
	tr2_step_report_known(step, TR2_STREAM_ATEXIT_LAST, TR2_KEYS,
			      known_daemon(step),
			      "an event after the process's atexit");
	tr2_sid_set(sid, TR2_SID_LATE_TOLD);
}
