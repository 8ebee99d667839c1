/*
 * glob.h - does a glob match the whole text, by the rules of git's globs?
 * SPEC: params.glob
 *
 *	*	any run of bytes
 *	?	any byte
 *	[set]	a byte of the set: ranges, [:class:], ! or ^ for all others
 *	\c	c itself
 *
 * It compares bytes, not characters; classes and case are ASCII only, in
 * every locale. A set without its `]` and an unknown class match nothing. The
 * time is at most quadratic in the length of the text, for every glob.
 */
#ifndef TR2_GITCONFIG_GLOB_H
#define TR2_GITCONFIG_GLOB_H

#include <stddef.h>

enum {
	/*
	 * The text is a path: `*`, `?` and sets do not match `/`. A double star
	 * that fills the space between two slashes or ends matches any number
	 * of directories.
	 */
	TR2_GLOB_PATH = 1,
	TR2_GLOB_FOLD = 2 /* ignore case */
};

/* The glob has `len` bytes; a NUL must follow somewhere after them. */
int tr2_glob_match(const char *glob, size_t len, const char *text,
		   unsigned flags);

/* Are the first bytes equal, ignoring case with TR2_GLOB_FOLD? */
int tr2_glob_same(const char *a, const char *b, size_t len, unsigned flags);

#endif
