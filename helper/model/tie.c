#include "model/tree.h"

/* The children of one parent. */
struct ties {
	struct tr2_tree *tree;
	bool timed;		    /* the parent had a `time` */
	uint32_t first, last, next; /* `next` has not begun yet */
	struct tr2_vec open;	    /* uint32_t: the last one began last */
	struct tr2_vec by_pid;	    /* struct tr2_tree_call * */
	struct tr2_vec by_words;    /* the same, when it is needed */
};

static struct tr2_tree_call **calls_of(const struct tr2_vec *list)
{
	return list->items;
}

/* In order of their begin, which is that of their places. */
static int compare_pids(const void *left, const void *right)
{
	const struct tr2_tree_call *a = *(struct tr2_tree_call *const *)left;
	const struct tr2_tree_call *b = *(struct tr2_tree_call *const *)right;

	return a->pid != b->pid ? tr2_order(a->pid, b->pid) : (a > b) - (a < b);
}

static int compare_words(const void *left, const void *right)
{
	const struct tr2_tree_call *a = *(struct tr2_tree_call *const *)left;
	const struct tr2_tree_call *b = *(struct tr2_tree_call *const *)right;

	return a->words != b->words ? tr2_order(a->words, b->words)
				    : (a > b) - (a < b);
}

/* Those that had a process. */
static void list_calls(const struct ties *ties, struct tr2_vec *list,
		       int (*compare)(const void *, const void *))
{
	struct tr2_tree_call **added;
	uint32_t i;

	for (i = ties->first; i < ties->last; i++) {
		if (tr2_tree_call_at(ties->tree, i)->kind == TR2_CALL_NOTHING)
			continue;
		added = tr2_vec_add(list, sizeof(*added));
		*added = tr2_tree_call_at(ties->tree, i);
	}
	tr2_vec_sort(list, sizeof(*added), compare);
}

/*
 * Returns the place after the last one that compares as less than the key, or
 * equal to it.
 */
static uint32_t find_after(const struct tr2_vec *list,
			   const struct tr2_tree_call *key,
			   int64_t (*compare)(const struct tr2_tree_call *,
					      const struct tr2_tree_call *))
{
	uint32_t place;

	TR2_SEARCH(place, list->count,
		   compare(calls_of(list)[place], key) <= 0);
	return place;
}

static int64_t compare_begins(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t compare_pid_begin(const struct tr2_tree_call *a,
				 const struct tr2_tree_call *b)
{
	return a->pid != b->pid ? (a->pid > b->pid ? 1 : -1)
				: compare_begins(a->begin, b->begin);
}

static int64_t compare_words_begin(const struct tr2_tree_call *a,
				   const struct tr2_tree_call *b)
{
	return a->words != b->words ? (a->words > b->words ? 1 : -1)
				    : compare_begins(a->begin, b->begin);
}

/* Returns the call at this place of the list if it has this pid, or NULL. */
static struct tr2_tree_call *find_pid(const struct ties *ties, uint32_t place,
				      uint32_t pid)
{
	struct tr2_tree_call *call;

	if (place >= ties->by_pid.count)
		return NULL;
	call = calls_of(&ties->by_pid)[place];
	return call->pid == pid ? call : NULL;
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

	before = place ? find_pid(ties, place - 1, pid) : NULL;
	after = find_pid(ties, place, pid);
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
	const struct tr2_tree_call key = {
		.pid = process->pid,
		.begin = process->timed && ties->timed ? process->begin
						       : INT64_MAX,
	};
	uint32_t place = find_after(&ties->by_pid, &key, compare_pid_begin), i;
	struct tr2_tree_call *found, *next;

	if (!process->pid)
		return NULL;
	found = find_near(ties, key.pid, key.begin, place);
	next = found;
	for (i = 0; next && next->taken && i < TAKEN_SEARCHED; i++)
		next = find_pid(ties, place + i, key.pid);
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
		open = tr2_vec_add(&ties->open, sizeof(*open));
		*open = ties->next;
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
	const struct tr2_tree_call key = { .words = process->words &
						    TR2_WORDS_MOST,
					   .begin = process->begin };
	uint32_t place;

	if (!key.words)
		return NULL;
	if (!ties->by_words.count)
		list_calls(ties, &ties->by_words, compare_words);
	place = find_after(&ties->by_words, &key, compare_words_begin);
	if (!place || calls_of(&ties->by_words)[place - 1]->words != key.words)
		return NULL;
	return calls_of(&ties->by_words)[place - 1];
}

/* Without times it may be any of them. */
static const struct tr2_tree_call *
find_around(struct ties *ties, const struct tr2_tree_process *process)
{
	uint32_t last = ties->last;
	const struct tr2_tree_call *call;

	if (process->timed && ties->timed)
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
	uint32_t i;

	if (ties.first == ties.last)
		return;
	list_calls(&ties, &ties.by_pid, compare_pids);
	for (i = 0; i < count; i++)
		tie_process(&ties, processes[i]);
	tr2_vec_release(&ties.open);
	tr2_vec_release(&ties.by_pid);
	tr2_vec_release(&ties.by_words);
}
