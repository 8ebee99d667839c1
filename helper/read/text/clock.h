/* clock.h - times and sources in lines of NORMAL and PERF. */
#ifndef TR2_READ_TEXT_CLOCK_H
#define TR2_READ_TEXT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/text/text.h"

#define TR2_CLOCK ((size_t)16) /* including the blank */

/*
 * Does the text begin with `HH:MM:SS.uuuuuu `, as lines of NORMAL and PERF
 * do? With `near`, or almost?
 */
bool tr2_clock_is(const char *text, size_t len, bool near);

static inline int64_t tr2_clock_pair(const char *digits)
{
	return 10 * (digits[0] - '0') + (digits[1] - '0');
}

/* Returns the microseconds since midnight of a clock. */
int64_t tr2_clock_read(const char *text);

/*
 * Returns the length of the file's name in a text that ends with `file:line`,
 * or 0.
 */
static inline size_t tr2_source_name(const char *text, size_t len)
{
	const size_t end = len;

	while (len && tr2_text_is_digit(text[len - 1]))
		len--;
	return len < end && len && text[len - 1] == ':' ? len - 1 : 0;
}

/* Are there a point, six digits and a blank? */
bool tr2_clock_has_decimals(const char *point);

/* Returns the number of these six digits, before which is another one. */
int64_t tr2_clock_decimals(const char *point);

/* Returns the length of digits, a point and six digits; or 0. */
size_t tr2_clock_seconds(const char *text, size_t len);

/* Returns the microseconds of such seconds. */
int64_t tr2_clock_microseconds(const char *text, size_t len);

#endif
