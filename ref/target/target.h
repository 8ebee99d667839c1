/*
 * target.h - the targets: they receive the events of the process.
 *
 * A target is a row of the table in target/table.c, which names its hooks.
 * The text targets NORMAL, PERF and EVENT turn an event into a line and write
 * it to a destination. FXT and Chrome turn it into a record of the trace
 * engine. Users of this header know no target by name: they open the targets,
 * pass each event to those that are on, and close them. A new target is a
 * setting, a row and its hooks.
 *
 * A target never harms the host and never loses an event silently: either the
 * hook reports the loss, or the target counts it.
 *
 * Threads: open, reopen, settle and close on one thread; events and regions
 * on any. If a target is closed while another thread has an event for it, it
 * writes or drops this event. errno does not change, unless a function's
 * comment says so.
 */
#ifndef TR2_TARGET_TARGET_H
#define TR2_TARGET_TARGET_H

#include <stdint.h>

#include "base/buf.h"
#include "config/settings.h"
#include "destination/destination.h"
#include "event/format.h"

struct tr2_event;
struct tr2_settings;

/*
 * The options for opening targets. They must outlive the targets, except
 * `component`.
 */
struct tr2_target_options {
	const struct tr2_settings *settings;
	const char *component; /* the last component of the SID */
	unsigned depth;	       /* number of traced processes above this one */
	uint64_t *waited_ns;   /* the process's account, see host/wait.h */
};

/*
 * What a thread keeps for the targets between events, so that most events
 * allocate nothing. All zero at first.
 */
struct tr2_target_memory {
	struct tr2_buf line; /* the line that is being built */
	struct tr2_second utc;
	struct tr2_second local;
	uint64_t offset_quarter; /* the quarter of an hour of utc_offset */
	int32_t utc_offset;
	struct tr2_destination_seen seen[TR2_TARGET_FXT]; /* of the texts */
	unsigned waiting; /* bit n: the event is still to come to target n */
};

/* For `waiting`: no target has got the event yet. */
#define TR2_TARGETS_ALL (~0u)

typedef void tr2_region_fn(const char *category, const char *label, int repo);

/*
 * The targets of the process. `on` and `failed` are atomic; the others are
 * constant after open.
 *
 * If the only target does not need the events of regions, a region is two
 * calls of these hooks and no event, because an event costs more than a
 * record. NULL: regions are events.
 */
struct tr2_targets {
	unsigned on;	 /* bit n: target n of the table is on */
	unsigned failed; /* the same: it is off since a fork */
	unsigned ended; /* the same: it was closed, and its drops still count */
	int write_lines; /* with write(2), which may raise SIGXFSZ */
	tr2_region_fn *enter_region;
	tr2_region_fn *leave_region;
};

extern struct tr2_targets tr2_targets;

/*
 * May a target be on with these settings? If not, the process does without a
 * session.
 */
int tr2_targets_are_wanted(const struct tr2_settings *settings);

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
 * The same in a signal handler after which the process dies: waits for no
 * lock and allocates nothing. `memory->line` has a fixed size; wall_us is set
 * already.
 */
unsigned tr2_targets_event_in_signal(struct tr2_event *event,
				     struct tr2_target_memory *memory);

/*
 * Call this in a handler of the host's own, after the event: writes what
 * waits in the agent, for at most a tenth of a second. ending/death.h does so
 * in ours.
 */
void tr2_targets_hurry(void);

/*
 * The process ends in a handler that has interrupted this thread: its event
 * goes nowhere any more. Returns how many targets lose it without counting
 * it. Async-signal-safe.
 */
unsigned tr2_targets_leave_event(const struct tr2_target_memory *memory);

/* Only to the targets whose file is the sentinel of a full directory. */
unsigned tr2_targets_too_many_files(struct tr2_event *event,
				    struct tr2_target_memory *memory);

/*
 * How many targets are on, or should be: each loses an event that can't be made
 * whole.
 */
unsigned tr2_targets_count_on(void);

/*
 * Call it before lost events are reported: finds all losses until now and,
 * with destination debug, warns about the reason. Not in a signal handler.
 */
void tr2_targets_settle(void);

/* How many events the targets that are on have lost and counted. */
uint64_t tr2_targets_dropped(void);

/* After the last event: each target finishes its file. */
void tr2_targets_close(void);

/*
 * Around fork(2). The child writes nothing until its targets are opened
 * again, for its own session; only those that were on.
 */
void tr2_targets_fork_prepare(void);
void tr2_targets_fork_parent(void);
void tr2_targets_fork_child(void);
/* In a child of a bare clone(2), before that: only lines go on. */
void tr2_targets_fork_bare(void);
void tr2_targets_reopen(const struct tr2_target_options *options);

#endif
