#include "textlog/textlog.h"

#include <string.h>

#include "read/bytes/lines.h"
#include "rules/input.h"
#include "rules/known.h"
#include "text/text.h"

/* Only so many bytes of an event are kept, as of a line. */
#define EVENT_MAX TR2_LINE_MAX

/* So many bytes of a first line show the columns, however long the line is. */
#define FIRST_LINE ((size_t)256)

#define THREAD 24 /* columns of PERF's thread */

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

/*
 * Returns how many bytes of the text match the form, in which 0 stands for a
 * digit.
 */
static size_t count_form(const char *text, size_t len, const char *form)
{
	size_t at = 0;

	while (form[at] && at < len &&
	       (form[at] == '0' ? tr2_text_is_digit(text[at])
				: text[at] == form[at]))
		at++;
	return at;
}

static bool has_form(const char *text, size_t len, const char *form)
{
	return !form[count_form(text, len, form)];
}

bool tr2_text_is_clock(const char *text, size_t len, bool near)
{
	const char *form = "00:00:00.000000 ";
	size_t at = count_form(text, len, form);

	if (!form[at])
		return true;
	if (!near || at == len)
		return false;
	form += at;
	text += at;
	len -= at;
	/* One byte may be wrong, missing, or too many. */
	return has_form(text + 1, len - 1, form + 1) ||
	       has_form(text, len, form + 1) ||
	       has_form(text + 1, len - 1, form);
}

bool tr2_text_is_old_git(const char *exe, size_t len)
{
	return tr2_text_starts(exe, len, "2.22.") ||
	       tr2_text_starts(exe, len, "2.23.");
}

/* Does the text begin with `d0 | `, as a PERF line in brief form? */
static bool is_depth(const char *text, size_t len)
{
	size_t at = 1;

	while (at < len && tr2_text_is_digit(text[at]))
		at++;
	return len && *text == 'd' && at > 1 &&
	       tr2_text_starts(text + at, len - at, " | ");
}

/* Does `| d0 |` follow the clock, at a place that no file name reaches? */
static bool has_columns(const char *text, size_t len)
{
	const char *bar = text, *end = text + len;

	while ((bar = tr2_text_find(bar, (size_t)(end - bar), " | "))) {
		bar += 3;
		if (is_depth(bar, (size_t)(end - bar)))
			return true;
	}
	return false;
}

static enum tr2_text_form form_of_line(const char *line, size_t len)
{
	if (tr2_text_is_clock(line, len, false))
		return has_columns(line, len) ? TR2_TEXT_PERF : TR2_TEXT_NORMAL;
	return is_depth(line, len) ? TR2_TEXT_PERF : TR2_TEXT_NONE;
}

/* In brief NORMAL, a message may begin as PERF's `d0 | main` does. */
static bool has_thread_column(const char *line, size_t len)
{
	const size_t width = sizeof("d0 | ") - 1 + THREAD;

	return len > width && tr2_text_find(line + width, len - width, " | ");
}

/* Does the line follow brief NORMAL's `version`? */
static bool follows_version(const char *line, size_t len, bool whole)
{
	return tr2_text_starts(line, len, "start ") ||
	       (whole && is_depth(line, len) && !has_thread_column(line, len));
}

/*
 * The first or the second line decides: lines before may be the end of an
 * event. Brief NORMAL begins with `version` and `start`.
 */
enum tr2_text_form tr2_textlog_form(const char *head, size_t len)
{
	const char *lf = memchr(head, '\n', len), *second, *end;
	enum tr2_text_form form;
	size_t left;

	if (!lf)
		return len < FIRST_LINE ? TR2_TEXT_NONE
					: form_of_line(head, len);
	form = form_of_line(head, (size_t)(lf - head));
	if (form)
		return form;
	second = lf + 1;
	left = len - (size_t)(second - head);
	end = memchr(second, '\n', left);
	if (end)
		left = (size_t)(end - second);
	if (tr2_text_starts(head, len, "version ") &&
	    follows_version(second, left, end))
		return TR2_TEXT_NORMAL;
	return end ? form_of_line(second, left) : TR2_TEXT_NONE;
}

/* Report it for that line of the event which contains the bytes. */
void tr2_textlog_report(struct tr2_textlog *log, struct tr2_what what,
			const char *message)
{
	struct tr2_sink *sink = log->sink;
	char *text = log->event.bytes, *lf;
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

void tr2_textlog_older(struct tr2_textlog *log, enum tr2_older older, size_t at)
{
	struct tr2_what what = {
		.level = TR2_INFO,
		.id = olders[older].id,
		.at = at,
		.len = 1,
	};

	if (!log->told_older[older])
		tr2_textlog_report(log, what, olders[older].message);
	log->told_older[older] = true;
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

static void begin_event(struct tr2_textlog *log, const struct tr2_line *line)
{
	finish_event(log);
	tr2_buf_reset(&log->event);
	log->number = line->number;
	log->cut = line->cut;
	tr2_buf_add(&log->event, line->text, line->len);
}

static void report_line(struct tr2_textlog *log, const struct tr2_line *line,
			enum tr2_input input, size_t at, const char *message)
{
	tr2_sink_line(log->sink, line);
	tr2_input_report(log->sink, input, at, 0, message);
}

/* The first line decides whether NORMAL in brief form is possible. */
static void begin_log(struct tr2_textlog *log, const struct tr2_line *line)
{
	log->brief = !tr2_text_is_clock(line->text, line->len, true);
	if (begins_event(log, line)) {
		begin_event(log, line);
		return;
	}
	report_line(log, line, TR2_INPUT_TORN_LINE, 0,
		    "the log begins inside an event");
	begin_event(log, line);
	log->cut = true;
	log->brief = false; /* such a log would begin with a version */
}

static void go_on(struct tr2_textlog *log, const struct tr2_line *line)
{
	if (line->cut || log->event.len + line->len > EVENT_MAX)
		log->cut = true;
	if (log->cut)
		return;
	tr2_buf_byte(&log->event, '\n');
	tr2_buf_add(&log->event, line->text, line->len);
}

/* SPEC: normal.raw, perf.raw */
void tr2_textlog_line(struct tr2_textlog *log, const struct tr2_line *line)
{
	if (!log->number)
		begin_log(log, line);
	else if (begins_event(log, line))
		begin_event(log, line);
	else
		go_on(log, line);
	if (!line->ended)
		report_line(log, line, TR2_INPUT_FINAL_NEWLINE, line->len,
			    "the last line does not end in LF");
}

void tr2_textlog_end(struct tr2_textlog *log)
{
	finish_event(log);
	tr2_buf_release(&log->event);
	tr2_processes_release(&log->processes);
}
