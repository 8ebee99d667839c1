#include "read/text/form.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"

/* The number of places in a text that are tried for the rest of a pattern. */
#define TRIES_MAX 64

/* Who judges asks for the mismatch, and who reads for the parts. */
struct pattern_matcher {
	const char *text;
	size_t len;
	struct tr2_mismatch *mismatch;
	bool missed;
	struct tr2_parts *parts;
	const enum tr2_key *keys;
};

/* SPEC: quote.argument */
static bool is_plain(char byte)
{
	return tr2_text_is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
	       (byte >= 'A' && byte <= 'Z') ||
	       (byte && strchr("+,./:=@_^-", byte));
}

static bool has_byte(const struct pattern_matcher *m, size_t at, char byte)
{
	return at < m->len && m->text[at] == byte;
}

/* Is this mismatch further than the last one, or as far and more specific? */
static bool is_best(const struct pattern_matcher *m, size_t at, const char *id)
{
	const struct tr2_mismatch *best = m->mismatch;

	return best && (!m->missed || at > best->at ||
			(at == best->at && id && !best->id));
}

static bool miss_element(struct pattern_matcher *m, size_t at, const char *id,
			 const char *expected)
{
	struct tr2_mismatch *mismatch = m->mismatch;

	if (!is_best(m, at, id))
		return false;
	m->missed = true;
	mismatch->id = id;
	mismatch->at = at;
	mismatch->len = at < m->len;
	mismatch->expected = expected;
	return false;
}

static bool read_digits(struct pattern_matcher *m, size_t *at)
{
	size_t start = *at;

	while (*at < m->len && tr2_text_is_digit(m->text[*at]))
		++*at;
	if (*at > start)
		return true;
	return miss_element(m, *at, NULL, "a digit");
}

static bool read_number(struct pattern_matcher *m, size_t *at)
{
	if (has_byte(m, *at, '-'))
		++*at;
	return read_digits(m, at);
}

static bool read_above(struct pattern_matcher *m, size_t *at)
{
	if (!has_byte(m, *at, '0'))
		return read_digits(m, at);
	return miss_element(m, *at, NULL, "a digit above 0");
}

/* SPEC: normal.seconds */
static bool read_seconds(struct pattern_matcher *m, size_t *at)
{
	size_t width = tr2_clock_seconds(m->text + *at, m->len - *at);

	if (!width)
		return miss_element(m, *at, "normal.seconds",
				    "seconds with six decimals");
	*at += width;
	return true;
}

static bool read_ready(struct pattern_matcher *m, size_t *at)
{
	static const char *const words[] = { "ready", "timeout", "error",
					     NULL };
	const char *const *word = words;

	for (; *word; word++)
		if (tr2_text_starts(m->text + *at, m->len - *at, *word)) {
			*at += strlen(*word);
			return true;
		}
	return miss_element(m, *at, NULL, "`ready`, `timeout` or `error`");
}

/* After a closing quote, '\'' and '\!' continue the word. */
static bool goes_on(const struct pattern_matcher *m, size_t at)
{
	return has_byte(m, at, '\\') &&
	       (has_byte(m, at + 1, '\'') || has_byte(m, at + 1, '!')) &&
	       has_byte(m, at + 2, '\'');
}

/* SPEC: quote.escape */
static bool read_quoted(struct pattern_matcher *m, size_t *at)
{
	size_t start = (*at)++, inner = *at;
	bool plain = true;

	for (;; ++*at) {
		if (*at >= m->len || !m->text[*at])
			return miss_element(m, *at, "quote.argument",
					    "the closing quote");
		if (m->text[*at] == '!')
			return miss_element(m, *at, "quote.escape", "`'\\!'`");
		if (m->text[*at] != '\'') {
			plain = plain && is_plain(m->text[*at]);
			continue;
		}
		if (!goes_on(m, *at + 1))
			break;
		plain = false;
		*at += 3;
	}
	if (has_byte(m, *at + 1, '\\'))
		return miss_element(m, *at + 1, "quote.escape",
				    "`'\\''` or `'\\!'`");
	if (plain && *at > inner)
		return miss_element(m, start, "quote.argument",
				    "no quotes, because it needs none");
	++*at;
	return true;
}

