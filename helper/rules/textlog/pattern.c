#include "rules/textlog/textlog.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"

/* The number of places in a text that are tried for the rest of a pattern. */
#define TRIES_MAX 64

struct pattern_matcher {
	const char *text;
	size_t len;
	struct tr2_mismatch *mismatch;
	bool missed;
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

	return !m->missed || at > best->at ||
	       (at == best->at && id && !best->id);
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
		return read_word(m, at) && ends_word(m, *at, pattern[1]);
	default:
		return read_words(m, at, pattern[1]);
	}
}

static bool read_literal(struct pattern_matcher *m, const char *pattern,
			 size_t len, size_t *at)
{
	char *literal = m->mismatch->literal;
	size_t i;

	for (i = 0; i < len && has_byte(m, *at, pattern[i]); i++)
		++*at;
	if (i == len)
		return true;
	if (is_best(m, *at, NULL))
		snprintf(literal, sizeof(m->mismatch->literal), "`%.*s`",
			 (int)len, pattern);
	return miss_element(m, *at, NULL, literal);
}

static bool match_pattern(struct pattern_matcher *m, const char *pattern,
			  size_t at);

/* Match any text up to a place where the rest of the pattern matches. */
static bool match_any(struct pattern_matcher *m, const char *rest, size_t at)
{
	size_t len = strcspn(rest, "%"), tries = 0;

	if (!*rest)
		return true;
	if (!rest[len] && m->len - at >= len &&
	    !memcmp(m->text + m->len - len, rest, len))
		return true;
	for (; m->len - at >= len && tries < TRIES_MAX; at++) {
		if (memcmp(m->text + at, rest, len))
			continue;
		if (match_pattern(m, rest + len, at + len))
			return true;
		tries++;
	}
	if (!tries)
		read_literal(m, rest, len, &at);
	return false;
}

static bool match_pattern(struct pattern_matcher *m, const char *pattern,
			  size_t at)
{
	size_t len;

	while (*pattern) {
		len = strcspn(pattern, "%");
		if (len) {
			if (!read_literal(m, pattern, len, &at))
				return false;
			pattern += len;
		} else if (pattern[1] == '*') {
			return match_any(m, pattern + 2, at);
		} else if (read_element(m, pattern + 1, &at)) {
			pattern += 2;
		} else {
			return false;
		}
	}
	if (at == m->len)
		return true;
	return miss_element(m, at, NULL, "the end of the line");
}

bool tr2_pattern_match(const char *const *patterns, const char *text,
		       size_t len, struct tr2_mismatch *mismatch)
{
	struct pattern_matcher m = { text, len, mismatch, false };
	int i;

	for (i = 0; i < TR2_PATTERNS && patterns[i]; i++)
		if (match_pattern(&m, patterns[i], 0))
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
	int i;

	for (i = 0; i < TR2_PATTERNS && patterns[i]; i++) {
		const char *const one[TR2_PATTERNS] = { patterns[i] };

		if (!ends_with_any(patterns[i]) &&
		    tr2_pattern_match(one, text, len, &ignored))
			return true;
	}
	return false;
}
