/*
 * unfold.h - objects of JSON that a program laid out over several lines for
 * people, alone or in a list: each becomes a line again, as a writer has it.
 */
#ifndef TR2_READ_BYTES_UNFOLD_H
#define TR2_READ_BYTES_UNFOLD_H

#include <stdbool.h>
#include <stddef.h>

enum tr2_unfold_place {
	TR2_UNFOLD_BEGIN,  /* of a line outside of objects */
	TR2_UNFOLD_REST,   /* of such a line */
	TR2_UNFOLD_INSIDE, /* of an object */
	TR2_UNFOLD_BREAK,  /* at the blanks after a line break in it */
	TR2_UNFOLD_STRING,
	TR2_UNFOLD_ESCAPE, /* after a backslash in a string */
};

struct tr2_unfold {
	bool is_on;
	enum tr2_unfold_place place;
	size_t depth;
};

/* Do these bytes, the first of a log, have events in such a layout? */
bool tr2_unfold_begins(struct tr2_unfold *unfold, const char *bytes,
		       size_t len);

/* Change the next bytes; returns how many are left. */
size_t tr2_unfold_read(struct tr2_unfold *unfold, char *bytes, size_t len);

#endif
