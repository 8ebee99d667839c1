#include "lib/common/map.h"

#include <stdlib.h>

#include "lib/common/memory.h"

#define ROOM_FIRST 16

static struct tr2_map_slot *find_slot(const struct tr2_map *map, uint64_t hash)
{
	size_t at = hash & (map->room - 1);

	while (map->slots[at].hash && map->slots[at].hash != hash)
		at = (at + 1) & (map->room - 1);
	return &map->slots[at];
}

static void grow_map(struct tr2_map *map)
{
	struct tr2_map old = *map;
	const struct tr2_map_slot *slot = NULL;

	map->room = old.room ? 2 * old.room : ROOM_FIRST;
	map->slots = tr2_must_zeros(map->room * sizeof(*map->slots));
	while ((slot = tr2_map_next(&old, slot)))
		*find_slot(map, slot->hash) = *slot;
	free(old.slots);
}

struct tr2_map_slot *tr2_map_enter(struct tr2_map *map, uint64_t hash)
{
	struct tr2_map_slot *slot;

	if (4 * map->count >= 3 * map->room)
		grow_map(map);
	hash |= !hash;
	slot = find_slot(map, hash);
	map->count += !slot->hash;
	slot->hash = hash;
	return slot;
}

struct tr2_map_slot *tr2_map_find(const struct tr2_map *map, uint64_t hash)
{
	struct tr2_map_slot *slot = map->room ? find_slot(map, hash | !hash)
					      : NULL;

	return slot && slot->hash ? slot : NULL;
}

uint64_t tr2_map_value(const struct tr2_map *map, uint64_t hash)
{
	return map->room ? find_slot(map, hash | !hash)->value : 0;
}

bool tr2_map_add(struct tr2_map *map, uint64_t hash)
{
	size_t count = map->count;

	tr2_map_enter(map, hash);
	return map->count > count;
}

struct tr2_map_slot *tr2_map_next(const struct tr2_map *map,
				  const struct tr2_map_slot *slot)
{
	size_t at = slot ? (size_t)(slot - map->slots) + 1 : 0;

	while (at < map->room && !map->slots[at].hash)
		at++;
	return at < map->room ? &map->slots[at] : NULL;
}

void tr2_map_release(struct tr2_map *map)
{
	free(map->slots);
	*map = (struct tr2_map){ 0 };
}
