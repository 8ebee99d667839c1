#include "model/walk.h"

#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"

#define ENDED 1	  /* its events that follow are late */
#define MARK_AT 2 /* bits */

/* Is it a process, and not what has become of one? */
static bool is_open(uint64_t value)
{
	return value && !(value & ENDED);
}

struct tr2_heir_kept { /* A program that may have taken the place of its parent. */
	int64_t base, began; /* `time` of its t_abs 0, and of its first event */
	int64_t length;
	uint64_t next; /* of the same parent, from 1; 0: none */
	int64_t code;  /* of its end, as a shell tells it; or 0 */
	bool has_pid;  /* of its parent */
};

/*
 * Is it the program that was executed, rather than those that were offered
 * before? The one with the pid of the process is, else the first that began
 * after the exec.
 */
static bool is_heir(const struct tr2_timeline *parent,
		    const struct tr2_heir_kept *heir)
{
	if (parent->base && heir->base &&
	    heir->began < parent->base + parent->replaced_at)
		return false;
	return !parent->has_heir || (parent->heir_has_pid == heir->has_pid
					     ? heir->began < parent->heir_began
					     : heir->has_pid);
}

/* The process ends where, and as, its heir does. False: it executed no program. */
static bool try_heir(struct tr2_timeline *parent,
		     const struct tr2_heir_kept *heir)
{
	int64_t gap = parent->base && heir->base ? heir->base - parent->base
						 : 0;

	if (!parent->is_replaced || !is_heir(parent, heir))
		return parent->is_replaced;
	parent->has_heir = true;
	parent->heir_has_pid = heir->has_pid;
	parent->heir_began = heir->began;
	parent->code = heir->code;
	parent->has_code = heir->code;
	if (gap < parent->replaced_at)
		gap = parent->replaced_at;
	parent->replaced_until =
		tr2_least(tr2_capped_add(gap, heir->length), TR2_PLACE_MOST);
	return true;
}

static void keep_heir(struct tr2_heirs *heirs, uint64_t parent_sid,
		      const struct tr2_heir_kept *heir)
{
	struct tr2_map_slot *slot = tr2_map_enter(&heirs->places, parent_sid);
	struct tr2_heir_kept *kept = tr2_vec_add(&heirs->kept, sizeof(*kept));

	*kept = *heir;
	kept->next = slot->value;
	slot->value = heirs->kept.count;
}

/* The process ends: so it may with one that was offered before. */
static void take_heirs(const struct tr2_heirs *heirs, struct tr2_life *life)
{
	uint64_t place = tr2_map_value(&heirs->places, life->self.key);
	const struct tr2_heir_kept *heir;

	for (; place; place = heir->next) {
		heir = (struct tr2_heir_kept *)heirs->kept.items + place - 1;
		try_heir(&life->timeline, heir);
	}
}

static void release_heirs(struct tr2_heirs *heirs)
{
	tr2_map_release(&heirs->places);
	tr2_vec_release(&heirs->kept);
}

static void enter_list(struct tr2_map *map, const struct tr2_rest *list)
{
	struct tr2_rest_place *place;
	struct tr2_life *life;

	for (place = list->first; place; place = place->next) {
		life = tr2_life_of(place);
		tr2_map_enter(map, life->self.key)->value = (uintptr_t)life;
	}
}

/* Forget the processes that ended long ago. */
static void forget_ended(struct tr2_walk *walk)
{
	const size_t open = walk->open.count + walk->aside.count;

	if (!walk->sids_most || walk->recent.count < walk->sids_most + open)
		return;
	release_heirs(&walk->heirs);
	tr2_map_release(&walk->older);
	walk->older = walk->recent;
	walk->recent = (struct tr2_map){ 0 };
	enter_list(&walk->recent, &walk->aside);
	enter_list(&walk->recent, &walk->open);
}

