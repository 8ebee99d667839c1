#include "read/plain/crowd_part.h"

#include <stdlib.h>

/* us: a line is written so long after its time was taken, or less, */
#define LATE 20000
/* and the time of two lines that say when the same thing began differs by this. */
#define CLOSE 200

/* us: a process writes `version` so soon after its begin, nearly always, or at
 * least so soon, */
#define SOON 3000
#define LATER 50000
/* and its clock goes in steps of this, or less. */
#define STEP 1000

/* So many that have not ended are compared with an end. */
#define SEEN_MOST 1024

/* So many lines are searched for the end of a process that has ended. */
#define FAR ((uint32_t)4096)

/* How far is what began in the line of this place from what ended? */
static int64_t measure_begin(const struct tr2_crowd *crowd,
			     const struct tr2_vec *open, uint32_t place,
			     const struct tr2_crowd_line *end)
{
	const struct tr2_crowd_line *line =
		tr2_crowd_line(crowd, ((const uint32_t *)open->items)[place]);
	const int64_t begun = line->is == TR2_IS_EXIT ? line->begun
						      : line->clock;

	if (line->child != end->child)
		return INT64_MAX;
	if (end->begun == TR2_NO_TIME || begun == TR2_NO_TIME)
		return open->count - place;
	return llabs(end->begun - begun);
}

/* Join the end with the nearest begin. */
static void pair_end(struct tr2_crowd *crowd, struct tr2_vec *open, uint32_t at)
{
	struct tr2_crowd_line *end = tr2_crowd_line(crowd, at);
	int64_t least = INT64_MAX;
	uint32_t place = 0;

	for (uint32_t i = open->count; i--;)
		if (measure_begin(crowd, open, i, end) < least) {
			least = measure_begin(crowd, open, i, end);
			place = i;
		}
	if (least > LATE)
		return;
	end->mate = ((const uint32_t *)open->items)[place];
	tr2_crowd_line(crowd, end->mate)->mate = at;
	tr2_vec_remove(open, place, sizeof(uint32_t));
}

void tr2_crowd_pair(struct tr2_crowd *crowd)
{
	struct tr2_vec children = { 0 }, exits = { 0 }, *open;
	enum tr2_is is;

	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		is = tr2_crowd_line(crowd, i)->is;
		open = tr2_crowd_ends(is) ? &exits : &children;
		if (tr2_is_child_start(is) || is == TR2_IS_EXIT) {
			tr2_crowd_add(open, i);
		} else if (tr2_is_child_end(is) || is == TR2_IS_ATEXIT) {
			pair_end(crowd, open, i);
		}
	}
	tr2_vec_release(&children);
	tr2_vec_release(&exits);
}

/* Of children at once, brief form does not say which one ended. */
uint32_t tr2_crowd_child_end(const struct tr2_crowd *crowd, uint32_t child)
{
	const uint32_t mate = tr2_crowd_line(crowd, child)->mate;

	return mate == TR2_NOBODY ||
			       tr2_crowd_line(crowd, mate)->begun ==
				       TR2_NO_TIME ||
			       tr2_crowd_line(crowd, mate)->is ==
				       TR2_IS_CHILD_READY
		       ? TR2_NOBODY
		       : mate;
}

void tr2_crowd_note_step(struct tr2_crowd *crowd)
{
	int64_t step, least = TR2_CROWD_LATE;

	for (uint32_t i = 1; i < crowd->lines.count; i++) {
		step = tr2_crowd_line(crowd, i)->clock -
		       tr2_crowd_line(crowd, i - 1)->clock;
		if (step > 0 && step < least)
			least = step;
	}
	crowd->close = least > STEP && least < TR2_CROWD_LATE ? least : STEP;
}

/* Does the starter say that the process began before, and ended later? */
static bool fits_child(const struct tr2_crowd *crowd,
		       const struct tr2_crowd_process *process, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	uint32_t end;

	if (process->child == TR2_NOBODY)
		return true;
	if (line->begun <
	    tr2_crowd_line(crowd, process->child)->clock - crowd->close)
		return false;
	end = tr2_crowd_child_end(crowd, process->child);
	return end == TR2_NOBODY || at < end;
}

/* A tr2_crowd_rate_fn: it began when the end says so. */
static unsigned rate_end(const struct tr2_crowd *crowd, uint32_t number,
			 uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const int64_t begun = tr2_crowd_line(crowd, at)->begun;
	const bool near = crowd->phase >= TR2_CROWD_NEAR;

	if (begun == TR2_NO_TIME || process->end != TR2_NOBODY ||
	    begun > process->begun + crowd->close ||
	    process->begun > begun + (near ? LATER : TR2_CROWD_LATE) ||
	    (process->latest != TR2_NOBODY && process->latest > at))
		return TR2_REFUSED;
	if (!fits_child(crowd, process, at))
		return TR2_REFUSED;
	return near &&
	       (process->begun < begun || process->begun >= begun + SOON);
}

static void end_process(struct tr2_crowd *crowd, uint32_t at, uint32_t process)
{
	const uint32_t exit = tr2_crowd_line(crowd, at)->mate;

	if (exit != TR2_NOBODY)
		tr2_crowd_give(crowd, exit, process);
	tr2_crowd_give(crowd, at, process);
	tr2_crowd_process(crowd, process)->end = at;
}

/*
 * Returns the process that has ended, began when the line says, and goes on; or
 * TR2_NOBODY.
 */
