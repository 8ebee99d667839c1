#include "read/kind.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/pieces.h"
#include "read/text/columns.h"
#include "trace/fxt_numbers.h"

/*
 * An event must be in these bytes, and richer formats in so many after it. In
 * a text more is read, because a log may follow the output of a program.
 */
#define HEAD_MAX ((size_t)64 << 10)
#define TEXT_MAX ((size_t)16 << 20)

/* So many bytes of a first line show the columns, however long the line is. */
#define FIRST_LINE ((size_t)256)

#define SUFFIX ".fxt"
#define THREAD 24 /* columns of PERF's thread */

static bool is_archive(const char *head, size_t len)
{
	const uint64_t magic = FXT_MAGIC;

	return len >= FXT_WORD && !memcmp(head, &magic, FXT_WORD);
}

static bool is_archive_name(const char *name)
{
	size_t len = strlen(name);

	return len > strlen(SUFFIX) &&
	       !strcmp(name + len - strlen(SUFFIX), SUFFIX);
}

/* Does `| d0 |` follow the clock, at a place that no file name reaches? */
static bool has_columns(const char *text, size_t len)
{
	const char *bar = text, *end = text + len;

	while ((bar = tr2_text_find(bar, (size_t)(end - bar), " | "))) {
		bar += 3;
		if (tr2_columns_depth(bar, (size_t)(end - bar)))
			return true;
	}
	return false;
}

static enum tr2_log_format format_of_line(const char *line, size_t len)
{
	if (tr2_clock_is(line, len, false))
		return has_columns(line, len) ? TR2_LOG_PERF : TR2_LOG_NORMAL;
	return tr2_columns_depth(line, len) ? TR2_LOG_PERF : TR2_LOG_UNKNOWN;
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
	       (whole && tr2_columns_depth(line, len) &&
		!has_thread_column(line, len));
}

/* Skip lines of other traces of git. */
static const char *skip_traces(const char *head, size_t *len)
{
	const char *lf;

	while ((lf = memchr(head, '\n', *len)) &&
	       tr2_plain_find_trace(head, (size_t)(lf - head))) {
		*len -= (size_t)(lf + 1 - head);
		head = lf + 1;
	}
	return head;
}

/*
 * Lines that only look like those of a log, but are broken: the first or the
 * second one decides. A line before may be the end of an event.
 */
static enum tr2_log_format find_near(const char *head, size_t len)
{
	const char *lf, *second, *end;
	enum tr2_log_format format;
	size_t left;

	head = skip_traces(head, &len);
	lf = memchr(head, '\n', len);
	if (!lf)
		return len < FIRST_LINE ? TR2_LOG_UNKNOWN
					: format_of_line(head, len);
	format = format_of_line(head, (size_t)(lf - head));
	if (format)
		return format;
	second = lf + 1;
	left = len - (size_t)(second - head);
	end = memchr(second, '\n', left);
	return end ? format_of_line(second, (size_t)(end - second))
		   : TR2_LOG_UNKNOWN;
}

/* Returns the format of a line whose form is right. */
static enum tr2_log_format find_form(const char *text, size_t len)
{
	struct tr2_plain_event event;

	if (tr2_plain_is_object(text, len))
		return TR2_LOG_EVENT;
	if (tr2_perf_divide(&event, text, len) ||
	    (tr2_clock_is(text, len, false) && has_columns(text, len)))
		return TR2_LOG_PERF;
	return tr2_normal_divide(&event, text, len, false) ? TR2_LOG_NORMAL
							   : TR2_LOG_UNKNOWN;
}

/* Is the line brief NORMAL's `version`, or a blank one `after` it? */
static bool is_version(const char *line, size_t len, bool after)
{
	return len ? tr2_text_starts(line, len, "version ") : after;
}

/* A program may print a diff of a log: each line has one byte `before` it. */
static bool is_richer(enum tr2_log_format one, enum tr2_log_format other,
		      size_t before)
{
	return one && !(other && before == 1) &&
	       (!other || one == TR2_LOG_EVENT ||
		(one == TR2_LOG_PERF && other == TR2_LOG_NORMAL));
}

/*
 * Several formats may be in one log: the richest one counts. Lines may be
 * recognised only without what a carrier put before them. Brief NORMAL begins
 * with `version` and `start`.
 */
static enum tr2_log_format find_richest(const char *text, size_t len)
{
	const char *end = text + len, *lf;
	enum tr2_log_format found = TR2_LOG_UNKNOWN, format;
	struct tr2_buf copy = TR2_BUF_INIT;
	bool after_version = false;
	const char *line;
	size_t left, before;

	for (; text < end && found != TR2_LOG_EVENT; text = lf + 1) {
		lf = memchr(text, '\n', (size_t)(end - text));
		left = (size_t)((lf ? lf : end) - text);
		line = text;
		left -= left && line[left - 1] == '\r';
		before = tr2_carrier_measure(&line, &left, &copy);
		line += before, left -= before;
		format = lf || *text == '{' ? find_form(line, left)
					    : TR2_LOG_UNKNOWN;
		if (!format && after_version && follows_version(line, left, lf))
			format = TR2_LOG_NORMAL;
		if (is_richer(format, found, before))
			found = format;
		after_version = is_version(line, left, after_version);
		if (!lf)
			break;
	}
	tr2_buf_release(&copy);
	return found;
}

