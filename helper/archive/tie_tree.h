/*
 * tie_tree.h - numbers in the order of their keys: a search tree that stays
 * balanced because its nodes have random priorities (a treap). The time of
 * each call grows with the logarithm of the number of nodes.
 */
#ifndef TR2_ARCHIVE_TIE_TREE_H
#define TR2_ARCHIVE_TIE_TREE_H

#include <stdint.h>

#include "common/hash.h"

/* Compared in this order. No two keys of a tree are equal. */
struct tr2_tree_key {
	struct tr2_hash sid;
	uint64_t words, time, turn;
};

struct tr2_tree_node {
	struct tr2_tree_key key;
	uint32_t left, right, priority;
};

/* An empty one is all zero. */
struct tr2_tree {
	struct tr2_tree_node *nodes;
	uint32_t root;	 /* 0: empty */
	uint64_t random; /* state of the random numbers */
};

/* Make room for the numbers from 1 to `room`. The room never shrinks. */
void tr2_tree_grow(struct tr2_tree *tree, uint32_t room);
void tr2_tree_release(struct tr2_tree *tree);

/* The number must not be in the tree. */
void tr2_tree_add(struct tr2_tree *tree, uint32_t number,
		  const struct tr2_tree_key *key);
/* The number must be in the tree. */
void tr2_tree_remove(struct tr2_tree *tree, uint32_t number);

/* Returns the number with the last key that is not after `key`, or 0. */
uint32_t tr2_tree_find(const struct tr2_tree *tree,
		       const struct tr2_tree_key *key);

#endif
