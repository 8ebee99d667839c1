/*
 * hash.h - a hash of 128 bits that stands for a text. It does not protect
 * against a person who searches for two texts with the same hash: that spoils
 * only this person's own report.
 */
#ifndef TR2_COMMON_HASH_H
#define TR2_COMMON_HASH_H

#include <stdbool.h>
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

/*
 * Hash the last bytes, which do not fill a word. If there is a whole word
 * before them, read the last 8 bytes and drop those of that word.
 */
static inline uint64_t tr2_hash_rest(const char *text, size_t len, bool behind)
{
	uint64_t word = 0;

	if (!len)
		return 0;
	if (!behind) {
		memcpy(&word, text, len);
		return word;
	}
	memcpy(&word, text + len - sizeof(word), sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return word << 8 * (sizeof(word) - len);
#else
	return word >> 8 * (sizeof(word) - len);
#endif
}

static inline struct tr2_hash tr2_hash(const char *text, size_t len)
{
	const uint64_t factor_a = UINT64_C(0x9e3779b97f4a7c15);
	const uint64_t factor_b = UINT64_C(0xc2b2ae3d27d4eb4f);
	struct tr2_hash hash = { len, ~(uint64_t)len };
	bool whole = len >= sizeof(uint64_t);
	uint64_t word;

	for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash.a = tr2_hash_mix(hash.a, word, factor_a);
		hash.b = tr2_hash_mix(hash.b, word, factor_b);
	}
	word = tr2_hash_rest(text, len, whole);
	hash.a = tr2_hash_mix(hash.a, word, factor_a);
	hash.b = tr2_hash_mix(hash.b, word, factor_b);
	hash.a ^= hash.a >> 32;
	return hash;
}

#endif
