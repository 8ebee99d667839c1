/*
 * once.h - what was said already: a set of hashes.
 */
#ifndef TR2_VALIDATE_ONCE_H
#define TR2_VALIDATE_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr2_once {
	uint64_t *slots;
	size_t room; /* a power of two, or 0 */
	size_t count;
};

/* Add the hash. False if it was there. */
bool tr2_once_add(struct tr2_once *once, uint64_t hash);
void tr2_once_clear(struct tr2_once *once);
void tr2_once_release(struct tr2_once *once);

#endif
