/*
 * where.h - from the tape back to the text: where an element was written.
 * Made only for lines that have a finding.
 */
#ifndef TR2_VALIDATE_WHERE_H
#define TR2_VALIDATE_WHERE_H

#include "validate/doc.h"

struct tr2_where {
	const struct tr2_doc *doc;
	const char *text;
	size_t len;
	uint32_t *start; /* by index on the tape */
	size_t room;
};

struct tr2_span {
	size_t at, len; /* in the text that was parsed */
};

#define TR2_WHERE_INIT                 \
	{                              \
		NULL, NULL, 0, NULL, 0 \
	}

/* Find all elements of the document, which was parsed from `text`. */
void tr2_where_fill(struct tr2_where *where, const struct tr2_doc *doc,
		    const char *text, size_t len);

struct tr2_span tr2_where_span(const struct tr2_where *where, size_t at);

void tr2_where_release(struct tr2_where *where);

#endif
