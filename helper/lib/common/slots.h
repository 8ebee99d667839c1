/*
 * slots.h - a map from a key to a place in an array. A key keeps its place
 * until it is removed; then another key may get it.
 */
#ifndef TR2_COMMON_SLOTS_H
#define TR2_COMMON_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#define TR2_NO_SLOT SIZE_MAX

struct tr2_slot {
	uint64_t key;
	uint32_t next;	/* next with the same hash, or next free one; from 1 */
	uint32_t first; /* first one whose hash is this place; from 1 */
};

/* An empty one is all zero. With one key it needs little memory. */
struct tr2_slots {
	struct tr2_slot *slots;
	uint32_t room;	/* a power of two, or 0 */
	uint32_t count; /* places that were ever in use */
	uint32_t free;	/* first place that is free now; from 1 */
};

/*
 * Returns the place of the key, or TR2_NO_SLOT; if it was added twice, any of
 * its places.
 */
size_t tr2_slots_find(const struct tr2_slots *slots, uint64_t key);

/* Returns a new place for the key: a free one, or `count`. */
size_t tr2_slots_add(struct tr2_slots *slots, uint64_t key);

void tr2_slots_remove(struct tr2_slots *slots, size_t place);
void tr2_slots_release(struct tr2_slots *slots);

#endif
