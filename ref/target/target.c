#include "target/target.h"

#include <errno.h>

#include "target/added.h"
#include "target/table.h"
#include "trace/agent/agent.h"
#include "trace/engine/session.h"
#include "trace/outside/outside.h"

struct tr2_targets tr2_targets;

_Static_assert(TR2_TARGET_ROWS <= 8 * sizeof(tr2_targets.on),
	       "each target has a bit");

/* ---- Rows of the table, for each bit that is set, or all ---- */

static unsigned read_on(void)
{
	return __atomic_load_n(&tr2_targets.on, __ATOMIC_ACQUIRE);
}

/* Remove the first row from the set and return it. */
static const struct tr2_target *take_row(unsigned *set)
{
	const struct tr2_target *row = &tr2_target_table[__builtin_ctz(*set)];

	*set &= *set - 1;
	return row;
}

static unsigned bit_of(const struct tr2_target *row)
{
	return 1u << (row - tr2_target_table);
}

#define ALL_ROWS ((1u << TR2_TARGET_ROWS) - 1)

/* ---- Open and close ---- */

struct tr2_destination_options
tr2_target_destination(const struct tr2_target_options *options,
		       enum tr2_target_id id)
{
	const struct tr2_settings *settings = options->settings;
	struct tr2_destination_options destination = {
		.variable = settings->target[id].variable,
		.value = settings->target[id].destination,
		.file_name = options->component,
		.debug = settings->destination_debug,
		.max_files = settings->max_files,
		.waited_ns = options->waited_ns,
	};

	return destination;
}

/* If only one target is on, it may not need the events of regions. */
static void choose_regions(unsigned on)
{
	const struct tr2_target *only;

	if (__builtin_popcount(on) != 1)
		return;
	only = take_row(&on);
	tr2_targets.enter_region = only->enter_region;
	tr2_targets.leave_region = only->leave_region;
}

int tr2_targets_are_wanted(const struct tr2_settings *settings)
{
	int wanted = tr2_added_end();

	for (size_t i = 0; i < TR2_TARGET_COUNT; i++)
		wanted |= settings->target[i].destination != NULL;
	return wanted || tr2_outside_has_file();
}

int tr2_targets_open(const struct tr2_target_options *options)
{
	const int error = errno;
	unsigned rows = ALL_ROWS, on = 0;

	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		if (!row->open(row->own, options))
			continue;
		on |= bit_of(row);
		tr2_targets.write_lines |= row->writes_lines;
	}
	choose_regions(on);
	__atomic_store_n(&tr2_targets.on, on, __ATOMIC_RELEASE);
	errno = error;
	return on != 0;
}

void tr2_targets_settle(void)
{
	unsigned on = read_on();
	const int error = errno;

	while (on) {
		const struct tr2_target *row = take_row(&on);

		if (row->settle)
			row->settle();
	}
	errno = error;
}

uint64_t tr2_targets_dropped(void)
{
	unsigned rows = read_on() |
			__atomic_load_n(&tr2_targets.ended, __ATOMIC_RELAXED);
	uint64_t dropped = 0;

	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		dropped += row->count_dropped(row->own);
	}
	return dropped;
}

/* A target without a close hook stays on: another thread may be writing. */
void tr2_targets_close(void)
{
	unsigned on = read_on();

	while (on) {
		const struct tr2_target *row = take_row(&on);

		if (!row->close)
			continue;
		__atomic_fetch_or(&tr2_targets.ended, bit_of(row),
				  __ATOMIC_RELAXED);
		__atomic_fetch_and(&tr2_targets.on, ~bit_of(row),
				   __ATOMIC_ACQ_REL);
		row->close();
	}
}

/* ---- Events ---- */

/* SPEC: failure.drops-counted */
static unsigned count_failed(void)
{
	return (unsigned)__builtin_popcount(
		__atomic_load_n(&tr2_targets.failed, __ATOMIC_RELAXED));
}

unsigned tr2_targets_event(struct tr2_event *event,
			   struct tr2_target_memory *memory)
{
	unsigned on = read_on(), lost = count_failed();

	memory->waiting = on;
	while (on) {
		const struct tr2_target *row = take_row(&on);

		lost += !row->event(row->own, event, memory);
		memory->waiting = on;
	}
	return lost;
}

