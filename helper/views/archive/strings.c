#include "views/archive/strings.h"

#include <stdlib.h>

#include "trace/fxt_numbers.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"

#define ROOM_FIRST 256u
#define ROOM_LAST (FXT_STRINGS + 1u)

/*
 * A hash table with chains. Strings are compared by 128 bits of hash; their
 * bytes are not kept. An index is also the place in `hash` and `next`; index
 * 0 is not used and ends a chain.
 */
struct tr2_fxt_strings {
	struct tr2_hash *hash;
	uint16_t *next; /* next in the same bucket; 0: none */
	uint16_t *first;
	unsigned room;	/* indices, a power of two; half the buckets */
	unsigned given; /* the last index that was given */
	bool full;
};

_Static_assert(!(ROOM_LAST & FXT_STRINGS), "rooms are powers of two");

struct tr2_fxt_strings *tr2_fxt_strings_new(void)
{
	return tr2_must_zeros(sizeof(struct tr2_fxt_strings));
}

void tr2_fxt_strings_free(struct tr2_fxt_strings *strings)
{
	if (!strings)
		return;
	free(strings->hash);
	free(strings->next);
	free(strings->first);
	free(strings);
}

static uint16_t *bucket_of(struct tr2_fxt_strings *strings,
			   const struct tr2_hash *hash)
{
	return &strings->first[hash->a >> 32 & (2 * strings->room - 1)];
}

/* Insert the string of this index into the chain of its bucket. */
static void put_string(struct tr2_fxt_strings *strings, unsigned index)
{
	uint16_t *bucket = bucket_of(strings, &strings->hash[index]);

	strings->next[index] = *bucket;
	*bucket = (uint16_t)index;
}

/*
 * Only while no index was given twice, so all up to `given` are in use. Old
 * chains are made again, because buckets depend on the room.
 */
static void grow_table(struct tr2_fxt_strings *strings)
{
	unsigned index, room = strings->room ? 2 * strings->room : ROOM_FIRST;

	strings->room = room;
	strings->hash =
		tr2_must_grow(strings->hash, room * sizeof(*strings->hash));
	strings->next =
		tr2_must_grow(strings->next, room * sizeof(*strings->next));
	free(strings->first);
	strings->first = tr2_must_zeros(2 * room * sizeof(*strings->first));
	for (index = 1; index <= strings->given; index++)
		put_string(strings, index);
}

/* Remove the index from the string that has it. */
static void take_index(struct tr2_fxt_strings *strings, uint16_t index)
{
	uint16_t *at = bucket_of(strings, &strings->hash[index]);

	while (*at != index)
		at = &strings->next[*at];
	*at = strings->next[index];
}

static uint16_t find_string(struct tr2_fxt_strings *strings,
			    const struct tr2_hash *hash)
{
	uint16_t index = strings->room ? *bucket_of(strings, hash) : 0;

	while (index && (strings->hash[index].a != hash->a ||
			 strings->hash[index].b != hash->b))
		index = strings->next[index];
	return index;
}

/*
 * Is the index among the next ones that are given? Its string then gets a new
 * one, which is before the old one in the chain.
 */
static bool is_due(const struct tr2_fxt_strings *strings, uint16_t index)
{
	unsigned ahead = (index + FXT_STRINGS - strings->given) % FXT_STRINGS;

	return ahead && ahead <= TR2_FXT_STRINGS_KEPT;
}

uint16_t tr2_fxt_strings_find(struct tr2_fxt_strings *strings,
			      const char *bytes, size_t len, bool *fresh)
{
	struct tr2_hash hash = tr2_hash(bytes, len);
	uint16_t index = find_string(strings, &hash);

	*fresh = !index || is_due(strings, index);
	if (!*fresh)
		return index;
	if (strings->given + 1 >= strings->room && strings->room < ROOM_LAST)
		grow_table(strings);
	/*
	 * The indices form a ring: after the last one, the oldest is given
	 * again.
	 */
	index = (uint16_t)(strings->given % FXT_STRINGS + 1);
	if (strings->full)
		take_index(strings, index);
	strings->full |= index == FXT_STRINGS;
	strings->given = index;
	strings->hash[index] = hash;
	put_string(strings, index);
	return index;
}
