#include "read/kind.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/plain.h"
#include "trace/fxt_numbers.h"

#define HEAD_MAX ((size_t)64 << 10) /* an event must be in these bytes */

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

static enum tr2_log_format format_of_line(const char *line, size_t len)
{
	if (tr2_clock_is(line, len, false))
		return has_columns(line, len) ? TR2_LOG_PERF : TR2_LOG_NORMAL;
	return is_depth(line, len) ? TR2_LOG_PERF : TR2_LOG_UNKNOWN;
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
 * The first or the second line decides: lines before may be the end of an
 * event. Brief NORMAL begins with `version` and `start`.
 */
static enum tr2_log_format find_text_format(const char *head, size_t len)
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
	if (end)
		left = (size_t)(end - second);
	if (tr2_text_starts(head, len, "version ") &&
	    follows_version(second, left, end))
		return TR2_LOG_NORMAL;
	return end ? format_of_line(second, left) : TR2_LOG_UNKNOWN;
}

static bool is_object_line(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "{") ||
	       tr2_text_starts(text, len, "\xef\xbb\xbf{");
}

/*
 * An EVENT log has a line that begins as an object and contains the word
 * `event`.
 */
enum tr2_log_format tr2_kind_of(const char *head, size_t len)
{
	const char *line = head, *end = head + len;
	enum tr2_log_format format = find_text_format(head, len);

	if (is_archive(head, len))
		return TR2_LOG_FXT;
	if (format)
		return format;
	while (line && !is_object_line(line, (size_t)(end - line))) {
		line = memchr(line, '\n', (size_t)(end - line));
		if (line)
			line++;
	}
	if (line && tr2_text_find(line, (size_t)(end - line), "\"event\""))
		return TR2_LOG_EVENT;
	return TR2_LOG_UNKNOWN;
}

int tr2_kind_detect(struct tr2_lines *lines, struct tr2_block *block,
		    const char *name, const char **error)
{
	size_t wanted = 1;

	for (;;) {
		while (block->len < wanted && !lines->at_end)
			if (tr2_lines_read(lines, block, error))
				return -1;
		block->format = tr2_kind_of(block->text, block->len);
		if (block->format != TR2_LOG_UNKNOWN || block->len < wanted ||
		    block->len >= HEAD_MAX)
			break;
		wanted = 2 * block->len;
	}
	if (block->format == TR2_LOG_UNKNOWN && block->len &&
	    is_archive_name(name))
		block->format = TR2_LOG_FXT;
	return 0;
}

/* A value of the JSON that viewers of traces read. */
static bool is_chrome(const char *head, size_t len)
{
	return (tr2_text_starts(head, len, "{") ||
		tr2_text_starts(head, len, "[")) &&
	       (tr2_text_find(head, len, "\"traceEvents\"") ||
		tr2_text_find(head, len, "\"ph\":"));
}

const char *tr2_kind_describe(const struct tr2_block *head)
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
	case TR2_LOG_UNKNOWN:;
	}
	if (!head->len)
		return "an empty file";
	if (is_chrome(head->text, head->len))
		return "a trace in Chrome's JSON";
	return memchr(head->text, '\0', head->len) ? "a binary file"
						   : "a text file, no log";
}

const char *tr2_kind_refuse(const struct tr2_block *head, const char *expected)
{
	static char why[200];

	snprintf(why, sizeof(why), "this is %s; expected %s",
		 tr2_kind_describe(head), expected);
	return why;
}
