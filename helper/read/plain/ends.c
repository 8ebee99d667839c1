#include "read/plain/crowd_part.h"

#include <stdlib.h>

/* us: a line is written so long after its time was taken, or less. */
#define LATE 20000
#define CLOSE 1000
#define NEAR 20

/* us: two lines of a process say when it began, and differ by less. */
#define MARGIN 200

/* us: what a process does before it writes `version` takes so long at most, */
#define STARTUP 20000
#define STARTUP_MOST 1000000 /* or if it is the only one */

/* The best and the second best of those that a line may belong to. */
struct choice {
	uint32_t best;
	int64_t least, second;
};

static const struct choice none = { TR2_NOBODY, INT64_MAX / 4, INT64_MAX / 4 };

static void offer_one(struct choice *choice, uint32_t one, int64_t distance)
{
	if (distance >= choice->least) {
		if (distance < choice->second)
			choice->second = distance;
		return;
	}
	choice->second = choice->least;
	choice->least = distance;
	choice->best = one;
}

static bool is_clear(const struct choice *choice, int64_t margin)
{
	return choice->best != TR2_NOBODY &&
	       choice->second >= 2 * choice->least + margin;
}

/* When what ends in this line began, by its own word. */
static int64_t find_begin(const struct tr2_crowd_line *line)
{
	return line->says.clock - (tr2_crowd_ends(line->says.is)
					   ? line->says.t_abs
					   : line->says.t_rel);
}

static void pair_lines(struct tr2_crowd *crowd, uint32_t line, uint32_t mate)
{
	tr2_crowd_line(crowd, line)->mate = mate;
	tr2_crowd_line(crowd, mate)->mate = line;
}

static void drop_open(struct tr2_vec *open, uint32_t line)
{
	uint32_t *items = open->items, i, count = 0;

	for (i = 0; i < open->count; i++)
		if (items[i] != line)
			items[count++] = items[i];
	open->count = count;
}

/* Without a time, the last child of the id is meant if there are several. */
static void pair_child(struct tr2_crowd *crowd, struct tr2_vec *open,
		       uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at), *begin;
	const uint32_t *items = open->items;
	const bool timed = line->says.t_rel != TR2_NO_TIME;
	struct choice choice = none;
	uint32_t i;

	for (i = open->count; i--;) {
		begin = tr2_crowd_line(crowd, items[i]);
		if (begin->says.child != line->says.child)
			continue;
		offer_one(&choice, items[i],
			  timed ? llabs(find_begin(line) - begin->says.clock)
				: (int64_t)(open->count - i) * LATE);
	}
	if (choice.best == TR2_NOBODY || (timed && choice.least > LATE))
		return;
	tr2_crowd_line(crowd, at)->guess = !is_clear(&choice, NEAR);
	pair_lines(crowd, at, choice.best);
	drop_open(open, choice.best);
}

static void pair_exit(struct tr2_crowd *crowd, struct tr2_vec *open,
		      uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at), *exit;
	const uint32_t *items = open->items;
	struct choice choice = none;
	uint32_t i;

	for (i = open->count; i--;) {
		exit = tr2_crowd_line(crowd, items[i]);
		offer_one(&choice, items[i],
			  llabs(find_begin(line) - find_begin(exit)));
	}
	if (choice.best == TR2_NOBODY ||
	    choice.least > (is_clear(&choice, MARGIN) ? LATE : CLOSE))
		return;
	pair_lines(crowd, at, choice.best);
	drop_open(open, choice.best);
}

static void pair_line(struct tr2_crowd *crowd, struct tr2_vec *children,
		      struct tr2_vec *exits, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const enum tr2_is is = line->says.is;

	if (tr2_crowd_starts_child(is) && line->mate == TR2_NOBODY)
		*(uint32_t *)tr2_vec_add(children, sizeof(uint32_t)) = at;
	else if (line->told)
		return;
	else if (tr2_crowd_ends_child(is))
		pair_child(crowd, children, at);
	else if (is == TR2_IS_EXIT)
		*(uint32_t *)tr2_vec_add(exits, sizeof(uint32_t)) = at;
	else if (is == TR2_IS_ATEXIT)
		pair_exit(crowd, exits, at);
}

void tr2_crowd_pair(struct tr2_crowd *crowd)
{
	struct tr2_vec children = { 0 }, exits = { 0 };
	uint32_t i;

	for (i = 0; i < crowd->lines.count; i++)
		pair_line(crowd, &children, &exits, i);
	tr2_vec_release(&children);
	tr2_vec_release(&exits);
}

/* Returns when the process began at the earliest. */
static int64_t find_earliest(const struct tr2_crowd *crowd,
			     const struct tr2_crowd_process *process)
{
	if (process->child != TR2_NOBODY && !process->guess)
		return tr2_crowd_line(crowd, process->child)->says.clock -
		       CLOSE;
	if (process->parent != TR2_NOBODY)
		return tr2_crowd_process(crowd, process->parent)->begun;
	return INT64_MIN;
}

