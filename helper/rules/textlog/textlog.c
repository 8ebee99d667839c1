#include "rules/textlog/textlog.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/columns.h"
#include "read/text/pieces.h"
#include "rules/known.h"

/* Only so many bytes of an event are kept, as of a line. */
#define EVENT_MAX TR2_LINE_MAX

static const struct {
	const char *id;
	const char *message;
} olders[TR2_OLDER_COUNT] = {
	[TR2_OLDER_NORMAL_ARGV] = { "older.normal.argv-blank",
				    "two blanks before the arguments" },
	[TR2_OLDER_NORMAL_CD] = { "older.normal.cd",
				  "the directory is glued to `cd`" },
	[TR2_OLDER_NORMAL_PARAM] = { "older.normal.def_param",
				     "def_param without a scope" },
	[TR2_OLDER_PERF_WIDTH] = { "older.perf.width",
				   "columns of git 2.22 and 2.23" },
	[TR2_OLDER_PERF_ARGV] = { "older.perf.argv",
				  "arguments without brackets" },
	[TR2_OLDER_PERF_LABEL] = { "older.perf.label",
				   "a blank after the label" },
	[TR2_OLDER_PERF_PARAM] = { "older.perf.def_param",
				   "def_param without a scope" },
};

bool tr2_text_is_old_git(const char *exe, size_t len)
{
	return tr2_text_starts(exe, len, "2.22.") ||
	       tr2_text_starts(exe, len, "2.23.");
}

/* Report it for that line of the event which contains the bytes. */
void tr2_textlog_report(struct tr2_textlog *log, struct tr2_what what,
			const char *message)
{
	static char empty[1];
	struct tr2_sink *sink = log->sink;
	char *text = log->event.len ? log->event.bytes : empty, *lf;
	char *end = text + log->event.len;
	unsigned long number = log->number;

	while ((lf = memchr(text, '\n', (size_t)(end - text))) &&
	       (size_t)(lf - text) < what.at) {
		what.at -= (size_t)(lf - text) + 1;
		text = lf + 1;
		number++;
	}
	sink->line.text = text;
	sink->line.len = (size_t)((lf ? lf : end) - text);
	sink->line.number = number;
	sink->text = text;
	sink->writer = tr2_writer_of_text(text, sink->line.len);
	tr2_sink_report(sink, &what, "%s%s%s", message,
			what.expected ? ": expected " : "",
			what.expected ? what.expected : "");
}

void tr2_textlog_report_span(struct tr2_textlog *log, const char *id,
			     struct tr2_span span, const char *message)
{
	tr2_textlog_report(log,
			   tr2_what_at(TR2_ERROR, id, span.at,
				       span.len ? span.len : 1),
			   message);
}

void tr2_textlog_older(struct tr2_textlog *log, enum tr2_older older, size_t at)
{
	if (!log->told_older[older])
		tr2_textlog_report(
			log, tr2_what_at(TR2_INFO, olders[older].id, at, 1),
			olders[older].message);
	log->told_older[older] = true;
}

bool tr2_textlog_check(struct tr2_textlog *log, size_t at,
		       const char *const *patterns, const char *old,
		       enum tr2_older older, const char *id)
{
	const char *text = log->event.bytes + at;
	const size_t len = log->event.len - at;
	const char *const olds[TR2_PATTERNS] = { old };
	struct tr2_mismatch mismatch, ignored;
	struct tr2_what what;

	if (tr2_pattern_match(patterns, text, len, &mismatch))
		return true;
	if (tr2_pattern_match(olds, text, len, &ignored)) {
		tr2_textlog_older(log, older, at);
		return true;
	}
	what = tr2_what_at(TR2_ERROR, mismatch.id ? mismatch.id : id,
			   at + mismatch.at, mismatch.len);
	what.expected = mismatch.expected;
	tr2_textlog_report(log, what, "not the form of this event's payload");
	return false;
}

void tr2_textlog_unwrapped(struct tr2_textlog *log)
{
	if (log->unwrapped != log->number)
		tr2_others_add(&log->wrapped, log->number);
	log->unwrapped = log->number;
}

static bool begins_event(struct tr2_textlog *log, const struct tr2_line *line)
{
	if (log->form == TR2_TEXT_PERF)
		return tr2_perf_begins(log, line->text, line->len);
	return tr2_normal_begins(log, line->text, line->len);
}

/* Check the present event, which is now complete. */
static void finish_event(struct tr2_textlog *log)
{
	if (!log->number)
		return;
	if (log->form == TR2_TEXT_NORMAL) {
		if (!log->cut)
			tr2_normal_check(log);
	} else if (log->cut) {
		tr2_processes_lost_line(&log->processes);
	} else {
		tr2_perf_check(log);
	}
}

/* Columns that are not there yet may come, but nobody waits for them long. */
static void add_text(struct tr2_textlog *log, const char *text, size_t len)
{
	tr2_buf_add(&log->event, text, len);
	if (log->form == TR2_TEXT_PERF && !log->has_columns &&
	    log->event.len <= TR2_TEXT_LONG)
		tr2_perf_read(log);
}

static void begin_event(struct tr2_textlog *log, const struct tr2_line *line)
{
	finish_event(log);
	tr2_buf_reset(&log->event);
	log->number = line->number;
	log->cut = line->cut;
	log->has_columns = false;
	add_text(log, line->text, line->len);
}

static void report_line(struct tr2_textlog *log, const struct tr2_line *line,
			enum tr2_input input, size_t at, const char *message)
{
	tr2_sink_line(log->sink, line);
	tr2_sink_report_input(log->sink, input, at, 0, message);
}

