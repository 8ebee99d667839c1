/*
 * join.h - which processes are one row, and when the row is complete.
 *
 * A process is complete when it has ended, its times are known, and each of
 * its children has either joined it or could not be started. It then joins
 * its parent, or becomes a row if it has none. What is not complete at the
 * end, because a log is missing, becomes part of a row then.
 *
 * The forest tells the times of a process after events of its parent, or
 * when there are no more; so no complete process waits for its parent's log.
 */
#ifndef TR2_TABLE_JOIN_H
#define TR2_TABLE_JOIN_H

#include "model/account/forest.h"
#include "views/table/process.h"

#define TR2_PROCESS_GONE UINT64_C(1)

/* Takes a process that is a row. */
typedef void tr2_flat_row_fn(void *context, struct tr2_flat_process *process);

struct tr2_flat_join {
	struct tr2_map processes; /* from a key, or TR2_PROCESS_GONE */
	tr2_flat_row_fn *put;
	tr2_flat_row_fn *close; /* its length is known */
	void *context;
};

/* Returns the process of a SID, or NULL: it has become a row. */
struct tr2_flat_process *tr2_flat_join_find(struct tr2_flat_join *join,
					    const char *sid, size_t len);

/* A tr2_forest_taker_fn for struct tr2_flat_join: the times are known. */
void tr2_flat_join_time(void *join, const struct tr2_forest *forest,
			const struct tr2_resolved *resolved);

/*
 * Let the process join its parent if it is complete; then the parent may be.
 * It may be freed.
 */
void tr2_flat_join_settle(struct tr2_flat_join *join,
			  struct tr2_flat_process *process);

/* There are no more events. */
void tr2_flat_join_end(struct tr2_flat_join *join);

void tr2_flat_join_release(struct tr2_flat_join *join);

#endif
