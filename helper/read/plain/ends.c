#include "read/plain/crowd_part.h"

/* So many processes are compared with an end. */
#define SEEN_MOST 1024

/* Returns when the process began at the earliest. */
static int64_t find_earliest(const struct tr2_crowd *crowd,
			     const struct tr2_crowd_process *process)
{
	if (process->child != TR2_NOBODY && !process->guess)
		return tr2_crowd_line(crowd, process->child)->clock -
		       crowd->ends.close;
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
	return exit->is != TR2_IS_CHILD_EXIT || exit->code == line->code ||
	       line->is == TR2_IS_SIGNAL;
}

static bool may_end(const struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const int64_t begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, at));
	uint32_t child_end;

	if (process->version >= at ||
	    (process->latest != TR2_NOBODY && process->latest > at) ||
	    begun < find_earliest(crowd, process) ||
	    begun > process->begun + crowd->ends.close)
		return false;
	if (process->child == TR2_NOBODY || process->guess)
		return true;
	child_end = tr2_crowd_child_end(crowd, process->child);
	return child_end == TR2_NOBODY || fits_child(crowd, at, child_end);
}

/* Those that may have ended in a line, by when they began. */
struct ended {
	uint32_t first, near, only, all;
	bool twins;    /* those that are near have the same name */
	int64_t until; /* who began by then is near */
};

static void offer_ended(const struct tr2_crowd *crowd, struct ended *found,
			uint32_t one, int64_t begun)
{
	const struct tr2_crowd_process *process = tr2_crowd_process(crowd, one);

	found->all++;
	found->only = one;
	if (process->begun < begun || process->begun > found->until)
		return;
	if (found->near++) {
		found->twins &= tr2_crowd_are_twins(crowd, one, found->first);
		return;
	}
	found->first = one;
}

static void offer_all(struct tr2_crowd *crowd, uint32_t at, struct ended *found)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const int64_t begun = tr2_crowd_begin_of(line);
	const struct tr2_begun *one;
	uint32_t seen = 0;

	for (uint32_t i = tr2_begun_find(crowd, begun - crowd->ends.close);
	     i < crowd->ends.order.count; i++) {
		one = tr2_begun_list(crowd) + i;
		if (one->begun > begun + TR2_BEGUN_MOST ||
		    one->begun > line->clock ||
		    (found->near > 1 && !found->twins))
			return;
		if (tr2_crowd_process(crowd, one->process)->end != TR2_NOBODY)
			continue;
		if (++seen > SEEN_MOST) {
			found->all = 2;
			if (one->begun <= found->until)
				found->near = 2;
			found->twins = false;
			return;
		}
		if (may_end(crowd, one->process, at))
			offer_ended(crowd, found, one->process, begun);
	}
}

static struct ended find_ended(struct tr2_crowd *crowd, uint32_t at)
{
	struct ended found = { TR2_NOBODY, 0, TR2_NOBODY, 0, true, 0 };
	uint32_t again;

	found.until = tr2_crowd_begin_of(tr2_crowd_line(crowd, at)) +
		      crowd->ends.late;
	offer_all(crowd, at, &found);
	if (found.near || found.all > 1)
		return found;
	again = tr2_begun_find_again(crowd, at);
	if (again == TR2_NOBODY)
		return found;
	if (found.all)
		return (struct ended){ TR2_NOBODY, 0, TR2_NOBODY, 2, false, 0 };
	return (struct ended){ again, 1, again, 1, true, 0 };
}

static void end_process(struct tr2_crowd *crowd, uint32_t at, uint32_t process)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct tr2_crowd_process *ended = tr2_crowd_process(crowd, process);

	line->owner = process;
	if (line->mate != TR2_NOBODY)
		tr2_crowd_line(crowd, line->mate)->owner = process;
	ended->end = at;
	ended->began = tr2_crowd_begin_of(line);
}

/* Is the line the last one of its process, and nobody's so far? */
static bool is_open_end(const struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	return !line->told && line->owner == TR2_NOBODY &&
	       tr2_crowd_ends(line->is) && line->since != TR2_NO_TIME &&
	       !(line->is == TR2_IS_EXIT && line->mate != TR2_NOBODY);
}

static const uint32_t *list_open(const struct tr2_crowd *crowd)
{
	return crowd->ends.open.items;
}

static void list_ends(struct tr2_crowd *crowd)
{
	struct tr2_vec *open = &crowd->ends.open;

	open->count = 0;
	for (uint32_t i = 0; i < crowd->lines.count; i++)
		if (is_open_end(crowd, i))
			*(uint32_t *)tr2_vec_add(open, sizeof(uint32_t)) = i;
}

static void drop_given(struct tr2_crowd *crowd)
{
	uint32_t *open = crowd->ends.open.items, count = 0;

	for (uint32_t i = 0; i < crowd->ends.open.count; i++)
		if (is_open_end(crowd, open[i]))
			open[count++] = open[i];
	crowd->ends.open.count = count;
}

/* Returns the place of the first open end after the line. */
static uint32_t find_open(const struct tr2_crowd *crowd, uint32_t line)
{
	const uint32_t *open = list_open(crowd);
	uint32_t place;

	TR2_SEARCH(place, crowd->ends.open.count, open[place] <= line);
	return place;
}

/*
 * Give each end to its process if there is one only, or one only that is near;
 * returns how many. What began last is of the fewest.
 */
static uint32_t end_clear(struct tr2_crowd *crowd, bool near)
{
	const uint32_t ends = crowd->ends.open.count;
	struct ended found;
	uint32_t at, count = 0;

	for (uint32_t i = 0; i < ends; i++) {
		at = list_open(crowd)[near ? i : ends - 1 - i];
		found = find_ended(crowd, at);
		if ((near ? found.near : found.all) != 1)
			continue;
		end_process(crowd, at, near ? found.first : found.only);
		count++;
	}
	drop_given(crowd);
	return count;
}

