/*
 * text.h - finding text in bytes that may hold NULs.
 */
#ifndef TR2_COMMON_TEXT_H
#define TR2_COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/utf8.h"

/* Are the bytes `wanted`? */
bool tr2_text_is(const char *bytes, size_t len, const char *wanted);

/* Does `wanted` stand at the beginning of the bytes? */
bool tr2_text_starts(const char *bytes, size_t len, const char *wanted);

/* The first `wanted` in the bytes, or NULL. */
const char *tr2_text_find(const char *bytes, size_t len, const char *wanted);

/* How many lines there are, the last one maybe without an LF. */
unsigned long tr2_text_count_lines(const char *bytes, size_t len);

/* The place after the last LF of the bytes, or NULL. */
const char *tr2_text_find_end(const char *bytes, size_t len);

static inline bool tr2_text_is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* How many bytes the character takes that stands here; 1 if it is none. */
static inline size_t tr2_text_step(const char *bytes, size_t len)
{
	int step = tr2_utf8_length(bytes, len);

	return step > 0 ? (size_t)step : 1;
}

#endif
