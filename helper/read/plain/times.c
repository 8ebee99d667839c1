#include "read/plain/crowd_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

/* us: two lines of a process say when it began, and differ by less. */
#define MARGIN 200

/* So many processes are compared with an end. */
#define SEEN_MOST 1024

/*
 * us: a process takes so much longer before it writes `version` than the log
 * proves that one did.
 */
#define LATER 4
#define SOON 1000

TR2_COMPARE(compare_begun, tr2_begun, TR2_BY(begun, TR2_BY(process, 0)));

static void sort_begun(struct tr2_crowd *crowd)
{
	struct tr2_vec *order = &crowd->ends.order;
	struct tr2_begun *one;
	int64_t last = INT64_MIN;
	bool sorted = true;

	order->count = 0;
	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		one = tr2_vec_add(order, sizeof(*one));
		*one = (struct tr2_begun){ tr2_crowd_process(crowd, i)->begun,
					   i };
		sorted = sorted && one->begun >= last;
		last = one->begun;
	}
	if (!sorted)
		tr2_vec_sort(order, sizeof(*one), compare_begun);
}

uint32_t tr2_begun_find(const struct tr2_crowd *crowd, int64_t time)
{
	const struct tr2_begun *all = tr2_begun_list(crowd);
	uint32_t place;

	TR2_SEARCH(place, crowd->ends.order.count, all[place].begun < time);
	return place;
}

/*
 * Note how long processes take before they write `version`: on a machine with
 * much to do, longer. At least one of those that may have ended in a line took
 * so long.
 */
static void note_late(struct tr2_crowd *crowd)
{
	const struct tr2_begun *all = tr2_begun_list(crowd);
	int64_t begun, late = 0;
	uint32_t place;

	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		if (!tr2_crowd_ends(tr2_crowd_line(crowd, i)->is) ||
		    tr2_crowd_line(crowd, i)->since == TR2_NO_TIME)
			continue;
		begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, i));
		place = tr2_begun_find(crowd, begun);
		if (place < crowd->ends.order.count &&
		    all[place].begun <= begun + TR2_BEGUN_MOST &&
		    all[place].begun - begun > late)
			late = all[place].begun - begun;
	}
	crowd->ends.late = LATER * late + SOON;
}

/* A clock is wrong by the least of its steps at most: 15.6 ms on Windows. */
static void note_close(struct tr2_crowd *crowd)
{
	int64_t step, least = TR2_BEGUN_MOST;

	crowd->ends.close = TR2_BEGUN_CLOSE;
	for (uint32_t i = 1; i < crowd->lines.count; i++) {
		step = tr2_crowd_line(crowd, i)->clock -
		       tr2_crowd_line(crowd, i - 1)->clock;
		if (step > 0 && step < least)
			least = step;
	}
	if (least > TR2_BEGUN_CLOSE && least < TR2_BEGUN_MOST)
		crowd->ends.close = least;
}

void tr2_begun_sort(struct tr2_crowd *crowd)
{
	note_close(crowd);
	sort_begun(crowd);
	note_late(crowd);
}

uint32_t tr2_begun_find_again(const struct tr2_crowd *crowd, uint32_t at)
{
	const int64_t begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, at));
	const struct tr2_begun *all = tr2_begun_list(crowd);
	const struct tr2_crowd_process *process;
	const uint32_t first = tr2_begun_find(crowd, begun - crowd->ends.close);
	uint32_t found = TR2_NOBODY;

	for (uint32_t i = first;
	     i < crowd->ends.order.count &&
	     all[i].begun <= begun + TR2_BEGUN_MOST && i - first < SEEN_MOST;
	     i++) {
		process = tr2_crowd_process(crowd, all[i].process);
		if (process->began != TR2_NO_TIME && process->version < at &&
		    llabs(process->began - begun) < MARGIN)
			found = all[i].process;
	}
	return found;
}

/* us: a line is written so long after its time was taken, or less. */
#define LATE 20000
#define CLOSE 1000
#define NEAR 20

/* So many that have not ended are compared with an end. */
#define OPEN_MOST 1024

/* The best and the second best of those that a line may belong to. */
struct choice {
	uint32_t best;
	int64_t least, second;
};

