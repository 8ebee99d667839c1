/* The chain of the longest spans, and its links, which are used again. */
#include "kit/validate.h"

#include "model/account/chain.h"

static void test_offer(void)
{
	struct tr2_chains chains = { .free = 0 };
	uint32_t inner = 0, outer = 0, link;

	link = tr2_chain_offer(&chains, &inner, 7, 10, 0);
	tap_ok(link && link == inner, "the first span is the longest");
	tap_int(tr2_chain_offer(&chains, &inner, 8, 10, 0), 0,
		"of equal spans the first one stays");
	tap_int(tr2_chain_at(&chains, inner)->row, 7, "the row stays, too");
	link = tr2_chain_offer(&chains, &inner, 9, 11, 0);
	tap_ok(link == inner && tr2_chain_at(&chains, link)->row == 9,
	       "a longer span takes the place");
	tap_int(chains.links.count, 2, "the link of the shorter one is reused");
	link = tr2_chain_offer(&chains, &outer, 1, 30, inner);
	tap_int(tr2_chain_at(&chains, link)->inner, inner,
		"a span takes its own chain over");
	tr2_chain_free(&chains, outer);
	tap_ok(tr2_chain_offer(&chains, &(uint32_t){ 0 }, 2, 1, 0) &&
		       tr2_chain_offer(&chains, &(uint32_t){ 0 }, 3, 1, 0) &&
		       chains.links.count == 3,
	       "a freed chain gives all its links back");
	tr2_chains_release(&chains);
	tap_ok(!chains.links.count && !chains.free, "nothing is left");
}

static void test_refused_chain(void)
{
	struct tr2_chains chains = { .free = 0 };
	uint32_t longest = 0, inner = 0;

	tr2_chain_offer(&chains, &longest, 1, 10, 0);
	tr2_chain_offer(&chains, &inner, 2, 3, 0);
	tr2_chain_offer(&chains, &longest, 3, 5, inner);
	tap_int(chains.free, inner, "the chain of a shorter span is freed");
	tr2_chains_release(&chains);
	tap_int(chains.free, 0, "no link is free when there are none");
}

static void test_attach(void)
{
	struct tr2_chains chains = { .free = 0 };
	uint32_t span = 0, process = 0, later = 0, generation;

	tr2_chain_offer(&chains, &span, 1, 10, 0);
	generation = tr2_chain_at(&chains, span)->generation;
	tr2_chain_offer(&chains, &process, 2, 8, 0);
	tr2_chain_attach(&chains, span, generation, process);
	tap_int(tr2_chain_at(&chains, span)->inner, process,
		"the log of a child hangs its chain below the span");
	tr2_chain_offer(&chains, &later, 3, 9, 0);
	tr2_chain_attach(&chains, span, generation, later);
	tap_ok(tr2_chain_at(&chains, span)->inner == later &&
		       chains.free == process,
	       "another chain replaces it and frees it");
	tr2_chain_free(&chains, span);
	process = 0;
	tr2_chain_offer(&chains, &process, 4, 1, 0);
	tap_int(process, later, "the link freed last is used first");
	tr2_chain_attach(&chains, span, generation, process);
	tap_int(chains.free, process, "a span that is gone takes no chain");
	process = 0;
	tr2_chain_offer(&chains, &process, 5, 1, 0);
	tr2_chain_attach(&chains, 0, 0, process);
	tap_int(chains.free, process, "no span takes no chain");
	tr2_chains_release(&chains);
}

int main(void)
{
	test_offer();
	test_refused_chain();
	test_attach();
	return tap_done();
}
