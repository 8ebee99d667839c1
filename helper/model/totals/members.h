/*
 * members.h - which processes a sum has, so that none is added twice: the hashes
 * of their SIDs. Of more than TR2_MEMBERS_MOST only those are kept that begin with
 * so many zero bits that they are fewer again: a sample that is the same in
 * whatever order they came. Two sums that share `m` of `n` processes are found
 * to overlap unless all of the m are outside of the sample, which has at least
 * about half as many as there may be: e^(-m * TR2_MEMBERS_MOST / 2 / n).
 */
#ifndef TR2_TOTALS_MEMBERS_H
#define TR2_TOTALS_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/common/vec.h"

#define TR2_MEMBERS_MOST 16384

struct tr2_members {	       /* An empty one is all zero. */
	struct tr2_vec hashes; /* uint64_t */
	unsigned shift;	       /* zero bits that each begins with */
};

void tr2_members_add(struct tr2_members *held, uint64_t hash);

/* Keep only hashes that begin with so many zero bits. */
void tr2_members_thin(struct tr2_members *held, unsigned shift);

/* Add all of another one. Returns how many of them were there already. */
uint32_t tr2_members_merge(struct tr2_members *held, struct tr2_members *more);

#endif
