#include "read/plain/crowd_part.h"

#include <stdlib.h>
#include <string.h>

/* us: a line is written so long after its time was taken, or less. */
#define LATE 20000
#define CLOSE 1000
#define NEAR 20

/* us: two lines of a process say when it began, and differ by less. */
#define MARGIN 200

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
	struct open *all = open->items;
	const uint32_t mate = all[place].line;

	tr2_crowd_line(crowd, line)->mate = mate;
	tr2_crowd_line(crowd, mate)->mate = line;
	memmove(all + place, all + place + 1,
		(--open->count - place) * sizeof(*all));
}

/* Without a time, the last child of the id is meant if there are several. */
static void pair_child(struct tr2_crowd *crowd, struct tr2_vec *open,
		       uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const bool timed = line->since != TR2_NO_TIME;
	const int64_t begun = timed ? tr2_crowd_begin_of(line) : 0;
	const struct open *all = open->items;
	struct choice choice = none;
	uint32_t i;

	for (i = open->count; i--;)
		if (all[i].child == line->child)
			offer_one(&choice, i,
				  timed ? llabs(begun - all[i].begun)
					: (int64_t)(open->count - i) * LATE);
	if (choice.best == TR2_NOBODY || (timed && choice.least > LATE))
		return;
	line->guess = !is_clear(&choice, NEAR);
	pair_lines(crowd, open, choice.best, at);
}

static void pair_exit(struct tr2_crowd *crowd, struct tr2_vec *open,
		      uint32_t at)
{
	const int64_t begun = tr2_crowd_begin_of(tr2_crowd_line(crowd, at));
	const struct open *all = open->items;
	struct choice choice = none;
	uint32_t i;

	for (i = open->count; i--;)
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

	if (tr2_crowd_starts_child(is) && line->mate == TR2_NOBODY)
		add_open(children, line, at);
	else if (line->told)
		return;
	else if (tr2_crowd_ends_child(is))
		pair_child(crowd, children, at);
	else if (is == TR2_IS_EXIT)
		add_open(exits, line, at);
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
