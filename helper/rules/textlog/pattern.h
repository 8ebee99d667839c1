/*
 * pattern.h - the forms of payloads. A pattern is text with these parts:
 *
 *	%i  digits			%s  seconds with six decimals
 *	%n  an integer			%r  ready, timeout or error
 *	%w  a quoted word		%q  quoted words, or none
 *	%*  any text after which the rest matches
 */
#ifndef TR2_TEXTLOG_PATTERN_H
#define TR2_TEXTLOG_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define TR2_PATTERNS 3 /* most patterns for an event; NULL ends fewer */

struct tr2_mismatch {
	const char *id; /* NULL: only the payload's own id */
	const char *expected;
	size_t at, len;
	char literal[48]; /* memory for `expected` */
};

/*
 * Does the text match one of the patterns? If not, `mismatch` describes the
 * place where the best one stops matching.
 */
bool tr2_pattern_match(const char *const *patterns, const char *text,
		       size_t len, struct tr2_mismatch *mismatch);

/* Has the text one of these forms, and may no further text belong to it? */
bool tr2_pattern_is_whole(const char *const *patterns, const char *text,
			  size_t len);

#endif
