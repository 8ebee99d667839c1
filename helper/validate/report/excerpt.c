#include "validate/report/report.h"

#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define CONTEXT 36 /* bytes shown before and after */
#define WIDEST 40  /* largest number of carets */
#define INDENT "    "
#define DOTS "..."

void tr2_excerpt_color(struct tr2_buf *out, const struct tr2_shown *shown,
		       enum tr2_color color)
{
	static const char *const levels[TR2_LEVELS] = {
		[TR2_ERROR] = "\033[1;31m",
		[TR2_WARNING] = "\033[1;33m",
		[TR2_INFO] = "\033[1;36m",
	};
	static const char *const others[] = {
		[TR2_COLOR_OFF] = "\033[0m",
		[TR2_COLOR_BOLD] = "\033[1m",
	};

	if (shown->color)
		tr2_buf_str(out, color == TR2_COLOR_LEVEL
					 ? levels[shown->finding->level]
					 : others[color]);
}

void tr2_excerpt_place(struct tr2_buf *out, const struct tr2_finding *finding)
{
	if (finding->binary)
		tr2_text_put(out, "0x%zx", finding->column - 1);
	else
		tr2_text_put(out, "%lu:%zu", finding->line, finding->column);
}

static int is_inside_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/*
 * Put the text from `*at` to `end`, or to the end of the character there, and
 * move `*at` after it; returns its width in columns.
 */
static size_t put_part(struct tr2_buf *out, const struct tr2_finding *finding,
		       size_t *at, size_t end)
{
	size_t columns = 0;

	for (; *at < end; columns++)
		*at += tr2_foreign_character(out, finding->text,
					     finding->text_len, *at);
	return columns;
}

static size_t smaller_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

void tr2_excerpt_write(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	size_t at = finding->column - 1, len = finding->text_len;
	size_t from = at > CONTEXT ? at - CONTEXT : 0;
	size_t behind =
		smaller_of(at + smaller_of(finding->width, WIDEST), len);
	size_t to = smaller_of(behind + CONTEXT, len);
	size_t before, under, next;

	while (from < at && is_inside_character(finding->text[from]))
		from++;
	tr2_buf_str(out, INDENT);
	if (from)
		tr2_buf_str(out, DOTS);
	next = from;
	before = put_part(out, finding, &next, at);
	under = put_part(out, finding, &next, behind);
	put_part(out, finding, &next, to);
	if (next < len)
		tr2_buf_str(out, DOTS);
	tr2_buf_str(out, "\n" INDENT);
	tr2_buf_fill(out, ' ', before + (from ? sizeof(DOTS) - 1 : 0));
	tr2_excerpt_color(out, shown, TR2_COLOR_LEVEL);
	tr2_buf_fill(out, '^', under ? under : 1);
	if (finding->expected)
		tr2_text_put(out, " expected %s", finding->expected);
	tr2_excerpt_color(out, shown, TR2_COLOR_OFF);
	tr2_buf_byte(out, '\n');
}
