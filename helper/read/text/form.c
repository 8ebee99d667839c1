#include "read/text/form.h"

#include <string.h>

#include "base/json.h"
#include "lib/text/text.h"
#include "read/text/clock.h"

/* add_bytes(), or the same with escapes. */
typedef void put_bytes(struct tr2_buf *out, const char *text, size_t len);

/* After a closing quote, '\'' and '\!' continue the word. */
static bool goes_on(const char *text, const char *end)
{
	return end - text > 3 && text[1] == '\\' &&
	       (text[2] == '\'' || text[2] == '!') && text[3] == '\'';
}

/*
 * Append the inside of the quotes if `out` is not NULL; returns what follows
 * them, or the end.
 */
static const char *put_quoted(struct tr2_buf *out, const char *text,
			      const char *end, put_bytes *put)
{
	const char *quote;

	for (;; text = quote + 4) {
		quote = memchr(text, '\'', (size_t)(end - text));
		if (!quote)
			quote = end;
		if (out)
			put(out, text, (size_t)(quote - text));
		if (quote == end)
			return end;
		if (!goes_on(quote, end))
			return quote + 1;
		if (out)
			tr2_buf_byte(out, quote[2]);
	}
}

/* Other bytes that should be quoted and are not belong to the word. */
static void put_word(struct tr2_buf *out, const char *text, const char *end,
		     put_bytes *put)
{
	const char *quote;

	while (text < end) {
		if (*text == '\'') {
			text = put_quoted(out, text + 1, end, put);
			continue;
		}
		quote = memchr(text, '\'', (size_t)(end - text));
		if (!quote)
			quote = end;
		put(out, text, (size_t)(quote - text));
		text = quote;
	}
}

static void add_bytes(struct tr2_buf *out, const char *text, size_t len)
{
	tr2_buf_add(out, text, len);
}

void tr2_part_unquote(struct tr2_buf *out, const char *word, size_t len)
{
	put_word(out, word, word + len, add_bytes);
}

static const char *skip_quoted(const char *text, const char *end)
{
	return put_quoted(NULL, text, end, NULL);
}

const char *tr2_part_skip_word(const char *text, const char *end, char stop)
{
	while (text < end && *text != stop)
		text = *text == '\'' ? skip_quoted(text + 1, end) : text + 1;
	return text;
}

bool tr2_part_word(const struct tr2_part *part, const char *line, size_t *at,
		   struct tr2_span *word)
{
	const char *text = line + *at, *end = line + part->at + part->len;
	const char *stop;

	if (text >= end)
		return false;
	if (part->kind == 'a') {
		stop = tr2_text_find(text, (size_t)(end - text), " <- ");
		if (!stop)
			stop = end;
		*at += strlen(" <- ");
	} else {
		stop = tr2_part_skip_word(text, end, ' ');
		++*at;
	}
	*word = (struct tr2_span){ (size_t)(text - line),
				   (size_t)(stop - text) };
	*at += word->len;
	return true;
}

/* Words between ` <- ` have no quotes, and few others have. */
static void put_string(char kind, const char *text, size_t len,
		       struct tr2_made *made)
{
	if (kind == 'a' || !memchr(text, '\'', len)) {
		tr2_made_string(made, text, len);
		return;
	}
	tr2_buf_byte(&made->text, '"');
	put_word(&made->text, text, text + len, tr2_json_escape);
	tr2_buf_byte(&made->text, '"');
	made->escapes = true;
}

static void put_words(const struct tr2_part *part, const char *line,
		      struct tr2_made *made)
{
	struct tr2_buf *out = &made->text;
	size_t at = part->at;
	struct tr2_span word;
	char before = '[';

	while (tr2_part_word(part, line, &at, &word)) {
		if (before == ',')
			tr2_made_token(made);
		tr2_buf_byte(out, before);
		tr2_made_token(made);
		put_string(part->kind, line + word.at, word.len, made);
		before = ',';
	}
	if (before == '[')
		tr2_buf_byte(out, '[');
	tr2_made_token(made);
	tr2_buf_byte(out, ']');
}

static void put_part(const struct tr2_part *part, const char *line,
		     struct tr2_made *made)
{
	const char *text = line + part->at;

	switch (part->kind) {
	case 'n':
	case 's':
		tr2_made_number(made, part->key,
				part->kind == 'n' ? TR2_INTEGER : TR2_FRACTION,
				text, part->len);
		break;
	case 't':
	case 'c':
		tr2_made_text(made, part->key, text, part->len);
		break;
	case 'w':
		tr2_made_key(made, part->key);
		put_string(part->kind, text, part->len, made);
		tr2_made_value(made, TR2_STRING);
		break;
	case 'j':
		tr2_made_key(made, part->key);
		tr2_buf_add(&made->text, text, part->len);
		made->unsure = true;
		break;
	case 'q':
	case 'a':
		tr2_made_key(made, part->key);
		put_words(part, line, made);
		tr2_made_value(made, TR2_STRINGS);
		break;
	default: /* it has no key */
		break;
	}
}

const struct tr2_part *tr2_parts_find(const struct tr2_parts *parts,
				      enum tr2_key key)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->part[i].key == key)
			return &parts->part[i];
	return NULL;
}

int64_t tr2_parts_number(const struct tr2_parts *parts, const char *line,
			 enum tr2_key key, int64_t none)
{
	const struct tr2_part *part = tr2_parts_find(parts, key);

	if (!part)
		return none;
	return line[part->at] == '-'
		       ? 0
		       : tr2_clock_microseconds(line + part->at, part->len);
}

void tr2_parts_put(const struct tr2_parts *parts, const char *line,
		   struct tr2_made *made)
{
	for (size_t i = 0; i < parts->count; i++)
		put_part(&parts->part[i], line, made);
}

bool tr2_form_is_open(const char *text, size_t len, bool open)
{
	const char *end = text + len;

	for (; text < end; text++) {
		if (*text != '\'')
			continue;
		if (open && goes_on(text, end))
			text += 3;
		else
			open = !open;
	}
	return open;
}
