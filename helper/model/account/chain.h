/*
 * chain.h - the chain of the longest spans: of a process its longest region
 * or child, of that one its longest, and so on.
 *
 * A span keeps only the longest of its inner spans, so a process has one
 * chain at a time. The log of a child may come much later than its span; it
 * then finds the span's link by its number and generation, unless a longer
 * span has taken its place.
 */
#ifndef TR2_ACCOUNT_CHAIN_H
#define TR2_ACCOUNT_CHAIN_H

#include <stdint.h>

#include "lib/common/vec.h"

struct tr2_link {
	uint32_t row;	/* of the region or child */
	int64_t length; /* in microseconds */
	uint32_t inner; /* its longest inner span; 0: none */
	uint32_t generation;
};

struct tr2_chains {
	struct tr2_vec links; /* struct tr2_link; number 0 is none */
	uint32_t free;	      /* first free link; they are tied by `inner` */
};

static inline struct tr2_link *tr2_chain_at(const struct tr2_chains *chains,
					    uint32_t number)
{
	return (struct tr2_link *)chains->links.items + number;
}

/*
 * Offer a span to the one around it, whose longest inner span is `*longest`.
 * The span's own chain `inner` is taken over, or freed. Returns the span's
 * link, or 0 if it is not the longest.
 */
uint32_t tr2_chain_offer(struct tr2_chains *chains, uint32_t *longest,
			 uint32_t row, int64_t length, uint32_t inner);

/*
 * Give the chain of a process to the link of the span in which it ran; free it
 * if the link is gone, or has a longer chain of another process.
 */
void tr2_chain_attach(struct tr2_chains *chains, uint32_t number,
		      uint32_t generation, uint32_t inner);

void tr2_chain_free(struct tr2_chains *chains, uint32_t number);
void tr2_chains_release(struct tr2_chains *chains);

#endif