static struct tr2_life *begin_life(struct tr2_walk *walk, const char *sid,
				   size_t len)
{
	struct tr2_life *life = tr2_must_zeros(walk->view->size);
	uint64_t parent;

	tr2_timeline_begin(&life->timeline, &walk->view->events, walk->taker);
	tr2_tree_read_sid(&life->self, sid, len);
	for (size_t i = 0; i < len; i++)
		if (sid[i] == '/') {
			life->depth++;
			life->parent_pid = tr2_sid_pid(sid, i);
		}
	parent = tr2_map_value(&walk->recent, life->self.parent);
	if (is_open(parent))
		life->self.after =
			((struct tr2_life *)(uintptr_t)parent)->started;
	tr2_rest_enter(&walk->open, &life->open);
	life->number = walk->begun++;
	walk->view->begin(walk->taker, life, sid, len);
	return life;
}

static struct tr2_life *find_life(struct tr2_walk *walk, const char *sid,
				  size_t len, uint64_t key)
{
	struct tr2_map_slot *slot;

	forget_ended(walk);
	slot = tr2_map_enter(&walk->recent, key);
	if (!slot->value && !is_open(tr2_map_value(&walk->older, key)))
		slot->value = tr2_map_value(&walk->older, key);
	if (slot->value & ENDED && walk->begins_again)
		slot->value = 0;
	walk->late += slot->value & ENDED;
	if (!slot->value)
		slot->value = (uintptr_t)begin_life(walk, sid, len);
	return is_open(slot->value) ? (struct tr2_life *)(uintptr_t)slot->value
				    : NULL;
}

/* Most events belong to the same process as the one before. */
struct tr2_life *tr2_walk_find(struct tr2_walk *walk, const char *sid,
			       size_t len)
{
	const uint64_t key = tr2_hash(sid, len).a;

	if (!walk->latest || walk->latest->self.key != key)
		walk->latest = find_life(walk, sid, len, key);
	return walk->latest;
}

uint32_t tr2_walk_mark(const struct tr2_walk *walk, uint64_t hash)
{
	return (uint32_t)(tr2_map_value(&walk->recent, hash) >> MARK_AT);
}

void tr2_walk_set_mark(struct tr2_walk *walk, uint64_t hash, uint32_t mark)
{
	tr2_map_enter(&walk->recent, hash)->value = ENDED | (uint64_t)mark
								    << MARK_AT;
}

void tr2_walk_settle(struct tr2_walk *walk, struct tr2_life *life)
{
	walk->life = life;
	tr2_timeline_settle(&life->timeline);
}

/*
 * Its parent may have executed it, and then ends with it. The exec may be one
 * of the events that are held.
 */
static void offer_heir(struct tr2_walk *walk, const struct tr2_life *life)
{
	const struct tr2_tree_process *self = &life->self;
	const struct tr2_timeline *timeline = &life->timeline;
	const int64_t signal = tr2_timeline_signal(timeline);
	const struct tr2_heir_kept heir = {
		.base = timeline->base,
		.began = timeline->base + timeline->first,
		.length = tr2_timeline_length(timeline),
		.code = tr2_timeline_exit(timeline, signal ? 128 + signal : 0),
		.has_pid = life->parent_pid == self->pid,
	};
	uint64_t known = tr2_map_value(&walk->recent, self->parent);
	struct tr2_timeline *parent;

	if (!self->has_parent || (known && !is_open(known)))
		return;
	parent = known ? &((struct tr2_life *)(uintptr_t)known)->timeline
		       : NULL;
	if (!parent ||
	    (!try_heir(parent, &heir) && (heir.has_pid || parent->held)))
		keep_heir(&walk->heirs, self->parent, &heir);
}

static void leave_list(struct tr2_walk *walk, struct tr2_life *life)
{
	tr2_rest_leave(life->is_aside ? &walk->aside : &walk->open,
		       &life->open);
}

void tr2_walk_free(const struct tr2_walk *walk, struct tr2_life *life)
{
	tr2_timeline_release(&life->timeline);
	walk->view->release(life);
	free(life);
}

/* Whoever keeps it may free it at once. */
static void end_life(struct tr2_walk *walk, struct tr2_life *life)
{
	const uint64_t key = life->self.key;
	const uint32_t mark = life->mark;

	take_heirs(&walk->heirs, life);
	offer_heir(walk, life);
	tr2_timeline_close(&life->timeline);
	life->self.begin = life->timeline.base;
	life->self.end =
		life->timeline.base + tr2_timeline_length(&life->timeline);
	life->self.timed = life->timeline.latest != 0;
	leave_list(walk, life);
	if (!walk->view->end(walk->taker, life))
		tr2_walk_free(walk, life);
	tr2_walk_set_mark(walk, key, mark);
	walk->latest = NULL;
}

