/*
 * table.h - what a target is to the rest of the library: a row of hooks.
 * A target leaves out those of the second group that it does not need.
 *
 * `own` is the row's: the state of a target that shares its hooks with
 * others, or NULL.
 */
#ifndef TR2_TARGET_TABLE_H
#define TR2_TARGET_TABLE_H

#include <stdint.h>

#include "config/settings.h"
#include "destination/destination.h"
#include "target/target.h"

struct tr2_target {
	void *own;
	int writes_lines; /* with write(2), one an event */

	/* 1: it is on. It warns as destinations do. */
	int (*open)(void *own, const struct tr2_target_options *options);

	/* 1, or 0 where the event is lost and not counted. */
	int (*event)(void *own, struct tr2_event *event,
		     struct tr2_target_memory *memory);
	int (*event_in_signal)(void *own, struct tr2_event *event,
			       struct tr2_target_memory *memory);

	/* Is the file that was opened the sentinel of a full directory? */
	int (*has_too_many_files)(void *own);

	/* Events that were lost and counted. */
	uint64_t (*count_dropped)(void *own);

	/* In the child of a fork(2), at once: also of a target that is off. */
	void (*leave_parent)(void *own);

	/* In a child, if it was on: 1, or 0 where it is off from now on. */
	int (*reopen)(void *own, const struct tr2_target_options *options);

	/* ---- Each of these may be NULL ---- */

	/* A region without its event, for a target that can do without. */
	tr2_region_fn *enter_region;
	tr2_region_fn *leave_region;

	/* Before a fork(2) and after it, in the parent: hold what is shared. */
	void (*hold)(void *own);
	void (*let_go)(void *own);

	/* Know of all losses until now, and warn of them. */
	void (*settle)(void);

	/* In a signal handler, after the event: write what waits. */
	void (*hurry)(void);

	void (*close)(void);
};

/* In the order in which the targets are opened and get each event. */
extern const struct tr2_target tr2_target_table[TR2_TARGET_COUNT];

/* How the target of that number opens a destination. */
struct tr2_destination_options
tr2_target_destination(const struct tr2_target_options *options,
		       enum tr2_target_id id);

#endif
