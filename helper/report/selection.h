/*
 * selection.h - which findings are wanted: --select and --ignore.
 */
#ifndef TR2_REPORT_SELECTION_H
#define TR2_REPORT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "common/vec.h"

struct tr2_selection {
	struct tr2_vec words; /* of struct tr2_selection_word */
	bool selects;	      /* something, and so not all the rest */
};

/*
 * Add the prefixes of a list with commas. NULL, or the first one that
 * begins the id of no rule; it is the caller's.
 */
char *tr2_selection_add(struct tr2_selection *selection, const char *list,
			bool select);

/* The longest prefix counts; of two equal ones the last. */
bool tr2_selection_has(const struct tr2_selection *selection, const char *id);

void tr2_selection_release(struct tr2_selection *selection);

#endif
