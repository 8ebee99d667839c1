/*
 * twin.h - lists of those with one parent and one pid, in the order in which
 * they were added. A pid that is used again is rare, so a list is short; where
 * it is not, TR2_TWINS_SEARCHED keeps the time linear.
 */
#ifndef TR2_ACCOUNT_TWIN_H
#define TR2_ACCOUNT_TWIN_H

#include <stddef.h>

#define TR2_TWINS_SEARCHED 64 /* twins after these are not looked at */

/* A member of what is in the list. */
struct tr2_twin {
	struct tr2_twin *next;	 /* NULL: it is the last one */
	struct tr2_twin *before; /* of the first one: the last one */
};

/* Returns what this is the member of. */
#define TR2_TWIN_OWNER(twin, type) \
	((type *)(void *)((char *)(twin)-offsetof(type, twin)))

static inline void tr2_twin_add(struct tr2_twin **first, struct tr2_twin *twin)
{
	struct tr2_twin *head = *first;

	twin->next = NULL;
	twin->before = head ? head->before : twin;
	if (head) {
		head->before->next = twin;
		head->before = twin;
	} else {
		*first = twin;
	}
}

static inline void tr2_twin_remove(struct tr2_twin **first,
				   struct tr2_twin *twin)
{
	struct tr2_twin *head = *first;

	if (twin->next)
		twin->next->before = twin->before;
	else if (head != twin)
		head->before = twin->before;
	if (head == twin)
		*first = twin->next;
	else
		twin->before->next = twin->next;
}

#endif
