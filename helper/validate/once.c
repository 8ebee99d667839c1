#include "validate/once.h"

#include <stdlib.h>
#include <string.h>

#include "validate/memory.h"

static uint64_t *find_slot(const struct tr2_once *once, uint64_t hash)
{
	size_t at = (size_t)hash & (once->room - 1);

	while (once->slots[at] && once->slots[at] != hash)
		at = (at + 1) & (once->room - 1);
	return &once->slots[at];
}

static void grow(struct tr2_once *once)
{
	struct tr2_once old = *once;
	size_t i, size;

	once->room = old.room ? 2 * old.room : 64;
	size = once->room * sizeof(*once->slots);
	once->slots = memset(tr2_must_grow(NULL, size), 0, size);
	for (i = 0; i < old.room; i++)
		if (old.slots[i])
			*find_slot(once, old.slots[i]) = old.slots[i];
	free(old.slots);
}

bool tr2_once_add(struct tr2_once *once, uint64_t hash)
{
	uint64_t *slot;

	hash |= !hash;
	if (4 * once->count >= 3 * once->room)
		grow(once);
	slot = find_slot(once, hash);
	if (*slot)
		return false;
	*slot = hash;
	once->count++;
	return true;
}

void tr2_once_clear(struct tr2_once *once)
{
	if (once->count)
		memset(once->slots, 0, once->room * sizeof(*once->slots));
	once->count = 0;
}

void tr2_once_release(struct tr2_once *once)
{
	free(once->slots);
}