static bool read_word(struct pattern_matcher *m, size_t *at)
{
	size_t start = *at;

	if (has_byte(m, *at, '\''))
		return read_quoted(m, at);
	while (*at < m->len && is_plain(m->text[*at]))
		++*at;
	if (*at > start)
		return true;
	return miss_element(
		m, *at, has_byte(m, *at, ' ') ? "quote.join" : "quote.argument",
		"an argument");
}

/* Any word of which the end is known. */
static bool skip_word(const struct pattern_matcher *m, size_t *at, char next)
{
	*at = (size_t)(tr2_part_skip_word(m->text + *at, m->text + m->len,
					  next ? next : '\n') -
		       m->text);
	return true;
}

/*
 * May a word end here? The end of the text or the next byte of the pattern
 * must follow.
 */
static bool ends_word(struct pattern_matcher *m, size_t at, char next)
{
	if (at >= m->len || (next && m->text[at] == next))
		return true;
	return miss_element(m, at, "quote.argument",
			    "an argument with such a byte in quotes");
}

/* SPEC: quote.join */
static bool read_words(struct pattern_matcher *m, size_t *at, char next)
{
	if (*at >= m->len || (next && m->text[*at] == next))
		return true;
	while (read_word(m, at)) {
		if (!has_byte(m, *at, ' '))
			return ends_word(m, *at, next);
		++*at;
		if (*at >= m->len || (next && m->text[*at] == next))
			return miss_element(m, *at - 1, "quote.join",
					    "no blank after the last argument");
	}
	return false;
}

static bool read_element(struct pattern_matcher *m, const char *pattern,
			 size_t *at)
{
	switch (*pattern) {
	case 'i':
		return read_digits(m, at);
	case 'n':
		return read_number(m, at);
	case 'p':
		return read_above(m, at);
	case 's':
		return read_seconds(m, at);
	case 'r':
		return read_ready(m, at);
	case 'w':
		if (m->parts)
			return skip_word(m, at, pattern[1]);
		return read_word(m, at) && ends_word(m, *at, pattern[1]);
	default:
		if (m->parts)
			*at = m->len;
		return m->parts || read_words(m, at, pattern[1]);
	}
}

/* Returns the length of the form's text up to its next part. */
static size_t measure_literal(const char *pattern)
{
	size_t len = 0;

	while (pattern[len] && pattern[len] != '%')
		len++;
	return len;
}

static bool has_literal(const struct pattern_matcher *m, const char *pattern,
			size_t len, size_t at)
{
	return m->len - at >= len && (!len || m->text[at] == *pattern) &&
	       !memcmp(m->text + at, pattern, len);
}

static bool read_literal(struct pattern_matcher *m, const char *pattern,
			 size_t len, size_t *at)
{
	if (has_literal(m, pattern, len, *at)) {
		*at += len;
		return true;
	}
	for (size_t i = 0; i < len && has_byte(m, *at, pattern[i]); i++)
		++*at;
	if (!is_best(m, *at, NULL))
		return false;
	snprintf(m->mismatch->literal, sizeof(m->mismatch->literal), "`%.*s`",
		 (int)len, pattern);
	return miss_element(m, *at, NULL, m->mismatch->literal);
}

static bool match_pattern(struct pattern_matcher *m, const char *pattern,
			  size_t key, size_t at);

static bool is_any(char kind)
{
	return kind == '*' || kind == 't' || kind == 'c';
}

/* Words are in brackets, or, in older forms, after another blank. */
static void take_part(struct pattern_matcher *m, char kind, size_t key,
		      size_t at, size_t end)
{
	if (!m->parts)
		return;
	if (kind == 'q' && has_byte(m, at, '[') && m->text[end - 1] == ']')
		at++, end--;
	else if (kind == 'q' && has_byte(m, at, ' '))
		at++;
	tr2_parts_add(m->parts, m->keys[key], kind, at, end - at);
}

