/*
 * tree.h - which process is whose. A view adds each process that has ended,
 * with the children that it started, in any order; when the input has ended,
 * tr2_tree_resolve() tells of each process which child of its parent it is, or
 * in which one it ran. Nothing is decided before, so the order of files
 * changes nothing.
 *
 * The rule:
 * - A process belongs to the one whose SID its SID extends.
 * - It is the child that has its pid; of several it is the one that was open
 *   when it began, else the nearest, but no other process is. A program that
 *   was executed has the pid of its process.
 * - Otherwise it ran inside the child that was open when it began, and of
 *   these inside the one that began last: git below a shell, in a hook or in
 *   an alias. One child may hold many. In brief form no time tells when a child
 *   began, but the order of lines does.
 * - Where nothing fits, it is the last child before it with the same words;
 *   that is a guess.
 * A process that executed another program is added with the end of that one.
 *
 * Everything stays until the input ends, so it is small: 64 bytes for a
 * process, 24 for a child, and 16 while they are sorted. What a view knows of
 * them it keeps beside, under the same numbers.
 */
#ifndef TR2_MODEL_TREE_H
#define TR2_MODEL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/common/vec.h"

struct tr2_record;

#define TR2_TREE_NONE UINT32_MAX
#define TR2_WORDS_MOST ((UINT32_C(1) << 29) - 1)

enum tr2_call_kind {
	TR2_CALL_CHILD,
	TR2_CALL_READY,	 /* it went on in the background */
	TR2_CALL_EXEC,	 /* another program took the place of the process */
	TR2_CALL_NOTHING /* it could not be started */
};

struct tr2_tree_call {
	int64_t begin, end;
	uint32_t pid;	     /* its low 32 bits, as in SIDs; 0: unknown */
	uint32_t words : 29; /* hash of its arguments; 0: unknown */
	uint32_t kind : 2;   /* enum tr2_call_kind */
	uint32_t taken : 1;  /* in the end: a process is this child */
};

enum tr2_tie {
	TR2_TIE_NONE,	/* it is in no child */
	TR2_TIE_CHILD,	/* it is the child */
	TR2_TIE_INSIDE, /* it ran inside the child */
	TR2_TIE_GUESS	/* only its words say that it is the child */
};

struct tr2_tree_process {
	uint64_t key, parent; /* hashes of SIDs */
	int64_t begin, end;   /* in one scale for all processes */
	uint32_t pid, words;  /* as above */
	uint32_t first;	      /* number of its first child */
	uint32_t after;	      /* so many children of its parent had begun, if
				 only the order of lines tells; 0: none */

	/* These are known in the end: */
	uint32_t caller; /* number of its parent, or TR2_TREE_NONE */
	uint32_t call;	 /* number of the child, or TR2_TREE_NONE */
	uint8_t tie;	 /* enum tr2_tie */

	bool has_parent; /* by its SID */
	bool timed;	 /* it had a `time` */
	bool went_on;	 /* after its end, in the background */
};

/* An empty one is all zero. */
struct tr2_tree {
	struct tr2_vec processes; /* struct tr2_tree_process */
	struct tr2_vec calls;	  /* struct tr2_tree_call */
	/*
	 * In the end, pointers to all processes that have a caller: by caller,
	 * call, begin and key.
	 */
	struct tr2_vec order;
};

/* Set what the SID tells: key, parent, has_parent and pid. */
void tr2_tree_read_sid(struct tr2_tree_process *process, const char *sid,
		       size_t len);

/* The process has ended. Returns its number; they count from 0. */
uint32_t tr2_tree_add(struct tr2_tree *tree,
		      const struct tr2_tree_process *process);

/*
 * A child or exec of the process that was added last, in the order in which
 * they began. Their numbers count from 0, too.
 */
void tr2_tree_add_call(struct tr2_tree *tree, const struct tr2_tree_call *call);

void tr2_tree_resolve(struct tr2_tree *tree);

/* In the end: returns the processes of this caller, in order. */
struct tr2_tree_process **tr2_tree_children(const struct tr2_tree *tree,
					    uint32_t caller, uint32_t *count);

void tr2_tree_release(struct tr2_tree *tree);

TR2_VEC_AT(tr2_tree_process_at, tr2_tree, processes, tr2_tree_process);

static inline uint32_t tr2_tree_number(const struct tr2_tree *tree,
				       const struct tr2_tree_process *process)
{
	return (uint32_t)(process - tr2_tree_process_at(tree, 0));
}

TR2_VEC_AT(tr2_tree_call_at, tr2_tree, calls, tr2_tree_call);

/* Returns the number after that of its last child. */
static inline uint32_t tr2_tree_last(const struct tr2_tree *tree,
				     uint32_t number)
{
	return number + 1 < tree->processes.count
		       ? tr2_tree_process_at(tree, number + 1)->first
		       : tree->calls.count;
}

/*
 * The event ends the child or exec: set its kind and pid. Before, the call has
 * its begin, its end, and the kind CHILD or EXEC.
 */
void tr2_tree_end_call(struct tr2_tree_call *call, struct tr2_record *record);

/* Tree.c finds the parent of a process, tie.c the child. */

/*
 * Find the child that each of these processes is, or in which it ran. They are
 * all those of one parent, in the order in which they began.
 */
void tr2_tree_tie(struct tr2_tree *tree, struct tr2_tree_process **processes,
		  uint32_t count);

#endif
