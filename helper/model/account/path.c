/*
 * The critical path of a root whose children overlap: from its end back, at
 * each moment what ended last before it, and in that the same again. So the
 * path is as long as the root, and what is on it is what was waited for. What
 * is beside the path would save nothing by itself; what is on it saves at most
 * the time in which nothing else ran beside it. A transport or a pager ends
 * because its caller has done its work, so it is on the path only where nothing
 * else is.
 */
#include "lib/common/capped.h"
#include "model/account/resolve.h"

#define TIME_MOST (INT64_MAX / 4) /* so that differences are numbers */
#define DEEPEST 100 /* what is inside even more counts as its caller's */
#define FOLLOWING_MOST 100
#define OVERLAP_LEAST 10 /* a tenth of the root's time */

struct item { /* A child, or a process that ran in it; in the root's time. */
	int64_t begin, end;
	uint32_t process, call; /* a call of this process; NONE: itself */
	int64_t shift;		/* of the process's time to the root's */
	bool follows;		/* it ends because its caller lets it */
};

struct path_step { /* From here on so many items are open. */
	int64_t at;
	int32_t open;
	int64_t none, one; /* how long before, none was open, or one */
};

struct path_level { /* What is inside one process or child. */
	const struct path_level *outer;
	struct tr2_vec steps;
	bool is_item; /* the present part of the path is an item of it */
};

struct path_part { /* Of the path. */
	uint32_t name;
	int64_t length, saved;
};

struct path {
	struct tr2_forest *forest;
	struct tr2_vec parts; /* struct path_part */
	int64_t overlap;      /* at most of all levels */
	uint32_t depth;
};

TR2_COMPARE(compare_steps, path_step, TR2_BY(at, 0));

/*
 * The few that follow their caller come first, because each gap asks for them.
 * Then the one that ended last comes first, and of several the longest.
 */
TR2_COMPARE(compare_ends, item,
	    TR2_BY_LAST(follows, TR2_BY_LAST(end, TR2_BY(begin, 0))));

static void add_step(struct path_level *level, int64_t at, int32_t open)
{
	TR2_VEC_PUT(&level->steps, struct path_step, .at = at, .open = open);
}

/* Returns for how long several items are open. */
static int64_t count_open(struct path_level *level, const struct tr2_vec *items)
{
	const struct item *item = items->items;
	struct path_step *step, *last = NULL;
	int64_t several = 0, length;

	for (uint32_t i = 0; i < items->count; i++)
		if (!item[i].follows) {
			add_step(level, item[i].begin, 1);
			add_step(level, item[i].end, -1);
		}
	tr2_vec_sort(&level->steps, sizeof(*step), compare_steps);
	step = level->steps.items;
	for (uint32_t i = 0; i < level->steps.count; i++, last = step++) {
		if (!last)
			continue;
		length = step->at - last->at;
		step->none = last->none + (last->open ? 0 : length);
		step->one = last->one + (last->open == 1 ? length : 0);
		several += last->open > 1 ? length : 0;
		step->open += last->open;
	}
	return several;
}

/* How long before this moment was none open, or one? */
static int64_t count_until(const struct path_level *level, int64_t at, bool one)
{
	const struct path_step *step = level->steps.items;
	uint32_t place;

	TR2_SEARCH(place, level->steps.count, step[place].at <= at);
	if (!place)
		return one ? 0 : at;
	step += place - 1;
	if (one)
		return step->one + (step->open == 1 ? at - step->at : 0);
	return ((struct path_step *)level->steps.items)->at + step->none +
	       (step->open ? 0 : at - step->at);
}

static void add_part(struct path *path, const struct path_level *level,
		     uint32_t name, int64_t from, int64_t to)
{
	int64_t saved = to - from;

	if (from >= to)
		return;
	for (; level; level = level->outer)
		saved = tr2_least(saved,
				  count_until(level, to, level->is_item) -
					  count_until(level, from,
						      level->is_item));
	TR2_VEC_PUT(&path->parts, struct path_part, name, to - from, saved);
}

static void walk_item(struct path *path, const struct path_level *level,
		      const struct item *item, int64_t from);

/* What is in no item is the time of what is around them. */
static void walk_gap(struct path *path, struct path_level *level,
		     const struct tr2_vec *items, uint32_t name, int64_t from,
		     int64_t to)
{
	const struct item *item = items->items;
	struct item part;
	uint32_t i;

	level->is_item = false;
	for (i = 0; i < items->count && item[i].follows && from < to; i++) {
		part = item[i];
		if (part.begin >= to || part.end <= from)
			continue;
		part.end = tr2_least(part.end, to);
		add_part(path, level, name, part.end, to);
		to = tr2_most(part.begin, from);
		walk_item(path, level, &part, to);
	}
	add_part(path, level, name, from, to);
}

static void walk_items(struct path *path, const struct path_level *outer,
		       struct tr2_vec *items, uint32_t name, int64_t from,
		       int64_t to)
{
	struct path_level level = { .outer = outer };
	const struct item *item;
	int64_t several = count_open(&level, items);

	path->overlap = tr2_most(path->overlap, several);
	tr2_vec_sort(items, sizeof(*item), compare_ends);
	item = items->items;
	for (uint32_t i = 0; i < items->count && from < to; i++, item++) {
		if (item->follows || item->end > to || item->begin >= item->end)
			continue;
		walk_gap(path, &level, items, name, item->end, to);
		to = tr2_most(item->begin, from);
		level.is_item = true;
		walk_item(path, &level, item, to);
	}
	walk_gap(path, &level, items, name, from, to);
	tr2_vec_release(&level.steps);
	tr2_vec_release(items);
}

