#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/memory.h"
#include "read/value.h"
#include "account/event.h"
#include "account/forest_part.h"

#define BY_NAME(by, name) name,

const char *const tr2_by_names[] = { TR2_BY_ROWS(BY_NAME) NULL };

void tr2_forest_begin(struct tr2_forest *forest)
{
	memset(forest, 0, sizeof(*forest));
	tr2_rows_begin(&forest->rows);
}

static struct tr2_summary_process *slot_process(const struct tr2_map_slot *slot)
{
	return (struct tr2_summary_process *)(uintptr_t)slot->value;
}

/* The process of a slot that has not gone; it may be new and unseen. */
static struct tr2_summary_process *enter_process(struct tr2_forest *forest,
						 struct tr2_map_slot *slot)
{
	if (!slot->value)
		slot->value =
			(uintptr_t)tr2_process_new(&forest->rows, slot->hash);
	return slot_process(slot);
}

static void forget_process(struct tr2_forest *forest, uint64_t key)
{
	tr2_map_enter(&forest->processes, key)->value = TR2_PROCESS_GONE;
	if (forest->latest && forest->latest->key == key)
		forest->latest = NULL;
}

static uint32_t name_host(struct tr2_forest *forest, const char *sid,
			  size_t len)
{
	size_t end = 0, at;

	while (end < len && sid[end] != '/')
		end++;
	for (at = 0; at + 1 < end; at++)
		if (sid[at] == '-' && sid[at + 1] == 'H')
			break;
	sid += at + 1;
	len = at + 1 < end ? end - at - 1 : 0;
	for (end = 0; end < len && sid[end] != '-';)
		end++;
	return tr2_rows_name(&forest->rows, sid, end);
}

/* Its time is given at once if nothing can change it any more. */
static void open_process(struct tr2_forest *forest,
			 struct tr2_summary_process *process, const char *sid,
			 size_t len)
{
	size_t slash = len;

	while (slash && sid[slash - 1] != '/')
		slash--;
	process->state = TR2_PROCESS_OPEN;
	process->has_parent = slash > 0;
	if (slash)
		process->parent = tr2_hash(sid, slash - 1).a;
	process->pid = tr2_sid_pid(sid, len);
	if (forest->by == TR2_BY_HOST)
		process->host = name_host(forest, sid, len);
	process->direct = !slash && !tr2_forest_is_filtered(forest);
	process->frames = forest->frames;
	if (process->frames)
		process->frame = tr2_frames_add_process(process->frames);
}

struct tr2_summary_process *tr2_forest_process(struct tr2_forest *forest,
					       const char *sid, size_t len)
{
	uint64_t key = tr2_hash(sid, len).a;
	struct tr2_summary_process *process = forest->latest;
	struct tr2_map_slot *slot;

	key |= !key;
	if (process && process->key == key)
		return process;
	slot = tr2_map_enter(&forest->processes, key);
	if (slot->value == TR2_PROCESS_GONE)
		return NULL;
	process = enter_process(forest, slot);
	if (process->state == TR2_PROCESS_ENDED)
		return NULL;
	if (process->state == TR2_PROCESS_UNSEEN)
		open_process(forest, process, sid, len);
	forest->latest = process;
	return process;
}

static void add_task(struct tr2_forest *forest, const struct tr2_task *task)
{
	struct tr2_task *added = tr2_vec_add(&forest->tasks, sizeof(*added));

	*added = *task;
}

void tr2_forest_end_child(struct tr2_forest *forest,
			  struct tr2_summary_process *process, uint32_t place)
{
	if (!process->direct)
		return; /* its time is not known yet */
	tr2_process_flush(process);
	tr2_task_settle_span(forest, process, place, true);
	tr2_process_drop_child(process, place);
	tr2_forest_settle(forest);
}

void tr2_forest_count_span(const struct tr2_forest *forest,
			   struct tr2_summary_process *process, uint32_t local,
			   int64_t length)
{
	struct tr2_length *added;

	tr2_sums_count(&tr2_local_at(process, local)->sums, length);
	if (!forest->percentiles)
		return;
	added = tr2_vec_add(&process->lengths, sizeof(*added));
	added->local = local;
	added->value = length > 0 ? (uint64_t)length : 0;
}

/* Where does the process get its time from? */
static void place_process(struct tr2_forest *forest,
			  struct tr2_summary_process *process)
{
	struct tr2_task task = { .row = TR2_NO_ROW };
	struct tr2_map_slot *slot;

	if (!process->has_parent) {
		task.is_root = true;
	} else if (!tr2_await_take(forest, process, &task)) {
		slot = tr2_map_enter(&forest->processes, process->parent);
		if (slot->value == TR2_PROCESS_GONE)
			tr2_wait_defer(forest, process);
		else
			tr2_wait_add(forest, enter_process(forest, slot),
				     process);
		return;
	}
	task.process = process;
	add_task(forest, &task);
}

