/*
 * form.h - payloads of NORMAL and PERF to members of an object of JSON. A form
 * is text with these parts, each of which is the value of a key:
 *
 *	%n  an integer			%s  seconds with six decimals
 *	%t  any text up to what follows	%c  the same, without a blank
 *	%w  a quoted word		%*  any text, which has no key
 *	%q  quoted words up to the end	%a  the same, between ` <- `
 */
#ifndef TR2_READ_TEXT_FORM_H
#define TR2_READ_TEXT_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "read/json/names.h"

#define TR2_FORM_KEYS 6

struct tr2_form {
	const char *text; /* NULL: there is no such form */
	enum tr2_key keys[TR2_FORM_KEYS];
};

/*
 * Append the members if the text has the form. False: it does not, and nothing
 * was appended.
 */
bool tr2_form_read(const struct tr2_form *form, const char *text, size_t len,
		   struct tr2_buf *out);

/* Append `,"KEY":`, and a text or a number after it. */
void tr2_form_key(struct tr2_buf *out, enum tr2_key key);
void tr2_form_text(struct tr2_buf *out, enum tr2_key key, const char *text,
		   size_t len);
void tr2_form_number(struct tr2_buf *out, enum tr2_key key, const char *text,
		     size_t len);

/* Does the text end inside a quoted word, so that the next line goes on? */
bool tr2_form_is_open(const char *text, size_t len);

#endif
