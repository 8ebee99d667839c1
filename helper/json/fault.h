/*
 * fault.h - what is wrong with a text that the parser refuses, and where.
 *
 * A strict reading of RFC 8259 with positions, for what is not plain. It also
 * faults what the parser refuses beyond that (see parse.h), so that a text
 * has a fault exactly if it is refused.
 */
#ifndef TR2_JSON_FAULT_H
#define TR2_JSON_FAULT_H

#include <stddef.h>

enum tr2_fault_kind {
	TR2_FAULT_NONE,
	TR2_FAULT_SYNTAX,    /* something else than `expected` */
	TR2_FAULT_END,	     /* the text ends inside of the value */
	TR2_FAULT_MORE,	     /* a whole object, and a `{` behind it */
	TR2_FAULT_UTF8,	     /* bytes that are not UTF-8 */
	TR2_FAULT_NUL,	     /* a NUL byte */
	TR2_FAULT_SURROGATE, /* the escape of half a character */
	TR2_FAULT_NUMBER,    /* a number beyond 64 bits */
	TR2_FAULT_DEPTH	     /* nested deeper than TR2_PARSE_DEPTH */
};

struct tr2_fault {
	enum tr2_fault_kind kind;
	size_t at, len;	      /* the bytes at fault */
	const char *expected; /* of TR2_FAULT_SYNTAX */
};

/* The first fault of the text, which has TR2_TOKENS_PADDING behind it. */
struct tr2_fault tr2_fault_find(const char *text, size_t len)
	__attribute__((cold));

/* Make what is not UTF-8 in the text question marks. */
void tr2_fault_mend_utf8(char *text, size_t len);

#endif
