/*
 * utf8.h - which bytes are a character of UTF-8.
 */
#ifndef TR2_BASE_UTF8_H
#define TR2_BASE_UTF8_H

#include <stddef.h>

/* As tr2_utf8_length(), of a text that does not begin with ASCII. */
int tr2_utf8_measure(const char *text, size_t len);

/*
 * The length of the character that `text`, which is not empty, begins with,
 * or minus the length of the broken sequence that stands there: what a
 * decoder replaces by one U+FFFD. A NUL is a character, and ends a sequence.
 */
static inline int tr2_utf8_length(const char *text, size_t len)
{
	return (unsigned char)*text < 0x80 ? 1 : tr2_utf8_measure(text, len);
}

#endif
