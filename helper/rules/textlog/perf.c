#include "rules/textlog/textlog.h"

#include <string.h>

#include "lib/common/memory.h"
#include "perf_rows.h"
#include "read/text/clock.h"
#include "lib/text/text.h"
#include "read/text/columns.h"
#include "read/text/pieces.h"

/*
 * Which columns an event fills. NO_DOTS: not even inside regions. FREE: the
 * payload itself may begin with dots.
 */
enum { T_ABS = 1, T_REL = 2, REPO = 4, CATEGORY = 8, NO_DOTS = 16, FREE = 32 };

/* The forms of git 2.22 and 2.23, if they differ. */
struct perf_payload {
	unsigned fills;
	const char *patterns[TR2_PATTERNS];
	const char *old;
};

/* perf.tsv is made from SPEC.md by `make rules`. */
#define PUT_ROW(how, is, fills, a, b, c, old) \
	[TR2_IS_##is] = { fills, { a, b, c }, old },
#define ADD_BIT(how, is, ...) | UINT64_C(1) << TR2_IS_##is

/* clang-format off */
static const struct perf_payload payloads[TR2_IS_OTHER] = { PERF_ROWS(PUT_ROW) };

_Static_assert((0 PERF_ROWS(ADD_BIT)) == (UINT64_C(1) << TR2_IS_OTHER) - 1,
	       "an event of the schemas has no row among the payloads");
/* clang-format on */

/*
 * The older layout is possible if a `version` had it, or if there was none so
 * far.
 */
static bool reads_columns(const struct tr2_textlog *log, const char *text,
			  size_t len, struct tr2_columns *columns,
			  struct tr2_bad_column *bad)
{
	struct tr2_bad_column ignored;
	bool old_too = log->ages != TR2_AGE_NEW;

	if (tr2_columns_read(columns, text, len, old_too, bad))
		return true;
	return tr2_columns_read(columns, text, len, true, &ignored) &&
	       columns->is == TR2_IS_VERSION;
}

/*
 * Does the line have at least six bars, with a depth or an event's name
 * between them?
 */
static bool is_nearly(const char *text, size_t len)
{
	const char *end = text + len, *bar;
	bool sign = false;
	int bars = 0;
	size_t width;

	for (const char *cell = text;
	     (bar = tr2_text_find(cell, (size_t)(end - cell), " | "));
	     cell = bar + strlen(" | ")) {
		bars++;
		width = (size_t)(bar - cell);
		while (width && cell[width - 1] == ' ')
			width--;
		sign = sign || (*cell == 'd' && width > 1 && width < 4) ||
		       tr2_names_find(&tr2_names_events, cell, width) >= 0;
	}
	return bars >= 6 && sign;
}

void tr2_perf_read(struct tr2_textlog *log)
{
	log->has_columns = reads_columns(log, log->event.bytes, log->event.len,
					 &log->columns, &log->bad);
}

static void join_lines(const struct tr2_buf *event, struct tr2_buf *joined)
{
	const char *at = event->bytes, *end = at + event->len, *lf;

	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			lf = end;
		if (at == event->bytes)
			tr2_buf_add(joined, at, (size_t)(lf - at));
		else
			tr2_wrapped_join(joined, at, (size_t)(lf - at));
	}
}

/* SPEC: perf.column.time-width */
static bool has_seconds(const struct tr2_buf *line, struct tr2_span time)
{
	return tr2_clock_seconds(line->bytes + time.at, time.len) == time.len;
}

/* Read the event's lines as one. False: these are no columns. */
static bool read_joined(const struct tr2_buf *event, struct tr2_buf *joined,
			struct tr2_columns *columns)
{
	join_lines(event, joined);
	tr2_must_hold(joined);
	return tr2_clock_is(joined->bytes, joined->len, false) &&
	       tr2_columns_read_loose(columns, joined->bytes, joined->len) &&
	       columns->depth.len && has_seconds(joined, columns->t_abs) &&
	       has_seconds(joined, columns->t_rel);
}

