#include <limits.h>
#include <stdlib.h>

#include "common/hash.h"
#include "common/memory.h"
#include "account/forest_part.h"

struct tr2_awaited {	      /* A span that waits for the log of its child. */
	struct tr2_twin twin; /* of those with this parent and pid */
	uint64_t parent;
	int64_t start, end;
	bool used; /* a process has some of its time */
	struct tr2_task task;
};

static uint64_t find_key(uint64_t parent, uint32_t pid)
{
	return tr2_hash_mix(parent, pid, UINT64_C(0x9e3779b97f4a7c15));
}

static struct tr2_twin **twins_at(const struct tr2_vec *heads, size_t place)
{
	return (struct tr2_twin **)heads->items + place;
}

/* Returns the place of the key, which may be new. */
static size_t enter_key(struct tr2_slots *slots, struct tr2_vec *heads,
			uint64_t key)
{
	size_t place = tr2_slots_find(slots, key);

	if (place != TR2_NO_SLOT)
		return place;
	place = tr2_slots_add(slots, key);
	tr2_vec_renew(heads, place, sizeof(void *));
	return place;
}

void tr2_wait_add(struct tr2_forest *forest, struct tr2_summary_process *parent,
		  struct tr2_summary_process *process)
{
	size_t place = enter_key(&forest->waiting_slots, &forest->waiting,
				 find_key(parent->key, process->pid));

	tr2_twin_add(twins_at(&forest->waiting, place), &process->twin);
	process->next = parent->waiting;
	process->before = NULL;
	if (parent->waiting)
		parent->waiting->before = process;
	parent->waiting = process;
}

void tr2_wait_remove(struct tr2_forest *forest,
		     struct tr2_summary_process *parent,
		     struct tr2_summary_process *process)
{
	size_t place = tr2_slots_find(&forest->waiting_slots,
				      find_key(parent->key, process->pid));
	struct tr2_twin **first = twins_at(&forest->waiting, place);

	tr2_twin_remove(first, &process->twin);
	if (!*first)
		tr2_slots_remove(&forest->waiting_slots, place);
	if (process->before)
		process->before->next = process->next;
	else
		parent->waiting = process->next;
	if (process->next)
		process->next->before = process->before;
}

/*
 * A pid may be used again, so the lives must overlap. Without times nothing
 * speaks against it.
 */
static bool fits_life(const struct tr2_summary_process *process, int64_t start,
		      int64_t end)
{
	return !process->timed ||
	       (process->base <= end && process->end >= start);
}

static struct tr2_summary_process *
find_waiting(const struct tr2_forest *forest, uint64_t key,
	     const struct tr2_child_span *span)
{
	size_t place = tr2_slots_find(&forest->waiting_slots, key);
	struct tr2_summary_process *child;
	const struct tr2_twin *twin;
	unsigned searched = 0;

	if (place == TR2_NO_SLOT)
		return NULL;
	twin = *twins_at(&forest->waiting, place);
	for (; twin && searched < TR2_TWINS_SEARCHED; twin = twin->next) {
		child = TR2_TWIN_OWNER(twin, struct tr2_summary_process);
		if (fits_life(child, span->start, span->end))
			return child;
		searched++;
	}
	return NULL;
}

struct tr2_summary_process *
tr2_wait_find(const struct tr2_forest *forest,
	      const struct tr2_summary_process *parent,
	      const struct tr2_child_span *span)
{
	if (!parent->waiting || !span->pid)
		return NULL;
	return find_waiting(forest, find_key(parent->key, span->pid), span);
}

void tr2_wait_find_heir(struct tr2_summary_process *process)
{
	struct tr2_summary_process *child;

	for (child = process->waiting; child; child = child->next)
		if (tr2_timeline_offer_heir(&process->timeline,
					    &child->timeline,
					    child->pid == process->pid))
			process->heir = child;
}

void tr2_await_add(struct tr2_forest *forest, uint64_t parent,
		   const struct tr2_child_span *span,
		   const struct tr2_task *task)
{
	size_t place = enter_key(&forest->awaited_slots, &forest->awaited,
				 find_key(parent, span->pid));
	struct tr2_awaited *awaited = tr2_must_grow(NULL, sizeof(*awaited));

	awaited->parent = parent;
	awaited->used = false;
	awaited->start = span->start;
	awaited->end = span->end;
	awaited->task = *task;
	tr2_twin_add(twins_at(&forest->awaited, place), &awaited->twin);
}

/* Returns the first one whose life the process fits, or NULL. */
static struct tr2_awaited *
find_awaited(const struct tr2_twin *twin,
	     const struct tr2_summary_process *process)
{
	struct tr2_awaited *awaited;
	unsigned searched = 0;

	for (; twin && searched < TR2_TWINS_SEARCHED; twin = twin->next) {
		awaited = TR2_TWIN_OWNER(twin, struct tr2_awaited);
		if (fits_life(process, awaited->start, awaited->end))
			return awaited;
		searched++;
	}
	return NULL;
}

bool tr2_await_take(struct tr2_forest *forest,
		    const struct tr2_summary_process *process,
		    struct tr2_task *task)
{
	size_t place = tr2_slots_find(&forest->awaited_slots,
				      find_key(process->parent, process->pid));
	struct tr2_twin **first;
	struct tr2_awaited *found;

	if (place == TR2_NO_SLOT || !process->pid)
		return false;
	first = twins_at(&forest->awaited, place);
	found = find_awaited(*first, process);
	if (!found)
		return false;
	tr2_twin_remove(first, &found->twin);
	*task = found->task;
	free(found);
	if (!*first)
		tr2_slots_remove(&forest->awaited_slots, place);
	return true;
}

