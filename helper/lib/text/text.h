/* text.h - search in bytes that may contain NULs. */
#ifndef TR2_TEXT_TEXT_H
#define TR2_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

/* Do the bytes begin with `wanted`? A constant is one or two compares. */
static inline bool tr2_text_starts(const char *bytes, size_t len,
				   const char *wanted)
{
	size_t wanted_len = strlen(wanted);

	return len >= wanted_len && !memcmp(bytes, wanted, wanted_len);
}

/* Are the bytes equal to `wanted`? */
static inline bool tr2_text_is(const char *bytes, size_t len,
			       const char *wanted)
{
	return len == strlen(wanted) && tr2_text_starts(bytes, len, wanted);
}

/* Are the bytes one of these words, after which there is a NULL? */
bool tr2_text_is_one(const char *bytes, size_t len, const char *const *words);

/* The same of a text that has a blank between the words. */
bool tr2_text_is_among(const char *bytes, size_t len, const char *words);

/*
 * Do the bytes begin as the form does, in which 0 is any digit and x a
 * hexadecimal one, in lower case?
 */
bool tr2_text_has_form(const char *bytes, size_t len, const char *form);

/* Returns the first `wanted` in the bytes, or NULL. */
const char *tr2_text_find(const char *bytes, size_t len, const char *wanted);

/* Returns the number of lines; the last one may have no LF. */
unsigned long tr2_text_count_lines(const char *bytes, size_t len);

/* Returns the place after the last LF of the bytes, or NULL. */
const char *tr2_text_find_end(const char *bytes, size_t len);

/*
 * Returns how many of the bytes to keep, at most so many, so that no character
 * is split.
 */
size_t tr2_text_cut(const char *bytes, size_t len, size_t most);

/*
 * Returns where the program's name is in its path, in the style of its system,
 * and its length: without directories and `.exe`.
 */
const char *tr2_text_program(const char *path, size_t len, size_t *name_len);

/* Is the next word of a command line the value of this option of git? */
bool tr2_text_takes_value(const char *option, size_t len);

/* Put the character with this number as UTF-8; returns its length, at most 4. */
size_t tr2_text_spell(char *out, unsigned long code);

/*
 * Append as printf() does. For texts that a person or a service reads: it takes
 * longer than tr2_buf_str() and the like.
 */
void tr2_text_put(struct tr2_buf *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns what printf() would print, as new memory. */
char *tr2_text_print(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

static inline bool tr2_text_is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Returns how many digits the bytes begin with. */
static inline size_t tr2_text_count_digits(const char *bytes, size_t len)
{
	size_t count = 0;

	while (count < len && tr2_text_is_digit(bytes[count]))
		count++;
	return count;
}

/* Returns how many letters, digits, or bytes of `more`, the bytes begin with. */
size_t tr2_text_count_word(const char *bytes, size_t len, const char *more);

/*
 * Returns the length of the character here; 1 if the byte is not a character.
 */
static inline size_t tr2_text_step(const char *bytes, size_t len)
{
	int step = tr2_utf8_length(bytes, len);

	return step > 0 ? (size_t)step : 1;
}

#endif
