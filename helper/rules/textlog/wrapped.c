/*
 * An event of PERF whose columns a mail broke into lines. The blanks at the
 * breaks are gone, so the columns get their widths again.
 */
#include "rules/textlog/textlog.h"

#include <string.h>

#include "lib/common/memory.h"
#include "read/text/clock.h"
#include "read/text/columns.h"
#include "read/text/pieces.h"

/* A mail broke events of so many bytes at most. */
#define WRAPPED_MAX 4096

enum { RIGHT = -1, AS_IT_IS = 0 };

static const char *find_line_end(const char *text, const char *end)
{
	const char *lf = memchr(text, '\n', (size_t)(end - text));

	return lf ? lf : end;
}

static void join_lines(const struct tr2_buf *event, struct tr2_buf *joined)
{
	const char *at = event->bytes, *end = at + event->len;
	const char *lf = find_line_end(at, end);

	tr2_buf_add(joined, at, (size_t)(lf - at));
	while (lf < end) {
		at = lf + 1;
		lf = find_line_end(at, end);
		tr2_wrapped_join(joined, at, (size_t)(lf - at));
	}
}

static void put_cell(struct tr2_buf *out, const char *text,
		     struct tr2_span cell, int side, size_t width)
{
	const size_t blanks = cell.len < width ? width - cell.len : 0;

	if (side == RIGHT)
		tr2_buf_fill(out, ' ', blanks);
	tr2_buf_add(out, text + cell.at, cell.len);
	if (side != RIGHT)
		tr2_buf_fill(out, ' ', blanks);
	tr2_buf_str(out, " | ");
}

/* Git 2.22 and 2.23 had other widths. */
static bool is_old(const struct tr2_textlog *log, const struct tr2_buf *joined,
		   const struct tr2_columns *columns)
{
	return log->ages == TR2_AGE_OLD ||
	       (columns->is == TR2_IS_VERSION &&
		columns->payload < joined->len &&
		tr2_text_is_old_git(joined->bytes + columns->payload,
				    joined->len - columns->payload));
}

/* SPEC: perf.column */
static void put_columns(struct tr2_buf *out, const struct tr2_buf *joined,
			const struct tr2_columns *columns, bool old)
{
	const char *text = joined->bytes;

	tr2_buf_add(out, text, TR2_CLOCK);
	put_cell(out, text, columns->source, 1, old ? 33 : 28);
	put_cell(out, text, columns->depth, 1, AS_IT_IS);
	put_cell(out, text, columns->thread, 1, 24);
	put_cell(out, text, columns->event, 1, 12);
	put_cell(out, text, columns->repo, 1, 3);
	put_cell(out, text, columns->t_abs, RIGHT, 9);
	put_cell(out, text, columns->t_rel, RIGHT, 9);
	put_cell(out, text, columns->category, 1, old ? 10 : 12);
	if (columns->payload < joined->len)
		tr2_buf_add(out, text + columns->payload,
			    joined->len - columns->payload);
}

/* Join the event's lines and read them. False: these are no columns. */
static bool read_joined(const struct tr2_buf *event, struct tr2_buf *joined,
			struct tr2_columns *columns)
{
	join_lines(event, joined);
	tr2_buf_byte(joined, '\0');
	if (event->failed || joined->failed)
		tr2_memory_out();
	joined->len--;
	return tr2_clock_is(joined->bytes, joined->len, false) &&
	       tr2_columns_read_loose(columns, joined->bytes, joined->len) &&
	       columns->depth.len;
}

/* SPEC: input.carried */
void tr2_perf_unwrap(struct tr2_textlog *log)
{
	struct tr2_buf joined = TR2_BUF_INIT, *event = &log->event;
	struct tr2_columns columns;

	if (event->len > WRAPPED_MAX ||
	    (!log->wrapped.count && tr2_perf_has_columns(log)))
		return;
	if (read_joined(event, &joined, &columns)) {
		tr2_buf_reset(event);
		put_columns(event, &joined, &columns,
			    is_old(log, &joined, &columns));
		if (log->unwrapped != log->number)
			tr2_others_add(&log->wrapped, log->number);
		log->unwrapped = log->number;
	}
	tr2_buf_release(&joined);
}

bool tr2_perf_goes_on(struct tr2_textlog *log, const char *text, size_t len)
{
	struct tr2_buf joined = TR2_BUF_INIT, *event = &log->event;
	const size_t before = event->len;
	struct tr2_columns columns;
	bool reads;

	if (before + len > WRAPPED_MAX || tr2_perf_has_columns(log))
		return false;
	tr2_buf_byte(event, '\n');
	tr2_buf_add(event, text, len);
	reads = read_joined(event, &joined, &columns);
	event->len = before;
	tr2_buf_release(&joined);
	return reads;
}
