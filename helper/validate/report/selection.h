/* selection.h - which findings the user wants: --select and --ignore. */
#ifndef TR2_REPORT_SELECTION_H
#define TR2_REPORT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/common/vec.h"

struct tr2_selection {
	struct tr2_vec words; /* struct tr2_selection_word */
	unsigned classes;     /* bits of enum tr2_class; 0: any */
	bool selects;	      /* there is a --select: only these */
};

/*
 * Add the prefixes of a comma list. Returns NULL, or the first prefix that
 * fits no rule; the caller frees it.
 */
char *tr2_selection_add(struct tr2_selection *selection, const char *list,
			bool select);

/* The longest prefix decides; of two equally long ones the last. */
bool tr2_selection_has(const struct tr2_selection *selection, const char *id);

void tr2_selection_release(struct tr2_selection *selection);

#endif
