/* calls.c - the language of t/kit/contract.tsv; see calls.h. */
#include "calls.h"

#include <string.h>

/* Rows and tokens */

int is_word(struct span span, const char *word)
{
	size_t len = strlen(word);

	/* What is empty may be nowhere. */
	return measure_span(span) == len &&
	       (!len || !memcmp(span.at, word, len));
}

static struct span cut_cell(struct span *line)
{
	struct span cell = *line;
	const char *tab = memchr(line->at, '\t', measure_span(*line));

	cell.end = tab ? tab : line->end;
	line->at = tab ? tab + 1 : line->end;
	if (is_word(cell, "-"))
		cell.end = cell.at;
	return cell;
}

int read_verb(struct span *file, struct verb *verb)
{
	struct span line;

	do {
		if (file->at == file->end)
			return 0;
		line.at = file->at;
		line.end = strchr(line.at, '\n');
		file->at = line.end + 1;
	} while (*line.at == '#');
	verb->name = cut_cell(&line);
	verb->arguments = cut_cell(&line);
	verb->takes = cut_cell(&line);
	verb->wrong = cut_cell(&line);
	verb->calls = cut_cell(&line);
	return 1;
}

/* The end of a text in quotes, whose first byte is at `at`. */
const char *skip_quoted(const char *at)
{
	for (at++; *at != '"'; at++)
		at += *at == '\\';
	return at + 1;
}

/* A brace, a semicolon or a word; empty at the end. */
struct span read_token(struct span *text)
{
	struct span token;

	while (text->at < text->end && *text->at == ' ')
		text->at++;
	token.at = text->at;
	if (text->at < text->end && strchr("{};", *text->at))
		text->at++;
	else
		while (text->at < text->end && !strchr(" {};", *text->at))
			text->at = *text->at == '"' ? skip_quoted(text->at)
						    : text->at + 1;
	token.end = text->at;
	return token;
}

/* The text up to the brace that closes the one before it. */
static struct span read_block(struct span *text)
{
	struct span block = *text, token;
	int depth = 1;

	while (depth) {
		token = read_token(text);
		depth += is_word(token, "{") - is_word(token, "}");
	}
	block.end = token.at;
	return block;
}

int read_call(struct span *text, struct call *call)
{
	struct span token, after;

	memset(call, 0, sizeof(*call));
	do
		call->name = read_token(text);
	while (is_word(call->name, ";"));
	if (is_word(call->name, ""))
		return 0;
	for (token = read_token(text);
	     *token.at != ';' && *token.at != '{' && token.at < token.end;
	     token = read_token(text))
		call->words[call->count++] = token;
	if (!is_word(token, "{"))
		return 1;
	call->body = read_block(text);
	after = *text;
	if (is_word(read_token(&after), "else")) {
		read_token(&after);
		call->other = read_block(&after);
		*text = after;
	}
	return 1;
}
