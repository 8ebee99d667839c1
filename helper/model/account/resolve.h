/*
 * resolve.h - what resolve.c and share.c share: the time on its way from the
 * roots to those inside. A task is a process and its time. It is popped, gives
 * its time to its rows, and pushes tasks of the processes that ran in it.
 */
#ifndef TR2_ACCOUNT_RESOLVE_H
#define TR2_ACCOUNT_RESOLVE_H

#include "model/account/forest.h"

struct tr2_interval {
	int64_t from, to;
	uint8_t phase; /* where the process has none of its own */
};

struct tr2_owned { /* A time that a call, or a process in it, owns. */
	uint32_t owner;
	struct tr2_interval time;
};

/* The part of a span's time that its child's process has taken over. */
struct tr2_cover {
	int64_t length;
	int64_t phases[TR2_PHASES];
};

struct tr2_task { /* A process whose time is known. */
	uint32_t number;
	uint32_t first, count; /* of intervals; in the time of the process */
	uint32_t call;	       /* whose time it is, or TR2_TREE_NONE */
	int64_t shift;	       /* of its time to that of frames */
	bool is_root, accepted;
};

struct tr2_heir { /* A process that may have time of a call. */
	uint32_t number;
	uint64_t key;
	int64_t begin, end; /* in the time of its caller */
	int64_t shift;	    /* of its time to that */
};

struct tr2_resolving {
	struct tr2_forest *forest;
	struct tr2_vec tasks;	  /* struct tr2_task: the last one comes next */
	struct tr2_vec intervals; /* struct tr2_interval, of the tasks */
	struct tr2_vec pieces;	  /* struct tr2_owned, of the present process */
	struct tr2_vec heirs;	  /* struct tr2_heir, of one call */
	struct tr2_vec shares;	  /* struct tr2_owned, of these */
	struct tr2_vec open;	  /* uint32_t: heirs that have begun */

	/* The present process. */
	const struct tr2_tree_process *process;
	const struct tr2_kept *ended;
	struct tr2_task task;
	struct tr2_cover cover;
	int64_t self, waited;
};

static inline struct tr2_kept_call *
tr2_kept_call_at(const struct tr2_forest *forest, uint32_t number)
{
	return (struct tr2_kept_call *)forest->calls.items + number;
}

void tr2_owned_add(struct tr2_vec *pieces, uint32_t owner,
		   const struct tr2_interval *time);

/* Push tasks of the processes in the present one, which has its pieces. */
void tr2_resolving_share(struct tr2_resolving *run);

#endif
