#include "model/account/chain.h"

/* The first link is never used, because 0 means none. */
static uint32_t add_link(struct tr2_chains *chains)
{
	uint32_t number = chains->free;

	if (number) {
		chains->free = tr2_chain_at(chains, number)->inner;
		return number;
	}
	if (!chains->links.count)
		tr2_vec_renew(&chains->links, 0, sizeof(struct tr2_link));
	tr2_vec_renew(&chains->links, chains->links.count,
		      sizeof(struct tr2_link));
	return chains->links.count - 1;
}

void tr2_chain_free(struct tr2_chains *chains, uint32_t number)
{
	struct tr2_link *link;
	uint32_t inner;

	for (; number; number = inner) {
		link = tr2_chain_at(chains, number);
		inner = link->inner;
		link->generation++;
		link->inner = chains->free;
		chains->free = number;
	}
}

uint32_t tr2_chain_offer(struct tr2_chains *chains, uint32_t *longest,
			 uint32_t row, int64_t length, uint32_t inner)
{
	struct tr2_link *link;

	if (*longest && tr2_chain_at(chains, *longest)->length >= length) {
		tr2_chain_free(chains, inner);
		return 0;
	}
	tr2_chain_free(chains, *longest);
	*longest = add_link(chains);
	link = tr2_chain_at(chains, *longest);
	link->row = row;
	link->length = length;
	link->inner = inner;
	return *longest;
}

void tr2_chain_attach(struct tr2_chains *chains, uint32_t number,
		      uint32_t generation, uint32_t inner)
{
	struct tr2_link *link = number ? tr2_chain_at(chains, number) : NULL;
	const struct tr2_link *old, *new;

	if (!link || link->generation != generation) {
		tr2_chain_free(chains, inner);
		return;
	}
	old = tr2_chain_at(chains, link->inner);
	new = tr2_chain_at(chains, inner);
	if (!inner || (link->inner && old->length >= new->length)) {
		tr2_chain_free(chains, inner);
		return;
	}
	tr2_chain_free(chains, link->inner);
	link->inner = inner;
}

void tr2_chains_release(struct tr2_chains *chains)
{
	tr2_vec_release(&chains->links);
	chains->free = 0;
}
