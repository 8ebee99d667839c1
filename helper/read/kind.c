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

/* Returns the format of a line whose form is right, and that is not torn. */
static enum tr2_log_format find_form(const char *text, size_t len)
{
	struct tr2_plain_event event;

	if (tr2_plain_is_object(text, len) &&
	    tr2_text_find(text, len, "\"sid\""))
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

/* What the lines of a head say. */
struct head_lines {
	enum tr2_log_format found; /* the richest form that is right */
	enum tr2_log_format near;  /* as the first two lines begin */
	unsigned tried;		   /* lines for that */
	bool after_version;	   /* of brief NORMAL, which `start` follows */
	const char *object;	   /* the first line that begins as one */
};

static bool is_object_line(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "{") ||
	       tr2_text_starts(text, len, "\xef\xbb\xbf{");
}

/*
 * Lines that only look like those of a log, but are broken: the first or the
 * second one decides, after those of other traces of git. A line before may be
 * the end of an event.
 */
static void note_near(struct head_lines *head, const char *line, size_t len,
		      bool whole)
{
	if (head->near || head->tried > 1 ||
	    !(whole || (!head->tried && len >= FIRST_LINE)) ||
	    (!head->tried && tr2_plain_find_trace(line, len)))
		return;
	head->tried++;
	head->near = format_of_line(line, len);
}

/* Lines may be recognised only without what a carrier put before them. */
static void note_line(struct head_lines *head, const char *line, size_t len,
		      bool whole, struct tr2_buf *copy)
{
	enum tr2_log_format format = TR2_LOG_UNKNOWN;
	const bool may_be = whole || *line == '{';
	size_t before;

	if (!head->object && is_object_line(line, len))
		head->object = line;
	note_near(head, line, len, whole);
	len -= len && line[len - 1] == '\r';
	before = tr2_carrier_measure(&line, &len, copy);
	line += before, len -= before;
	if (may_be)
		format = find_form(line, len);
	if (!format && head->after_version &&
	    tr2_text_starts(line, len, "start "))
		format = TR2_LOG_NORMAL;
	if (is_richer(format, head->found, before))
		head->found = format;
	head->after_version = is_version(line, len, head->after_version);
}

/* Several formats may be in one log: the richest one counts. */
static enum tr2_log_format find_richest(const char *text, size_t len)
{
	const char *end = text + len, *lf;
	struct head_lines head = { .object = NULL };
	struct tr2_buf copy = TR2_BUF_INIT;

	for (; text < end && head.found != TR2_LOG_EVENT; text = lf + 1) {
		lf = memchr(text, '\n', (size_t)(end - text));
		note_line(&head, text, (size_t)((lf ? lf : end) - text), lf,
			  &copy);
		if (!lf)
			break;
	}
	tr2_buf_release(&copy);
	if (!head.found && !head.near && head.object &&
	    tr2_text_find(head.object, (size_t)(end - head.object),
			  "\"event\""))
		return TR2_LOG_EVENT;
	return head.found ? head.found : head.near;
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
	static const char session[] = "\",\"session\":\"";
	const char *end = NULL;

	if (tr2_text_starts(head, len, "{\"sid\":\""))
		end = tr2_text_find(head, len, "\",\"");
	return end && tr2_text_starts(end, len - (size_t)(end - head), session);
}

enum tr2_log_format tr2_kind_of(const char *head, size_t len)
{
	if (is_rows(head, len))
		return TR2_LOG_UNKNOWN;
	if (is_archive(head, len))
		return TR2_LOG_FXT;
	return is_chrome(head, len) ? TR2_LOG_CHROME : find_richest(head, len);
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
	static const char *const formats[] = {
		[TR2_LOG_EVENT] = "a Trace2 EVENT log",
		[TR2_LOG_NORMAL] = "a Trace2 NORMAL log",
		[TR2_LOG_PERF] = "a Trace2 PERF log",
		[TR2_LOG_FXT] = "an archive of the FXT format",
		[TR2_LOG_CHROME] = "a trace in Chrome's JSON",
	};

	if (head->format)
		return formats[head->format];
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
