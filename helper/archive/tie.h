/*
 * tie.h - find out where a child was started.
 *
 * A child's SID names its parent, but not the child_start. This is the
 * parent's last child_start before the child began; if some have the same
 * words as the child, it is the last one of these. Logs come in any order, so
 * each half may have to wait for the other one. It waits in a ring, which
 * drops the oldest when it is full.
 */
#ifndef TR2_ARCHIVE_TIE_H
#define TR2_ARCHIVE_TIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/tie_tree.h"
#include "common/hash.h"

/* A place on a thread where a process was started, or where it began. */
struct tr2_tie {
	struct tr2_hash sid; /* the parent's SID */
	uint64_t time;
	uint64_t words; /* the command's words, as a number */
	uint32_t process, thread;
	bool waits; /* it is in the trees */
};

struct tr2_tie_ring {
	struct tr2_tie *ties; /* numbered from 1 */
	uint32_t room;	      /* number of ties */
	uint32_t last;
	uint64_t turn; /* how many there were so far */
	struct tr2_tree by_time;
	struct tr2_tree by_words;
};

/* An empty one is all zero. */
struct tr2_ties {
	struct tr2_tie_ring calls;   /* starts of children, in parents */
	struct tr2_tie_ring orphans; /* children without a call */
};

void tr2_ties_release(struct tr2_ties *ties);

void tr2_ties_call(struct tr2_ties *ties, const struct tr2_tie *call);
/* Returns the call that started the child, or NULL: then the child waits. */
const struct tr2_tie *tr2_ties_child(struct tr2_ties *ties,
				     const struct tr2_tie *child);
/*
 * Call it when all calls of a parent are known. Returns a call, and in
 * `child` the child that waited for it; NULL: there are no more.
 */
const struct tr2_tie *tr2_ties_waiting(struct tr2_ties *ties,
				       const struct tr2_hash *sid,
				       struct tr2_tie *child);

#endif
