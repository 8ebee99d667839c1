/* owner_part.h - what owner.c and starter.c share. */
#ifndef TR2_READ_TEXT_OWNER_PART_H
#define TR2_READ_TEXT_OWNER_PART_H

#include "read/text/owner.h"

/* The clock and t_abs of a line are read so long after each other, or less. */
#define APART 2000
#define APART_COARSE 20000

static inline struct tr2_owner **
tr2_owners_list(const struct tr2_owners *owners)
{
	return owners->all.items;
}

/* The clock is no better than this. */
static inline int64_t tr2_owners_step(const struct tr2_owners *owners)
{
	return owners->coarse ? APART_COARSE : APART;
}

/*
 * NORMAL: returns whose line it is by the id of a child, and how long ago the
 * child began; or NULL.
 */
struct tr2_owner *tr2_owners_find_starter(const struct tr2_owners *owners,
					  const struct tr2_owner_line *line);

/* NORMAL: note that a child of the process began or ended. */
void tr2_owner_note_child(struct tr2_owner *owner,
			  const struct tr2_owner_line *line);

#endif