/*
 * Returns the line of the end that the process must have written before its
 * starter said so, or TR2_NOBODY if there are several.
 */
static uint32_t find_only_end(const struct tr2_crowd *crowd, uint32_t number,
			      uint32_t child_end)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const uint32_t first = find_open(crowd, process->version);
	const uint32_t *open = list_open(crowd);
	uint32_t i, found = TR2_NOBODY;

	for (i = first; i < crowd->ends.open.count && open[i] < child_end;
	     i++) {
		if (i - first > SEEN_MOST)
			return TR2_NOBODY;
		if (!is_open_end(crowd, open[i]) ||
		    !may_end(crowd, number, open[i]) ||
		    tr2_crowd_begin_of(tr2_crowd_line(crowd, open[i])) >
			    process->begun)
			continue;
		if (found != TR2_NOBODY)
			return TR2_NOBODY;
		found = open[i];
	}
	return found;
}

/* The same for processes whose end is said by their starter. */
static uint32_t end_children(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t child_end, end, count = 0;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->end != TR2_NOBODY || process->guess ||
		    process->child == TR2_NOBODY)
			continue;
		child_end = tr2_crowd_child_end(crowd, process->child);
		if (child_end == TR2_NOBODY)
			continue;
		end = find_only_end(crowd, i, child_end);
		if (end == TR2_NOBODY)
			continue;
		end_process(crowd, end, i);
		count++;
	}
	drop_given(crowd);
	return count;
}

/* Is it proven whose the line is? The end of a child is its starter's. */
static bool is_sure(const struct tr2_crowd *crowd,
		    const struct tr2_crowd_line *line)
{
	if (line->owner == TR2_NOBODY || line->guess)
		return false;
	return !tr2_is_child_end(line->is) || line->mate == TR2_NOBODY ||
	       !tr2_crowd_line(crowd, line->mate)->guess;
}

/* A process does not end before a line that is surely its own. */
static void note_latest(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;

	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		if (is_sure(crowd, line))
			tr2_crowd_process(crowd, line->owner)->latest = i;
	}
}

/* All that may have ended in the line end there, or before. */
static void note_near(struct tr2_crowd *crowd, uint32_t at)
{
	const int64_t begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, at));
	struct tr2_crowd_process *process;
	uint32_t number, seen = 0;

	for (uint32_t i = tr2_begun_find(crowd, begun);
	     i < crowd->ends.order.count &&
	     tr2_begun_list(crowd)[i].begun <= begun + crowd->ends.late &&
	     seen < SEEN_MOST;
	     i++) {
		number = tr2_begun_list(crowd)[i].process;
		process = tr2_crowd_process(crowd, number);
		if (process->end != TR2_NOBODY ||
		    (process->until != TR2_NOBODY &&
		     process->until != process->version))
			continue;
		seen++;
		if (may_end(crowd, number, at))
			process->until = at;
	}
}

/* If none began at the right time, clocks were set, and it may be anyone. */
static void note_anyone(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_process *process;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->end == TR2_NOBODY && process->version < at &&
		    process->until == TR2_NOBODY)
			process->until = at;
	}
}

static void note_far(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	line->far = !find_ended(crowd, at).near;
	if (line->mate != TR2_NOBODY)
		tr2_crowd_line(crowd, line->mate)->far = line->far;
}

/* The last end that may be a process's is the one that counts. */
static void note_open(struct tr2_crowd *crowd)
{
	const uint32_t *open = list_open(crowd);
	struct tr2_crowd_process *process;
	bool anyone = false;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		process->until = process->gone ? process->version : TR2_NOBODY;
	}
	for (uint32_t i = 0; i < crowd->ends.open.count; i++)
		note_far(crowd, open[i]);
	for (uint32_t i = crowd->ends.open.count; i--;) {
		if (!tr2_crowd_line(crowd, open[i])->far)
			note_near(crowd, open[i]);
		else if (!anyone)
			note_anyone(crowd, open[i]);
		anyone |= tr2_crowd_line(crowd, open[i])->far;
	}
}

/* What is clear makes other things clear. */
void tr2_crowd_end_processes(struct tr2_crowd *crowd, bool near)
{
	note_latest(crowd);
	tr2_begun_sort(crowd);
	list_ends(crowd);
	for (int round = 0; round < 8; round++)
		if (!end_children(crowd) && !end_clear(crowd, false) &&
		    !(near && end_clear(crowd, true)))
			break;
	note_open(crowd);
}

/* Twins that began with the process may have ended where it did. */
static void doubt_near(struct tr2_crowd *crowd, uint32_t at, uint32_t number)
{
	const int64_t begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, at));
	const struct tr2_begun *all = tr2_begun_list(crowd);

	for (uint32_t i = tr2_begun_find(crowd, begun);
	     i < crowd->ends.order.count &&
	     all[i].begun <= begun + crowd->ends.late;
	     i++)
		if (tr2_crowd_are_twins(crowd, all[i].process, number))
			tr2_crowd_doubt(crowd, all[i].process);
}

void tr2_crowd_end_twins(struct tr2_crowd *crowd)
{
	struct ended found;
	uint32_t at;

	tr2_begun_sort(crowd);
	list_ends(crowd);
	for (uint32_t i = 0; i < crowd->ends.open.count; i++) {
		at = list_open(crowd)[i];
		found = find_ended(crowd, at);
		if (!found.near || !found.twins)
			continue;
		tr2_crowd_line(crowd, at)->guess = true;
		doubt_near(crowd, at, found.first);
		end_process(crowd, at, found.first);
	}
}
