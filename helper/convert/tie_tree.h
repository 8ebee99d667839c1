/*
 * tie_tree.h - numbers in the order of keys: a search tree that stays flat,
 * since the nodes have random priorities (a treap). Each call takes a time
 * that grows with the logarithm of how many there are.
 */
#ifndef TR2_CONVERT_TIE_TREE_H
#define TR2_CONVERT_TIE_TREE_H

#include <stdint.h>

#include "validate/hash.h"

/* Compared in this order. No two keys in a tree are the same. */
struct tr2_tree_key {
	struct tr2_hash sid;
	uint64_t words, time, turn;
};

struct tr2_tree_node {
	struct tr2_tree_key key;
	uint32_t left, right, priority;
};

/* All zero is an empty one. */
struct tr2_tree {
	struct tr2_tree_node *nodes;
	uint32_t root;	 /* 0: empty */
	uint64_t random; /* the last number */
};

/* Room for the numbers from 1 to `room`. It never gets less. */
void tr2_tree_grow(struct tr2_tree *tree, uint32_t room);
void tr2_tree_release(struct tr2_tree *tree);

/* The number must not be in the tree. */
void tr2_tree_add(struct tr2_tree *tree, uint32_t number,
		  const struct tr2_tree_key *key);
/* The number must be in the tree. */
void tr2_tree_remove(struct tr2_tree *tree, uint32_t number);

/* The number with the last key that is not after `key`, or 0. */
uint32_t tr2_tree_find(const struct tr2_tree *tree,
		       const struct tr2_tree_key *key);

#endif