/* There are no more events. One that was replaced waits with its spans. */
static void end_process(struct tr2_forest *forest,
			struct tr2_summary_process *process)
{
	tr2_rest_leave(&forest->rest, &process->rest);
	tr2_summary_settle(forest, process);
	if (!process->timeline.is_replaced)
		tr2_summary_close_spans(forest, process);
	process->state = TR2_PROCESS_ENDED;
	if (forest->latest == process)
		forest->latest = NULL;
}

static void end_resting(struct tr2_forest *forest, size_t most)
{
	struct tr2_summary_process *process;

	while (forest->rest.count > most) {
		process = TR2_REST_OWNER(forest->rest.first,
					 struct tr2_summary_process);
		end_process(forest, process);
		place_process(forest, process);
		tr2_forest_settle(forest);
	}
}

void tr2_forest_rest(struct tr2_forest *forest,
		     struct tr2_summary_process *process)
{
	if (process->timeline.went_on) {
		tr2_rest_leave(&forest->rest, &process->rest);
		return;
	}
	tr2_rest_enter(&forest->rest, &process->rest);
	end_resting(forest, TR2_REST_MOST);
}

void tr2_forest_settle(struct tr2_forest *forest)
{
	struct tr2_task task;
	uint64_t key;

	while (forest->tasks.count) {
		forest->tasks.count--;
		task = ((struct tr2_task *)
				forest->tasks.items)[forest->tasks.count];
		key = task.process->key;
		tr2_task_resolve(forest, &task);
		forget_process(forest, key);
	}
}

void tr2_forest_end_rested(struct tr2_forest *forest)
{
	end_resting(forest, 0);
}

/* Returns the processes in this state; settling changes the map. */
static struct tr2_vec list_processes(const struct tr2_forest *forest,
				     enum tr2_process_state state)
{
	const struct tr2_map_slot *slot = NULL;
	struct tr2_vec list = { 0 };
	struct tr2_summary_process **added;

	while ((slot = tr2_map_next(&forest->processes, slot)))
		if (slot->value > TR2_PROCESS_GONE &&
		    slot_process(slot)->state == state) {
			added = tr2_vec_add(&list, sizeof(*added));
			*added = slot_process(slot);
		}
	return list;
}

/*
 * Roots come last: a child that was executed makes its parent longer. They
 * have a list of their own, because the others are freed when they settle.
 */
static void end_open_processes(struct tr2_forest *forest)
{
	struct tr2_vec open = list_processes(forest, TR2_PROCESS_OPEN);
	struct tr2_summary_process **process = open.items;
	uint32_t i, roots = 0;

	for (i = 0; i < open.count; i++)
		end_process(forest, process[i]);
	for (i = 0; i < open.count; i++)
		if (process[i]->has_parent)
			place_process(forest, process[i]);
		else
			process[roots++] = process[i];
	tr2_forest_settle(forest);
	for (i = 0; i < roots; i++)
		place_process(forest, process[i]);
	tr2_forest_settle(forest);
	tr2_vec_release(&open);
}

/* Children of processes that are in no log become roots. */
static void end_unseen_processes(struct tr2_forest *forest)
{
	struct tr2_vec unseen = list_processes(forest, TR2_PROCESS_UNSEEN);
	struct tr2_summary_process **process = unseen.items;
	struct tr2_task task = { .row = TR2_NO_ROW, .is_root = true };
	uint32_t i;

	for (i = 0; i < unseen.count; i++) {
		while ((task.process = process[i]->waiting)) {
			tr2_wait_remove(forest, process[i], task.process);
			forest->counts.cut++;
			add_task(forest, &task);
		}
		tr2_forest_settle(forest);
		forget_process(forest, process[i]->key);
		tr2_process_free(process[i]);
	}
	tr2_vec_release(&unseen);
}

void tr2_forest_end(struct tr2_forest *forest)
{
	tr2_forest_end_rested(forest);
	end_open_processes(forest);
	end_unseen_processes(forest);
	while (tr2_wait_share(forest))
		tr2_forest_settle(forest);
	/* Some may have come from merged states. */
	forest->counts.unlogged += tr2_await_end(forest);
}

void tr2_forest_release(struct tr2_forest *forest)
{
	tr2_rows_release(&forest->rows);
	tr2_chains_release(&forest->chains);
	tr2_map_release(&forest->processes);
	tr2_vec_release(&forest->tasks);
	tr2_slots_release(&forest->waiting_slots);
	tr2_slots_release(&forest->awaited_slots);
	tr2_vec_release(&forest->waiting);
	tr2_vec_release(&forest->awaited);
	tr2_vec_release(&forest->deferred);
}
