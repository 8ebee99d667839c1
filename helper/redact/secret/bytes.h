/* bytes.h - which bytes words, names and quotes have: only for this room. */
#ifndef TR2_SECRET_BYTES_H
#define TR2_SECRET_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"

static inline bool tr2_secret_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A blank or the end of a line. */
static inline bool tr2_secret_space(char c)
{
	return tr2_secret_blank(c) || c == '\n' || c == '\r';
}

static inline bool tr2_secret_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline bool tr2_secret_alphanumeric(char c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

/* Are the bytes the word, in any case and with `-` read as `_`? */
static inline bool tr2_secret_word(const char *text, const char *word,
				   size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((text[i] == '-' ? '_' : tr2_ascii_fold(text[i])) != word[i])
			return false;
	return true;
}

/* Are they one of these words, which have a blank between them? */
bool tr2_secret_is_one(const char *text, size_t len, const char *words);

/* Does the text end here in this word, before which no other one is? */
static inline bool tr2_secret_ends_in(const char *text, size_t end,
				      const char *word)
{
	const size_t len = strlen(word);

	return end >= len && tr2_secret_word(text + end - len, word, len) &&
	       (end == len || !tr2_secret_alphanumeric(text[end - len - 1]));
}

/* Is it a letter, a digit or one of these bytes? */
static inline bool tr2_secret_in(char c, const char *more)
{
	return tr2_secret_alphanumeric(c) || (c && strchr(more, c));
}

/*
 * Returns where the word begins that ends here, of letters, digits and these
 * bytes. The dots that PERF has before a text are none of it.
 */
static inline size_t tr2_secret_begin_word(const char *text, size_t end,
					   const char *more, size_t most)
{
	size_t at = end;

	while (at && end - at < most && tr2_secret_in(text[at - 1], more))
		at--;
	while (at < end && text[at] == '.')
		at++;
	return at;
}

#endif
