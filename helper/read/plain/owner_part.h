/* owner_part.h - what owner.c and starter.c share. */
#ifndef TR2_READ_PLAIN_OWNER_PART_H
#define TR2_READ_PLAIN_OWNER_PART_H

#include "read/plain/owner.h"

static inline struct tr2_owner **
tr2_owners_list(const struct tr2_owners *owners)
{
	return owners->all.items;
}

/* NORMAL: returns whose line it is by the id of a child, or NULL. */
struct tr2_owner *tr2_owners_find_starter(const struct tr2_owners *owners,
					  const struct tr2_owner_line *line);

/* NORMAL: note that a child of the process began or ended. */
void tr2_owner_note_child(struct tr2_owner *owner,
			  const struct tr2_owner_line *line);

#endif
