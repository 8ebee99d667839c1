#include <string.h>

#include "lib/common/memory.h"
#include "redact/redactor/line.h"
#include "redact/redactor/redactor.h"
#include "lib/text/text.h"

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

static size_t read_string(struct cut_line *line, const char *text, size_t len,
			  size_t at)
{
	const size_t end = skip_string(text, len, at);

	if (end && line->value)
		note_end(line, end);
	return end;
}

/* A number or a word, which ends only before a byte of these. */
static size_t read_word(struct cut_line *line, const char *text, size_t len,
			size_t at)
{
	while (at < len && !memchr(",}]", text[at], 3))
		at++;
	if (at < len && line->value)
		note_end(line, at);
	return at < len ? at : 0;
}

/* Returns the place after the token here, or 0: what follows is lost. */
static size_t read_token(struct cut_line *line, const char *text, size_t len,
			 size_t at)
{
	const char c = text[at];
	bool done = true;

	if (c == '"')
		return read_string(line, text, len, at);
	if (c == '{' || c == '[')
		done = open_bracket(line, c, at);
	else if (c == '}' || c == ']')
		done = close_bracket(line, at);
	else if (c == ':')
		line->value = true;
	else if (c == ',')
		line->value = line->open[line->depth - 1] == '[';
	else
		return read_word(line, text, len, at);
	return done ? at + 1 : 0;
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

	find_end(&line, text, *len); /* which begins with a bracket */
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
