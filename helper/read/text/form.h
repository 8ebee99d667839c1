/*
 * form.h - what a payload of NORMAL and PERF says: its parts, each of which is
 * the value of a key, and those as members of an object of JSON; and whether it
 * is as a writer has to write it. A form is text with these parts:
 *
 *	%i  digits			%s  seconds with six decimals
 *	%n  an integer			%r  ready, timeout or error
 *	%p  a number above 0		%c  any text without a blank
 *	%w  a quoted word		%t  any text, up to what follows
 *	%q  quoted words, or none	%*  the same, which has no key
 *	%a  words up to the end, between ` <- `
 *
 * Who reads takes any quotes, and words up to the end; who judges wants those
 * quotes that a writer has to make. Parts may also be a JSON value (j), which no
 * form has.
 */
#ifndef TR2_READ_TEXT_FORM_H
#define TR2_READ_TEXT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "read/json/names.h"
#include "read/text/columns.h"
#include "read/text/made.h"

#define TR2_FORM_KEYS 6

struct tr2_form {
	const char *text; /* NULL: there is no such form */
	enum tr2_key keys[TR2_FORM_KEYS];
};

/* The value of a key, where it is in the line. */
struct tr2_part {
	enum tr2_key key;
	char kind; /* as in the form, or `j` */
	size_t at, len;
};

#define TR2_PARTS_MOST ((size_t)2 * TR2_FORM_KEYS)

struct tr2_parts {
	size_t count;
	struct tr2_part part[TR2_PARTS_MOST];
};

/*
 * Add the parts of the line after `at` if it has the form. False: it does not,
 * and nothing was added.
 */
bool tr2_form_find(const struct tr2_form *form, const char *line, size_t at,
		   size_t len, struct tr2_parts *parts);

/* Add a part. */
static inline void tr2_parts_add(struct tr2_parts *parts, enum tr2_key key,
				 char kind, size_t at, size_t len)
{
	struct tr2_part *part = &parts->part[parts->count];

	if (parts->count < TR2_PARTS_MOST)
		*part = (struct tr2_part){ key, kind, at, len };
	parts->count += parts->count < TR2_PARTS_MOST;
}

/* Returns the part of the key, or NULL. */
const struct tr2_part *tr2_parts_find(const struct tr2_parts *parts,
				      enum tr2_key key);

/*
 * Returns the number of the key, or the microseconds of its seconds; 0 if it is
 * negative, and `none` without the part.
 */
int64_t tr2_parts_number(const struct tr2_parts *parts, const char *line,
			 enum tr2_key key, int64_t none);

/*
 * Get the next word of a part of words: where it is in the line, as it is
 * quoted. `at` is where it may begin, and moves on. False: there is none.
 */
bool tr2_part_word(const struct tr2_part *part, const char *line, size_t *at,
		   struct tr2_span *word);

/* Returns the end of the word, or where this byte is outside of quotes. */
const char *tr2_part_skip_word(const char *text, const char *end, char stop);

/* Append a word without its quotes. */
void tr2_part_unquote(struct tr2_buf *out, const char *word, size_t len);

/* Append the parts as members. */
void tr2_parts_put(const struct tr2_parts *parts, const char *line,
		   struct tr2_made *made);

#define TR2_PATTERNS 3 /* most forms that a writer has; NULL ends fewer */

struct tr2_mismatch {
	const char *id; /* NULL: only the payload's own id */
	const char *expected;
	size_t at, len;
	char literal[48]; /* memory for `expected` */
};

/*
 * Has the text one of these forms, as a writer has to write it? If not,
 * `mismatch` describes the place where the best one stops matching.
 */
bool tr2_pattern_match(const char *const *patterns, const char *text,
		       size_t len, struct tr2_mismatch *mismatch);

/* Has it one of them, and may no further text belong to it? */
bool tr2_pattern_is_whole(const char *const *patterns, const char *text,
			  size_t len);

/*
 * Does the text end inside a quoted word, so that the next line goes on? If it
 * is `open`, it begins inside one.
 */
bool tr2_form_is_open(const char *text, size_t len, bool open);

#endif