static uint32_t find_again(const struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at), *end;
	const struct tr2_crowd_process *process;
	uint32_t i = crowd->processes.count;

	for (uint32_t seen = 0; i-- && seen < SEEN_MOST; seen++) {
		process = tr2_crowd_process(crowd, i);
		if (process->version >= at || process->end == TR2_NOBODY)
			continue;
		end = tr2_crowd_line(crowd, process->end);
		if (end->begun != TR2_NO_TIME &&
		    llabs(end->begun - line->begun) < CLOSE)
			return i;
	}
	return TR2_NOBODY;
}

/* Those that may have ended here may not live any longer. */
static void note_soon(struct tr2_crowd *crowd, uint32_t at)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);

	for (uint32_t i = 0; i < crowd->alive.count; i++)
		if (!rate_end(crowd, alive[i], at))
			tr2_crowd_process(crowd, alive[i])->soon = at;
}

#define ENDS_FAR 64 /* lines */

/* Does one end after it that lived shorter? Then that one began later. */
static bool ends_older(const struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at), *next;

	for (uint32_t i = at + 1; i < crowd->lines.count && i - at < ENDS_FAR;
	     i++) {
		next = tr2_crowd_line(crowd, i);
		if (next->is == TR2_IS_VERSION)
			return false;
		if (next->is == line->is && next->lived < line->lived)
			return true;
	}
	return false;
}

/* A tr2_crowd_rate_fn: its end is not known, and no time tells it. */
static unsigned rate_open(const struct tr2_crowd *crowd, uint32_t number,
			  uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const uint32_t *alive = tr2_crowd_alive(crowd);
	uint32_t newest = crowd->alive.count;

	if (process->end != TR2_NOBODY ||
	    (process->start != TR2_NOBODY && process->start > at))
		return TR2_REFUSED;
	while (newest &&
	       tr2_crowd_process(crowd, alive[newest - 1])->end != TR2_NOBODY)
		newest--;
	if (newest > 1 && alive[newest - 1] == number && ends_older(crowd, at))
		return TR2_REFUSED;
	return process->waits > 0;
}

/* None began when the end says so: its clock was set, or there is none. */
static void end_untimed(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct tr2_crowd_choice choice;
	uint32_t owner = TR2_NOBODY;

	if (line->is == TR2_IS_ATEXIT && line->mate != TR2_NOBODY)
		owner = tr2_crowd_line(crowd, line->mate)->owner;
	if (owner == TR2_NOBODY) {
		choice = tr2_crowd_choose(crowd, at, rate_open);
		owner = choice.last;
		if (!crowd->alive.count)
			tr2_crowd_find_writer(crowd, at);
		if (!choice.count ||
		    (choice.count > 1 && !tr2_crowd_is_brief(line)))
			return;
		if (choice.count > 1)
			tr2_crowd_doubt_all(crowd, at, rate_open, choice.least);
	}
	tr2_crowd_give(crowd, at, owner);
	tr2_crowd_process(crowd, owner)->end = at;
}

void tr2_crowd_find_ended(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct tr2_crowd_choice choice;
	uint32_t again = TR2_NOBODY;

	if (line->is == TR2_IS_EXIT && line->mate != TR2_NOBODY &&
	    line->begun != TR2_NO_TIME)
		return;
	choice = tr2_crowd_choose(crowd, at, rate_end);
	if (!choice.count && line->begun != TR2_NO_TIME)
		again = find_again(crowd, at);
	if (again != TR2_NOBODY) {
		end_process(crowd, at, again);
	} else if (choice.count == 1) {
		end_process(crowd, at, choice.first);
	} else if (choice.twins && crowd->phase == TR2_CROWD_REST) {
		tr2_crowd_doubt_all(crowd, at, rate_end, 0);
		end_process(crowd, at, choice.first);
	} else if (choice.count) {
		note_soon(crowd, at);
	} else if (crowd->phase == TR2_CROWD_REST) {
		end_untimed(crowd, at);
	}
}

/* Is the line an end of nobody so far, which may be of the process? */
static bool is_open_end(const struct tr2_crowd *crowd, uint32_t number,
			uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	return line->owner == TR2_NOBODY && tr2_crowd_ends(line->is) &&
	       !(line->is == TR2_IS_EXIT && line->mate != TR2_NOBODY) &&
	       line->begun <= tr2_crowd_process(crowd, number)->begun &&
	       rate_end(crowd, number, at) != TR2_REFUSED;
}

/*
 * The starter says that the process has ended here: it is the end that it must
 * have written before, if there is one only.
 */
void tr2_crowd_find_end(struct tr2_crowd *crowd, uint32_t child_end)
{
	const uint32_t child = tr2_crowd_line(crowd, child_end)->mate;
	const uint32_t number = tr2_crowd_line(crowd, child)->runs;
	const struct tr2_crowd_process *process;
	uint32_t i = child_end, found = TR2_NOBODY;

	if (number == TR2_NOBODY)
		return;
	process = tr2_crowd_process(crowd, number);
	if (process->end != TR2_NOBODY || process->child != child ||
	    tr2_crowd_child_end(crowd, child) != child_end)
		return;
	while (i-- > process->version && child_end - i < FAR) {
		if (!is_open_end(crowd, number, i))
			continue;
		if (found != TR2_NOBODY)
			return;
		found = i;
	}
	if (found != TR2_NOBODY)
		end_process(crowd, found, number);
}
