/*
 * fault.h - what is wrong with a text that the parser refuses, and where.
 *
 * A strict reading of RFC 8259 with positions, for the rare texts that are
 * not plain. It also reports what the parser refuses beyond RFC 8259 (see
 * parse.h), so that a text has a fault if and only if the parser refuses it.
 */
#ifndef TR2_JSON_FAULT_H
#define TR2_JSON_FAULT_H

#include <stddef.h>

enum tr2_fault_kind {
	TR2_FAULT_NONE,
	TR2_FAULT_SYNTAX,    /* something other than `expected` */
	TR2_FAULT_END,	     /* the text ends inside the value */
	TR2_FAULT_MORE,	     /* a whole object, followed by `{` */
	TR2_FAULT_UTF8,	     /* bytes that are not UTF-8 */
	TR2_FAULT_NUL,	     /* a NUL byte */
	TR2_FAULT_SURROGATE, /* the escape of half a character */
	TR2_FAULT_NUMBER,    /* a number beyond 64 bits */
	TR2_FAULT_DEPTH	     /* nested deeper than TR2_PARSE_DEPTH */
};

struct tr2_fault {
	enum tr2_fault_kind kind;
	size_t at, len;	      /* the wrong bytes */
	const char *expected; /* for TR2_FAULT_SYNTAX */
};

/*
 * Returns the first fault of the text. TR2_TOKENS_PADDING bytes follow the
 * text.
 */
struct tr2_fault tr2_fault_find(const char *text, size_t len)
	__attribute__((cold));

/* Replace the bytes that are not UTF-8 by question marks. */
void tr2_fault_mend_utf8(char *text, size_t len);

#endif