/* Only what lies between the two moments. */
static void add_item(struct tr2_vec *items, const struct item *item,
		     int64_t from, int64_t to)
{
	struct item *added;

	if (item->end <= from || item->begin >= to)
		return;
	added = tr2_vec_add(items, sizeof(*added));
	*added = *item;
	added->begin = tr2_most(added->begin, from);
	added->end = tr2_least(added->end, to);
}

/* Each of them is asked for in each gap, so there may not be many. */
static bool follows_caller(const struct path *path, uint32_t call,
			   unsigned *following)
{
	const struct tr2_forest *forest = path->forest;
	const struct tr2_kept_call *kept = tr2_kept_call_at(forest, call);
	unsigned phase = kept->phase;

	if (!phase)
		phase = tr2_rows_at(&forest->rows, kept->row)->phase;
	if (phase != TR2_PHASE_REMOTE && phase != TR2_PHASE_PAGER)
		return false;
	return ++*following <= FOLLOWING_MOST;
}

static void walk_process(struct path *path, const struct path_level *level,
			 const struct item *item, int64_t from)
{
	const struct tr2_tree *tree = &path->forest->tree;
	const struct tr2_kept *ended = path->forest->ended.items;
	const struct tr2_tree_call *call;
	struct tr2_vec items = { 0 };
	struct item inner = { .process = item->process, .shift = item->shift };
	uint32_t i = tr2_tree_process_at(tree, item->process)->first;
	unsigned following = 0;

	for (; i < tr2_tree_last(tree, item->process); i++) {
		call = tr2_tree_call_at(tree, i);
		inner.begin = tr2_capped_add(call->begin, item->shift);
		inner.end = tr2_capped_add(call->end, item->shift);
		inner.call = i;
		inner.follows = follows_caller(path, i, &following);
		if (call->kind == TR2_CALL_CHILD || call->kind == TR2_CALL_EXEC)
			add_item(&items, &inner, from, item->end);
	}
	walk_items(path, level, &items, ended[item->process].name, from,
		   item->end);
}

/* They are in the order of their calls. */
static uint32_t find_first(struct tr2_tree_process **child, uint32_t count,
			   uint32_t call)
{
	uint32_t place;

	TR2_SEARCH(place, count, child[place]->call < call);
	return place;
}

static void walk_call(struct path *path, const struct path_level *level,
		      const struct item *item, int64_t from)
{
	const struct tr2_tree *tree = &path->forest->tree;
	struct tr2_tree_process **child;
	struct tr2_vec items = { 0 };
	struct item inner = { .call = TR2_TREE_NONE };
	uint32_t row = tr2_kept_call_at(path->forest, item->call)->row;
	uint32_t count;

	child = tr2_tree_children(tree, item->process, &count);
	for (uint32_t i = find_first(child, count, item->call);
	     i < count && child[i]->call == item->call; i++) {
		inner.process = tr2_tree_number(tree, child[i]);
		inner.shift = tr2_capped_add(
			item->shift, tr2_resolving_shift(tree, child[i]));
		inner.begin = tr2_capped_add(child[i]->begin, inner.shift);
		inner.end = tr2_capped_add(child[i]->end, inner.shift);
		add_item(&items, &inner, from, item->end);
	}
	walk_items(path, level, &items,
		   tr2_rows_at(&path->forest->rows, row)->name[1], from,
		   item->end);
}

static void walk_item(struct path *path, const struct path_level *level,
		      const struct item *item, int64_t from)
{
	if (path->depth >= DEEPEST)
		return;
	path->depth++;
	if (item->call == TR2_TREE_NONE)
		walk_process(path, level, item, from);
	else
		walk_call(path, level, item, from);
	path->depth--;
}

static void commit_part(struct tr2_forest *forest, const struct path_part *part)
{
	struct tr2_sums *sums =
		&tr2_rows_reach(&forest->rows, TR2_TABLE_PATH, part->name, 0)
			 ->sums;

	sums->count++;
	tr2_sum_add(&sums->total, &sums->total_over, part->length);
	tr2_sum_add(&sums->self, &sums->self_over, part->saved);
}

void tr2_path_note(struct tr2_forest *forest, uint32_t number)
{
	const struct tr2_tree_process *root =
		tr2_tree_process_at(&forest->tree, number);
	struct path path = { .forest = forest };
	const struct item item = {
		.begin = root->begin,
		.end = root->end,
		.process = number,
		.call = TR2_TREE_NONE,
	};
	const struct path_part *part;

	if (tr2_tree_last(&forest->tree, number) - root->first < 2 ||
	    root->begin < -TIME_MOST || root->end > TIME_MOST)
		return;
	walk_process(&path, NULL, &item, root->begin);
	part = path.parts.items;
	if (path.overlap > 0 &&
	    path.overlap >= (root->end - root->begin) / OVERLAP_LEAST)
		for (uint32_t i = 0; i < path.parts.count; i++)
			commit_part(forest, &part[i]);
	tr2_vec_release(&path.parts);
}
