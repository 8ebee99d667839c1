#include "model/tree.h"

#include "lib/common/hash.h"
#include "read/value.h"

void tr2_tree_read_sid(struct tr2_tree_process *process, const char *sid,
		       size_t len)
{
	size_t slash = len;

	while (slash && sid[slash - 1] != '/')
		slash--;
	process->key = tr2_hash(sid, len).a;
	process->has_parent = slash > 0;
	process->parent = slash ? tr2_hash(sid, slash - 1).a : 0;
	process->pid = tr2_sid_pid(sid, len);
}

/* us: to make a process takes Windows longer */
#define PROCESS_LEAST 2000

/*
 * Windows can't put a program into the place of another: git waits for it as
 * for a child, and the result is its exit code. Elsewhere there is a result
 * only of an exec that failed, at once, with an error number.
 */
static bool had_process(const struct tr2_tree_call *call, int64_t code)
{
	return call->kind != TR2_CALL_EXEC || !code ||
	       (code > 0 && call->end - call->begin >= PROCESS_LEAST);
}

void tr2_tree_end_call(struct tr2_tree_call *call, struct tr2_record *record)
{
	const bool is_exec = call->kind == TR2_CALL_EXEC;
	int64_t code = 0, pid = 0;

	tr2_record_integer(record, TR2_KEY_CODE, &code);
	tr2_record_integer(record, TR2_KEY_PID, &pid);
	call->pid = !is_exec && pid > 0 ? (uint32_t)pid : 0;
	if (pid < 0 || !had_process(call, code))
		call->kind = TR2_CALL_NOTHING;
	else if (record->is == TR2_IS_CHILD_READY)
		call->kind = TR2_CALL_READY;
	else
		call->kind = TR2_CALL_CHILD;
}

uint32_t tr2_tree_add(struct tr2_tree *tree,
		      const struct tr2_tree_process *process)
{
	struct tr2_tree_process *added =
		tr2_vec_add(&tree->processes, sizeof(*added));

	*added = *process;
	added->first = tree->calls.count;
	added->caller = added->call = TR2_TREE_NONE;
	added->tie = TR2_TIE_NONE;
	return tree->processes.count - 1;
}

void tr2_tree_add_call(struct tr2_tree *tree, const struct tr2_tree_call *call)
{
	TR2_VEC_COPY(&tree->calls, struct tr2_tree_call, *call);
}

void tr2_tree_release(struct tr2_tree *tree)
{
	tr2_vec_release(&tree->processes);
	tr2_vec_release(&tree->calls);
	tr2_vec_release(&tree->order);
}

TR2_COMPARE_PLACES(compare_keys, tr2_tree_process,
		   TR2_BY(key, TR2_BY(begin, 0)));

TR2_COMPARE_PLACES(compare_callers, tr2_tree_process,
		   TR2_BY(caller,
			  TR2_BY(call,
				 TR2_BY(begin, TR2_BY(key, TR2_BY(end, 0))))));

static struct tr2_tree_process **pointers_of(const struct tr2_tree *tree)
{
	return tree->order.items;
}

/*
 * Returns the place after the last process of this key that had begun by then,
 * in a list by key and begin. A SID may have been used twice.
 */
static uint32_t find_place(const struct tr2_tree *tree, uint64_t key,
			   int64_t begin)
{
	struct tr2_tree_process **list = pointers_of(tree);
	uint32_t place;

	TR2_SEARCH(place, tree->order.count,
		   list[place]->key < key || (list[place]->key == key &&
					      list[place]->begin <= begin));
	return place;
}

static void find_caller(const struct tr2_tree *tree,
			struct tr2_tree_process *process)
{
	struct tr2_tree_process **list = pointers_of(tree);
	uint32_t place;

	if (!process->has_parent)
		return;
	place = find_place(tree, process->parent, process->begin);
	if (place && list[place - 1]->key == process->parent)
		process->caller = tr2_tree_number(tree, list[place - 1]);
	else if (place < tree->order.count &&
		 list[place]->key == process->parent)
		process->caller = tr2_tree_number(tree, list[place]);
}

/*
 * Those without a caller are no children, and need no order. They ended one
 * after the other, which is nearly the order of callers.
 */
static void keep_children(struct tr2_tree *tree)
{
	struct tr2_tree_process **list = pointers_of(tree), *process;
	uint32_t count = 0;

	for (uint32_t i = 0; i < tree->processes.count; i++) {
		process = tr2_tree_process_at(tree, i);
		if (process->caller != TR2_TREE_NONE)
			list[count++] = process;
	}
	tree->order.count = count;
}

static void find_callers(struct tr2_tree *tree)
{
	struct tr2_tree_process **added;
	bool parents = false;

	tr2_vec_release(&tree->order);
	for (uint32_t i = 0; i < tree->processes.count; i++) {
		added = tr2_vec_add(&tree->order, sizeof(*added));
		*added = tr2_tree_process_at(tree, i);
		parents |= (*added)->has_parent;
	}
	if (parents)
		tr2_vec_sort(&tree->order, sizeof(*added), compare_keys);
	for (uint32_t i = 0; parents && i < tree->processes.count; i++)
		find_caller(tree, tr2_tree_process_at(tree, i));
	keep_children(tree);
	tr2_vec_sort(&tree->order, sizeof(*added), compare_callers);
}

/* Returns the first place of this caller or a later one. */
static uint32_t find_children(const struct tr2_tree *tree, uint64_t caller)
{
	struct tr2_tree_process **list = pointers_of(tree);
	uint32_t place;

	TR2_SEARCH(place, tree->order.count, list[place]->caller < caller);
	return place;
}

struct tr2_tree_process **tr2_tree_children(const struct tr2_tree *tree,
					    uint32_t caller, uint32_t *count)
{
	uint32_t first = find_children(tree, caller);

	*count = find_children(tree, caller + UINT64_C(1)) - first;
	return tree->order.count ? pointers_of(tree) + first : NULL;
}

void tr2_tree_resolve(struct tr2_tree *tree)
{
	struct tr2_tree_process **children;
	uint32_t count;

	find_callers(tree);
	for (uint32_t i = 0; i < tree->order.count; i += count) {
		children = pointers_of(tree) + i;
		tr2_tree_children(tree, children[0]->caller, &count);
		tr2_tree_tie(tree, children, count);
	}
	tr2_vec_sort(&tree->order, sizeof(*children), compare_callers);
}
