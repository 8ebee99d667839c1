/*
 * What the validator keeps in memory: what is known by hash, and the sessions
 * that were seen.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "kit/validate.h"

#include "kit/memory.h"

#include "rules/known.h"
#include "lib/common/map.h"
#include "rules/rules.h"
#include "read/json/names.h"
#include "rules/stream/sids.h"
#include "lib/common/vec.h"

static void test_map_growth(void)
{
	struct tr2_map map = { 0 };
	struct tr2_map_slot *slot;
	uint64_t i, sum = 0, wrong = 0;

	for (i = 1; i <= 1000; i++) {
		slot = tr2_map_enter(&map, i * 16 - 1);
		wrong += slot->hash != i * 16 - 1;
		wrong += (slot->value | slot->line) != 0;
		slot->value = i;
		slot->line = 2 * i;
		wrong += i <= 12 && map.room != 16;
		wrong += i == 13 && map.room != 32;
		wrong += map.count != i;
	}
	for (i = 1; i <= 1000; i++) {
		slot = tr2_map_enter(&map, i * 16 - 1);
		wrong += slot->value != i;
		wrong += slot->line != 2 * i;
	}
	tap_int((intmax_t)wrong, 0, "a map keeps what it was given");
	tap_int((intmax_t)map.count, 1000, "a map counts each hash once");
	tap_int((intmax_t)map.room, 2048, "a quarter of a map stays free");
	for (slot = NULL, i = 0; (slot = tr2_map_next(&map, slot)); i++)
		sum += slot->value;
	tap_ok(i == 1000 && sum == 500500, "all of a map can be walked over");
	tr2_map_release(&map);
	tap_ok(!map.slots && !map.room && !map.count,
	       "a released map is empty");
}

static void test_map_ends(void)
{
	struct tr2_map map = { 0 };
	struct tr2_map_slot *zero;

	tap_ok(!tr2_map_next(&map, NULL), "an empty map has no slots");
	tap_ok(!tr2_map_value(&map, 5), "and no values");
	zero = tr2_map_enter(&map, 0);
	zero->value = 7;
	tap_ok(map.count == 1 && tr2_map_enter(&map, 0)->value == 7 &&
		       map.count == 1,
	       "a map takes 0 for a hash");
	tap_ok(tr2_map_value(&map, 0) == 7 && !tr2_map_value(&map, 1 + 16) &&
		       map.count == 1,
	       "a value is found, and what has none is not added");
	tap_ok(!tr2_map_enter(&map, 15)->value &&
		       !tr2_map_enter(&map, 31)->value && map.count == 3,
	       "hashes with the same place are kept apart");
	tap_ok(tr2_map_enter(&map, 31) == map.slots,
	       "behind the last slot of a map is the first one");
	tap_ok(tr2_map_next(&map, NULL) == map.slots &&
		       tr2_map_next(&map, zero) == map.slots + 15 &&
		       !tr2_map_next(&map, map.slots + 15),
	       "slots of a map come in their order");
	tap_ok(tr2_map_add(&map, 5) && !tr2_map_add(&map, 5) &&
		       !tr2_map_add(&map, 0) && map.count == 4,
	       "a hash is added once");
	tr2_map_release(&map);
}

int main(void)
{
	test_map_growth();
	test_map_ends();
	return tap_done();
}
