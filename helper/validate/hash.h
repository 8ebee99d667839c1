/*
 * hash.h - 128 bits that stand for a text. Not safe against somebody who
 * looks for two texts with the same hash: that spoils only his own report.
 */
#ifndef TR2_VALIDATE_HASH_H
#define TR2_VALIDATE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tr2_hash {
	uint64_t a, b;
};

static inline uint64_t tr2_hash_mix(uint64_t hash, uint64_t word,
				    uint64_t factor)
{
	hash = (hash ^ word) * factor;
	return hash ^ hash >> 29;
}

static inline struct tr2_hash tr2_hash(const char *text, size_t len)
{
	const uint64_t factor_a = UINT64_C(0x9e3779b97f4a7c15);
	const uint64_t factor_b = UINT64_C(0xc2b2ae3d27d4eb4f);
	struct tr2_hash hash = { len, ~(uint64_t)len };
	uint64_t word;

	for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash.a = tr2_hash_mix(hash.a, word, factor_a);
		hash.b = tr2_hash_mix(hash.b, word, factor_b);
	}
	word = 0;
	memcpy(&word, text, len);
	hash.a = tr2_hash_mix(hash.a, word, factor_a);
	hash.b = tr2_hash_mix(hash.b, word, factor_b);
	hash.a ^= hash.a >> 32;
	return hash;
}

#endif
