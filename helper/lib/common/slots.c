#include "lib/common/slots.h"

#include <stdlib.h>

#include "lib/common/memory.h"

/* Fibonacci hashing: keys may be small consecutive numbers. */
static uint32_t *first_of(const struct tr2_slots *slots, uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);

	return &slots->slots[hash >> 32 & (slots->room - 1)].first;
}

size_t tr2_slots_find(const struct tr2_slots *slots, uint64_t key)
{
	uint32_t at = slots->room ? *first_of(slots, key) : 0;

	while (at && slots->slots[at - 1].key != key)
		at = slots->slots[at - 1].next;
	return at ? at - 1 : TR2_NO_SLOT;
}

/* Insert the place into the chain of its key's hash. */
static void tie_slot(struct tr2_slots *slots, uint32_t place)
{
	struct tr2_slot *slot = &slots->slots[place];
	uint32_t *first = first_of(slots, slot->key);

	slot->next = *first;
	*first = place + 1;
}

/*
 * Grows when all places are in use, so the list of free ones is empty. Chains
 * are made again, since they depend on the room.
 */
static void grow_slots(struct tr2_slots *slots)
{
	slots->room = slots->room ? 2 * slots->room : 1;
	slots->slots = tr2_must_grow(slots->slots,
				     slots->room * sizeof(*slots->slots));
	for (uint32_t i = 0; i < slots->room; i++)
		slots->slots[i].first = 0;
	for (uint32_t i = 0; i < slots->count; i++)
		tie_slot(slots, i);
}

size_t tr2_slots_add(struct tr2_slots *slots, uint64_t key)
{
	uint32_t place;

	if (slots->free) {
		place = slots->free - 1;
		slots->free = slots->slots[place].next;
	} else {
		if (slots->count == slots->room)
			grow_slots(slots);
		place = slots->count++;
	}
	slots->slots[place].key = key;
	tie_slot(slots, place);
	return place;
}

void tr2_slots_remove(struct tr2_slots *slots, size_t place)
{
	struct tr2_slot *slot = &slots->slots[place];
	uint32_t *at = first_of(slots, slot->key);

	while (*at != place + 1)
		at = &slots->slots[*at - 1].next;
	*at = slot->next;
	slot->next = slots->free;
	slots->free = (uint32_t)place + 1;
}

void tr2_slots_release(struct tr2_slots *slots)
{
	free(slots->slots);
	*slots = (struct tr2_slots){ 0 };
}
