/*
 * categories.h - sets of categories as texts: sorted names, separated by
 * commas.
 *
 * Threads that trace read the set of their process at any time, even in a
 * signal handler, while other threads replace it. Therefore a union is never
 * changed and never freed; if the same union was made before, that one is
 * used again.
 */
#ifndef TR2_TRACE_AGENT_CATEGORIES_H
#define TR2_TRACE_AGENT_CATEGORIES_H

#include <stdbool.h>
#include <stddef.h>

/* Stands for every category. */
extern const char tr2_categories_all[];

/*
 * Is a member of `group`, a comma list of `len` bytes, in the list? Names are
 * compared byte by byte.
 * SPEC: tracing.group
 */
bool tr2_categories_match(const char *list, const char *group, size_t len);

/*
 * Returns the union of lists, which may be unsorted and have duplicates; ""
 * if there is none. If one of them stands for every category, so does the
 * union. NULL if memory fails.
 */
const char *tr2_categories_union(const char *const *lists, size_t count);

/*
 * Lists of a program: each name is text without a comma. `join` writes them
 * into `text`, which has as many bytes as `measure` returns.
 * SPEC: tracing.create
 */
bool tr2_categories_are_names(const char *const *categories, size_t count);
size_t tr2_categories_measure(const char *const *categories, size_t count);
void tr2_categories_join(const char *const *categories, size_t count,
			 char *text);

#endif
