#include "trace/engine/strings.h"

#include <string.h>

#include "trace/fxt_numbers.h"
#include "host/host.h"

/* Twice as many slots as strings, so that a search is short. */
#define SLOTS 65536u
#define BYTES (1u << 20)

/* A slot: 0, or some bits of the hash and the index. */
#define INDEX_BITS 15
#define INDEX_MASK ((1u << INDEX_BITS) - 1)

struct text {
	uint32_t at;
	uint32_t len;
};

struct tr2_trace_strings {
	uint32_t slot[SLOTS]; /* atomic */
	uint32_t count;	      /* atomic */
	uint32_t used;	      /* atomic */
	struct text text[FXT_STRINGS + 1];
	char bytes[BYTES];
};

struct tr2_trace_strings *tr2_trace_strings_make(void)
{
	return tr2_host->pages(sizeof(struct tr2_trace_strings));
}

void tr2_trace_strings_clear(struct tr2_trace_strings *strings)
{
	if (strings->count)
		memset(strings->slot, 0, sizeof(strings->slot));
	strings->count = 0;
	strings->used = 0;
}

static uint32_t hash_of(const char *bytes, size_t len)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
	return hash;
}

/* Is this the string of the slot? */
static int matches_slot(const struct tr2_trace_strings *strings, uint32_t slot,
			uint32_t hash, const char *bytes, size_t len)
{
	const struct text *text = &strings->text[slot & INDEX_MASK];

	return slot >> INDEX_BITS == hash >> INDEX_BITS && text->len == len &&
	       !memcmp(strings->bytes + text->at, bytes, len);
}

/* Reserve `size` units of a counter; returns where they begin, or -1. */
static int64_t reserve_part(uint32_t *counter, size_t size, uint32_t limit)
{
	uint32_t old = __atomic_load_n(counter, __ATOMIC_RELAXED);

	do {
		if (size > limit - old)
			return -1;
	} while (!__atomic_compare_exchange_n(
		counter, &old, old + (uint32_t)size, 0, __ATOMIC_RELAXED,
		__ATOMIC_RELAXED));
	return old;
}

/* Add an entry that nobody can find yet; 0: no room. */
static uint16_t add_text(struct tr2_trace_strings *strings, const char *bytes,
			 size_t len)
{
	int64_t at = reserve_part(&strings->used, len + 1, BYTES);
	int64_t before;

	if (at < 0)
		return 0;
	before = reserve_part(&strings->count, 1, FXT_STRINGS);
	if (before < 0)
		return 0;
	memcpy(strings->bytes + at, bytes, len);
	strings->bytes[at + (int64_t)len] = '\0';
	strings->text[before + 1].at = (uint32_t)at;
	strings->text[before + 1].len = (uint32_t)len;
	return (uint16_t)(before + 1);
}

uint16_t tr2_trace_strings_index(struct tr2_trace_strings *strings,
				 const char *bytes, size_t len,
				 int (*define)(uint16_t index,
					       const char *bytes, size_t len))
{
	uint32_t hash = hash_of(bytes, len);
	uint32_t i = hash % SLOTS;
	uint32_t made = 0;

	for (;; i = (i + 1) % SLOTS) {
		uint32_t slot =
			__atomic_load_n(&strings->slot[i], __ATOMIC_ACQUIRE);

		if (!slot && !made) {
			made = add_text(strings, bytes, len);
			if (!made || !define((uint16_t)made, bytes, len))
				return 0;
		}
		if (!slot && __atomic_compare_exchange_n(
				     &strings->slot[i], &slot,
				     (hash & ~INDEX_MASK) | made, 0,
				     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return (uint16_t)made;
		if (matches_slot(strings, slot, hash, bytes, len))
			return (uint16_t)(slot & INDEX_MASK);
	}
}

const char *tr2_trace_strings_text(const struct tr2_trace_strings *strings,
				   uint16_t index)
{
	return strings->bytes + strings->text[index].at;
}