static const struct choice none = { TR2_NOBODY, INT64_MAX / 4, INT64_MAX / 4 };

/* A child that began, or a process that said how it exits. */
struct open {
	int64_t child, begun;
	uint32_t line;
};

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

static void add_open(struct tr2_vec *open, const struct tr2_crowd_line *line,
		     uint32_t at)
{
	struct open *added = tr2_vec_add(open, sizeof(*added)), *all;
	const int64_t begun = line->is == TR2_IS_EXIT ? tr2_crowd_begin_of(line)
						      : line->clock;

	*added = (struct open){ line->child, begun, at };
	if (open->count < 2 * OPEN_MOST)
		return;
	all = open->items;
	memcpy(all, all + OPEN_MOST, OPEN_MOST * sizeof(*all));
	open->count = OPEN_MOST;
}

static void pair_lines(struct tr2_crowd *crowd, struct tr2_vec *open,
		       uint32_t place, uint32_t line)
{
	const uint32_t mate = ((const struct open *)open->items)[place].line;

	tr2_crowd_line(crowd, line)->mate = mate;
	tr2_crowd_line(crowd, mate)->mate = line;
	tr2_vec_remove(open, place, sizeof(struct open));
}

/* How far is the child from the one that ended in the line? */
static int64_t measure_child(const struct tr2_vec *open, uint32_t place,
			     const struct tr2_crowd_line *end)
{
	const struct open *one = (const struct open *)open->items + place;

	return end->since == TR2_NO_TIME
		       ? (int64_t)(open->count - place) * LATE
		       : llabs(tr2_crowd_begin_of(end) - one->begun);
}

/* Any of these children may be the one that ended: the others are guesses, too. */
static void guess_near(struct tr2_crowd *crowd, const struct tr2_vec *open,
		       const struct tr2_crowd_line *end, int64_t near)
{
	const struct open *all = open->items;

	for (uint32_t i = 0; i < open->count; i++)
		if (all[i].child == end->child &&
		    measure_child(open, i, end) < near)
			tr2_crowd_line(crowd, all[i].line)->guess = true;
}

/* Without a time, the last child of the id is meant if there are several. */
static void pair_child(struct tr2_crowd *crowd, struct tr2_vec *open,
		       uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const bool timed = line->since != TR2_NO_TIME;
	const struct open *all = open->items;
	struct choice choice = none;

	for (uint32_t i = open->count; i--;)
		if (all[i].child == line->child)
			offer_one(&choice, i, measure_child(open, i, line));
	if (choice.best == TR2_NOBODY || (timed && choice.least > LATE))
		return;
	if (!is_clear(&choice, NEAR))
		guess_near(crowd, open, line, 2 * choice.least + NEAR);
	line->guess = tr2_crowd_line(crowd, all[choice.best].line)->guess;
	pair_lines(crowd, open, choice.best, at);
}

static void pair_exit(struct tr2_crowd *crowd, struct tr2_vec *open,
		      uint32_t at)
{
	const int64_t begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, at));
	const struct open *all = open->items;
	struct choice choice = none;

	for (uint32_t i = open->count; i--;)
		offer_one(&choice, i, llabs(begun - all[i].begun));
	if (choice.best == TR2_NOBODY ||
	    choice.least > (is_clear(&choice, MARGIN) ? LATE : CLOSE))
		return;
	pair_lines(crowd, open, choice.best, at);
}

static void pair_line(struct tr2_crowd *crowd, struct tr2_vec *children,
		      struct tr2_vec *exits, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const enum tr2_is is = line->is;

	if (tr2_is_child_start(is) && line->mate == TR2_NOBODY)
		add_open(children, line, at);
	else if (line->told)
		return;
	else if (tr2_is_child_end(is))
		pair_child(crowd, children, at);
	else if (is == TR2_IS_EXIT)
		add_open(exits, line, at);
	else if (is == TR2_IS_ATEXIT)
		pair_exit(crowd, exits, at);
}

void tr2_crowd_pair(struct tr2_crowd *crowd)
{
	struct tr2_vec children = { 0 }, exits = { 0 };

	for (uint32_t i = 0; i < crowd->lines.count; i++)
		pair_line(crowd, &children, &exits, i);
	tr2_vec_release(&children);
	tr2_vec_release(&exits);
}