/*
 * Before the first event there may be the end of one that was cut, which has
 * columns of PERF. Else a program wrote these lines, or a person typed them.
 */
static void end_head(struct tr2_textlog *log, bool at_end)
{
	const struct tr2_input_rule *torn =
		&tr2_input_rules[TR2_INPUT_TORN_LINE];

	if (log->head.count && !log->carried && (log->torn_head || at_end)) {
		tr2_textlog_report(log,
				   tr2_what_at(torn->level, torn->id, 0, 0),
				   "the log begins inside an event");
	} else if (log->head.count) {
		log->others = log->head;
		log->number = 0; /* there is no event before */
	}
	log->head.count = 0;
}

static void begin_head(struct tr2_textlog *log, const struct tr2_line *line)
{
	if (!log->number)
		begin_event(log, line);
	log->cut = true;
	log->torn_head |= line->cut ||
			  tr2_text_find(line->text, line->len, "  | ");
	tr2_others_add(&log->head, line->number);
}

/* The first event decides whether NORMAL in brief form is possible. */
static void begin_log(struct tr2_textlog *log, const struct tr2_line *line)
{
	const bool brief = !log->head.count &&
			   !tr2_clock_is(line->text, line->len, true);

	log->brief = brief ||
		     tr2_text_starts(line->text, line->len, "version ");
	if (!begins_event(log, line)) {
		log->brief = false; /* such a log would begin with a version */
		begin_head(log, line);
		return;
	}
	end_head(log, false);
	begin_event(log, line);
}

static void go_on(struct tr2_textlog *log, const struct tr2_line *line)
{
	if (line->cut || log->event.len + line->len > EVENT_MAX)
		log->cut = true;
	if (log->cut)
		return;
	tr2_buf_byte(&log->event, '\n');
	add_text(log, line->text, line->len);
	if (log->event.len > TR2_TEXT_WRAPPED)
		return;
	if (log->form == TR2_TEXT_PERF)
		tr2_perf_unwrap(log);
	else
		tr2_normal_unwrap(log, log->event.len - line->len - 1);
}

/* Nearly all lines of PERF have the bar before the depth at one place. */
static bool has_depth(const struct tr2_line *line)
{
	const size_t at = TR2_CLOCK + 28;

	return line->len > at &&
	       tr2_text_starts(line->text + at, line->len - at, " | d");
}

/*
 * A line of another trace of git, or of another target. It interrupts no
 * event.
 * SPEC: input.between
 */
static bool is_other_line(const struct tr2_textlog *log,
			  const struct tr2_line *line)
{
	struct tr2_plain_event event;
	const char *text = line->text;
	const size_t len = line->len;

	if (line->cut || (log->form == TR2_TEXT_PERF && has_depth(line)))
		return false;
	if (tr2_plain_find_trace(text, len) ||
	    tr2_text_starts(text, len, "{\"event\":"))
		return true;
	if (!tr2_clock_is(text, len, false))
		return false;
	if (log->form == TR2_TEXT_NORMAL)
		return tr2_perf_divide(&event, text, len);
	return !tr2_text_find(text, len, " | ") &&
	       tr2_normal_divide(&event, text, len, false);
}

/* Did a mail break the event before its payload? */
static bool lacks_payload(const struct tr2_textlog *log)
{
	return log->wrapped.count && log->columns.payload >= log->event.len;
}

/*
 * The program's own line, after an event of PERF that is complete. In NORMAL
 * such a line may be an event in brief form.
 */
static bool is_program_line(const struct tr2_textlog *log)
{
	return log->form == TR2_TEXT_PERF && !log->cut &&
	       log->event.len <= TR2_TEXT_LONG && !lacks_payload(log) &&
	       tr2_perf_is_whole(log);
}

/*
 * A text may have a CR before its own line break, but the first line is whole.
 * SPEC: input.crlf
 */
static void drop_ending(struct tr2_textlog *log, struct tr2_line *line)
{
	const bool has = line->ended && line->len &&
			 line->text[line->len - 1] == '\r';

	if (line->number == 1 && has)
		report_line(log, line, TR2_INPUT_CRLF, line->len - 1,
			    "lines end in CR LF, not in LF");
	if (line->number == 1)
		log->crlf = has;
	line->len -= log->crlf && has;
}

static void take_line(struct tr2_textlog *log, const struct tr2_line *line)
{
	if (is_other_line(log, line))
		tr2_others_add(&log->others, line->number);
	else if (!log->number || log->head.count)
		begin_log(log, line);
	else if (begins_event(log, line))
		begin_event(log, line);
	else if (is_program_line(log))
		tr2_others_add(&log->others, line->number);
	else
		go_on(log, line);
}

/* SPEC: normal.raw, perf.raw */
void tr2_textlog_line(struct tr2_textlog *log, const struct tr2_line *line)
{
	struct tr2_line rest = *line;

	drop_ending(log, &rest);
	take_line(log, &rest);
	if (!line->ended)
		report_line(log, line, TR2_INPUT_FINAL_NEWLINE, line->len,
			    "the last line does not end in LF");
}

void tr2_textlog_end(struct tr2_textlog *log)
{
	end_head(log, true);
	finish_event(log);
	tr2_sink_report_lines(log->sink, TR2_LINES_OTHER, &log->others);
	tr2_sink_report_lines(log->sink, TR2_LINES_WRAPPED, &log->wrapped);
	tr2_buf_release(&log->event);
	tr2_processes_release(&log->processes);
}
