/*
 * resolve.h - what resolve.c, share.c, path.c and sides.c share: the
 * time on its way from the roots to those inside. A task is a process and its
 * time. It is popped, gives its time to its rows, and pushes tasks of the
 * processes that ran in it.
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

struct tr2_served { /* A server runs; from `writes` on it writes a pack. */
	int64_t from, to, writes;
};

enum tr2_side {
	TR2_SIDE_SERVER,
	TR2_SIDE_NETWORK,
	TR2_SIDE_CLIENT,
	TR2_SIDE_BOTH,
	TR2_SIDE_UNKNOWN,
	TR2_SIDES
};

struct tr2_task { /* A process that may have time. */
	uint32_t number;
	uint64_t key;
	int64_t begin, end;    /* in the time of its caller, */
	int64_t inner_shift;   /* and the shift of its time to that */
	uint32_t first, count; /* of intervals; in the time of the process */
	int64_t shift;	       /* of its time to that of the root */
	uint32_t node;	       /* of the call in the chart */
	uint32_t depth;	       /* so many are around it in its root */
	bool is_root, accepted;
	bool serves;	/* it is a server, or in one, */
	bool is_served; /* which is not the root */
};

struct tr2_path_place { /* A process, and the shift of its time. */
	uint32_t number;
	int64_t shift;
};

struct tr2_resolving {
	struct tr2_forest *forest;
	struct tr2_vec tasks;	  /* struct tr2_task: the last one comes next */
	struct tr2_vec intervals; /* struct tr2_interval, of the tasks */
	struct tr2_vec pieces;	  /* struct tr2_owned, of the present process */
	struct tr2_vec shares;	  /* struct tr2_owned, of tasks of one call */
	struct tr2_vec open;	  /* uint32_t: those that have begun */
	struct tr2_chart chart;	  /* of the present root */
	bool charted;
	bool is_slowest;       /* so far; its chain is wanted */
	struct tr2_vec path;   /* struct tr2_path_place: from the root on */
	struct tr2_vec served; /* struct tr2_served, of the present root, */
	struct tr2_vec waits;  /* struct tr2_interval: when it may wait */
	int64_t sides[TR2_SIDES];

	/* The present process. */
	const struct tr2_tree_process *process;
	const struct tr2_kept *ended;
	struct tr2_task task;
	int64_t self, waited;
	uint32_t node; /* in the chart */
};

TR2_VEC_AT(tr2_kept_call_at, tr2_forest, calls, tr2_kept_call);
TR2_VEC_AT(tr2_ended_at, tr2_forest, ended, tr2_kept);
/* Returns the number after that of the last segment of a process. */
static inline uint32_t tr2_kept_last(const struct tr2_forest *forest,
				     uint32_t number)
{
	return number + 1 < forest->ended.count
		       ? tr2_ended_at(forest, number + 1)->segments
		       : forest->segments.count;
}

TR2_VEC_AT(tr2_path_at, tr2_resolving, path, tr2_path_place);

/*
 * A row of the present process has this time, and nobody in it; the row may be
 * TR2_OWNER_SELF.
 */
void tr2_resolving_give(struct tr2_resolving *run, uint32_t row, uint32_t frame,
			const struct tr2_interval *time);

/* share.c: the process has ended; its chart may be wanted. */
void tr2_charting_keep(struct tr2_forest *forest,
		       const struct tr2_summary_process *process);

/* The present process is a root; its chart ends the last one. */
void tr2_charting_begin(struct tr2_resolving *run);
void tr2_charting_end(struct tr2_resolving *run);

/* The present process comes into the chart, with its children. */
void tr2_charting_enter(struct tr2_resolving *run);

/* This stack of the present process owns this time, too. */
void tr2_charting_give(struct tr2_resolving *run, uint32_t stack,
		       const struct tr2_interval *time);

/* Returns the shift of a child's times to those of its caller. */
int64_t tr2_resolving_shift(const struct tr2_tree *tree,
			    const struct tr2_tree_process *child);

/* path.c: note the critical path of a root whose children overlap. */
void tr2_path_note(struct tr2_forest *forest, uint32_t number);

/* sides.c: is this the command of a server? */
bool tr2_sides_serves(const char *name);

/*
 * The present process runs, and has this time, in its phase. When all of a root
 * is known, the table is told.
 */
void tr2_sides_enter(struct tr2_resolving *run);
void tr2_sides_give(struct tr2_resolving *run, const struct tr2_interval *time);
void tr2_sides_end(struct tr2_resolving *run);

struct tr2_nested { /* What of a process is in one of its name, or group. */
	int64_t command, group;
};

/*
 * share.c: a total counts a microsecond once for each name. Take out of the
 * totals of children what is in a child of their name, and return what is to
 * be taken out of those of the present process.
 */
struct tr2_nested tr2_nested_count(const struct tr2_resolving *run);

/* Push tasks of the processes in the present one, which has its pieces. */
void tr2_resolving_share(struct tr2_resolving *run);

/*
 * kept.c: find which child the failed command obeyed: of its hooks, or, if its
 * message does not tell, of the other programs, the one that began last.
 */
void tr2_kept_find_refusal(struct tr2_forest *forest);

#endif
