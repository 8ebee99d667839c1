/*
 * target.h - the targets: who gets the events of the process.
 *
 * A target is a row of the table in target/table.c, which names its hooks.
 * The text targets NORMAL, PERF and EVENT make a line of an
 * event and write it to a destination. FXT and Chrome make a record of the
 * trace engine of it. Whoever uses this header knows none of them by name:
 * it opens the targets, hands each event to those that are on, and closes
 * them. A new target is a setting, a row and its hooks.
 *
 * A target never harms the host and never loses an event in silence: a hook
 * says that it lost one, or the target counts it.
 *
 * Threads: open, reopen, settle and close on one thread; events and regions
 * on any. A target that is closed while another thread has an event for it
 * takes that event or drops it. errno stays as it is, except where a
 * function says otherwise.
 */
#ifndef TR2_TARGET_TARGET_H
#define TR2_TARGET_TARGET_H

#include <stdint.h>

#include "base/buf.h"
#include "event/format.h"

struct tr2_event;
struct tr2_settings;

/* What targets are opened with. It outlives them, but for `component`. */
struct tr2_target_options {
	const struct tr2_settings *settings;
	const char *component; /* the last one of the SID */
	unsigned depth;	       /* of processes above this one that trace */
	uint64_t *waited_ns;   /* the process's account, see base/wait.h */
};

/*
 * What a thread keeps for the targets between events, so that a steady
 * state allocates nothing. All zeros at first.
 */
struct tr2_target_memory {
	struct tr2_buf line; /* what is being built */
	struct tr2_second utc;
	struct tr2_second local;
	uint64_t offset_quarter; /* the quarter of an hour of utc_offset */
	int32_t utc_offset;
};

typedef void tr2_region_fn(const char *category, const char *label, int repo);

/*
 * Of the process. `on` is atomic, the others are constant after open.
 *
 * A region whose only target can do without its event takes two calls of
 * these hooks and no event: what the targets share of an event costs more
 * than a record. NULL: a region is its events.
 */
struct tr2_targets {
	unsigned on;	 /* bit n: the target n of the table */
	int write_lines; /* with write(2), which may raise SIGXFSZ */
	tr2_region_fn *enter_region;
	tr2_region_fn *leave_region;
};

extern struct tr2_targets tr2_targets;

/* Open what the settings ask for. 1: a target is on. */
int tr2_targets_open(const struct tr2_target_options *options);

/*
 * Give the event to each target that is on. wall_us and utc_offset are
 * filled in where a target needs them. Returns how many targets lost the
 * event without counting it. May change errno.
 */
unsigned tr2_targets_event(struct tr2_event *event,
			   struct tr2_target_memory *memory);

/*
 * The same in a signal handler after which the process dies: no lock is
 * waited for, no memory is asked for, and what waits to be written is
 * written. `memory->line` has fixed room; wall_us is filled in.
 */
unsigned tr2_targets_event_in_signal(struct tr2_event *event,
				     struct tr2_target_memory *memory);

/* Only to the targets whose file is the sentinel of a full directory. */
unsigned tr2_targets_too_many_files(struct tr2_event *event,
				    struct tr2_target_memory *memory);

/* How many targets are on: each loses an event that can't be made whole. */
unsigned tr2_targets_count_on(void);

/*
 * Before the events that are lost are reported: know of all until now, and
 * with destination debug warn why. Not in a signal handler.
 */
void tr2_targets_settle(void);

/* How many events the targets that are on have lost and counted. */
uint64_t tr2_targets_dropped(void);

/* After the last event: each target finishes its file. */
void tr2_targets_close(void);

/*
 * Around fork(2). In the child nothing is written until the targets are
 * opened anew: those that were on, for the child's own session.
 */
void tr2_targets_fork_prepare(void);
void tr2_targets_fork_parent(void);
void tr2_targets_fork_child(void);
void tr2_targets_reopen(const struct tr2_target_options *options);

#endif
