/* Numbers in the order of their keys. */
#include "kit/validate.h"
#include "archive/tie_tree.h"

#define ROOM 2000

static struct tr2_tree tree;
static struct tr2_tree_key keys[ROOM + 1];
static bool is_in[ROOM + 1];

static int is_before(const struct tr2_tree_key *a, const struct tr2_tree_key *b)
{
	const uint64_t first[] = { a->sid.a, a->sid.b, a->words, a->time,
				   a->turn };
	const uint64_t second[] = { b->sid.a, b->sid.b, b->words, b->time,
				    b->turn };
	int i;

	for (i = 0; i < 5; i++)
		if (first[i] != second[i])
			return first[i] < second[i];
	return 0;
}

/* What tr2_tree_find() promises, by looking at all. */
static uint32_t find_slowly(const struct tr2_tree_key *key)
{
	uint32_t i, found = 0;

	for (i = 1; i <= ROOM; i++)
		if (is_in[i] && !is_before(key, &keys[i]) &&
		    (!found || is_before(&keys[found], &keys[i])))
			found = i;
	return found;
}

static uint32_t draw_number(void)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(state >> 33);
}

/* Few values, so that keys differ at each of their parts. */
static struct tr2_tree_key draw_key(uint64_t turn)
{
	struct tr2_tree_key key = { .turn = turn };

	key.sid.a = draw_number() % 3;
	key.sid.b = draw_number() % 3;
	key.words = draw_number() % 3;
	key.time = draw_number() % 5;
	return key;
}

static void add_number(uint32_t number, const struct tr2_tree_key *key)
{
	keys[number] = *key;
	is_in[number] = true;
	tr2_tree_add(&tree, number, key);
}

static void remove_number(uint32_t number)
{
	is_in[number] = false;
	tr2_tree_remove(&tree, number);
}

static int count_wrong(int times)
{
	int wrong = 0;
	struct tr2_tree_key key;

	while (times--) {
		key = draw_key(draw_number() % (4 * ROOM));
		wrong += tr2_tree_find(&tree, &key) != find_slowly(&key);
	}
	return wrong;
}

static void test_random(void)
{
	uint64_t turn = 0;
	uint32_t number;
	int wrong = 0, i;

	tr2_tree_grow(&tree, ROOM);
	for (i = 0; i < 4 * ROOM; i++) {
		number = 1 + draw_number() % ROOM;
		if (is_in[number]) {
			remove_number(number);
		} else {
			struct tr2_tree_key key = draw_key(++turn);

			add_number(number, &key);
		}
		wrong += count_wrong(i % 8 == 0);
	}
	tap_int(wrong, 0, "the last key that is not after one is found");
	for (number = 1; number <= ROOM; number++)
		wrong += is_in[number] &&
			 tr2_tree_find(&tree, &keys[number]) != number;
	tap_int(wrong, 0, "a key is not after itself");
	for (number = 1; number <= ROOM; number++)
		if (is_in[number])
			remove_number(number);
	tap_int(tree.root, 0, "a tree is empty when all are removed");
	tr2_tree_release(&tree);
}

static unsigned depth_of(uint32_t at)
{
	unsigned left, right;

	if (!at)
		return 0;
	left = depth_of(tree.nodes[at].left);
	right = depth_of(tree.nodes[at].right);
	return 1 + (left > right ? left : right);
}

static bool are_heaped(uint32_t at)
{
	const struct tr2_tree_node *node = &tree.nodes[at];

	return !at || (tree.nodes[node->left].priority <= node->priority &&
		       tree.nodes[node->right].priority <= node->priority &&
		       are_heaped(node->left) && are_heaped(node->right));
}

/* Returns its depth after keys that come in order, half of them removed. */
static unsigned make_depth(void)
{
	struct tr2_tree_key key = { .turn = 1 };
	uint32_t number;

	tr2_tree_grow(&tree, ROOM);
	tree.nodes[0].priority = 0;
	for (number = 1; number <= ROOM; number++, key.turn++)
		tr2_tree_add(&tree, number, &key);
	for (number = 1; number <= ROOM; number += 2)
		tr2_tree_remove(&tree, number);
	return depth_of(tree.root);
}

static void test_balance(void)
{
	unsigned depth = make_depth();

	/* A thousand nodes: at least 10; by chance 23, and 60 never. */
	tap_ok(depth >= 10 && depth < 60, "keys in order make no list");
	tap_ok(are_heaped(tree.root), "no node is above one that precedes it");
	tr2_tree_release(&tree);
	tap_ok(!tree.nodes && !tree.root && !tree.random,
	       "a tree is empty when it is released");
}

static void test_empty(void)
{
	const struct tr2_tree_key last = { { UINT64_MAX, 0 }, 0, 0, 0 };

	tap_int(tr2_tree_find(&tree, &last), 0, "nothing is in an empty tree");
	tr2_tree_grow(&tree, 1);
	tr2_tree_add(&tree, 1, &last);
	tr2_tree_grow(&tree, 2);
	tap_int(tr2_tree_find(&tree, &last), 1, "a tree stays when it grows");
	tr2_tree_add(&tree, 2, &(struct tr2_tree_key){ { 1, 9 }, 9, 9, 9 });
	tap_int(tr2_tree_find(&tree,
			      &(struct tr2_tree_key){ { 1, 9 }, 9, 9, 8 }),
		0, "what is after the key is not found");
	tr2_tree_release(&tree);
}

static void use_tree(void)
{
	make_depth();
	tr2_tree_release(&tree);
}

int main(void)
{
	test_empty();
	test_random();
	test_balance();
	tap_ok(!kit_leaks_each_time(use_tree),
	       "a tree frees all of its memory");
	tap_int(kit_broken, 0, "a tree stays inside its memory");
	return tap_done();
}
