#include <string.h>

#include "lib/common/hash.h"
#include "model/account/forest.h"
#include "read/origin.h"

#define BY_NAME(by, name) name,

const char *const tr2_by_names[] = { TR2_BY_ROWS(BY_NAME) NULL };

void tr2_forest_begin(struct tr2_forest *forest)
{
	memset(forest, 0, sizeof(*forest));
	tr2_rows_begin(&forest->rows);
	tr2_frames_begin(&forest->stacks, false);
}

static uint32_t name_host(struct tr2_forest *forest, const char *sid,
			  size_t len)
{
	size_t host_len;
	const char *host = tr2_origin_host(sid, len, &host_len);

	return host ? tr2_rows_name(&forest->rows, host, host_len) : 0;
}

static struct tr2_summary_process **open_at(const struct tr2_forest *forest,
					    size_t place)
{
	return (struct tr2_summary_process **)forest->open.items + place;
}

static uint32_t count_slashes(const char *sid, size_t len)
{
	uint32_t count = 0;

	while (len)
		count += sid[--len] == '/';
	return count;
}

static size_t find_first_part(const char *sid, size_t len)
{
	const char *slash = memchr(sid, '/', len);

	return slash ? (size_t)(slash - sid) : len;
}

/* The time of a root is given at once: nothing can change it any more. */
static struct tr2_summary_process *begin_process(struct tr2_forest *forest,
						 const char *sid, size_t len,
						 size_t place)
{
	struct tr2_summary_process *process = tr2_process_new(forest);

	forest->seen++;
	tr2_tree_read_sid(&process->self, sid, len);
	process->root = tr2_hash(sid, find_first_part(sid, len)).a;
	process->place = (uint32_t)place;
	process->sid_depth = count_slashes(sid, len);
	if (forest->by == TR2_BY_HOST)
		process->host = name_host(forest, sid, len);
	process->direct = !process->self.has_parent &&
			  !tr2_forest_is_filtered(forest);
	process->frames = forest->frames ? forest->frames : &forest->stacks;
	if (forest->frames)
		process->frame = tr2_frames_add_process(process->frames);
	if (forest->view)
		forest->view->begin(forest->taker, process, sid, len);
	return process;
}

struct tr2_summary_process *tr2_forest_process(struct tr2_forest *forest,
					       const char *sid, size_t len)
{
	uint64_t key = tr2_hash(sid, len).a;
	struct tr2_summary_process *process = forest->latest, **open;
	size_t place;

	if (process && process->self.key == key)
		return process;
	place = tr2_slots_find(&forest->keys, key);
	if (place == TR2_NO_SLOT) {
		place = tr2_slots_add(&forest->keys, key);
		open = tr2_vec_renew(&forest->open, place, sizeof(*open));
		*open = begin_process(forest, sid, len, place);
	}
	process = *open_at(forest, place);
	if (process)
		forest->latest = process;
	return process;
}

#define AGAIN (UINT32_C(1) << 31) /* the log of the process has begun again */

static void note_ended(struct tr2_forest *forest,
		       const struct tr2_summary_process *process)
{
	uint32_t *start =
		tr2_vec_reach(&forest->starts, process->place, sizeof(*start));

	*start = (uint32_t)process->start_hash & ~AGAIN;
}

/* Another program may have the same SID, but then it has another start. */
void tr2_forest_take_late(struct tr2_forest *forest, struct tr2_record *record,
			  const char *sid, size_t len)
{
	size_t place = tr2_slots_find(&forest->keys, tr2_hash(sid, len).a);
	uint32_t *start = (uint32_t *)forest->starts.items + place;
	uint32_t hash = tr2_summary_hash_line(record) & ~AGAIN;

	if (record->is == TR2_IS_VERSION) {
		*start |= AGAIN;
	} else if (record->is == TR2_IS_START && (*start & ~AGAIN) == hash) {
		*start |= AGAIN;
		forest->repeated++;
	} else if (record->is == TR2_IS_START && *start & AGAIN) {
		*start &= ~AGAIN;
		forest->counts.late++; /* its version */
	}
	forest->counts.late += !(*start & AGAIN);
}

/* Its end is known. */
static void keep_process(struct tr2_forest *forest,
			 struct tr2_summary_process *process)
{
	bool is_alone = process->direct && !(forest->view && forest->take);

	tr2_summary_close_spans(process);
	is_alone &= !process->children.count;
	tr2_kept_add(forest, process);
	if (is_alone)
		tr2_forest_resolve_last(forest);
}

/* There are no more events. One that was replaced waits with its spans. */
static void end_process(struct tr2_forest *forest,
			struct tr2_summary_process *process)
{
	struct tr2_summary_process **added;