static bool is_object_line(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "{") ||
	       tr2_text_starts(text, len, "\xef\xbb\xbf{");
}

/* Is there a line that begins as an object, and contains the word `event`? */
static bool has_object(const char *head, size_t len)
{
	const char *line = head, *end = head + len;

	while (line && !is_object_line(line, (size_t)(end - line))) {
		line = memchr(line, '\n', (size_t)(end - line));
		if (line)
			line++;
	}
	return line && tr2_text_find(line, (size_t)(end - line), "\"event\"");
}

static size_t count_blanks(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && strchr(" \t\r\n", text[at]) && text[at])
		at++;
	return at;
}

/* Is there this key, with its quotes, and a value that may begin so? */
static bool has_key(const char *text, size_t len, const char *key, char value)
{
	const char *end = text + len;

	while ((text = tr2_text_find(text, (size_t)(end - text), key))) {
		text += strlen(key);
		text += count_blanks(text, (size_t)(end - text));
		if (text == end || *text != ':')
			continue;
		text++;
		text += count_blanks(text, (size_t)(end - text));
		if (text < end && *text == value)
			return true;
	}
	return false;
}

/*
 * The JSON that viewers of traces read: a list of events, or an object that
 * has it. In an EVENT log a value may have one.
 */
static bool is_chrome(const char *head, size_t len)
{
	size_t at = count_blanks(head, len);
	const char *event;

	if (at == len)
		return false;
	if (head[at] == '{') {
		event = tr2_text_find(head, len, "\"event\"");
		return has_key(head, event ? (size_t)(event - head) : len,
			       "\"traceEvents\"", '[');
	}
	if (head[at] != '[')
		return false;
	at++;
	at += count_blanks(head + at, len - at);
	return at < len && head[at] == '{' &&
	       has_key(head + at, len - at, "\"ph\"", '"');
}

/* Rows of `trace2 table` have events in other words, which would come twice. */
static bool is_rows(const char *head, size_t len)
{
	const char *end = tr2_text_starts(head, len, "{\"sid\":\"")
				  ? memchr(head + 8, '"', len - 8)
				  : NULL;

	return end && tr2_text_starts(end, len - (size_t)(end - head),
				      "\",\"session\":\"");
}

enum tr2_log_format tr2_kind_of(const char *head, size_t len)
{
	enum tr2_log_format format;

	if (is_rows(head, len))
		return TR2_LOG_UNKNOWN;
	if (is_archive(head, len))
		return TR2_LOG_FXT;
	if (is_chrome(head, len))
		return TR2_LOG_CHROME;
	format = find_richest(head, len);
	if (!format)
		format = find_near(head, len);
	if (!format && has_object(head, len))
		format = TR2_LOG_EVENT;
	return format;
}

static bool may_go_on(const struct tr2_block *block)
{
	return block->len < HEAD_MAX ||
	       (block->len < TEXT_MAX && !memchr(block->text, '\0', HEAD_MAX));
}

/* A richer format may come next. */
static void read_ahead(struct tr2_lines *lines, struct tr2_block *block)
{
	enum tr2_log_format format;

	if ((block->format != TR2_LOG_PERF &&
	     block->format != TR2_LOG_NORMAL) ||
	    tr2_source_follows(lines->source))
		return;
	tr2_lines_read_ahead(lines, block, block->len + HEAD_MAX);
	format = tr2_kind_of(block->text, block->len);
	if (format)
		block->format = format;
}

int tr2_kind_detect(struct tr2_lines *lines, struct tr2_block *block,
		    const char *name)
{
	size_t wanted = 1;

	for (;;) {
		while (block->len < wanted && !lines->at_end)
			if (tr2_lines_read(lines, block))
				return -1;
		block->format = tr2_kind_of(block->text, block->len);
		if (block->format != TR2_LOG_UNKNOWN || block->len < wanted ||
		    !may_go_on(block))
			break;
		wanted = 2 * block->len;
	}
	if (block->format == TR2_LOG_UNKNOWN && block->len &&
	    is_archive_name(name))
		block->format = TR2_LOG_FXT;
	read_ahead(lines, block);
	return 0;
}

/* What the file is, for a message. */
static const char *describe_kind(const struct tr2_block *head)
{
	switch (head->format) {
	case TR2_LOG_EVENT:
		return "a Trace2 EVENT log";
	case TR2_LOG_NORMAL:
		return "a Trace2 NORMAL log";
	case TR2_LOG_PERF:
		return "a Trace2 PERF log";
	case TR2_LOG_FXT:
		return "an archive of the FXT format";
	case TR2_LOG_CHROME:
		return "a trace in Chrome's JSON";
	case TR2_LOG_UNKNOWN:;
	}
	if (!head->len)
		return "an empty file";
	if (is_rows(head->text, head->len))
		return "a table of 'trace2 table', no log";
	if (tr2_text_starts(head->text, head->len, "trace2-summary\t"))
		return "a state, which 'trace2 summary --merge' reads";
	return memchr(head->text, '\0', head->len) ? "a binary file"
						   : "a text file, no log";
}

const char *tr2_kind_refuse(const struct tr2_block *head, const char *expected)
{
	static char why[200];

	snprintf(why, sizeof(why), "this is %s; expected %s",
		 describe_kind(head), expected);
	return why;
}