/* Does the starter say that the process ended later, and with this code? */
static bool fits_child(const struct tr2_crowd *crowd, uint32_t at,
		       uint32_t child_end)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_line *exit = tr2_crowd_line(crowd, child_end);

	if (at > child_end)
		return false;
	return exit->says.is != TR2_IS_CHILD_EXIT || exit->guess ||
	       exit->code == line->code || line->says.is == TR2_IS_SIGNAL;
}

/* May the process have ended in this line? */
static bool may_end(const struct tr2_crowd *crowd, uint32_t at,
		    const struct tr2_crowd_process *process)
{
	uint32_t child_end;

	if (process->version >= at ||
	    (process->latest != TR2_NOBODY && process->latest > at) ||
	    find_begin(tr2_crowd_line(crowd, at)) <
		    find_earliest(crowd, process))
		return false;
	if (process->child == TR2_NOBODY || process->guess)
		return true;
	child_end = tr2_crowd_child_end(crowd, process->child);
	return child_end == TR2_NOBODY || fits_child(crowd, at, child_end);
}

/* Returns the first process that began at this time or later. */
static uint32_t find_begun(const struct tr2_crowd *crowd, int64_t time)
{
	uint32_t low = crowd->told, high = crowd->processes.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (tr2_crowd_process(crowd, middle)->begun < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Returns the first process from this one on that began in this time, or
 * TR2_NOBODY. Those of lines that were passed on are in no order.
 */
static uint32_t next_begun(const struct tr2_crowd *crowd, uint32_t i,
			   int64_t from, int64_t to)
{
	int64_t begun;

	for (; i < crowd->told; i++) {
		begun = tr2_crowd_process(crowd, i)->begun;
		if (begun >= from && begun <= to)
			return i;
	}
	if (i == crowd->told)
		i = find_begun(crowd, from);
	return i < crowd->processes.count &&
			       tr2_crowd_process(crowd, i)->begun <= to
		       ? i
		       : TR2_NOBODY;
}

/* Those that may have ended in a line, by when they began. */
struct ended {
	uint32_t first, near, only, all;
	bool twins; /* those that are near have the same name */
};

/* Does it begin when its process did that has ended, and goes on? */
static bool goes_on(const struct tr2_crowd_process *process, int64_t begun)
{
	return process->end != TR2_NOBODY && process->began != TR2_NO_TIME &&
	       llabs(process->began - begun) < MARGIN;
}

static void offer_ended(const struct tr2_crowd *crowd, struct ended *found,
			uint32_t one, int64_t begun)
{
	const struct tr2_crowd_process *process = tr2_crowd_process(crowd, one);

	found->all++;
	found->only = one;
	if (process->begun < begun || process->begun > begun + STARTUP)
		return;
	if (!found->near++)
		found->first = one;
	else
		found->twins &= tr2_crowd_are_twins(crowd, one, found->first);
}

static struct ended find_ended(const struct tr2_crowd *crowd, uint32_t at)
{
	const int64_t begun = find_begin(tr2_crowd_line(crowd, at));
	struct ended found = { TR2_NOBODY, 0, TR2_NOBODY, 0, true };
	const struct tr2_crowd_process *process;
	const int64_t from = begun - CLOSE, to = begun + STARTUP_MOST;
	uint32_t i, again = TR2_NOBODY;

	for (i = next_begun(crowd, 0, from, to); i != TR2_NOBODY;
	     i = next_begun(crowd, i + 1, from, to)) {
		process = tr2_crowd_process(crowd, i);
		if (process->version >= at)
			break;
		if (goes_on(process, begun))
			again = i;
		if (process->end == TR2_NOBODY && may_end(crowd, at, process))
			offer_ended(crowd, &found, i, begun);
	}
	if (again == TR2_NOBODY || found.near)
		return found;
	if (found.all)
		return (struct ended){ TR2_NOBODY, 0, TR2_NOBODY, 2, false };
	return (struct ended){ again, 1, again, 1, true };
}

static void end_process(struct tr2_crowd *crowd, uint32_t at, uint32_t process)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct tr2_crowd_process *ended = tr2_crowd_process(crowd, process);

	line->owner = process;
	if (line->mate != TR2_NOBODY)
		tr2_crowd_line(crowd, line->mate)->owner = process;
	ended->end = at;
	ended->began = find_begin(line);
}

/* Is the line the last one of its process, and nobody's so far? */
static bool is_open_end(const struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	return !line->told && line->owner == TR2_NOBODY &&
	       tr2_crowd_ends(line->says.is) &&
	       line->says.t_abs != TR2_NO_TIME &&
	       !(line->says.is == TR2_IS_EXIT && line->mate != TR2_NOBODY);
}

/*
 * Give each end to its process if there is one only, or one only that is near;
 * returns how many. What began last is of the fewest.
 */
static uint32_t end_clear(struct tr2_crowd *crowd, bool near)
{
	const uint32_t lines = crowd->lines.count;
	struct ended found;
	uint32_t i, at, count = 0;

	for (i = 0; i < lines; i++) {
		at = near ? i : lines - 1 - i;
		if (!is_open_end(crowd, at))
			continue;
		found = find_ended(crowd, at);
		if ((near ? found.near : found.all) != 1)
			continue;
		end_process(crowd, at, near ? found.first : found.only);
		count++;
	}
	return count;
}

/*
 * Returns the line of the end that the process must have written before its
 * starter said so, or TR2_NOBODY if there are several.
 */
static uint32_t find_only_end(const struct tr2_crowd *crowd,
			      const struct tr2_crowd_process *process,
			      uint32_t child_end)
{
	const int64_t latest = process->begun;
	uint32_t i, found = TR2_NOBODY;

	for (i = process->version + 1; i < child_end; i++) {
		if (!is_open_end(crowd, i) || !may_end(crowd, i, process) ||
		    find_begin(tr2_crowd_line(crowd, i)) > latest)
			continue;
		if (found != TR2_NOBODY)
			return TR2_NOBODY;
		found = i;
	}
	return found;
}

/* The same for processes whose end is said by their starter. */
static uint32_t end_children(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t i, child_end, end, count = 0;

	for (i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->end != TR2_NOBODY || process->guess ||
		    process->child == TR2_NOBODY)
			continue;
		child_end = tr2_crowd_child_end(crowd, process->child);
		if (child_end == TR2_NOBODY ||
		    tr2_crowd_line(crowd, child_end)->guess)
			continue;
		end = find_only_end(crowd, process, child_end);
		if (end == TR2_NOBODY)
			continue;
		end_process(crowd, end, i);
		count++;
	}
	return count;
}

