#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/common/vec.h"

/* So many children are compared with a process. */
#define OPEN_MOST 64

/* The child has begun before the process, and it may not have ended. */
static bool may_be(const struct tr2_crowd *crowd, uint32_t child,
		   const struct tr2_crowd_process *process)
{
	const uint32_t end = tr2_crowd_child_end(crowd, child);

	if (end == TR2_NOBODY)
		return true;
	return process->start < end &&
	       (process->end == TR2_NOBODY || process->end < end);
}

/* A child that has not ended, and its words. */
struct open_child {
	uint64_t bare;
	uint32_t line;
};

static void tie_process(struct tr2_crowd *crowd, const struct tr2_vec *open,
			uint32_t number, bool guess)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);
	const uint64_t bare = tr2_crowd_line(crowd, process->start)->bare;
	const struct open_child *items = open->items;
	uint32_t count = 0, found = TR2_NOBODY;

	for (uint32_t i = 0; i < open->count; i++)
		if (items[i].bare == bare &&
		    tr2_crowd_line(crowd, items[i].line)->runs == TR2_NOBODY &&
		    may_be(crowd, items[i].line, process) && !count++)
			found = items[i].line;
	if (!count || (count > 1 && !guess))
		return;
	process->child = found;
	process->guess = guess;
	if (guess)
		tr2_crowd_doubt(crowd, number);
	tr2_crowd_line(crowd, found)->runs = number;
}

static void note_child(struct tr2_crowd *crowd, struct tr2_vec *open,
		       uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct open_child *items = open->items;
	uint32_t count = 0;

	if (tr2_is_child_start(line->is)) {
		TR2_VEC_PUT(open, struct open_child, line->bare, at);
		if (open->count > OPEN_MOST)
			tr2_vec_remove(open, 0, sizeof(*items));
	} else if (tr2_is_child_end(line->is)) {
		for (uint32_t i = 0; i < open->count; i++)
			if (items[i].line != line->mate)
				items[count++] = items[i];
		open->count = count;
	}
}

void tr2_crowd_tie(struct tr2_crowd *crowd, bool guess)
{
	struct tr2_vec open = { 0 };
	const struct tr2_crowd_line *line;

	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		note_child(crowd, &open, i);
		if (line->is == TR2_IS_START && !line->told &&
		    line->owner != TR2_NOBODY &&
		    tr2_crowd_process(crowd, line->owner)->child == TR2_NOBODY)
			tie_process(crowd, &open, line->owner, guess);
	}
	tr2_vec_release(&open);
}

/* Does the name of the child, if it has one, begin with that of the process? */
static bool fits_name(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const uint32_t runs = tr2_crowd_line(crowd, at)->runs;

	return runs == TR2_NOBODY ||
	       tr2_crowd_is_below(crowd, tr2_crowd_process(crowd, runs)->name,
				  number);
}

/* Do the children that the process is known to have started say the same? */
static bool is_next(const struct tr2_crowd *crowd,
		    const struct tr2_crowd_process *process,
		    const struct tr2_crowd_line *line)
{
	return line->is != TR2_IS_CHILD_START || process->next == line->child ||
	       process->start == TR2_NOBODY || crowd->alive.count < 2;
}

bool tr2_crowd_is_alias(const struct tr2_crowd *crowd, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	return process->last_name != TR2_NOBODY &&
	       tr2_crowd_line(crowd, process->last_name)->alias;
}

/* It waits for its command, and starts no other one. */
static bool is_passing(const struct tr2_crowd *crowd, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	return process->waits && process->last != TR2_NOBODY &&
	       tr2_is_child_start(tr2_crowd_line(crowd, process->last)->is) &&
	       tr2_crowd_is_alias(crowd, number);
}

/* Is the child a hook of a server, and the process none? */
static bool is_client(const struct tr2_crowd *crowd,
		      const struct tr2_crowd_process *process, uint32_t at)
{
	return tr2_crowd_line(crowd, at)->serves &&
	       process->start != TR2_NOBODY &&
	       !tr2_crowd_line(crowd, process->start)->serves;
}

/*
 * Could the process have started the child? It has started those before, which
 * may be among those that are another one's, or nobody's.
 */
