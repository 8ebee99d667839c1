#include <string.h>

#include "common/memory.h"
#include "redactor/line.h"
#include "redactor/redactor.h"
#include "text/text.h"

#define DEPTH 64 /* events have fewer brackets */

/*
 * A line as it is read. After each complete value it may end, if the brackets
 * that are open there are closed.
 */
struct cut_line {
	char open[DEPTH];
	size_t depth;
	bool value; /* a value is next, not the name of a member */
	size_t end; /* where the last complete value ends, */
	char close[DEPTH];
	size_t closed; /* and so many brackets close it */
};

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

static void note_end(struct cut_line *line, size_t end)
{
	size_t i;

	line->end = end;
	line->closed = line->depth;
	for (i = 0; i < line->depth; i++)
		line->close[i] = line->open[line->depth - 1 - i] == '{' ? '}'
									: ']';
}

static bool open_bracket(struct cut_line *line, char bracket, size_t at)
{
	if (line->depth == DEPTH)
		return false;
	line->open[line->depth++] = bracket;
	line->value = bracket == '[';
	note_end(line, at + 1);
	return true;
}

static bool close_bracket(struct cut_line *line, size_t at)
{
	if (!line->depth)
		return false;
	line->depth--;
	note_end(line, at + 1);
	return true;
}

/* Returns the place after the token here, or 0: what follows is lost. */
static size_t read_token(struct cut_line *line, const char *text, size_t len,
			 size_t at)
{
	size_t end;

	switch (text[at]) {
	case '{':
	case '[':
		return open_bracket(line, text[at], at) ? at + 1 : 0;
	case '}':
	case ']':
		return close_bracket(line, at) ? at + 1 : 0;
	case ':':
		line->value = true;
		return at + 1;
	case ',':
		line->value = line->depth && line->open[line->depth - 1] == '[';
		return at + 1;
	case '"':
		end = skip_string(text, len, at);
		if (end && line->value)
			note_end(line, end);
		return end;
	default:
		for (end = at; end < len && !memchr(",}]", text[end], 3);)
			end++;
		if (end < len && line->value)
			note_end(line, end);
		return end < len ? end : 0;
	}
}

static void find_end(struct cut_line *line, const char *text, size_t len)
{
	size_t at = 0;

	do
		at = read_token(line, text, len, at);
	while (at && at < len && line->depth);
}

const char *tr2_redactor_cut(struct tr2_redactor *redactor, const char *text,
			     size_t *len)
{
	struct tr2_buf *whole = &redactor->cut;
	struct cut_line line = { .depth = 0 };
	const char *hidden;

	find_end(&line, text, *len);
	tr2_buf_reset(whole);
	tr2_buf_add(whole, text, line.end);
	tr2_buf_add(whole, line.close, line.closed);
	if (whole->failed)
		tr2_memory_out();
	*len = whole->len;
	hidden = tr2_redactor_line(redactor, whole->bytes, len);
	if (!hidden || *len < line.closed)
		return NULL;
	*len -= line.closed;
	return hidden;
}