/* A process does not end before a line that is surely its own. */
static void note_latest(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;
	uint32_t i;

	for (i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		if (line->owner != TR2_NOBODY && !line->guess)
			tr2_crowd_process(crowd, line->owner)->latest = i;
	}
}

/*
 * All that may have ended in the line end there, or before; if none began at
 * the right time, clocks were set, and it may be anyone.
 */
static void note_open(struct tr2_crowd *crowd, uint32_t at)
{
	const int64_t begun = find_begin(tr2_crowd_line(crowd, at));
	const bool any = !find_ended(crowd, at).near;
	const int64_t from = any ? INT64_MIN : begun;
	const int64_t to = any ? INT64_MAX : begun + STARTUP;
	struct tr2_crowd_process *process;
	uint32_t i;

	for (i = next_begun(crowd, 0, from, to); i != TR2_NOBODY;
	     i = next_begun(crowd, i + 1, from, to)) {
		process = tr2_crowd_process(crowd, i);
		if (process->version >= at)
			break;
		if (process->end == TR2_NOBODY &&
		    (any || may_end(crowd, at, process)))
			process->until = at;
	}
}

/* What is clear makes other things clear. */
void tr2_crowd_end_processes(struct tr2_crowd *crowd)
{
	uint32_t i;
	int round;

	note_latest(crowd);
	for (round = 0; round < 8; round++)
		if (!end_children(crowd) && !end_clear(crowd, false) &&
		    !end_clear(crowd, true))
			break;
	for (i = 0; i < crowd->processes.count; i++)
		tr2_crowd_process(crowd, i)->until = TR2_NOBODY;
	for (i = 0; i < crowd->lines.count; i++)
		if (is_open_end(crowd, i))
			note_open(crowd, i);
}

/* Twins that began with the process may have ended where it did. */
static void doubt_near(struct tr2_crowd *crowd, uint32_t at, uint32_t number)
{
	const int64_t begun = find_begin(tr2_crowd_line(crowd, at));
	uint32_t i;

	for (i = next_begun(crowd, 0, begun, begun + STARTUP); i != TR2_NOBODY;
	     i = next_begun(crowd, i + 1, begun, begun + STARTUP))
		if (tr2_crowd_are_twins(crowd, i, number))
			tr2_crowd_doubt(crowd, i);
}

void tr2_crowd_end_twins(struct tr2_crowd *crowd)
{
	struct ended found;
	uint32_t i;

	for (i = 0; i < crowd->lines.count; i++) {
		if (!is_open_end(crowd, i))
			continue;
		found = find_ended(crowd, i);
		if (!found.near || !found.twins)
			continue;
		tr2_crowd_line(crowd, i)->guess = true;
		doubt_near(crowd, i, found.first);
		end_process(crowd, i, found.first);
	}
}
