#define _GNU_SOURCE
/*
 * Items one after the other, of which there are more and more. Places of keys,
 * beside plain arrays that do the same slowly. What the validator keeps in
 * memory: what is known by hash, and the sessions that were seen.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "kit/validate.h"
#include "kit/tap.h"
#include "kit/memory.h"
#include "lib/common/vec.h"
#include "lib/common/slots.h"
#include "rules/known.h"
#include "lib/common/map.h"
#include "rules/rules.h"
#include "read/json/names.h"
#include "rules/stream/sids.h"

/*
 * ---- Vec
 */

struct item {
	char bytes[12];
};

static int is_filled(const struct item *item, int byte)
{
	struct item filled;

	memset(&filled, byte, sizeof(filled));
	return !memcmp(item, &filled, sizeof(filled));
}

static void test_vec_clear(void)
{
	struct tr2_vec vec = { 0 };
	void *items;
	size_t i;

	for (i = 0; i < 65; i++)
		tr2_vec_add(&vec, 12);
	tr2_vec_clear(&vec);
	tap_ok(!vec.items && !vec.count && !vec.room,
	       "the memory of many items is given back");
	for (i = 0; i < 64; i++)
		memset(tr2_vec_add(&vec, 12), 1, 12);
	items = vec.items;
	tr2_vec_clear(&vec);
	tap_ok(vec.items == items && vec.room == 64 && !vec.count,
	       "the memory of few items is kept");
	tap_ok(tr2_vec_add(&vec, 12) == items, "items begin over when dropped");
	tr2_vec_release(&vec);
	tap_ok(!vec.items && !vec.count && !vec.room,
	       "released items leave nothing");
}

static void test_vec_without_memory(void)
{
	struct tr2_vec vec = { 0 };
	struct item *item, *items;
	size_t i, wrong = 0;

	kit_has_none = 1;
	tap_ok(!tr2_vec_try_add(&vec, sizeof(*item)) && !vec.count && !vec.room,
	       "without memory no first item is added");
	kit_has_none = 0;
	for (i = 0; i < 4; i++) {
		item = tr2_vec_try_add(&vec, sizeof(*item));
		wrong += !item;
		memset(item, (int)i, sizeof(*item));
	}
	kit_has_none = 1;
	tap_ok(!wrong && !tr2_vec_try_add(&vec, sizeof(*item)) &&
		       vec.count == 4 && vec.room == 4,
	       "without memory no room is made");
	kit_has_none = 0;
	item = tr2_vec_try_add(&vec, sizeof(*item));
	items = vec.items;
	for (i = 0; i < 4; i++)
		wrong += !is_filled(items + i, (int)i);
	tap_ok(item == items + 4 && !wrong, "and those there are stay");
	tr2_vec_release(&vec);
}

static void test_vec_renew(void)
{
	struct tr2_vec vec = { 0 };
	struct item *item, *items;

	memset(tr2_vec_add(&vec, sizeof(*item)), 1, sizeof(*item));
	item = tr2_vec_renew(&vec, 1, sizeof(*item));
	items = vec.items;
	tap_ok(item == items + 1 && vec.count == 2 && is_filled(item, 0) &&
		       is_filled(items, 1),
	       "the item behind the last one is added as zeros");
	memset(item, 2, sizeof(*item));
	item = tr2_vec_renew(&vec, 0, sizeof(*item));
	tap_ok(item == items && vec.count == 2 && is_filled(item, 0) &&
		       is_filled(items + 1, 2),
	       "an item that is there becomes zeros");
	tr2_vec_release(&vec);
}

/*
 * ---- Slots
 */

enum { PLACES = 300, STEPS = 20000, KEYS = 97 };

static unsigned draw_number(unsigned limit)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 20) % limit;
}

/* What is where. */
struct model {
	bool used[PLACES];
	uint64_t key[PLACES];
	size_t used_count, count;
};

static size_t find_place(const struct model *model, uint64_t key)
{
	size_t i;

	for (i = 0; i < model->count; i++)
		if (model->used[i] && model->key[i] == key)
			return i;
	return TR2_NO_SLOT;
}

/* A place that is free is taken first. */
static int add_key(struct model *model, struct tr2_slots *slots, uint64_t key)
{
	size_t place = tr2_slots_add(slots, key);
	bool is_new = model->used_count == model->count;

	if (place >= PLACES || model->used[place] ||
	    (place == model->count) != is_new)
		return 1;
	model->count += is_new;
	model->used_count++;
	model->used[place] = true;
	model->key[place] = key;
	return slots->count != model->count;
}

static void remove_key(struct model *model, struct tr2_slots *slots,
		       size_t place)
{
	tr2_slots_remove(slots, place);
	model->used[place] = false;
	model->used_count--;
}

static void test_slots(void)
{
	struct tr2_slots slots = { 0 };
	struct model model = { .count = 0 };
	unsigned step;
	uint64_t key;
	size_t found;
	int wrong = tr2_slots_find(&slots, 7) != TR2_NO_SLOT;

	for (step = 0; step < STEPS && !wrong; step++) {
		key = draw_number(PLACES - 1);
		found = find_place(&model, key);
		wrong += tr2_slots_find(&slots, key) != found;
		if (found != TR2_NO_SLOT)
			remove_key(&model, &slots, found);
		else if (model.used_count < PLACES - 1)
			wrong += add_key(&model, &slots, key);
	}
	tap_int(wrong, 0, "each key is found in its place");
	tap_ok(model.count > 100, "and there were many");
	tr2_slots_release(&slots);
	tap_ok(!slots.slots && !slots.room, "nothing is left of the places");
}

/*
 * ---- Sets
 */

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
	tap_run(test_vec_clear, test_vec_without_memory, test_vec_renew,
		test_slots, test_map_growth, test_map_ends);
	return tap_done();
}
