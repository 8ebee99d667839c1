/*
 * form.h - what a payload of NORMAL and PERF says: its parts, each of which is
 * the value of a key, and those as members of an object of JSON. A form is text
 * with these parts:
 *
 *	%n  an integer			%s  seconds with six decimals
 *	%t  any text up to what follows	%c  the same, without a blank
 *	%w  a quoted word		%*  any text, which has no key
 *	%q  quoted words up to the end	%a  the same, between ` <- `
 *
 * Parts may also be a JSON value (j), which no form has.
 */
#ifndef TR2_READ_TEXT_FORM_H
#define TR2_READ_TEXT_FORM_H

#include <stdbool.h>
#include <stddef.h>

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
	char kind; /* `n`, `s`, `t`, `c`, `w`, `q`, `a`, `j` or `*` */
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
void tr2_parts_add(struct tr2_parts *parts, enum tr2_key key, char kind,
		   size_t at, size_t len);

/*
 * Get the next word of a part of words: where it is in the line, as it is
 * quoted. `at` is where it may begin, and moves on. False: there is none.
 */
bool tr2_part_word(const struct tr2_part *part, const char *line, size_t *at,
		   struct tr2_span *word);

/* Append a word without its quotes. */
void tr2_part_unquote(struct tr2_buf *out, const char *word, size_t len);

/* Append the parts as members. */
void tr2_parts_put(const struct tr2_parts *parts, const char *line,
		   struct tr2_made *made);

/* Does the text end inside a quoted word, so that the next line goes on? */
bool tr2_form_is_open(const char *text, size_t len);

#endif