void tr2_walk_end_life(struct tr2_walk *walk, struct tr2_life *life)
{
	tr2_rest_leave(&walk->rest, &life->rest);
	tr2_walk_settle(walk, life);
	if (life->waits)
		return;
	if (!life->timeline.is_replaced || !walk->defers) {
		end_life(walk, life);
		return;
	}
	life->waits = true;
	TR2_VEC_COPY(&walk->replaced, struct tr2_life *, life);
}

void tr2_walk_leave(struct tr2_walk *walk, const char *sid, size_t len)
{
	const uint64_t value =
		tr2_map_value(&walk->recent, tr2_hash(sid, len).a);
	struct tr2_life *life = (struct tr2_life *)(uintptr_t)value;

	if (is_open(value) && !life->rest.rests)
		tr2_walk_end_life(walk, life);
}

static void end_resting(struct tr2_walk *walk, size_t most)
{
	while (walk->rest.count > most)
		tr2_walk_end_life(walk, tr2_life_rested(walk));
}

void tr2_walk_take(struct tr2_walk *walk, struct tr2_life *life,
		   struct tr2_record *record)
{
	const struct tr2_timeline *timeline = &life->timeline;

	walk->life = life;
	life->recent = walk->now;
	life->started += (record->is == TR2_IS_CHILD_START ||
			  record->is == TR2_IS_EXEC) &&
			 !tr2_record_find_time(record);
	tr2_timeline_take(&life->timeline, record);
	if (!timeline->ending)
		return;
	if (timeline->went_on) {
		tr2_rest_leave(&walk->rest, &life->rest);
	} else if (walk->rest_most || timeline->ending != TR2_ENDING_EXIT) {
		tr2_rest_enter(&walk->rest, &life->rest);
		end_resting(walk, walk->rest_most);
	}
}

void tr2_walk_put_aside(struct tr2_walk *walk, struct tr2_life *life)
{
	tr2_rest_leave(&walk->open, &life->open);
	tr2_rest_enter(&walk->aside, &life->open);
	life->is_aside = true;
}

static void settle_list(struct tr2_walk *walk, const struct tr2_rest *list)
{
	struct tr2_rest_place *place;

	for (place = list->first; place; place = place->next)
		tr2_walk_settle(walk, tr2_life_of(place));
}

static void end_list(struct tr2_walk *walk, struct tr2_rest_place *place)
{
	struct tr2_life *life;

	while ((life = tr2_life_of(place))) {
		place = place->next;
		tr2_walk_end_life(walk, life);
	}
}

/* One that began in another one comes first. */
TR2_COMPARE_PLACES(compare_depths, tr2_life,
		   TR2_BY_LAST(depth, TR2_BY(number, 0)));

void tr2_walk_end(struct tr2_walk *walk)
{
	struct tr2_life **life;

	settle_list(walk, &walk->aside);
	settle_list(walk, &walk->open);
	end_resting(walk, 0);
	walk->defers = true;
	end_list(walk, walk->aside.first);
	end_list(walk, walk->open.first);
	tr2_vec_sort(&walk->replaced, sizeof(*life), compare_depths);
	life = walk->replaced.items;
	for (uint32_t i = 0; i < walk->replaced.count; i++) {
		walk->life = life[i];
		end_life(walk, life[i]);
	}
	tr2_vec_release(&walk->replaced);
}

static void free_list(struct tr2_walk *walk, struct tr2_rest_place *place)
{
	struct tr2_life *life;

	while ((life = tr2_life_of(place))) {
		place = place->next;
		tr2_walk_free(walk, life);
	}
}

void tr2_walk_release(struct tr2_walk *walk)
{
	free_list(walk, walk->aside.first);
	free_list(walk, walk->open.first);
	walk->aside = walk->open = (struct tr2_rest){ 0 };
	tr2_map_release(&walk->recent);
	tr2_map_release(&walk->older);
	tr2_vec_release(&walk->replaced);
	release_heirs(&walk->heirs);
}