/* Git 2.22 and 2.23 had other widths, which a mail does not show. */
static bool is_old(const struct tr2_textlog *log)
{
	const size_t at = log->columns.payload, len = log->event.len;

	return log->ages == TR2_AGE_OLD ||
	       (log->columns.is == TR2_IS_VERSION && at < len &&
		tr2_text_is_old_git(log->event.bytes + at, len - at));
}

/* SPEC: input.carried */
void tr2_perf_unwrap(struct tr2_textlog *log)
{
	struct tr2_buf joined = TR2_BUF_INIT, *event = &log->event;
	struct tr2_columns columns;

	if (!log->wrapped.count && log->has_columns)
		return;
	tr2_must_hold(event);
	if (read_joined(event, &joined, &columns)) {
		tr2_buf_reset(event);
		tr2_buf_add(event, joined.bytes, joined.len);
		log->has_columns = true;
		log->columns = columns;
		log->columns.old = is_old(log);
		tr2_textlog_unwrapped(log);
	}
	tr2_buf_release(&joined);
}

/*
 * Does the line complete the columns, after a line break in a file name, or one
 * of a mail?
 */
static bool completes_columns(struct tr2_textlog *log, const char *text,
			      size_t len)
{
	struct tr2_buf joined = TR2_BUF_INIT, *event = &log->event;
	struct tr2_columns columns;
	struct tr2_bad_column bad;
	const size_t before = event->len;
	bool complete;

	if (log->has_columns)
		return false;
	tr2_buf_byte(event, '\n');
	tr2_buf_add(event, text, len);
	tr2_must_hold(event);
	complete =
		reads_columns(log, event->bytes, event->len, &columns, &bad) ||
		(event->len <= TR2_TEXT_WRAPPED &&
		 read_joined(event, &joined, &columns));
	event->len = before;
	tr2_buf_release(&joined);
	return complete;
}

bool tr2_perf_begins(struct tr2_textlog *log, const char *text, size_t len)
{
	struct tr2_columns columns;
	struct tr2_bad_column bad;

	if (tr2_clock_is(text, len, true) ||
	    reads_columns(log, text, len, &columns, &bad))
		return true;
	return is_nearly(text, len) && !completes_columns(log, text, len);
}

/* Returns how many pairs of dots the payload begins with. */
static unsigned count_dots(const struct tr2_textlog *log, size_t at)
{
	const struct tr2_buf *event = &log->event;
	unsigned dots = 0;

	for (; tr2_text_starts(event->bytes + at, event->len - at, "..");
	     at += 2)
		dots++;
	return dots;
}

bool tr2_perf_is_whole(const struct tr2_textlog *log)
{
	const struct tr2_buf *event = &log->event;
	const struct tr2_columns *columns = &log->columns;
	size_t at;

	if (!log->has_columns || columns->is == TR2_IS_OTHER)
		return false;
	at = columns->payload + 2 * (size_t)count_dots(log, columns->payload);
	return tr2_pattern_is_whole(payloads[columns->is].patterns,
				    event->bytes + at, event->len - at);
}

static void check_filled(struct tr2_textlog *log, struct tr2_span span,
			 bool wanted, const char *id)
{
	if (!span.len != !wanted)
		tr2_textlog_report_span(
			log, id, span,
			wanted ? "the event needs this column"
			       : "the event leaves this column blank");
}

/* SPEC: perf.column.category-scope */
static void check_scope(struct tr2_textlog *log, struct tr2_span category)
{
	if (!category.len)
		tr2_textlog_older(log, TR2_OLDER_PERF_PARAM, category.at);
	else if (!tr2_text_starts(log->event.bytes + category.at, category.len,
				  "scope:"))
		tr2_textlog_report_span(log, "perf.column.category-scope",
					category,
					"the category of def_param is its "
					"scope");
}

