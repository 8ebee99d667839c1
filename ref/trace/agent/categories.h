/*
 * categories.h - sets of categories as texts: names, sorted, with commas
 * between them.
 *
 * Threads that trace look into the set of their process at any time, even
 * in a signal handler, while others replace it. So a union is never changed
 * and never freed; one that was made before is used again.
 */
#ifndef TR2_TRACE_AGENT_CATEGORIES_H
#define TR2_TRACE_AGENT_CATEGORIES_H

#include <stdbool.h>
#include <stddef.h>

/* Every category: more than any list. */
extern const char tr2_categories_all[];

/*
 * Is a member of `group`, a comma list of `len` bytes, in the list? Names
 * are compared as they are. SPEC: tracing.group
 */
bool tr2_categories_match(const char *list, const char *group, size_t len);

/*
 * The union of lists, each of which may have its own order and doubles, ""
 * for none. One of them all: all. NULL where memory fails.
 */
const char *tr2_categories_union(const char *const *lists, size_t count);

#endif
