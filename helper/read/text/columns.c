#include "read/text/columns.h"

#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"

#define SOURCE ((size_t)28)
#define THREAD ((size_t)24)
#define EVENT ((size_t)12)
#define TIME ((size_t)9)
#define NO_TIME "         " BAR
#define CATEGORY ((size_t)12)
#define BAR " | "
#define BAR_LEN ((size_t)3)
/* In the older layout: least place of the bar after the source. */
#define OLD_BAR ((size_t)49)
#define OLD_CATEGORY ((size_t)10)
#define EVENT_NAME_MAX 24

struct column_reader {
	const char *text;
	size_t len, at;
	char bar; /* between the cells of a loose line */
	bool old_too;
	struct tr2_columns *columns;
	struct tr2_bad_column *bad;
};

static bool refuse_column(struct column_reader *in, size_t at, size_t len,
			  const char *id, const char *expected)
{
	*in->bad = (struct tr2_bad_column){ id, expected, at, len };
	return false;
}

static bool is_bar(const struct column_reader *in, size_t at)
{
	return at + BAR_LEN <= in->len && !memcmp(in->text + at, BAR, BAR_LEN);
}

/* Returns the bar at or after `at`, or the end of the text. */
static size_t find_bar(const struct column_reader *in, size_t at)
{
	const char *bar = NULL;

	if (is_bar(in, at)) /* nearly always */
		return at;
	if (at < in->len)
		bar = tr2_text_find(in->text + at, in->len - at, BAR);
	return bar ? (size_t)(bar - in->text) : in->len;
}

