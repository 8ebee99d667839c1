#include "model/tree.h"

struct tie_entry { /* A child, by its pid or its words. */
	uint32_t key, call;
};

/* The children of one parent. */
struct ties {
	struct tr2_tree *tree;
	bool timed;		    /* the parent had a `time` */
	uint32_t first, last, next; /* `next` has not begun yet */
	struct tr2_vec open;	    /* uint32_t: the last one began last */
	struct tr2_vec by_pid;	    /* struct tie_entry */
	struct tr2_vec by_words;    /* the same, when it is needed */
};

/* In order of their begin, which is that of their numbers. */
TR2_COMPARE(compare_entries, tie_entry, TR2_BY(key, TR2_BY(call, 0)));

/* Those that had a process. */
static void list_calls(struct ties *ties, struct tr2_vec *list)
{
	const struct tr2_tree_call *call;

	for (uint32_t i = ties->first; i < ties->last; i++) {
		call = tr2_tree_call_at(ties->tree, i);
		if (call->kind == TR2_CALL_NOTHING)
			continue;
		TR2_VEC_PUT(list, struct tie_entry,
			    list == &ties->by_pid ? call->pid : call->words, i);
	}
	tr2_vec_sort(list, sizeof(struct tie_entry), compare_entries);
}

/* Returns the call at this place of the list if it has this key, or NULL. */
static struct tr2_tree_call *find_entry(const struct ties *ties,
					const struct tr2_vec *list,
					uint32_t place, uint32_t key)
{
	const struct tie_entry *entry = list->items;

	if (place >= list->count || entry[place].key != key)
		return NULL;
	return tr2_tree_call_at(ties->tree, entry[place].call);
}

/* Returns the place after the last one of this key that had begun by then. */
static uint32_t find_after(const struct ties *ties, const struct tr2_vec *list,
			   uint32_t key, int64_t begin)
{
	const struct tie_entry *entry = list->items;
	uint32_t place;

	TR2_SEARCH(place, list->count,
		   entry[place].key < key ||
			   (entry[place].key == key &&
			    tr2_tree_call_at(ties->tree, entry[place].call)
					    ->begin <= begin));
	return place;
}

/*
 * Returns the child with the pid of the process, or NULL. Of several it is the
 * one that was open at this time, else the nearest. `place` is where those
 * begin that began later.
 */
static struct tr2_tree_call *find_near(const struct ties *ties, uint32_t pid,
				       int64_t at, uint32_t place)
{
	struct tr2_tree_call *before, *after;

	before = place ? find_entry(ties, &ties->by_pid, place - 1, pid) : NULL;
	after = find_entry(ties, &ties->by_pid, place, pid);
	if (!before || !after)
		return before ? before : after;
	return at - before->end > after->begin - at ? after : before;
}

/*
 * Where processes that ran at the same time have one pid, each is another
 * child, if possible.
 */
#define TAKEN_SEARCHED 64

static struct tr2_tree_call *find_same(const struct ties *ties,
				       const struct tr2_tree_process *process)
{
	const int64_t begin = process->timed && ties->timed ? process->begin
							    : INT64_MAX;
	const uint32_t pid = process->pid;
	uint32_t place = find_after(ties, &ties->by_pid, pid, begin);
	struct tr2_tree_call *found, *next;

	if (!pid)
		return NULL;
	found = find_near(ties, pid, begin, place);
	next = found;
	for (uint32_t i = 0; next && next->taken && i < TAKEN_SEARCHED; i++)
		next = find_entry(ties, &ties->by_pid, place + i, pid);
	return next && !next->taken && next->begin <= process->end ? next
								   : found;
}

/*
 * Returns the child that is open at this time and began last, or NULL. Times
 * come in order, so what has ended stays so.
 */
static const struct tr2_tree_call *find_open(struct ties *ties, int64_t at)
{
	const struct tr2_tree_call *call;
	uint32_t *open;

	for (; ties->next < ties->last; ties->next++) {
		call = tr2_tree_call_at(ties->tree, ties->next);
		if (call->begin > at)
			break;
		if (call->kind == TR2_CALL_NOTHING)
			continue;
		TR2_VEC_COPY(&ties->open, uint32_t, ties->next);
	}
	while (ties->open.count) {
		open = (uint32_t *)ties->open.items + ties->open.count - 1;
		call = tr2_tree_call_at(ties->tree, *open);
		if (call->end >= at)
			return call;
		ties->open.count--;
	}
	return NULL;
}

/* Returns the last child before the process that had its words, or NULL. */
static const struct tr2_tree_call *
guess_call(struct ties *ties, const struct tr2_tree_process *process)
{
	const uint32_t words = process->words & TR2_WORDS_MOST;
	uint32_t place;

	if (!words)
		return NULL;
	if (!ties->by_words.count)
		list_calls(ties, &ties->by_words);
	place = find_after(ties, &ties->by_words, words, process->begin);
	return place ? find_entry(ties, &ties->by_words, place - 1, words)
		     : NULL;
}

/* Without times it may be any of them: the order of lines tells. */
static const struct tr2_tree_call *
find_around(struct ties *ties, const struct tr2_tree_process *process)
{
	uint32_t last = ties->last;
	const struct tr2_tree_call *call;

	if (process->after && process->after <= last - ties->first)
		last = ties->first + process->after;
	else if (process->timed && ties->timed)
		return find_open(ties, process->begin);
	while (last > ties->first) {
		call = tr2_tree_call_at(ties->tree, --last);
		if (call->kind != TR2_CALL_NOTHING)
			return call;
	}
	return NULL;
}

/*
 * Is it another process with this pid? It may be used again: the child that
 * had it was not open when the process began, but another one was, whose pid
 * the log does not say. And what began before an exec was not executed.
 */
static bool is_another(const struct ties *ties,
		       const struct tr2_tree_process *process,
		       const struct tr2_tree_call *same,
		       const struct tr2_tree_call *open)
{
	if (!process->timed || !ties->timed)
		return false;
	if (same->kind == TR2_CALL_EXEC)
		return process->begin < same->begin;
	return open && !open->pid &&
	       (process->begin < same->begin || process->begin > same->end);
}

static void tie_process(struct ties *ties, struct tr2_tree_process *process)
{
	const struct tr2_tree_call *call = find_around(ties, process);
	struct tr2_tree_call *same = find_same(ties, process);

	if (same && is_another(ties, process, same, call))
		same = NULL;
	process->tie = same   ? TR2_TIE_CHILD
		       : call ? TR2_TIE_INSIDE
			      : TR2_TIE_GUESS;
	if (same) {
		call = same;
		same->taken = true;
	} else if (!call) {
		call = guess_call(ties, process);
	}
	if (call)
		process->call =
			(uint32_t)(call - tr2_tree_call_at(ties->tree, 0));
	else
		process->tie = TR2_TIE_NONE;
}

void tr2_tree_tie(struct tr2_tree *tree, struct tr2_tree_process **processes,
		  uint32_t count)
{
	const struct tr2_tree_process *caller =
		tr2_tree_process_at(tree, processes[0]->caller);
	struct ties ties = {
		.tree = tree,
		.timed = caller->timed,
		.first = caller->first,
		.next = caller->first,
		.last = tr2_tree_last(tree, processes[0]->caller),
	};

	if (ties.first == ties.last)
		return;
	list_calls(&ties, &ties.by_pid);
	for (uint32_t i = 0; i < count; i++)
		tie_process(&ties, processes[i]);
	tr2_vec_release(&ties.open);
	tr2_vec_release(&ties.by_pid);
	tr2_vec_release(&ties.by_words);
}
