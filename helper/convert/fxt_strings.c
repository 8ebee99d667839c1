#include "convert/fxt_strings.h"

#include <stdlib.h>

#include "trace/fxt_numbers.h"
#include "validate/hash.h"
#include "validate/memory.h"

#define BUCKETS 65536u /* a power of two */

/* Strings are known by 128 bits of hash; their bytes are not kept. */
struct tr2_fxt_strings {
	struct tr2_hash hash[FXT_STRINGS + 1];
	uint16_t next[FXT_STRINGS + 1]; /* in the same bucket; 0: none */
	uint16_t first[BUCKETS];
	unsigned given; /* the index that was given last */
	bool full;
};

struct tr2_fxt_strings *tr2_fxt_strings_new(void)
{
	struct tr2_fxt_strings *strings = calloc(1, sizeof(*strings));

	if (!strings)
		tr2_memory_out();
	return strings;
}

void tr2_fxt_strings_free(struct tr2_fxt_strings *strings)
{
	free(strings);
}

static uint16_t *bucket_of(struct tr2_fxt_strings *strings,
			   const struct tr2_hash *hash)
{
	return &strings->first[hash->a >> 32 & (BUCKETS - 1)];
}

/* Take the index from the string that has it. */
static void take(struct tr2_fxt_strings *strings, uint16_t index)
{
	uint16_t *at = bucket_of(strings, &strings->hash[index]);

	while (*at != index)
		at = &strings->next[*at];
	*at = strings->next[index];
}

uint16_t tr2_fxt_strings_find(struct tr2_fxt_strings *strings,
			      const char *bytes, size_t len, bool *fresh)
{
	struct tr2_hash hash = tr2_hash(bytes, len);
	uint16_t *bucket = bucket_of(strings, &hash), index;

	*fresh = false;
	for (index = *bucket; index; index = strings->next[index])
		if (strings->hash[index].a == hash.a &&
		    strings->hash[index].b == hash.b)
			return index;
	strings->given = strings->given % FXT_STRINGS + 1;
	index = (uint16_t)strings->given;
	if (strings->full)
		take(strings, index);
	strings->full |= index == FXT_STRINGS;
	strings->hash[index] = hash;
	strings->next[index] = *bucket;
	*bucket = index;
	*fresh = true;
	return index;
}
