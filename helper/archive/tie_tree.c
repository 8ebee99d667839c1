#include "archive/tie_tree.h"

#include <stdlib.h>
#include <time.h>

#include "common/memory.h"
#include "common/vec.h"

/* The order of keys. `turn` makes all keys different. */
static int compare_keys(const struct tr2_tree_key *a,
			const struct tr2_tree_key *b)
{
	int order = tr2_order(a->sid.a, b->sid.a);

	if (!order)
		order = tr2_order(a->sid.b, b->sid.b);
	if (!order)
		order = tr2_order(a->words, b->words);
	if (!order)
		order = tr2_order(a->time, b->time);
	return order ? order : tr2_order(a->turn, b->turn);
}

void tr2_tree_grow(struct tr2_tree *tree, uint32_t room)
{
	tree->nodes = tr2_must_grow(tree->nodes,
				    ((size_t)room + 1) * sizeof(*tree->nodes));
}

void tr2_tree_release(struct tr2_tree *tree)
{
	free(tree->nodes);
	*tree = (struct tr2_tree){ 0 };
}

/*
 * The priorities are not predictable, so that nobody can write a log that
 * turns the tree into a list.
 */
static uint32_t draw_priority(struct tr2_tree *tree)
{
	struct timespec now;

	if (!tree->random) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		tree->random = (uint64_t)now.tv_nsec << 20 | 1;
	}
	tree->random ^= tree->random << 13;
	tree->random ^= tree->random >> 7;
	tree->random ^= tree->random << 17;
	return (uint32_t)(tree->random >> 16);
}

/*
 * Divide the tree at `at`: the part before the key goes to *left, the rest to
 * *right.
 */
static void split_tree(struct tr2_tree *tree, uint32_t at,
		       const struct tr2_tree_key *key, uint32_t *left,
		       uint32_t *right)
{
	struct tr2_tree_node *node;

	while (at) {
		node = &tree->nodes[at];
		if (compare_keys(&node->key, key) < 0) {
			*left = at;
			left = &node->right;
			at = *left;
		} else {
			*right = at;
			right = &node->left;
			at = *right;
		}
	}
	*left = *right = 0;
}

/* Join two trees; all keys of `left` are before all keys of `right`. */
static void join_trees(struct tr2_tree *tree, uint32_t *at, uint32_t left,
		       uint32_t right)
{
	while (left && right) {
		if (tree->nodes[left].priority > tree->nodes[right].priority) {
			*at = left;
			at = &tree->nodes[left].right;
			left = *at;
		} else {
			*at = right;
			at = &tree->nodes[right].left;
			right = *at;
		}
	}
	*at = left ? left : right;
}

/*
 * A node's priority is never above that of its parent. The new node takes the
 * place of the first one with a lower priority, and divides its subtree.
 */
void tr2_tree_add(struct tr2_tree *tree, uint32_t number,
		  const struct tr2_tree_key *key)
{
	struct tr2_tree_node *node = &tree->nodes[number], *other;
	uint32_t *at = &tree->root;

	node->key = *key;
	node->priority = draw_priority(tree);
	while (*at && tree->nodes[*at].priority >= node->priority) {
		other = &tree->nodes[*at];
		at = compare_keys(&other->key, key) < 0 ? &other->right
							: &other->left;
	}
	split_tree(tree, *at, key, &node->left, &node->right);
	*at = number;
}

void tr2_tree_remove(struct tr2_tree *tree, uint32_t number)
{
	struct tr2_tree_node *node = &tree->nodes[number], *other;
	uint32_t *at = &tree->root;

	while (*at != number) {
		other = &tree->nodes[*at];
		at = compare_keys(&other->key, &node->key) < 0 ? &other->right
							       : &other->left;
	}
	join_trees(tree, at, node->left, node->right);
}

uint32_t tr2_tree_find(const struct tr2_tree *tree,
		       const struct tr2_tree_key *key)
{
	uint32_t at = tree->root, found = 0;

	while (at)
		if (compare_keys(&tree->nodes[at].key, key) <= 0) {
			found = at;
			at = tree->nodes[at].right;
		} else {
			at = tree->nodes[at].left;
		}
	return found;
}
