/*
 * view.h - a text as its reader sees it: `%70` of a URL, `\u0070` and `\x70` of
 * a string, `&#112;` of HTML, and characters that look like ASCII or like
 * nothing. A name that is spelled so still tells that its value is a secret.
 */
#ifndef TR2_SECRET_VIEW_H
#define TR2_SECRET_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Returns the length of the one byte that is spelled here, or 0: what is here
 * is seen as it is. `c` is NUL if nothing is seen.
 */
size_t tr2_view_measure(const char *text, size_t len, size_t at, char *c);

/* May the text have such bytes? Never misses one, and is quick. */
bool tr2_view_differs(const char *text, size_t len);

/* Append what is seen. */
void tr2_view_add(struct tr2_buf *out, const char *text, size_t len);

/* Two places that belong together: in the text, and in what is seen of it. */
struct tr2_view_place {
	size_t text, seen;
};

/* Move on to the byte that is seen there. */
void tr2_view_move(struct tr2_view_place *place, const char *text, size_t len,
		   size_t seen);

#endif
