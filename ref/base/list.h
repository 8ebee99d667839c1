/*
 * list.h - lists of words that are separated by commas, as in settings.
 * Blanks are part of a word. The text after the last comma is a word only if
 * it is not empty. Async-signal-safe.
 */
#ifndef TR2_BASE_LIST_H
#define TR2_BASE_LIST_H

#include <stddef.h>

/* A word; no NUL ends it. */
struct tr2_list_word {
	const char *text;
	size_t len;
};

/* Take the first word off the list. 0: there is none. */
int tr2_list_take(const char **list, struct tr2_list_word *word);

/* Is `text`, byte by byte, one of the words? */
int tr2_list_has(const char *list, const char *text, size_t len);

#endif
