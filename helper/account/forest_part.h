/*
 * forest_part.h - what the files of the tree share: children that wait for
 * their parent, and ended spans that wait for the log of their child. Both
 * are found by the parent's SID and the child's pid.
 */
#ifndef TR2_ACCOUNT_FOREST_PART_H
#define TR2_ACCOUNT_FOREST_PART_H

#include "account/forest.h"

/* The process has ended and waits for its parent. */
void tr2_wait_add(struct tr2_forest *forest, struct tr2_summary_process *parent,
		  struct tr2_summary_process *process);

/* It waits no longer. */
void tr2_wait_remove(struct tr2_forest *forest,
		     struct tr2_summary_process *parent,
		     struct tr2_summary_process *process);

/* Returns the child of this span that waits, or NULL. */
struct tr2_summary_process *
tr2_wait_find(const struct tr2_forest *forest,
	      const struct tr2_summary_process *parent,
	      const struct tr2_child_span *span);

/* Find the child that took the process's place by exec. */
void tr2_wait_find_heir(struct tr2_summary_process *process);

/*
 * The span, which has ended, waits for the log of its child. The task is what
 * the child gets.
 */
void tr2_await_add(struct tr2_forest *forest, uint64_t parent,
		   const struct tr2_child_span *span,
		   const struct tr2_task *task);

/* Take the task of the span that waits for this process; false: none does. */
bool tr2_await_take(struct tr2_forest *forest,
		    const struct tr2_summary_process *process,
		    struct tr2_task *task);

/*
 * No span of its parent has its pid. All such processes are shared among the
 * spans at the end, when all logs are known.
 */
void tr2_wait_defer(struct tr2_forest *forest,
		    struct tr2_summary_process *process);

/* Make tasks of the deferred processes; false: there are none. */
bool tr2_wait_share(struct tr2_forest *forest);

/* Forget all spans; returns how many of them have no log. */
uint64_t tr2_await_end(struct tr2_forest *forest);

/* Resolve the process of the task, and free it. */
void tr2_task_resolve(struct tr2_forest *forest, struct tr2_task *task);

/*
 * The span has ended: give its time to its child, or let it wait for the
 * child's log.
 */
void tr2_task_settle_span(struct tr2_forest *forest,
			  struct tr2_summary_process *process, uint32_t place,
			  bool accepted);

#endif