static void check_fills(struct tr2_textlog *log,
			const struct tr2_columns *columns, unsigned fills)
{
	check_filled(log, columns->t_abs, fills & T_ABS, "perf.column.t_abs");
	check_filled(log, columns->t_rel, fills & T_REL, "perf.column.t_rel");
	if (!(fills & REPO) || columns->is == TR2_IS_DEF_REPO)
		check_filled(log, columns->repo, fills & REPO,
			     "perf.column.repo");
	if (!(fills & CATEGORY))
		check_filled(log, columns->category, false,
			     "perf.column.category");
	else if (columns->is == TR2_IS_DEF_PARAM)
		check_scope(log, columns->category);
}

static void check_age(struct tr2_textlog *log,
		      const struct tr2_columns *columns)
{
	const struct tr2_buf *event = &log->event;

	if (columns->is == TR2_IS_VERSION)
		log->ages |= columns->old ? TR2_AGE_OLD : TR2_AGE_NEW;
	if (!columns->old)
		return;
	tr2_textlog_older(log, TR2_OLDER_PERF_WIDTH, columns->category.at);
	if ((columns->is == TR2_IS_REGION_ENTER ||
	     columns->is == TR2_IS_REGION_LEAVE) &&
	    event->len > columns->payload &&
	    event->bytes[event->len - 1] == ' ')
		tr2_textlog_older(log, TR2_OLDER_PERF_LABEL, event->len - 1);
}

/* An event that PERF never shows, or an unknown one. SPEC: perf.events */
static void report_foreign(struct tr2_textlog *log,
			   const struct tr2_columns *columns)
{
	struct tr2_what what = tr2_what_at(TR2_ERROR, "perf.events",
					   columns->event.at,
					   columns->event.len);

	if (columns->is == TR2_IS_TOO_MANY_FILES) {
		tr2_textlog_report(log, what, "not an event of PERF");
		return;
	}
	what.level = TR2_INFO;
	what.id = tr2_schema_unknown_event;
	if (!log->told_unknown)
		tr2_textlog_report(log, what, "an event of unknown type");
	log->told_unknown = true;
}

/* Are these dots of regions? A quoted argument may begin with dots, too. */
static bool begins_quoted(const struct tr2_textlog *log,
			  const struct tr2_columns *columns, size_t at)
{
	const struct tr2_buf *event = &log->event;

	return columns->is == TR2_IS_START &&
	       tr2_text_starts(event->bytes + at, event->len - at, "'");
}

static void check_event(struct tr2_textlog *log,
			const struct tr2_columns *columns)
{
	const struct perf_payload *payload = &payloads[columns->is];
	struct tr2_perf_step step = {
		.columns = columns,
		.dots = count_dots(log, columns->payload),
		.free = payload->fills & FREE,
		.none = payload->fills & NO_DOTS,
	};
	size_t at = columns->payload;
	size_t behind = at + 2 * (size_t)step.dots;

	check_age(log, columns);
	check_fills(log, columns, payload->fills);
	if (!step.free || begins_quoted(log, columns, behind))
		at = behind;
	if (tr2_textlog_check(log, at, payload->patterns,
			      columns->old ? payload->old : NULL,
			      TR2_OLDER_PERF_ARGV, "perf.payload"))
		tr2_processes_step(&log->processes, log, &step);
	else
		tr2_processes_lost(&log->processes);
}

void tr2_perf_check(struct tr2_textlog *log)
{
	const struct tr2_columns *columns = &log->columns;
	struct tr2_what what;

	if (!log->has_columns)
		tr2_perf_read(log);
	if (!log->has_columns) {
		what = tr2_what_at(TR2_ERROR, log->bad.id, log->bad.at,
				   log->bad.len);
		what.expected = log->bad.expected;
		tr2_textlog_report(log, what, "not the columns of PERF");
		tr2_processes_lost_line(&log->processes);
		return;
	}
	log->events[columns->is]++;
	if (columns->is == TR2_IS_OTHER || columns->is == TR2_IS_TOO_MANY_FILES)
		report_foreign(log, columns);
	else
		check_event(log, columns);
}
