/*
 * glob.h - does a whole text match a glob, as git's globs do?
 * SPEC: params.glob
 *
 *	*	any run of bytes
 *	?	any byte
 *	[set]	a byte of the set: ranges, [:class:], ! or ^ for all others
 *	\c	c itself
 *
 * Bytes, not characters; ASCII only, whatever the locale. A set without
 * its `]` and an unknown class match nothing. Time is at most quadratic in
 * the text, whatever the glob.
 */
#ifndef TR2_CONFIG_GLOB_H
#define TR2_CONFIG_GLOB_H

#include <stddef.h>

enum {
	/*
	 * The text is a path: `*`, `?` and sets leave out `/`; a double star
	 * that is all there is between slashes or ends crosses any number
	 * of directories.
	 */
	TR2_GLOB_PATH = 1,
	TR2_GLOB_FOLD = 2 /* case makes no difference */
};

/* The glob's `len` bytes stand in a text that ends with a NUL somewhere. */
int tr2_glob_match(const char *glob, size_t len, const char *text,
		   unsigned flags);

/* Are the first bytes the same, by TR2_GLOB_FOLD? */
int tr2_glob_same(const char *a, const char *b, size_t len, unsigned flags);

#endif
