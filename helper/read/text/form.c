#include "read/text/form.h"

#include <string.h>

#include "base/json.h"
#include "lib/text/text.h"
#include "read/text/clock.h"

struct form_reader {
	const char *text, *end;
	const char *next; /* the text of the form after the present part, */
	size_t next_len;  /* and its length up to the next part */
};

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

/* Returns the end of the word, or where this byte is outside of quotes. */
static const char *skip_word(const char *text, const char *end, char stop)
{
	while (text < end && *text != stop)
		text = *text == '\'' ? skip_quoted(text + 1, end) : text + 1;
	return text;
}

/* Is this what follows the part, at its only possible place? */
static bool is_next(const struct form_reader *in, const char *text)
{
	if (!in->next_len)
		return text == in->end;
	return (size_t)(in->end - text) >= in->next_len &&
	       !memcmp(text, in->next, in->next_len);
}

/* Returns where the next part of the form begins, or NULL. */
static const char *find_next(const struct form_reader *in)
{
	size_t len = (size_t)(in->end - in->text);
	const char *text = in->text, *last = in->end - in->next_len;

	if (!in->next_len)
		return in->end;
	if (!in->next[in->next_len]) /* the form ends with it */
		return len >= in->next_len && is_next(in, last) ? last : NULL;
	for (; text <= last; text++) {
		text = memchr(text, *in->next, (size_t)(last - text) + 1);
		if (!text || is_next(in, text))
			return text;
	}
	return NULL;
}

static const char *skip_number(const struct form_reader *in)
{
	const char *text = in->text + (in->text < in->end && *in->text == '-');
	size_t digits = tr2_text_count_digits(text, (size_t)(in->end - text));

	return digits ? text + digits : NULL;
}

static const char *skip_seconds(const struct form_reader *in)
{
	size_t width =
		tr2_clock_seconds(in->text, (size_t)(in->end - in->text));

	return width ? in->text + width : NULL;
}

static const char *read_text(const struct form_reader *in, bool one_word)
{
	const char *end = find_next(in);

	if (!end ||
	    (one_word && memchr(in->text, ' ', (size_t)(end - in->text))))
		return NULL;
	return end;
}

/* Returns the end of a part, or NULL. */
static const char *skip_part(const struct form_reader *in, char kind)
{
	switch (kind) {
	case 'n':
		return skip_number(in);
	case 's':
		return skip_seconds(in);
	case 't':
	case 'c':
		return read_text(in, kind == 'c');
	case 'w':
		return skip_word(in->text, in->end,
				 in->next_len ? *in->next : '\n');
	case 'q':
	case 'a':
		return in->end;
	default:
		return find_next(in);
	}
}

void tr2_parts_add(struct tr2_parts *parts, enum tr2_key key, char kind,
		   size_t at, size_t len)
{
	struct tr2_part *part = &parts->part[parts->count];

	if (parts->count < TR2_PARTS_MOST)
		*part = (struct tr2_part){ key, kind, at, len };
	parts->count += parts->count < TR2_PARTS_MOST;
}

/* Words are in brackets, or, in older forms, after another blank. */
static void add_words(struct tr2_parts *parts, enum tr2_key key,
		      const char *line, const char *text, const char *end)
{
	if (text < end && *text == '[' && end[-1] == ']')
		text++, end--;
	else if (text < end && *text == ' ')
		text++;
	tr2_parts_add(parts, key, 'q', (size_t)(text - line),
		      (size_t)(end - text));
}

static void add_part(struct tr2_parts *parts, enum tr2_key key, char kind,
		     const char *line, const char *text, const char *end)
{
	if (kind == 'q')
		add_words(parts, key, line, text, end);
	else
		tr2_parts_add(parts, key, kind, (size_t)(text - line),
			      (size_t)(end - text));
}

/* Returns the length of the form's text up to its next part. */
static size_t measure_form(const char *form)
{
	size_t len = 0;

	while (form[len] && form[len] != '%')
		len++;
	return len;
}

bool tr2_form_find(const struct tr2_form *form, const char *line, size_t at,
		   size_t len, struct tr2_parts *parts)
{
	struct form_reader in = { line + at, line + len, form->text, 0 };
	const size_t before = parts->count;
	const enum tr2_key *key = form->keys;
	const char *end;
	char kind;

	in.next_len = measure_form(in.next);
	for (;;) {
		if ((size_t)(in.end - in.text) < in.next_len ||
		    memcmp(in.text, in.next, in.next_len))
			break;
		in.text += in.next_len;
		in.next += in.next_len;
		if (!*in.next) {
			if (in.text == in.end)
				return true;
			break;
		}
		kind = in.next[1];
		in.next += 2;
		in.next_len = measure_form(in.next);
		end = skip_part(&in, kind);
		if (!end)
			break;
		add_part(parts, *key, kind, line, in.text, end);
		key += kind != '*';
		in.text = end;
	}
	parts->count = before;
	return false;
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
		stop = skip_word(text, end, ' ');
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

void tr2_parts_put(const struct tr2_parts *parts, const char *line,
		   struct tr2_made *made)
{
	size_t i;

	for (i = 0; i < parts->count; i++)
		put_part(&parts->part[i], line, made);
}

bool tr2_form_is_open(const char *text, size_t len)
{
	const char *end = text + len;
	bool open = false;

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