	tr2_rest_leave(&forest->rest, &process->rest);
	tr2_summary_settle(process);
	*open_at(forest, process->place) = NULL;
	note_ended(forest, process);
	if (forest->latest == process)
		forest->latest = NULL;
	if (!process->timeline.is_replaced) {
		keep_process(forest, process);
		return;
	}
	added = tr2_vec_add(&forest->replaced, sizeof(*added));
	*added = process;
}

static void end_resting(struct tr2_forest *forest, size_t most)
{
	while (forest->rest.count > most)
		end_process(forest, TR2_REST_OWNER(forest->rest.first,
						   struct tr2_summary_process));
}

void tr2_forest_rest(struct tr2_summary_process *process)
{
	struct tr2_forest *forest = process->forest;

	if (process->timeline.went_on) {
		process->self.went_on = true;
		tr2_rest_leave(&forest->rest, &process->rest);
		return;
	}
	tr2_rest_enter(&forest->rest, &process->rest);
	end_resting(forest, TR2_REST_MOST);
}

void tr2_forest_leave(void *context, const char *sid, size_t len)
{
	struct tr2_forest *forest = context;
	const size_t place =
		tr2_slots_find(&forest->keys, tr2_hash(sid, len).a);
	struct tr2_summary_process *process =
		place == TR2_NO_SLOT ? NULL : *open_at(forest, place);

	if (process && !process->rest.rests)
		end_process(forest, process);
}

static int compare_depths(const void *left, const void *right)
{
	const struct tr2_summary_process *const *a = left, *const *b = right;

	return ((*a)->sid_depth < (*b)->sid_depth) -
	       ((*a)->sid_depth > (*b)->sid_depth);
}

/* Is this the program that took the place of its parent? */
static void offer_heir(const struct tr2_map *replaced,
		       const struct tr2_tree_process *child)
{
	struct tr2_timeline heir = { 0 };
	struct tr2_summary_process *process = NULL;

	if (child->has_parent)
		process =
			(struct tr2_summary_process *)(uintptr_t)tr2_map_value(
				replaced, child->parent);
	if (!process)
		return;
	heir.base = child->timed ? child->begin : 0;
	heir.now = child->end - child->begin;
	if (tr2_timeline_offer_heir(&process->timeline, &heir,
				    child->pid == process->self.pid))
		tr2_timeline_end_with(&process->timeline, &heir);
}

/* The innermost ones first: each makes the next one longer. */
static void end_replaced(struct tr2_forest *forest)
{
	struct tr2_vec *list = &forest->replaced;
	struct tr2_summary_process **process;
	struct tr2_map replaced = { 0 };
	uint32_t i;

	tr2_vec_sort(list, sizeof(*process), compare_depths);
	process = list->items;
	for (i = 0; i < list->count; i++)
		tr2_map_enter(&replaced, process[i]->self.key)->value =
			(uintptr_t)process[i];
	for (i = 0; list->count && i < forest->tree.processes.count; i++)
		offer_heir(&replaced, tr2_tree_process_at(&forest->tree, i));
	for (i = 0; i < list->count; i++) {
		keep_process(forest, process[i]);
		offer_heir(
			&replaced,
			tr2_tree_process_at(&forest->tree,
					    forest->tree.processes.count - 1));
	}
	tr2_map_release(&replaced);
	tr2_vec_release(list);
}

static void release_open(struct tr2_forest *forest)
{
	tr2_slots_release(&forest->keys);
	tr2_vec_release(&forest->open);
	tr2_vec_release(&forest->starts);
	tr2_window_release(&forest->window);
}

void tr2_forest_end(struct tr2_forest *forest)
{
	uint32_t i;

	end_resting(forest, 0);
	for (i = 0; i < forest->open.count; i++)
		if (*open_at(forest, i))
			end_process(forest, *open_at(forest, i));
	end_replaced(forest);
	release_open(forest);
	tr2_forest_resolve(forest);
	tr2_failure_settle(forest);
	tr2_notes_end(&forest->notes);
	tr2_members_sort(&forest->held);
}

void tr2_forest_release(struct tr2_forest *forest)
{
	uint32_t i;

	for (i = 0; i < forest->open.count; i++)
		if (*open_at(forest, i))
			tr2_process_free(*open_at(forest, i));
	release_open(forest);
	tr2_rows_release(&forest->rows);
	tr2_vec_release(&forest->advice);
	tr2_vec_release(&forest->notes.list);
	tr2_vec_release(&forest->slowest.chain);
	tr2_map_release(&forest->early.stacks);
	tr2_frames_release(&forest->stacks);
	tr2_failure_release(&forest->failure);
	tr2_failure_release(&forest->inner);
	tr2_vec_release(&forest->held.hashes);
	tr2_tree_release(&forest->tree);
	tr2_vec_release(&forest->ended);
	tr2_vec_release(&forest->calls);
	tr2_vec_release(&forest->segments);
}
