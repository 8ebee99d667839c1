#include "lib/text/cell.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

static const struct {
	uint64_t us;
	const char *name;
} units[] = { { 3600000000, " h" },
	      { 60000000, " min" },
	      { 1000000, " s" },
	      { 1000, " ms" },
	      { 1, " us" } };

#define LAST_UNIT (sizeof(units) / sizeof(units[0]) - 1)

/* 100 minutes are easier to read than 1.67 h. */
static size_t find_unit(uint64_t size)
{
	size_t i = 0;

	while (i < LAST_UNIT && size < units[i].us * (i < 2 ? 2 : 1))
		i++;
	return i;
}

static uint64_t round_digits(uint64_t size)
{
	const uint64_t unit = units[find_unit(size)].us;
	uint64_t step = size < 10 * unit    ? unit / 100
			: size < 100 * unit ? unit / 10
					    : unit;

	if (step < 2)
		return size;
	return (size + step / 2) / step * step;
}

void tr2_cell_time(struct tr2_buf *out, int64_t us)
{
	/* The least number has no positive one. */
	uint64_t size = us < 0 ? -(uint64_t)us : (uint64_t)us, hundredths;
	size_t i;

	size = round_digits(size);
	i = find_unit(size);
	hundredths = size / units[i].us * 100 +
		     size % units[i].us * 100 / units[i].us;
	if (us < 0)
		tr2_buf_byte(out, '-');
	tr2_buf_uint(out, hundredths / 100);
	if (i < LAST_UNIT && hundredths < 1000)
		tr2_text_put(out, ".%02d", (int)(hundredths % 100));
	else if (i < LAST_UNIT && hundredths < 10000)
		tr2_text_put(out, ".%d", (int)(hundredths / 10 % 10));
	tr2_buf_str(out, units[i].name);
}

void tr2_cell_share(struct tr2_buf *out, int64_t part, int64_t whole)
{
	double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
	int64_t tenths = (int64_t)(percent * 10 + 0.5);

	tr2_text_put(out, "%" PRId64 ".%d%%", tenths / 10, (int)(tenths % 10));
}

void tr2_cell_align(struct tr2_buf *out, size_t from, size_t width)
{
	size_t len = out->len - from;

	if (out->failed)
		return;
	if (len >= width && from && !strchr(" \n|", out->bytes[from - 1]))
		width = len + 1;
	if (len >= width)
		return;
	tr2_buf_blanks(out, width - len);
	if (out->failed)
		return;
	memmove(out->bytes + from + width - len, out->bytes + from, len);
	memset(out->bytes + from, ' ', width - len);
}

void tr2_cell_note(struct tr2_buf *out, uint64_t count, const char *what,
		   const char *so)
{
	if (count)
		tr2_text_put(out, "note: %s: %" PRIu64 "%s%s\n", what, count,
			     so ? "; " : "", so ? so : "");
}

/*
 * RFC 4180, with `?` for control characters. A spreadsheet takes a text that
 * begins with one of these characters for a formula.
 */
void tr2_cell_csv(struct tr2_buf *out, const char *text)
{
	struct tr2_buf line = TR2_BUF_INIT;

	tr2_foreign_line(&line, text, strlen(text));
	tr2_buf_byte(out, '"');
	if (line.len && strchr("=+-@", *line.bytes))
		tr2_buf_byte(out, '\'');
	for (size_t i = 0; i < line.len; i++) {
		if (line.bytes[i] == '"')
			tr2_buf_byte(out, '"');
		tr2_buf_byte(out, line.bytes[i]);
	}
	tr2_buf_byte(out, '"');
	out->failed |= line.failed;
	tr2_buf_release(&line);
}
