/*
 * The PERF target: columns, regions indented and timed.
 * SPEC: chapter perf.*
 */
#include "event/format.h"

#include <string.h>

#include "trace2.h"
#include "base/buf.h"
#include "event/payload.h"
#include "base/quote.h"

/* SPEC: perf.column.file-width and its neighbours */
enum {
	FILE_WIDTH = 28,
	THREAD_WIDTH = 24,
	EVENT_WIDTH = 12,
	REPO_WIDTH = 3,
	TIME_WIDTH = 9,
	CATEGORY_WIDTH = 12
};

#define DOTS_REGIONS 100 /* SPEC: perf.dots-most */

#define TEN_SECONDS_US 10000000u /* from here on the time fills TIME_WIDTH */

/* Append blanks up to this column, and the next bar. */
static void end_column(struct tr2_buf *out, size_t end)
{
	tr2_buf_pad(out, end);
	tr2_buf_add(out, " | ", 3);
}

/* If file and line are too long, dots replace their beginning. */
static void add_file_line(const struct tr2_event *event, struct tr2_buf *out)
{
	size_t start = out->len, used;
	char *text;

	tr2_text_file_line(out, event);
	used = out->len - start;
	if (used > FILE_WIDTH) {
		text = out->bytes + start;
		memmove(text, text + used - FILE_WIDTH, FILE_WIDTH);
		memcpy(text, "...", 3);
		out->len = start + FILE_WIDTH;
	}
	end_column(out, start + FILE_WIDTH);
}

static void add_repo(const struct tr2_event *event, struct tr2_buf *out)
{
	size_t start = out->len;

	if (event->repo != TRACE2_REPO_NONE) {
		tr2_payload_number(out, "r", event->repo < 0 ? 0 : event->repo);
		tr2_buf_byte(out, ' ');
	}
	end_column(out, start + REPO_WIDTH);
}

static void add_time(struct tr2_buf *out, int shown, uint64_t us)
{
	size_t start = out->len;

	if (shown) {
		if (us < TEN_SECONDS_US)
			tr2_buf_byte(out, ' ');
		tr2_buf_seconds(out, us);
	}
	end_column(out, start + TIME_WIDTH);
}

static void add_category(const struct tr2_event *event, unsigned flags,
			 struct tr2_buf *out)
{
	size_t start = out->len;

	if (flags & TR2_SHOW_SCOPE) {
		tr2_buf_str(out, "scope:");
		tr2_buf_str(out, event->scope);
	} else if (flags & TR2_SHOW_CATEGORY && event->category) {
		tr2_buf_str(out, event->category);
	}
	if (out->len - start > CATEGORY_WIDTH)
		out->len = start + CATEGORY_WIDTH;
	end_column(out, start + CATEGORY_WIDTH);
}

/* A program that never leaves its regions must not fill the disk with dots. */
static void add_dots(const struct tr2_event *event, struct tr2_buf *out)
{
	size_t regions = event->open_regions;

	if (regions > DOTS_REGIONS)
		regions = DOTS_REGIONS;
	tr2_buf_fill(out, '.', 2 * regions);
}

void tr2_perf_format(const struct tr2_event *event,
		     const struct tr2_format *format, struct tr2_buf *out)
{
	const struct tr2_event_info *info = &tr2_event_table[event->kind];
	size_t start = out->len, column;

	if (!info->perf)
		return;
	if (!format->brief) {
		tr2_text_clock(out, event, format->local);
		add_file_line(event, out);
	}
	tr2_payload_number(out, "d", event->origin->depth);
	tr2_buf_add(out, " | ", 3);
	column = out->len;
	tr2_buf_str(out, event->origin->thread);
	end_column(out, column + THREAD_WIDTH);
	column = out->len;
	tr2_buf_str(out, info->name);
	end_column(out, column + EVENT_WIDTH);
	add_repo(event, out);
	add_time(out, info->flags & TR2_SHOW_T_ABS, event->t_abs);
	add_time(out, info->flags & TR2_SHOW_T_REL, event->t_rel);
	add_category(event, info->flags, out);
	add_dots(event, out);
	info->perf(event, out);
	tr2_text_end_line(out, start);
}
