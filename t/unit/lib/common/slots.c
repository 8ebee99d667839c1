/*
 * Places of keys, beside plain arrays that do the same slowly.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "lib/common/slots.h"
#include "kit/tap.h"

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

int main(void)
{
	test_slots();
	return tap_done();
}
