#include "validate/sids.h"

#include <stdlib.h>

#include "validate/known.h"
#include "validate/memory.h"
#include "validate/schema.h"

_Static_assert(TR2_EVT_MAX <= TR2_SID_EVT_BITS, "an EVENT version fits");

/* An empty slot is all zeros; no hash is. */
static int is_empty(const struct tr2_sid *slot)
{
	return !slot->hash.a;
}

static size_t find_slot(const struct tr2_sids *sids, struct tr2_hash hash)
{
	const struct tr2_sid *slot;
	size_t at = hash.a & (sids->room - 1);

	for (;; at = (at + 1) & (sids->room - 1)) {
		slot = &sids->slots[at];
		if (is_empty(slot))
			return at;
		if (slot->hash.a == hash.a &&
		    !((slot->hash.b ^ hash.b) & ~TR2_SID_BITS))
			return at;
	}
}

static void grow(struct tr2_sids *sids)
{
	struct tr2_sid *old = sids->slots;
	size_t i, old_room = sids->room;
	size_t size;

	sids->room = old_room ? 2 * old_room : 256;
	size = sids->room * sizeof(*old);
	sids->slots = memset(tr2_memory_grow(NULL, size), 0, size);
	for (i = 0; i < old_room; i++)
		if (!is_empty(&old[i]))
			sids->slots[find_slot(sids, old[i].hash)] = old[i];
	free(old);
}

static void remember_last(struct tr2_sids *sids, const char *text, size_t len)
{
	sids->last_len = 0;
	if (len > sizeof(sids->last))
		return;
	memcpy(sids->last, text, len);
	sids->last_len = len;
}

struct tr2_hash tr2_sids_hash(const char *text, size_t len)
{
	struct tr2_hash hash = tr2_hash(text, len);

	hash.a |= !hash.a;
	hash.b &= ~TR2_SID_BITS;
	return hash;
}

struct tr2_sid *tr2_sids_find(const struct tr2_sids *sids, struct tr2_hash hash)
{
	struct tr2_sid *slot;

	if (!sids->room)
		return NULL;
	slot = &sids->slots[find_slot(sids, hash)];
	return is_empty(slot) ? NULL : slot;
}

struct tr2_sid *tr2_sids_enter(struct tr2_sids *sids, const char *text,
			       size_t len)
{
	struct tr2_hash hash;
	struct tr2_sid *slot;

	if (len && len == sids->last_len && !memcmp(text, sids->last, len))
		return &sids->slots[sids->last_slot];
	if (4 * sids->count >= 3 * sids->room)
		grow(sids);
	hash = tr2_sids_hash(text, len);
	sids->last_slot = find_slot(sids, hash);
	slot = &sids->slots[sids->last_slot];
	if (is_empty(slot)) {
		slot->hash = hash;
		tr2_sid_set_writer(slot, tr2_writer_of(text, len));
		sids->count++;
	}
	remember_last(sids, text, len);
	return slot;
}

void tr2_sids_release(struct tr2_sids *sids)
{
	free(sids->slots);
}