/* Returns how many of the 8 bytes before it are blanks, up to it. */
static size_t count_blanks(const char *end)
{
	uint64_t word;

	memcpy(&word, end - sizeof(word), sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	word ^= UINT64_C(0x2020202020202020);
	return word ? (size_t)__builtin_clzll(word) / 8 : sizeof(word);
}

static struct tr2_span trim_span(const struct column_reader *in, size_t at,
				 size_t end)
{
	size_t blanks = 8;

	for (; blanks == 8 && end >= at + 8; end -= blanks)
		blanks = count_blanks(in->text + end);
	while (end > at && in->text[end - 1] == ' ')
		end--;
	return (struct tr2_span){ at, end - at };
}

static bool has_digit(const struct column_reader *in, size_t at)
{
	return at < in->len && tr2_text_is_digit(in->text[at]);
}

static size_t skip_digits(const struct column_reader *in, size_t at)
{
	while (has_digit(in, at))
		at++;
	return at;
}

/* `file:line`, or nothing. SPEC: perf.column.file */
static bool is_source(const struct column_reader *in, struct tr2_span source)
{
	const char *text = in->text + source.at;

	return !source.len ||
	       (tr2_source_name(text, source.len) && *text != ' ');
}

/* Returns the bar after the source of the older layout, or 0. */
static size_t find_old_bar(const struct column_reader *in)
{
	size_t bar = OLD_BAR;

	for (;; bar++) {
		bar = find_bar(in, bar);
		if (bar == in->len)
			return 0;
		if (tr2_text_starts(in->text + bar, in->len - bar, " | d") &&
		    has_digit(in, bar + 4))
			return bar;
	}
}

static bool read_source(struct column_reader *in)
{
	size_t bar = TR2_CLOCK + SOURCE;
	struct tr2_span *source = &in->columns->source;

	if (!in->columns->has_clock)
		return refuse_column(in, 0, TR2_CLOCK - 1, "perf.column.time",
				     "HH:MM:SS.uuuuuu and a blank");
	if (!is_bar(in, bar)) {
		bar = in->old_too ? find_old_bar(in) : 0;
		if (!bar)
			return refuse_column(
				in, TR2_CLOCK + SOURCE, 1, "perf.column.file",
				"` | ` after 28 bytes of `file:line`");
		in->columns->old = true;
	}
	*source = trim_span(in, TR2_CLOCK, bar);
	if (!is_source(in, *source))
		return refuse_column(in, TR2_CLOCK, source->len,
				     "perf.column.file",
				     "`file:line`, or 28 blanks");
	in->at = bar + BAR_LEN;
	return true;
}

static bool read_depth(struct column_reader *in)
{
	size_t start = in->at, end = skip_digits(in, start + 1);

	if (start >= in->len || in->text[start] != 'd' || end == start + 1 ||
	    !is_bar(in, end))
		return refuse_column(in, start, 1, "perf.column.depth",
				     "`d`, the depth and ` | `");
	in->columns->depth = (struct tr2_span){ start, end - start };
	in->at = end + BAR_LEN;
	return true;
}

/* Read a column that gets wider for a longer text. SPEC: perf.widen */
static bool read_wide(struct column_reader *in, size_t width,
		      struct tr2_span *span, const char *id,
		      const char *expected)
{
	size_t start = in->at, end = find_bar(in, start + width);

	if (end >= in->len)
		return refuse_column(in, start, 1, id, expected);
	*span = trim_span(in, start, end);
	if (end - start > width && span->len < end - start)
		return refuse_column(in, start + width, end - start - width, id,
				     expected);
	in->at = end + BAR_LEN;
	return true;
}

/* The name is in the line, and not always 8 bytes before its end. */
static enum tr2_is event_named(const struct column_reader *in,
			       struct tr2_span event)
{
	char name[EVENT_NAME_MAX + 8] = { 0 };
	const char *text = in->text + event.at;
	int is;

	if (event.len > EVENT_NAME_MAX)
		return TR2_IS_OTHER;
	if (in->len - event.at < 8)
		text = memcpy(name, text, event.len);
	is = tr2_names_find(&tr2_names_events, text, event.len);
	return is < 0 ? TR2_IS_OTHER : (enum tr2_is)is;
}

static bool read_event(struct column_reader *in)
{
	struct tr2_span *event = &in->columns->event;

	if (!read_wide(in, EVENT, event, "perf.column.event",
		       "12 bytes of event, or a longer name, and ` | `"))
		return false;
	in->columns->is = event_named(in, *event);
	if (in->columns->is == TR2_IS_OTHER &&
	    (!event->len || memchr(in->text + event->at, ' ', event->len)))
		return refuse_column(in, event->at, event->len + !event->len,
				     "perf.column.event",
				     "the type of an event");
	return true;
}

static bool read_repo(struct column_reader *in)
{
	size_t start = in->at, end = start + 3;

	if (!tr2_text_starts(in->text + start, in->len - start, "   ")) {
		end = skip_digits(in, start + 1) + 1;
		if (start >= in->len || in->text[start] != 'r' ||
		    end == start + 2 || end > in->len ||
		    in->text[end - 1] != ' ')
			return refuse_column(
				in, start, 3, "perf.column.repo",
				"`r`, a number and a blank, or 3 blanks");
	}
	if (!is_bar(in, end))
		return refuse_column(in, end, 1, "perf.column.repo", "` | `");
	in->columns->repo = trim_span(in, start, end);
	in->at = end + BAR_LEN;
	return true;
}

/* Seconds below ten, as nearly all are. */
static bool read_short_time(struct column_reader *in, struct tr2_span *span,
			    int64_t *us)
{
	const char *text = in->text + in->at;

	if (text[0] != ' ' || !tr2_text_is_digit(text[1]) ||
	    !tr2_clock_has_decimals(text + 2) || !is_bar(in, in->at + TIME))
		return false;
	*span = (struct tr2_span){ in->at + 1, TIME - 1 };
	*us = 1000000 * (text[1] - '0') + tr2_clock_decimals(text + 2);
	in->at += TIME + BAR_LEN;
	return true;
}

/* SPEC: perf.column.time-width */
static bool read_time(struct column_reader *in, struct tr2_span *span,
		      int64_t *us)
{
	size_t start = in->at, at = start, width;

	*us = -1;
	if (tr2_text_starts(in->text + at, in->len - at, NO_TIME)) {
		*span = (struct tr2_span){ start, 0 };
		in->at = start + TIME + BAR_LEN;
		return true;
	}
	if (in->len - at > TIME + BAR_LEN && read_short_time(in, span, us))
		return true;
	while (at < in->len && in->text[at] == ' ')
		at++;
	width = tr2_clock_seconds(in->text + at, in->len - at);
	*span = (struct tr2_span){ at, width };
	if (at + width - start < TIME ||
	    (at + width - start > TIME && at > start) ||
	    !is_bar(in, at + width))
		return refuse_column(
			in, start, TIME, "perf.column.time-width",
			"seconds with six decimals, 9 wide, or 9 blanks");
	*us = tr2_clock_microseconds(in->text + at, width);
	in->at = at + width + BAR_LEN;
	return true;
}

/* SPEC: perf.column.category-width */
static bool read_category(struct column_reader *in, bool brief)
{
	size_t start = in->at, end = start + CATEGORY;
	bool old = brief ? !is_bar(in, end) && in->old_too : in->columns->old;

	if (old) {
		end = find_bar(in, start + OLD_CATEGORY);
		in->columns->old = true;
	}
	if (!is_bar(in, end))
		return refuse_column(in, start, 1, "perf.column.category-width",
				     "12 bytes and ` | `");
	in->columns->category = trim_span(in, start, end);
	if (old && end - start > OLD_CATEGORY &&
	    in->columns->category.len < end - start)
		return refuse_column(in, start, end - start,
				     "perf.column.category-width", "10 bytes");
	in->columns->payload = end + BAR_LEN;
	return true;
}

bool tr2_columns_read(struct tr2_columns *columns, const char *text, size_t len,
		      bool old, struct tr2_bad_column *bad)
{
	struct column_reader in = { text, len, 0, '|', old, columns, bad };
	bool brief;

	columns->has_clock = tr2_clock_is(text, len, false);
	brief = !columns->has_clock && !tr2_clock_is(text, len, true);
	columns->old = false;
	columns->source = (struct tr2_span){ 0, 0 };
	return (brief || read_source(&in)) && read_depth(&in) &&
	       read_wide(&in, THREAD, &columns->thread, "perf.column.thread",
			 "24 bytes of thread, or a longer name, and ` | `") &&
	       read_event(&in) && read_repo(&in) &&
	       read_time(&in, &columns->t_abs, &columns->us_abs) &&
	       read_time(&in, &columns->t_rel, &columns->us_rel) &&
	       read_category(&in, brief);
}

size_t tr2_columns_depth(const char *text, size_t len)
{
	size_t at = len ? 1 + tr2_text_count_digits(text + 1, len - 1) : 0;

	return at > 1 && *text == 'd' &&
			       tr2_text_starts(text + at, len - at, BAR)
		       ? at + BAR_LEN
		       : 0;
}

/*
 * ---- Columns of which a page or a mail left out blanks
 */

static bool is_loose_blank(const struct column_reader *in, size_t at)
{
	return in->text[at] == ' ' || (in->text[at] == '\t' && in->bar != '\t');
}

/* Read the next cell, up to a bar, or to a tab where there are none. */
static bool read_cell(struct column_reader *in, struct tr2_span *span)
{
	size_t at = in->at;
	const char *bar;

	while (at < in->len && is_loose_blank(in, at))
		at++;
	bar = at < in->len ? memchr(in->text + at, in->bar, in->len - at)
			   : NULL;
	if (!bar)
		return false;
	in->at = (size_t)(bar - in->text) + 1;
	*span = (struct tr2_span){ at, in->at - 1 - at };
	while (span->len && is_loose_blank(in, at + span->len - 1))
		span->len--;
	return true;
}

/* Seconds of any precision, or nothing. */
static bool read_loose_time(struct column_reader *in, struct tr2_span *span,
			    int64_t *us)
{
	size_t point, end, decimals;

	if (!read_cell(in, span))
		return false;
	*us = -1;
	if (!span->len)
		return true;
	point = skip_digits(in, span->at);
	end = span->at + span->len;
	if (point == span->at || point + 1 >= end || in->text[point] != '.' ||
	    skip_digits(in, point + 1) < end)
		return false;
	decimals = end - point - 1;
	if (decimals > 6)
		decimals = 6;
	*us = tr2_clock_microseconds(in->text + span->at,
				     point + 1 + decimals - span->at);
	for (; decimals < 6; decimals++)
		*us *= 10;
	return true;
}

static bool is_numbered(const struct column_reader *in, struct tr2_span span,
			char letter)
{
	return span.len > 1 && in->text[span.at] == letter &&
	       skip_digits(in, span.at + 1) >= span.at + span.len;
}

/* Read the clock and the source, or the source alone, or neither. */
static bool read_loose_source(struct column_reader *in, struct tr2_span *cell)
{
	const bool has_clock = tr2_clock_is(in->text, in->len, false);

	in->columns->has_clock = has_clock;
	in->at = has_clock ? TR2_CLOCK : 0;
	if (!read_cell(in, cell))
		return false;
	in->columns->source = (struct tr2_span){ cell->at, 0 };
	if (!has_clock && !(cell->len && is_source(in, *cell) &&
			    !memchr(in->text, '"', in->at)))
		return true;
	in->columns->source = *cell;
	return is_source(in, *cell) && read_cell(in, cell);
}

/* A table that somebody made of a log may have no depth and no thread. */
static bool read_loose_event(struct column_reader *in)
{
	struct tr2_columns *columns = in->columns;
	struct tr2_span cell;

	if (!read_loose_source(in, &cell))
		return false;
	columns->depth = columns->thread = (struct tr2_span){ cell.at, 0 };
	if (is_numbered(in, cell, 'd')) {
		columns->depth = cell;
		if (!read_cell(in, &columns->thread) || !read_cell(in, &cell))
			return false;
	}
	columns->event = cell;
	columns->is = event_named(in, cell);
	return columns->is != TR2_IS_OTHER;
}

static bool read_loose_repo(struct column_reader *in)
{
	struct tr2_span *repo = &in->columns->repo;

	return read_cell(in, repo) &&
	       (!repo->len || is_numbered(in, *repo, 'r'));
}

bool tr2_columns_read_loose(struct tr2_columns *columns, const char *text,
			    size_t len)
{
	struct column_reader in = { .text = text,
				    .len = len,
				    .bar = memchr(text, '|', len) ? '|' : '\t',
				    .columns = columns };

	columns->old = false;
	if (!read_loose_event(&in) || !read_loose_repo(&in) ||
	    !read_loose_time(&in, &columns->t_abs, &columns->us_abs) ||
	    !read_loose_time(&in, &columns->t_rel, &columns->us_rel) ||
	    !read_cell(&in, &columns->category))
		return false;
	columns->payload = in.at + (in.at < len && text[in.at] == ' ');
	return true;
}
