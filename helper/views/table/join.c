#include "views/table/join.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"

static struct tr2_flat_process *slot_process(const struct tr2_map_slot *slot)
{
	return (struct tr2_flat_process *)(uintptr_t)slot->value;
}

/* Returns NULL if it is gone. */
static struct tr2_flat_process *enter_process(struct tr2_flat_join *join,
					      uint64_t key)
{
	struct tr2_map_slot *slot = tr2_map_enter(&join->processes, key);

	if (slot->value == TR2_PROCESS_GONE)
		return NULL;
	if (!slot->value)
		slot->value = (uintptr_t)tr2_flat_process_new(key);
	return slot_process(slot);
}

/* Returns NULL if there is none, or it is gone. */
static struct tr2_flat_process *
find_parent(const struct tr2_flat_join *join,
	    const struct tr2_flat_process *process)
{
	uint64_t value;

	if (!process->has_parent)
		return NULL;
	value = tr2_map_value(&join->processes, process->parent);
	return value == TR2_PROCESS_GONE
		       ? NULL
		       : (struct tr2_flat_process *)(uintptr_t)value;
}

static void forget_process(struct tr2_flat_join *join,
			   struct tr2_flat_process *process)
{
	tr2_map_enter(&join->processes, process->key)->value = TR2_PROCESS_GONE;
	tr2_flat_process_free(process);
}

static bool is_complete(const struct tr2_flat_process *process)
{
	return process->timeline.ending && process->timed &&
	       !process->running_count && !process->awaited_count &&
	       !process->inside;
}

void tr2_flat_join_settle(struct tr2_flat_join *join,
			  struct tr2_flat_process *process)
{
	struct tr2_flat_process *parent;

	for (; process && is_complete(process); process = parent) {
		parent = find_parent(join, process);
		if (parent && !parent->seen)
			return; /* there are no more events: it has no log */
		if (parent) {
			tr2_flat_process_join(parent, process);
			parent->inside--;
		} else {
			join->put(join->context, process);
		}
		forget_process(join, process);
	}
}

static void keep_sid(struct tr2_flat_process *process, const char *sid,
		     size_t len)
{
	const char *slash = memchr(sid, '/', len);

	process->sid = tr2_must_grow(NULL, len + 1);
	memcpy(process->sid, sid, len);
	process->sid[len] = '\0';
	process->sid_len = len;
	process->session_len = slash ? (size_t)(slash - sid) : len;
	process->pid = tr2_sid_pid(sid, len);
	process->seen = true;
}

static void see_process(struct tr2_flat_join *join,
			struct tr2_flat_process *process, const char *sid,
			size_t len)
{
	struct tr2_flat_process *parent;
	size_t slash = len;

	keep_sid(process, sid, len);
	while (slash && sid[slash - 1] != '/')
		slash--;
	if (!slash)
		return;
	process->has_parent = true;
	process->parent = tr2_hash(sid, slash - 1).a;
	parent = enter_process(join, process->parent);
	if (!parent)
		return;
	parent->inside++;
	tr2_flat_child_meet(parent, process->pid);
}

struct tr2_flat_process *tr2_flat_join_find(struct tr2_flat_join *join,
					    const char *sid, size_t len)
{
	struct tr2_flat_process *process =
		enter_process(join, tr2_hash(sid, len).a);

	if (process && !process->seen)
		see_process(join, process, sid, len);
	return process;
}

void tr2_flat_join_time(void *context, const struct tr2_forest *forest,
			const struct tr2_resolved *resolved)
{
	struct tr2_flat_join *join = context;
	uint64_t value = tr2_map_value(&join->processes, resolved->key);
	struct tr2_flat_process *process;

	(void)forest;
	if (value == TR2_PROCESS_GONE || !value)
		return;
	process = (struct tr2_flat_process *)(uintptr_t)value;
	process->timed = true;
	process->wall = resolved->wall;
	/* An exec may still be held: this counts only if there is one. */
	process->timeline.replaced_until = process->wall;
	join->close(join->context, process);
	process->self = resolved->self;
	process->waited = resolved->waited;
	tr2_flat_join_settle(join, process);
}

/* The innermost first, then by SID, so that the order of files is the same. */
static int compare_depths(const void *left, const void *right)
{
	const struct tr2_flat_process *const *a = left, *const *b = right;
	const char *text;
	int depth = 0;

	for (text = (*a)->sid; *text; text++)
		depth -= *text == '/';
	for (text = (*b)->sid; *text; text++)
		depth += *text == '/';
	return depth ? depth : strcmp((*a)->sid, (*b)->sid);
}

/* Those that were seen, in the order in which they join each other. */
static void list_processes(struct tr2_flat_join *join, struct tr2_vec *list)
{
	struct tr2_map_slot *slot = NULL;
	struct tr2_flat_process **added;

	while ((slot = tr2_map_next(&join->processes, slot))) {
		if (slot->value == TR2_PROCESS_GONE)
			continue;
		if (slot_process(slot)->seen) {
			added = tr2_vec_add(list, sizeof(*added));
			*added = slot_process(slot);
		} else {
			tr2_flat_process_free(slot_process(slot));
			slot->value = TR2_PROCESS_GONE;
		}
	}
	tr2_vec_sort(list, sizeof(*added), compare_depths);
}

void tr2_flat_join_end(struct tr2_flat_join *join)
{
	struct tr2_flat_process **process, *parent;
	struct tr2_vec list = { 0 };
	uint32_t i;

	list_processes(join, &list);
	process = list.items;
	for (i = 0; i < list.count; i++)
		join->close(join->context, process[i]);
	for (i = 0; i < list.count; i++) {
		parent = find_parent(join, process[i]);
		if (parent)
			tr2_flat_process_join(parent, process[i]);
		else
			join->put(join->context, process[i]);
		forget_process(join, process[i]);
	}
	tr2_vec_release(&list);
}

void tr2_flat_join_release(struct tr2_flat_join *join)
{
	tr2_map_release(&join->processes);
}
