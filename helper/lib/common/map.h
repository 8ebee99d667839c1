/*
 * map.h - a map from a hash to a number and a line. Both are 0 for a hash
 * that has just been added.
 */
#ifndef TR2_COMMON_MAP_H
#define TR2_COMMON_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr2_map_slot {
	uint64_t hash; /* 0: free */
	uint64_t value;
	unsigned long line;
};

struct tr2_map {
	struct tr2_map_slot *slots;
	size_t room; /* a power of two, or 0 */
	size_t count;
};

/* Returns the slot of the hash, which may be new. Valid until the next call. */
struct tr2_map_slot *tr2_map_enter(struct tr2_map *map, uint64_t hash);

/* Returns the slot of the hash, or NULL. Valid until the next one is entered. */
struct tr2_map_slot *tr2_map_find(const struct tr2_map *map, uint64_t hash);

/* Returns the value of the hash, or 0 if it is not in the map. */
uint64_t tr2_map_value(const struct tr2_map *map, uint64_t hash);

/* Add the hash. False if it was there already. */
bool tr2_map_add(struct tr2_map *map, uint64_t hash);

/* Returns the slot after `slot`, or the first one; NULL: there are no more. */
struct tr2_map_slot *tr2_map_next(const struct tr2_map *map,
				  const struct tr2_map_slot *slot);

void tr2_map_release(struct tr2_map *map);

#endif
