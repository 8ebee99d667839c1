/* tree_part.h - tree.c finds the parent of a process, tie.c the child. */
#ifndef TR2_MODEL_TREE_PART_H
#define TR2_MODEL_TREE_PART_H

#include "model/tree.h"

/*
 * Find the child that each of these processes is, or in which it ran. They are
 * all those of one parent, in the order in which they began.
 */
void tr2_tree_tie(struct tr2_tree *tree, struct tr2_tree_process **processes,
		  uint32_t count);

#endif
