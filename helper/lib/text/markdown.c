#include "lib/text/markdown.h"

#include <string.h>

#include "base/buf.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define LONGEST 200	  /* bytes of a piece of code */
#define LONGEST_LINE 2000 /* and of a line of a block */

/* A cut document ends with this. */
static const char rest[] = "\n*The rest is left out: it is too long.*\n";

/* Code ends with as many backticks as it begins with: more than are in it. */
static size_t count_backticks(const char *text, size_t len)
{
	size_t run = 0, longest = 0;

	for (size_t i = 0; i < len; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* The blanks, which are no part of it, keep its own backticks apart. */
static void put_piece(struct tr2_buf *out, const char *text, size_t len)
{
	const size_t inside = count_backticks(text, len);

	tr2_buf_fill(out, '`', inside + 1);
	tr2_buf_blanks(out, inside != 0);
	tr2_buf_add(out, text, len);
	tr2_buf_blanks(out, inside != 0);
	tr2_buf_fill(out, '`', inside + 1);
}

/*
 * A bar would end the cell of a table, and what a backslash before it does
 * depends on who reads. So a bar stands between pieces of code.
 */
static void put_code(struct tr2_buf *out, const char *text, size_t len)
{
	const char *end = text + len, *bar;

	for (; text < end; text = bar) {
		bar = memchr(text, '|', (size_t)(end - text));
		if (!bar)
			bar = end;
		if (bar > text)
			put_piece(out, text, (size_t)(bar - text));
		for (; bar < end && *bar == '|'; bar++)
			tr2_buf_str(out, "&#124;");
	}
}

void tr2_markdown_code(struct tr2_buf *out, const char *text)
{
	struct tr2_buf line = TR2_BUF_INIT;
	size_t len = strlen(text);

	tr2_foreign_line(&line, text, tr2_text_cut(text, len, LONGEST));
	if (len > LONGEST)
		tr2_buf_str(&line, "...");
	if (line.len)
		put_code(out, line.bytes, line.len);
	else
		tr2_buf_str(out, "(none)");
	out->failed |= line.failed;
	tr2_buf_release(&line);
}

/* Put what there is of a text up to so many bytes, and dots for the rest. */
static void put_most(struct tr2_buf *out, const char *text, size_t len,
		     size_t most)
{
	tr2_buf_add(out, text, tr2_text_cut(text, len, most));
	if (len > most)
		tr2_buf_str(out, "...");
}

void tr2_markdown_block(struct tr2_buf *out, size_t from)
{
	struct tr2_buf lines = TR2_BUF_INIT;
	const char *at, *end, *lf;

	tr2_buf_add(&lines, out->bytes + from, out->len - from);
	out->len = from;
	at = lines.bytes;
	end = at + lines.len;
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			lf = end;
		if (lf > at)
			tr2_buf_str(out, "    ");
		put_most(out, at, (size_t)(lf - at), LONGEST_LINE);
		tr2_buf_byte(out, '\n');
	}
	out->failed |= lines.failed;
	tr2_buf_release(&lines);
}

void tr2_markdown_rule(struct tr2_buf *out, size_t from)
{
	const size_t end = out->len;

	for (; from + 1 < end; from++)
		if (out->bytes[from] == '|')
			tr2_buf_str(out, from + 2 == end ? "|\n"
					 : out->bytes[from + 2] == ' '
						 ? "| --: "
						 : "| :-- ");
}

void tr2_markdown_fit(struct tr2_buf *out, size_t most)
{
	if (out->len <= most)
		return;
	out->len = most - (sizeof(rest) - 1);
	while (out->len && out->bytes[out->len - 1] != '\n')
		out->len--;
	tr2_buf_str(out, rest);
}