/* The target whose hook was interrupted may have the event all the same. */
static int has_event(const struct tr2_target_memory *memory)
{
	unsigned waiting = memory->waiting;
	const struct tr2_target *row;

	if (!waiting || waiting == TR2_TARGETS_ALL)
		return 0;
	row = take_row(&waiting);
	return row->has_event && row->has_event(row->own, memory);
}

/* The engine counts its own record. */
unsigned tr2_targets_leave_event(const struct tr2_target_memory *memory)
{
	const unsigned lost =
		(unsigned)__builtin_popcount(memory->waiting & read_on());
	const int is_there = has_event(memory) | tr2_trace_leave_record();

	return lost && is_there ? lost - 1 : lost;
}

unsigned tr2_targets_event_in_signal(struct tr2_event *event,
				     struct tr2_target_memory *memory)
{
	unsigned on = read_on(), lost = count_failed();

	while (on) {
		const struct tr2_target *row = take_row(&on);

		lost += !row->event_in_signal(row->own, event, memory);
	}
	return lost;
}

void tr2_targets_hurry(void)
{
	tr2_agent_hurry();
}

/* SPEC: order.too-many-files */
unsigned tr2_targets_too_many_files(struct tr2_event *event,
				    struct tr2_target_memory *memory)
{
	unsigned on = read_on(), lost = 0;

	while (on) {
		const struct tr2_target *row = take_row(&on);

		if (row->has_too_many_files(row->own))
			lost += !row->event(row->own, event, memory);
	}
	return lost;
}

unsigned tr2_targets_count_on(void)
{
	return (unsigned)__builtin_popcount(read_on()) + count_failed();
}

/* ---- Fork ---- */

/* Take the locks in the order of the table; release them in any order. */
void tr2_targets_fork_prepare(void)
{
	unsigned rows = ALL_ROWS;

	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		if (row->hold)
			row->hold(row->own);
	}
}

void tr2_targets_fork_parent(void)
{
	unsigned rows = ALL_ROWS;

	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		if (row->let_go)
			row->let_go(row->own);
	}
}

void tr2_targets_fork_child(void)
{
	unsigned rows = ALL_ROWS;
	const int error = errno;

	__atomic_store_n(&tr2_targets.ended, 0, __ATOMIC_RELAXED);
	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		row->leave_parent(row->own);
	}
	errno = error;
}

/* The program, or the sentinel of a full directory, wants it so. */
static int is_meant_off(const struct tr2_target *row)
{
	return row == &tr2_target_table[TR2_TARGET_ADDED] ||
	       row->has_too_many_files(row->own);
}

/* What goes no further is the child's loss. SPEC: failure.drops-counted */
void tr2_targets_fork_bare(void)
{
	unsigned rows = ALL_ROWS, others = 0, lost = 0;

	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		if (row->writes_lines) {
			row->leave_parent(row->own);
			continue;
		}
		others |= bit_of(row);
		if (!is_meant_off(row))
			lost |= bit_of(row);
	}
	lost &= __atomic_fetch_and(&tr2_targets.on, ~others, __ATOMIC_ACQ_REL);
	__atomic_fetch_or(&tr2_targets.failed, lost, __ATOMIC_RELAXED);
	tr2_targets.enter_region = tr2_targets.leave_region = NULL;
}

void tr2_targets_reopen(const struct tr2_target_options *options)
{
	unsigned rows = read_on(), on = 0;
	unsigned failed =
		__atomic_load_n(&tr2_targets.failed, __ATOMIC_RELAXED);
	const int error = errno;

	while (rows) {
		const struct tr2_target *row = take_row(&rows);

		if (row->reopen(row->own, options))
			on |= bit_of(row);
		else if (!is_meant_off(row))
			failed |= bit_of(row);
	}
	if (!on) /* what had them is among the failed, or is to be off */
		tr2_targets.enter_region = tr2_targets.leave_region = NULL;
	__atomic_store_n(&tr2_targets.failed, failed, __ATOMIC_RELAXED);
	__atomic_store_n(&tr2_targets.on, on, __ATOMIC_RELEASE);
	errno = error;
}
