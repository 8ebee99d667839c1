/*
 * pattern.h - the forms of payloads. A pattern is text, in which
 *
 *	%i  digits			%s  seconds with six decimals
 *	%n  an integer			%r  ready, timeout or error
 *	%w  a quoted word		%q  quoted words, or none
 *	%*  whatever it takes for the rest to fit
 */
#ifndef TR2_TEXTLOG_PATTERN_H
#define TR2_TEXTLOG_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define TR2_PATTERNS 3 /* at most, for one event; NULL ends fewer */

struct tr2_mismatch {
	const char *id; /* or NULL: nothing more special than the payload's */
	const char *expected;
	size_t at, len;
	char literal[48]; /* room for `expected` */
};

/*
 * Does the text fit one of the patterns? If not, `mismatch` tells about
 * the place up to which the one that fits best does.
 */
bool tr2_pattern_match(const char *const *patterns, const char *text,
		       size_t len, struct tr2_mismatch *mismatch);

/* Digits, a point and six digits: how long, or 0. */
size_t tr2_pattern_seconds(const char *text, size_t len);

#endif
