/*
 * logs_tie.h - which child was started where.
 *
 * A child's SID says whose child it is, not by which child_start: that is
 * the last one before the child's own begin, if there is one with the
 * same words, one of these. Logs come in any order; what waits for the
 * other half waits in a ring, and the oldest goes when it is full.
 */
#ifndef TR2_CONVERT_LOGS_TIE_H
#define TR2_CONVERT_LOGS_TIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "convert/tie_tree.h"
#include "validate/hash.h"

/* A place on a thread where a process was started, or began. */
struct tr2_tie {
	struct tr2_hash sid; /* of the parent */
	uint64_t time;
	uint64_t words; /* of the command, as a number */
	uint32_t process, thread;
	bool waits; /* and is in the trees */
};

struct tr2_tie_ring {
	struct tr2_tie *ties; /* from 1 */
	uint32_t room;	      /* for ties */
	uint32_t last;
	uint64_t turn; /* how many there were */
	struct tr2_tree by_time;
	struct tr2_tree by_words;
};

/* All zero is an empty one. */
struct tr2_ties {
	struct tr2_tie_ring calls;   /* of parents */
	struct tr2_tie_ring orphans; /* children without a call */
};

void tr2_ties_release(struct tr2_ties *ties);

void tr2_ties_call(struct tr2_ties *ties, const struct tr2_tie *call);
/* The call that started the child, or NULL: the child waits. */
const struct tr2_tie *tr2_ties_child(struct tr2_ties *ties,
				     const struct tr2_tie *child);
/*
 * A child that waited for that parent, of which all calls are known now,
 * and the call; NULL: there is none any more.
 */
const struct tr2_tie *tr2_ties_waiting(struct tr2_ties *ties,
				       const struct tr2_hash *sid,
				       struct tr2_tie *child);

#endif
