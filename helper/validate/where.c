#include "validate/where.h"

#include <stdbool.h>
#include <stdlib.h>

#include "validate/memory.h"

static bool is_one_of(char byte, const char *set)
{
	return byte && strchr(set, byte);
}

/* Behind the token at `at`. The text is known to be good JSON. */
static size_t token_end(const struct tr2_where *where, size_t at)
{
	const char *text = where->text;

	if (is_one_of(text[at], "{}[]"))
		return at + 1;
	if (text[at] == '"') {
		for (at++; text[at] != '"'; at++)
			if (text[at] == '\\')
				at++;
		return at + 1;
	}
	while (at < where->len && !is_one_of(text[at], ",]} \t\r\n"))
		at++;
	return at;
}

static size_t skip_to_token(const struct tr2_where *where, size_t at)
{
	while (at < where->len && is_one_of(where->text[at], ",: \t\r\n"))
		at++;
	return at;
}

void tr2_where_fill(struct tr2_where *where, const struct tr2_doc *doc,
		    const char *text, size_t len)
{
	size_t words = tr2_doc_next(doc, TR2_DOC_ROOT), at, byte = 0;

	where->doc = doc;
	where->text = text;
	where->len = len;
	if (words > where->room) {
		where->start = tr2_memory_grow(where->start,
					       words * sizeof(*where->start));
		where->room = words;
	}
	/* Tokens and words of the tape come in the same order. */
	for (at = TR2_DOC_ROOT; at < words; at = tr2_doc_step(doc, at)) {
		byte = skip_to_token(where, byte);
		where->start[at] = (uint32_t)byte;
		byte = token_end(where, byte);
	}
}

struct tr2_span tr2_where_span(const struct tr2_where *where, size_t at)
{
	struct tr2_span span = { where->start[at], 0 };
	size_t last = tr2_doc_next(where->doc, at) - 1;

	if (is_one_of(tr2_doc_tag(where->doc, at), "{["))
		span.len = where->start[last] + 1 - span.at;
	else
		span.len = token_end(where, span.at) - span.at;
	return span;
}

void tr2_where_release(struct tr2_where *where)
{
	free(where->start);
}