static bool may_start(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	if (is_passing(crowd, number) ||
	    (!is_next(crowd, process, line) && !process->doubt &&
	     (process->next > line->child || process->version > crowd->orphan)))
		return false;
	return line->runs != number &&
	       (line->mate == TR2_NOBODY ||
		tr2_crowd_line(crowd, line->mate)->guess ||
		tr2_crowd_lives(crowd, number, line->mate)) &&
	       (crowd->alive.count < 2 || (fits_name(crowd, number, at) &&
					   !is_client(crowd, process, at)));
}

static bool may_start_next(struct tr2_crowd *crowd, uint32_t number,
			   uint32_t at)
{
	return is_next(crowd, tr2_crowd_process(crowd, number),
		       tr2_crowd_line(crowd, at)) &&
	       may_start(crowd, number, at);
}

/* Returns who started the child, or TR2_NOBODY; of twins, it is a guess. */
static uint32_t choose_starter(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_choice choice = tr2_crowd_choose(crowd, at, may_start),
				next;
	uint32_t by_words = TR2_NOBODY;

	if (choice.count > 1)
		by_words = tr2_crowd_choose_by_words(crowd, at, may_start);
	if (by_words != TR2_NOBODY || !choice.count || !choice.twins)
		return by_words;
	next = tr2_crowd_choose(crowd, at, may_start_next);
	if (next.count)
		choice.best = next.best;
	tr2_crowd_doubt_twins(crowd, &choice);
	tr2_crowd_line(crowd, at)->guess = choice.count > 1;
	return choice.best;
}

/* The end of a child is its starter's, too. */
static void give_end(struct tr2_crowd *crowd,
		     const struct tr2_crowd_line *start)
{
	struct tr2_crowd_line *end;

	if (start->mate == TR2_NOBODY)
		return;
	end = tr2_crowd_line(crowd, start->mate);
	end->owner = start->owner;
	if (end->guess && end->owner != TR2_NOBODY)
		tr2_crowd_doubt(crowd, end->owner);
}

/* So many lines are searched for a child that nobody started. */
#define ORPHAN_FAR 4096

/* Returns the only child of this id before the line that nobody started. */
static uint32_t find_orphan(const struct tr2_crowd *crowd,
			    const struct tr2_crowd_process *process,
			    uint32_t at, int64_t child)
{
	const struct tr2_crowd_line *line;
	uint32_t found = TR2_NOBODY;

	if (at > process->version + ORPHAN_FAR)
		return found;
	while (at-- > process->version && at >= crowd->old) {
		line = tr2_crowd_line(crowd, at);
		if (line->is != TR2_IS_CHILD_START || line->child != child ||
		    line->owner != TR2_NOBODY)
			continue;
		if (found != TR2_NOBODY)
			return TR2_NOBODY;
		found = at;
	}
	return found;
}

/* Who started a child has started those before it: their ids say so. */
static void give_orphans(struct tr2_crowd *crowd, uint32_t at, uint32_t starter)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, starter);
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	int64_t child = line->child;
	uint32_t orphan;

	while (line->is == TR2_IS_CHILD_START && !line->guess &&
	       child-- > process->next) {
		orphan = find_orphan(crowd, process, at, child);
		if (orphan == TR2_NOBODY)
			return;
		tr2_crowd_line(crowd, orphan)->owner = starter;
		give_end(crowd, tr2_crowd_line(crowd, orphan));
	}
}

static void find_starter(struct tr2_crowd *crowd, uint32_t at)
{
	const uint32_t starter = choose_starter(crowd, at);

	if (starter == TR2_NOBODY) {
		crowd->orphan = at;
		return;
	}
	give_orphans(crowd, at, starter);
	tr2_crowd_give(crowd, at, starter);
}

/* Lines whose owner is known change what is known of it. */
void tr2_crowd_find_starters(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;
	bool asks;

	tr2_crowd_walk(crowd);
	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		asks = line->owner == TR2_NOBODY &&
		       tr2_is_child_start(line->is);
		tr2_crowd_pass(crowd, i, asks);
		if (asks)
			find_starter(crowd, i);
		else if (line->owner != TR2_NOBODY)
			tr2_crowd_give(crowd, i, line->owner);
		if (tr2_is_child_start(line->is))
			give_end(crowd, line);
	}
}

