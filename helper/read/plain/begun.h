/*
 * begun.h - the processes of a crowd by when they began: who may have ended in
 * a line is among those of a short time. Places are in this order. Those count
 * that have not ended, so that nobody looks at the others.
 */
#ifndef TR2_READ_PLAIN_BEGUN_H
#define TR2_READ_PLAIN_BEGUN_H

#include "read/plain/crowd_part.h"

/* us: a process is started this much before its clock says so, or less, */
#define TR2_BEGUN_CLOSE 1000
/* and it writes `version` so much later at most. */
#define TR2_BEGUN_MOST 1000000

/* A process, in the order in which all began. */
struct tr2_begun {
	int64_t begun;
	uint32_t process;
	uint32_t next; /* the place of the first one from here on that counts */
};

static inline struct tr2_begun *tr2_begun_list(const struct tr2_crowd *crowd)
{
	return crowd->ends.order.items;
}

/* Sort all processes. */
void tr2_begun_sort(struct tr2_crowd *crowd);

/* Returns the place of the first process that began at this time or later. */
uint32_t tr2_begun_find(const struct tr2_crowd *crowd, int64_t time);

/* Returns the first place from this one on of a process that counts. */
uint32_t tr2_begun_skip(struct tr2_crowd *crowd, uint32_t place);

/* From here on the process at this place does not count. */
void tr2_begun_drop(struct tr2_crowd *crowd, uint32_t place);

/* Note that the process has ended, and when it began by its end. */
void tr2_begun_note_end(struct tr2_crowd *crowd, uint32_t process);

/*
 * Returns the process that has ended, began when the line says, and goes on; or
 * TR2_NOBODY.
 */
uint32_t tr2_begun_find_again(const struct tr2_crowd *crowd, uint32_t line);

void tr2_begun_release(struct tr2_crowd_ends *ends);

#endif
