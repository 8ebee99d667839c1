/*
 * table.h - the interface of a target: a row of hooks. A target may leave out
 * hooks of the second group.
 *
 * `own` belongs to the row: the state of a target that shares its hooks with
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
	int writes_lines; /* with write(2), one for each event */

	/* 1: it is on. Warns as destinations do. */
	int (*open)(void *own, const struct tr2_target_options *options);

	/* 1, or 0 if the event is lost and not counted. */
	int (*event)(void *own, struct tr2_event *event,
		     struct tr2_target_memory *memory);
	int (*event_in_signal)(void *own, struct tr2_event *event,
			       struct tr2_target_memory *memory);

	/* Is the file that was opened the sentinel of a full directory? */
	int (*has_too_many_files)(void *own);

	/* Returns how many events were lost and counted. */
	uint64_t (*count_dropped)(void *own);

	/*
	 * Called at once in the child of a fork(2), even if the target is off.
	 */
	void (*leave_parent)(void *own);

	/*
	 * Called in a child if the target was on: 1, or 0 if it is off from now
	 * on.
	 */
	int (*reopen)(void *own, const struct tr2_target_options *options);

	/* ---- Each of these may be NULL ---- */

	/*
	 * Enter a region without an event, for a target that does not need it.
	 */
	tr2_region_fn *enter_region;
	tr2_region_fn *leave_region;

	/*
	 * Called before and after a fork(2), in the parent: protect shared
	 * state.
	 */
	void (*hold)(void *own);
	void (*let_go)(void *own);

	/*
	 * An event hook was interrupted for good: has the target the event,
	 * or has it counted it? Async-signal-safe.
	 */
	int (*has_event)(void *own, const struct tr2_target_memory *memory);

	/* Find all losses until now, and warn about them. */
	void (*settle)(void);

	void (*close)(void);
};

/* After the targets of settings.h, one row for those of the program. */
enum { TR2_TARGET_ADDED = TR2_TARGET_COUNT, TR2_TARGET_ROWS };

/* In the order in which the targets are opened and get events. */
extern const struct tr2_target tr2_target_table[TR2_TARGET_ROWS];

/* Returns how the target with this number opens a destination. */
struct tr2_destination_options
tr2_target_destination(const struct tr2_target_options *options,
		       enum tr2_target_id id);

#endif
