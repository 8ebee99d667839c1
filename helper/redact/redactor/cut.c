#include <string.h>

#include "lib/common/memory.h"
#include "redact/redactor/line.h"
#include "redact/redactor/redactor.h"

#define DEPTH 64 /* events have fewer brackets */

/* Returns the place after the string that begins here, or 0: it has no end. */
static size_t skip_string(const char *text, size_t len, size_t at)
{
	for (at++; at < len; at++) {
		if (text[at] == '"')
			return at + 1;
		at += text[at] == '\\';
	}
	return 0;
}

/* The same of a number or word, which ends only before a byte of these. */
static size_t skip_word(const char *text, size_t len, size_t at)
{
	while (at < len && !memchr(",}]", text[at], 3))
		at++;
	return at < len ? at : 0;
}

/*
 * A line as it is read. After each complete value it may end, if the brackets
 * that are open there are closed.
 */
struct cut_line {
	char open[DEPTH];
	size_t depth, end, closed;
	bool value; /* a value is next, not the name of a member */
};

/* Returns the place after the token here, or 0: what follows is lost. */
static size_t read_token(struct cut_line *line, const char *text, size_t len,
			 size_t at)
{
	const char c = text[at];
	size_t next = at + 1;

	if (memchr(":,", c, 2)) {
		line->value = c == ':' || line->open[line->depth - 1] == '[';
		return next;
	}
	if (memchr("{[", c, 2)) {
		if (line->depth == DEPTH)
			return 0;
		line->open[line->depth++] = c;
	} else if (memchr("}]", c, 2)) {
		line->depth--;
	} else {
		next = c == '"' ? skip_string(text, len, at)
				: skip_word(text, len, at);
	}
	if (next && (line->value || memchr("{[}]", c, 4))) {
		line->end = next;
		line->closed = line->depth;
	}
	if (memchr("{[", c, 2))
		line->value = c == '[';
	return next;
}

const char *tr2_redactor_cut(struct tr2_redactor *redactor, const char *text,
			     size_t *len)
{
	struct tr2_buf *whole = &redactor->cut;
	struct cut_line line = { .depth = 0 };
	const char *hidden;
	size_t at = 0;

	do /* it begins with a bracket */
		at = read_token(&line, text, *len, at);
	while (at && at < *len && line.depth);
	tr2_buf_reset(whole);
	tr2_buf_add(whole, text, line.end);
	for (at = line.closed; at--;)
		tr2_buf_byte(whole, line.open[at] == '{' ? '}' : ']');
	tr2_must_hold(whole);
	*len = whole->len;
	hidden = tr2_redactor_line(redactor, whole->bytes, len);
	if (!hidden || *len < line.closed)
		return NULL;
	*len -= line.closed;
	return hidden;
}
