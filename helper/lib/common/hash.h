/*
 * hash.h - a hash of 128 bits (XXH3) that stands for a text. It does not
 * protect against a person who searches for two texts with the same hash:
 * that spoils only this person's own report.
 */
#ifndef TR2_COMMON_HASH_H
#define TR2_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The compiler sees all of it, and no library is needed at run time. */
#define XXH_INLINE_ALL
#include <xxhash.h>

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
	XXH128_hash_t found = XXH3_128bits(text, len);
	struct tr2_hash hash = { found.low64, found.high64 };

	return hash;
}

#endif
