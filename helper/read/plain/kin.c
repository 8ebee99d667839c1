#include "read/plain/crowd_part.h"

/* Do the name and the ancestry of the child say that the process started it? */
static bool fits_name(const struct tr2_crowd *crowd, uint32_t number,
		      uint32_t at)
{
	const uint32_t runs = tr2_crowd_line(crowd, at)->runs;
	const struct tr2_crowd_process *child;

	if (runs == TR2_NOBODY)
		return true;
	child = tr2_crowd_process(crowd, runs);
	return tr2_crowd_is_below(crowd, child->name,
				  tr2_crowd_process(crowd, number)) &&
	       tr2_crowd_is_inside(crowd, child->chain, at, number);
}

/* An alias waits for its command, and starts no other one. */
static bool is_passing(const struct tr2_crowd *crowd, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	return process->waits && process->last != TR2_NOBODY &&
	       tr2_is_child_start(tr2_crowd_line(crowd, process->last)->is) &&
	       tr2_crowd_is_alias(crowd, number);
}

/*
 * Ids of children are counted. Those before may be among the children that are
 * another one's, or nobody's.
 */
static bool fits_id(const struct tr2_crowd *crowd,
		    const struct tr2_crowd_process *process,
		    const struct tr2_crowd_line *line)
{
	return line->is != TR2_IS_CHILD_START || line->child == process->next ||
	       (line->child > process->next &&
		process->version <= crowd->orphan);
}

/* Has it surely started another child of this id? */
static bool has_id(const struct tr2_crowd_process *process,
		   const struct tr2_crowd_line *line)
{
	return line->is == TR2_IS_CHILD_START && line->child < 64 &&
	       process->ids >> line->child & 1;
}

/* Does the process live when the child ends? */
static bool lives_on(const struct tr2_crowd *crowd,
		     const struct tr2_crowd_process *process, uint32_t at)
{
	const uint32_t mate = tr2_crowd_line(crowd, at)->mate;

	return mate == TR2_NOBODY || mate <= tr2_crowd_death(crowd, process);
}

/* A tr2_crowd_rate_fn: could the process have started the child? */
static unsigned rate_starter(const struct tr2_crowd *crowd, uint32_t number,
			     uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	if (is_passing(crowd, number) || !fits_id(crowd, process, line) ||
	    has_id(process, line) || !lives_on(crowd, process, at))
		return TR2_REFUSED;
	return fits_name(crowd, number, at) ? 0 : TR2_REFUSED;
}

static void give_child(struct tr2_crowd *crowd, uint32_t at, uint32_t starter)
{
	const uint32_t end = tr2_crowd_line(crowd, at)->mate;

	tr2_crowd_give(crowd, at, starter);
	if (end != TR2_NOBODY)
		tr2_crowd_line(crowd, end)->owner = starter;
}

/* So many lines are searched for a child that nobody started. */
#define FAR 4096