/* May the text go on up to this place? */
static bool may_reach(const struct pattern_matcher *m, char kind, size_t from,
		      size_t at)
{
	return kind != 'c' || !memchr(m->text + from, ' ', at - from);
}

/* Does the text end here, and the rest of the pattern match? */
static bool match_rest(struct pattern_matcher *m, const char *pattern,
		       size_t key, size_t from, size_t at)
{
	const size_t count = m->parts ? m->parts->count : 0;

	take_part(m, *pattern, key, from, at);
	if (match_pattern(m, pattern + 1, key + (*pattern != '*'), at))
		return true;
	if (m->parts)
		m->parts->count = count;
	return false;
}

/* Match any text up to a place where the rest of the pattern matches. */
static bool match_any(struct pattern_matcher *m, const char *pattern,
		      size_t key, size_t from)
{
	const char *rest = pattern + 1;
	const size_t len = measure_literal(rest);
	size_t tries = 0, at = from;

	if (!rest[len] && m->len - from >= len &&
	    has_literal(m, rest, len, m->len - len) &&
	    may_reach(m, *pattern, from, m->len - len))
		return match_rest(m, pattern, key, from, m->len - len);
	for (; m->len - at >= len && tries < TRIES_MAX; at++) {
		if (!has_literal(m, rest, len, at))
			continue;
		if (!may_reach(m, *pattern, from, at))
			return false;
		if (match_rest(m, pattern, key, from, at))
			return true;
		tries++;
	}
	if (!tries)
		read_literal(m, rest, len, &at);
	return false;
}

static bool match_pattern(struct pattern_matcher *m, const char *pattern,
			  size_t key, size_t at)
{
	size_t len, start;

	while (*pattern) {
		len = measure_literal(pattern);
		if (len) {
			if (!read_literal(m, pattern, len, &at))
				return false;
			pattern += len;
			continue;
		}
		if (is_any(pattern[1]))
			return match_any(m, pattern + 1, key, at);
		start = at;
		if (!read_element(m, pattern + 1, &at))
			return false;
		take_part(m, pattern[1], key, start, at);
		pattern += 2;
		key++;
	}
	if (at == m->len)
		return true;
	return miss_element(m, at, NULL, "the end of the line");
}

bool tr2_form_find(const struct tr2_form *form, const char *line, size_t at,
		   size_t len, struct tr2_parts *parts)
{
	struct pattern_matcher m = {
		.text = line, .len = len, .parts = parts, .keys = form->keys
	};
	const size_t before = parts->count;

	if (match_pattern(&m, form->text, 0, at))
		return true;
	parts->count = before;
	return false;
}

bool tr2_pattern_match(const char *const *patterns, const char *text,
		       size_t len, struct tr2_mismatch *mismatch)
{
	struct pattern_matcher m = { .text = text,
				     .len = len,
				     .mismatch = mismatch };

	for (int i = 0; i < TR2_PATTERNS && patterns[i]; i++)
		if (match_pattern(&m, patterns[i], 0, 0))
			return true;
	return false;
}

/* May any text end what has this form? */
static bool ends_with_any(const char *pattern)
{
	const size_t len = strlen(pattern), any = strlen("%*");

	return len >= any && !strcmp(pattern + len - any, "%*");
}

bool tr2_pattern_is_whole(const char *const *patterns, const char *text,
			  size_t len)
{
	struct tr2_mismatch ignored;

	for (int i = 0; i < TR2_PATTERNS && patterns[i]; i++) {
		const char *const one[TR2_PATTERNS] = { patterns[i] };

		if (!ends_with_any(patterns[i]) &&
		    tr2_pattern_match(one, text, len, &ignored))
			return true;
	}
	return false;
}