/* May the new process run inside this one, which waits for a child? */
static bool may_hold(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_process *outer =
		tr2_crowd_process(crowd, number);
	const struct tr2_crowd_process *inner =
		tr2_crowd_process(crowd, tr2_crowd_line(crowd, at)->owner);

	return outer->waits && outer != inner &&
	       tr2_crowd_is_below(crowd, inner->name, number);
}

/* Of those that wait for each other, the last one does not wait for another. */
static uint32_t choose_outer(struct tr2_crowd *crowd, uint32_t at)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	uint32_t i, best = TR2_NOBODY;

	for (i = 0; i < crowd->alive.count; i++) {
		if (!may_hold(crowd, alive[i], at))
			continue;
		if (best != TR2_NOBODY &&
		    tr2_crowd_process(crowd, alive[i])->parent != best) {
			tr2_crowd_doubt(crowd, best);
			tr2_crowd_doubt(crowd, alive[i]);
		}
		best = alive[i];
	}
	return best;
}

/*
 * Nobody fits who waits: it is inside the only one of the name above its own,
 * which has started the child that nobody did.
 */
static uint32_t choose_named(struct tr2_crowd *crowd, uint32_t at)
{
	const uint32_t inner = tr2_crowd_line(crowd, at)->owner;
	const uint32_t name = tr2_crowd_process(crowd, inner)->name;
	const uint32_t *alive = tr2_crowd_alive(crowd);
	const struct tr2_crowd_process *outer;
	uint32_t i, found = TR2_NOBODY, orphan;

	for (i = 0; name != TR2_NOBODY && i < crowd->alive.count; i++) {
		outer = tr2_crowd_process(crowd, alive[i]);
		if (alive[i] == inner || outer->last_name == TR2_NOBODY ||
		    tr2_crowd_line(crowd, outer->last_name)->own !=
			    tr2_crowd_line(crowd, name)->above)
			continue;
		if (found != TR2_NOBODY)
			return TR2_NOBODY;
		found = alive[i];
	}
	if (found == TR2_NOBODY)
		return found;
	outer = tr2_crowd_process(crowd, found);
	orphan = find_orphan(crowd, outer, at, outer->next);
	if (orphan != TR2_NOBODY && tr2_crowd_line(crowd, orphan)->mate > at) {
		tr2_crowd_give(crowd, orphan, found);
		give_end(crowd, tr2_crowd_line(crowd, orphan));
	}
	return found;
}

/* Nobody knows who started the child that it is: it is in the only command. */
static uint32_t choose_command(const struct tr2_crowd *crowd, uint32_t inner)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	uint32_t found = TR2_NOBODY;

	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		if (alive[i] == inner ||
		    tr2_crowd_process(crowd, alive[i])->parent != TR2_NOBODY)
			continue;
		if (found != TR2_NOBODY)
			return TR2_NOBODY;
		found = alive[i];
	}
	return found;
}

static void find_parent(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, line->owner);

	if (process->child != TR2_NOBODY) {
		process->parent = tr2_crowd_line(crowd, process->child)->owner;
		if (process->parent == TR2_NOBODY)
			process->parent = choose_command(crowd, line->owner);
		return;
	}
	if (line->is != TR2_IS_VERSION)
		return;
	process->parent = TR2_NOBODY;
	if (tr2_crowd_may_be_outermost(crowd, process))
		return;
	process->parent = choose_outer(crowd, at);
	if (process->parent == TR2_NOBODY)
		process->parent = choose_named(crowd, at);
}

void tr2_crowd_find_parents(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;

	tr2_crowd_note_outermost(crowd);
	tr2_crowd_walk(crowd);
	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		tr2_crowd_pass(crowd, i, false);
		line = tr2_crowd_line(crowd, i);
		if (line->owner == TR2_NOBODY)
			continue;
		tr2_crowd_give(crowd, i, line->owner);
		if (!line->told &&
		    tr2_crowd_process(crowd, line->owner)->version == i)
			find_parent(crowd, i);
	}
}