/* Returns the only child of this id before the line that nobody started. */
static uint32_t find_orphan(const struct tr2_crowd *crowd,
			    const struct tr2_crowd_process *process,
			    uint32_t at, int64_t child)
{
	const struct tr2_crowd_line *line;
	uint32_t found = TR2_NOBODY;

	if (at > process->version + FAR)
		return found;
	while (at-- > process->version) {
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

	while (line->is == TR2_IS_CHILD_START && child-- > process->next) {
		orphan = find_orphan(crowd, process, at, child);
		if (orphan == TR2_NOBODY)
			return;
		give_child(crowd, orphan, starter);
	}
}

/* Of those that wait for each other, the last one does not wait for another. */
static bool is_nest(const struct tr2_crowd *crowd, uint32_t at,
		    const struct tr2_crowd_choice *choice)
{
	uint32_t count = 0;

	for (uint32_t i = choice->last, outer; i != TR2_NOBODY; i = outer) {
		count += rate_starter(crowd, i, at) == choice->least;
		outer = tr2_crowd_process(crowd, i)->parent;
		if (outer >= i) /* it seems to have begun later */
			break;
	}
	return count >= choice->count;
}

void tr2_crowd_find_starter(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_choice choice =
		tr2_crowd_choose(crowd, at, rate_starter);

	if (choice.count == 1) {
		give_orphans(crowd, at, choice.last);
		give_child(crowd, at, choice.last);
	} else if ((choice.twins && crowd->phase >= TR2_CROWD_TWINS) ||
		   (choice.count && crowd->phase == TR2_CROWD_REST &&
		    is_nest(crowd, at, &choice))) {
		tr2_crowd_doubt_all(crowd, at, rate_starter, 0);
		give_child(crowd, at, choice.last);
	} else if (crowd->phase == TR2_CROWD_REST &&
		   (crowd->alive.count < 2 ||
		    tr2_crowd_is_brief(tr2_crowd_line(crowd, at)))) {
		tr2_crowd_find_writer(crowd, at);
	} else {
		crowd->orphan = at;
	}
}

/*
 * A tr2_crowd_rate_fn: may the process that begins run inside this one, which
 * waits for a child? Or has this one the name above its own?
 */
static unsigned rate_outer(const struct tr2_crowd *crowd, uint32_t number,
			   uint32_t at)
{
	const uint32_t inner = tr2_crowd_line(crowd, at)->owner;
	const uint32_t name = tr2_crowd_process(crowd, inner)->name;
	const struct tr2_crowd_process *outer =
		tr2_crowd_process(crowd, number);

	if (outer->waits && tr2_crowd_is_below(crowd, name, outer))
		return 0;
	return name != TR2_NOBODY && outer->last_name != TR2_NOBODY &&
			       tr2_crowd_line(crowd, outer->last_name)->own ==
				       tr2_crowd_line(crowd, name)->above
		       ? 1
		       : TR2_REFUSED;
}

/* Nobody knows who started the child that it is: the only one that fits. */
static uint32_t choose_outer(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_choice choice =
		tr2_crowd_choose(crowd, at, rate_outer);
	const struct tr2_crowd_process *inner =
		tr2_crowd_process(crowd, tr2_crowd_line(crowd, at)->owner);
	uint32_t orphan;

	if (!choice.count || (choice.least && choice.count > 1))
		return TR2_NOBODY;
	if (!choice.least || inner->child != TR2_NOBODY)
		return choice.last;
	orphan = find_orphan(crowd, tr2_crowd_process(crowd, choice.last), at,
			     tr2_crowd_process(crowd, choice.last)->next);
	if (orphan != TR2_NOBODY && tr2_crowd_line(crowd, orphan)->mate > at)
		give_child(crowd, orphan, choice.last);
	return choice.last;
}

static bool may_be_outermost(const struct tr2_crowd *crowd,
			     const struct tr2_crowd_process *process)
{
	if (process->name != TR2_NOBODY)
		return tr2_crowd_line(crowd, process->name)->outermost;
	return process->chain != TR2_NOBODY &&
	       !tr2_crowd_line(crowd, process->chain)->by_git;
}

/* At its version; its name comes later. */
void tr2_crowd_find_parent(struct tr2_crowd *crowd, uint32_t number)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);
	const uint32_t before = process->parent;

	process->parent = TR2_NOBODY;
	if (process->child != TR2_NOBODY)
		process->parent = tr2_crowd_line(crowd, process->child)->owner;
	if (process->parent == TR2_NOBODY && !may_be_outermost(crowd, process))
		process->parent = choose_outer(crowd, process->version);
	crowd->changed |= process->parent != before;
}

/* Has the child its words, and is it no other process? */
static bool may_be(const struct tr2_crowd *crowd,
		   const struct tr2_crowd_process *process, uint32_t child)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, child);

	return line->own == tr2_crowd_line(crowd, process->start)->own &&
	       line->runs == TR2_NOBODY;
}

/* Find which of the children that run the process is, at its start. */
void tr2_crowd_tie(struct tr2_crowd *crowd, uint32_t number)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);
	const uint32_t *open = crowd->open.items;
	uint32_t count = 0, found = TR2_NOBODY;

	if (process->child != TR2_NOBODY)
		return;
	for (uint32_t i = 0; i < crowd->open.count; i++)
		if (may_be(crowd, process, open[i]) && !count++)
			found = open[i];
	if (!count || (count > 1 && crowd->phase < TR2_CROWD_TWINS))
		return;
	process->child = found;
	if (count > 1)
		tr2_crowd_doubt(crowd, number);
	tr2_crowd_line(crowd, found)->runs = number;
	crowd->changed = true;
}
