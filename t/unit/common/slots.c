/*
 * Places of keys, and numbers in the order of keys, beside plain arrays that
 * do the same slowly.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "common/slots.h"
#include "archive/tie_tree.h"
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

static void test_equal_keys(void)
{
	struct tr2_slots slots = { 0 };
	size_t first = tr2_slots_add(&slots, 5), second, other, found;

	tr2_slots_add(&slots, 6); /* so that it has not to grow again */
	other = tr2_slots_add(&slots, 7);
	second = tr2_slots_add(&slots, 5);
	found = tr2_slots_find(&slots, 5);
	tap_ok(found == first || found == second,
	       "one of two equal keys is found");
	tr2_slots_remove(&slots, found);
	tap_ok(tr2_slots_find(&slots, 5) == first + second - found &&
		       tr2_slots_find(&slots, 7) == other,
	       "and then the other one");
	tap_ok(tr2_slots_add(&slots, 9) == found, "a free place is taken");
	tr2_slots_release(&slots);
}

static struct tr2_tree_key draw_key(void)
{
	struct tr2_tree_key key = { { draw_number(2), draw_number(2) },
				    draw_number(2),
				    draw_number(KEYS),
				    draw_number(1u << 30) };

	return key;
}

static bool is_before(const struct tr2_tree_key *a,
		      const struct tr2_tree_key *b)
{
	const uint64_t x[] = { a->sid.a, a->sid.b, a->words, a->time, a->turn };
	const uint64_t y[] = { b->sid.a, b->sid.b, b->words, b->time, b->turn };
	size_t i;

	for (i = 0; i < 5; i++)
		if (x[i] != y[i])
			return x[i] < y[i];
	return true; /* it is the same */
}

static uint32_t find_last(const bool *used, const struct tr2_tree_key *keys,
			  const struct tr2_tree_key *key)
{
	uint32_t i, found = 0;

	for (i = 1; i < PLACES; i++)
		if (used[i] && is_before(&keys[i], key) &&
		    (!found || is_before(&keys[found], &keys[i])))
			found = i;
	return found;
}

static void test_tree(void)
{
	static struct tr2_tree_key keys[PLACES];
	static bool used[PLACES];
	struct tr2_tree tree = { 0 };
	struct tr2_tree_key key = draw_key();
	uint32_t number;
	int step, wrong = tr2_tree_find(&tree, &key) != 0;

	tr2_tree_grow(&tree, PLACES / 2);
	for (step = 0; step < STEPS; step++) {
		if (step == STEPS / 4)
			tr2_tree_grow(&tree, PLACES);
		number = 1 +
			 draw_number((step < STEPS / 4 ? PLACES / 2 : PLACES) -
				     1);
		if (used[number]) {
			tr2_tree_remove(&tree, number);
		} else {
			keys[number] = draw_key();
			tr2_tree_add(&tree, number, &keys[number]);
		}
		used[number] = !used[number];
		key = draw_number(2) ? draw_key() : keys[number];
		wrong += tr2_tree_find(&tree, &key) !=
			 find_last(used, keys, &key);
	}
	tap_int(wrong, 0, "the last key that is not after another is found");
	tr2_tree_release(&tree);
	tap_ok(!tree.nodes && !tree.root, "nothing is left of a tree");
}

static unsigned measure_depth(const struct tr2_tree *tree, uint32_t at)
{
	unsigned left, right;

	if (!at)
		return 0;
	left = measure_depth(tree, tree->nodes[at].left);
	right = measure_depth(tree, tree->nodes[at].right);
	return 1 + (left > right ? left : right);
}

static void test_depth(void)
{
	enum { MANY = 10000 };
	struct tr2_tree tree = { 0 };
	struct tr2_tree_key key = { { 0, 0 }, 0, 0, 0 };
	uint32_t i;

	tr2_tree_grow(&tree, MANY);
	for (i = 1; i <= MANY; i++) {
		key.time = i;
		tr2_tree_add(&tree, i, &key);
	}
	tap_ok(measure_depth(&tree, tree.root) < 100,
	       "keys that come in order make no list of a tree");
	tr2_tree_release(&tree);
}

int main(void)
{
	test_slots();
	test_equal_keys();
	test_tree();
	test_depth();
	return tap_done();
}
