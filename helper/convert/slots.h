/*
 * slots.h - which place of an array a key has. A place stays the same until
 * its key is removed, and is then given to another one.
 */
#ifndef TR2_CONVERT_SLOTS_H
#define TR2_CONVERT_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#define TR2_NO_SLOT SIZE_MAX

struct tr2_slot {
	uint64_t key;
	uint32_t next;	/* with a key of the same hash, or free; from 1 */
	uint32_t first; /* the first one whose hash is this place; from 1 */
};

/* All zero is an empty one. It takes little memory if it has one key. */
struct tr2_slots {
	struct tr2_slot *slots;
	uint32_t room;	/* a power of two, or 0 */
	uint32_t count; /* places that were ever used */
	uint32_t free;	/* the first of those that are not now; from 1 */
};

/* The place of the key, or TR2_NO_SLOT. Of equal keys that of any one. */
size_t tr2_slots_find(const struct tr2_slots *slots, uint64_t key);

/* A place for the key: one that was used before, or else `count`. */
size_t tr2_slots_add(struct tr2_slots *slots, uint64_t key);

void tr2_slots_remove(struct tr2_slots *slots, size_t place);
void tr2_slots_release(struct tr2_slots *slots);

#endif