void tr2_wait_defer(struct tr2_forest *forest,
		    struct tr2_summary_process *process)
{
	struct tr2_summary_process **added =
		tr2_vec_add(&forest->deferred, sizeof(*added));

	*added = process;
}

/* By parent, and then by start. */
static int compare_awaited(const void *left, const void *right)
{
	const struct tr2_awaited *a = *(struct tr2_awaited *const *)left;
	const struct tr2_awaited *b = *(struct tr2_awaited *const *)right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* By parent, and then the latest first. */
static int compare_deferred(const void *left, const void *right)
{
	const struct tr2_summary_process *a =
		*(struct tr2_summary_process *const *)left;
	const struct tr2_summary_process *b =
		*(struct tr2_summary_process *const *)right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->base != b->base)
		return a->base > b->base ? -1 : 1;
	return (a->key < b->key) - (a->key > b->key);
}

/* All spans that wait, in order. */
static struct tr2_vec list_awaited(const struct tr2_forest *forest)
{
	struct tr2_vec list = { 0 };
	struct tr2_awaited **added;
	struct tr2_twin *twin;
	uint32_t i;

	for (i = 0; i < forest->awaited.count; i++)
		for (twin = *twins_at(&forest->awaited, i); twin;
		     twin = twin->next) {
			added = tr2_vec_add(&list, sizeof(*added));
			*added = TR2_TWIN_OWNER(twin, struct tr2_awaited);
		}
	tr2_vec_sort(&list, sizeof(*added), compare_awaited);
	return list;
}

/*
 * Returns the span in which the process began: the one that began last of
 * those that were open. Only the nearest are searched, so that a log of many
 * open children does not take hours.
 */
#define SPANS_SEARCHED 64

static struct tr2_awaited *find_span(const struct tr2_vec *list,
				     const struct tr2_summary_process *process)
{
	struct tr2_awaited **spans = list->items;
	uint32_t low = 0, high = list->count, middle, searched;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (spans[middle]->parent < process->parent ||
		    (spans[middle]->parent == process->parent &&
		     spans[middle]->start <= process->base))
			low = middle + 1;
		else
			high = middle;
	}
	for (searched = 0; low && searched < SPANS_SEARCHED; searched++, low--)
		if (spans[low - 1]->parent != process->parent)
			break;
		else if (spans[low - 1]->end > process->base)
			return spans[low - 1];
	return NULL;
}

static void add_interval(struct tr2_vec *list, int64_t from, int64_t to,
			 uint8_t phase)
{
	struct tr2_interval *added;

	if (from >= to)
		return;
	added = tr2_vec_add(list, sizeof(*added));
	*added = (struct tr2_interval){ from, to, phase };
}

/* Divide the span's time: what is in the life of the process, and the rest. */
static struct tr2_vec split_intervals(struct tr2_vec *intervals,
				      const struct tr2_summary_process *process)
{
	const struct tr2_interval *old = intervals->items;
	struct tr2_vec inside = { 0 }, rest = { 0 };
	uint32_t i;

	for (i = 0; i < intervals->count; i++, old++) {
		int64_t from = old->from > process->base ? old->from
							 : process->base;
		int64_t to = old->to < process->end ? old->to : process->end;

		if (from >= to) {
			add_interval(&rest, old->from, old->to, old->phase);
			continue;
		}
		add_interval(&rest, old->from, from, old->phase);
		add_interval(&inside, from, to, old->phase);
		add_interval(&rest, to, old->to, old->phase);
	}
	tr2_vec_release(intervals);
	*intervals = rest;
	return inside;
}

/*
 * The program of a span may be a shell or a script that ran several commands:
 * they share its time. Where they overlap, the last one has it, so the latest
 * come first.
 */
static struct tr2_task share_span(const struct tr2_vec *list,
				  struct tr2_summary_process *process)
{
	struct tr2_awaited *span = process->timed ? find_span(list, process)
						  : NULL;
	struct tr2_task task = { .row = TR2_NO_ROW, .in_background = true };

	if (span) {
		task = span->task;
		task.intervals =
			split_intervals(&span->task.intervals, process);
		span->used = true;
	}
	task.process = process;
	return task;
}

bool tr2_wait_share(struct tr2_forest *forest)
{
	struct tr2_vec deferred = forest->deferred, list;
	struct tr2_summary_process **process = deferred.items;
	struct tr2_task *added;
	uint32_t i;

	if (!deferred.count)
		return false;
	forest->deferred = (struct tr2_vec){ 0 };
	list = list_awaited(forest);
	tr2_vec_sort(&deferred, sizeof(*process), compare_deferred);
	for (i = 0; i < deferred.count; i++) {
		added = tr2_vec_add(&forest->tasks, sizeof(*added));
		*added = share_span(&list, process[i]);
	}
	tr2_vec_release(&list);
	tr2_vec_release(&deferred);
	return true;
}

uint64_t tr2_await_end(struct tr2_forest *forest)
{
	struct tr2_vec list = list_awaited(forest);
	struct tr2_awaited **spans = list.items;
	uint64_t unlogged = 0;
	uint32_t i;

	for (i = 0; i < list.count; i++) {
		unlogged += spans[i]->task.accepted && !spans[i]->used;
		tr2_vec_release(&spans[i]->task.intervals);
		free(spans[i]);
	}
	tr2_vec_release(&list);
	forest->awaited.count = 0;
	return unlogged;
}
