/*
 * join.h - which processes are one row: one that began in no other process of
 * the logs, and all those below it.
 *
 * Which these are is known when the input has ended, as any log may come last.
 * Until then a process that has ended is a text, which need not be in memory.
 */
#ifndef TR2_TABLE_JOIN_H
#define TR2_TABLE_JOIN_H

#include "lib/files/spill.h"
#include "model/account/forest.h"
#include "views/table/process.h"

/* Takes a process that is a row. */
typedef void tr2_flat_row_fn(void *context,
			     const struct tr2_flat_process *process);

struct tr2_flat_join {
	struct tr2_spill texts; /* of processes */
	struct tr2_vec places;	/* uint64_t: where each begins, by number */
	/* The present row: */
	struct tr2_resolved root;
	struct tr2_vec below; /* uint32_t: numbers of processes */
	bool has_root;
	bool failed; /* a text could not be read */
	tr2_flat_row_fn *put;
	void *context;
};

/* The process has ended. They come in the order of their numbers. */
void tr2_flat_join_keep(struct tr2_flat_join *join,
			const struct tr2_flat_process *process);

/* The next process: a root, or one below the last root. */
void tr2_flat_join_take(struct tr2_flat_join *join,
			const struct tr2_resolved *resolved);

/* There are no more. */
void tr2_flat_join_end(struct tr2_flat_join *join);

void tr2_flat_join_release(struct tr2_flat_join *join);

#endif
