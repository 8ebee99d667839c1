#include "read/plain/crowd_part.h"

#include <string.h>

/* us: a clock that goes back by more is that of another log, it seems, */
#define BACK TR2_CROWD_BACK
/* and a process that works writes this often. */
#define SILENT 10000000

uint32_t tr2_crowd_death(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process)
{
	uint32_t end = process->end;

	/* One that wrote no end has ended when its starter says so. */
	if (end == TR2_NOBODY && process->child != TR2_NOBODY &&
	    !process->guess)
		end = tr2_crowd_child_end(crowd, process->child);
	return end == TR2_NOBODY ? process->until : end;
}

bool tr2_crowd_lives(const struct tr2_crowd *crowd, uint32_t process,
		     uint32_t line)
{
	const struct tr2_crowd_process *one = tr2_crowd_process(crowd, process);

	return one->version < line && line <= tr2_crowd_death(crowd, one);
}

void tr2_crowd_walk(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;

	crowd->alive.count = 0;
	crowd->orphan = crowd->lost ? crowd->old : 0;
	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		process->last_name = process->last = TR2_NOBODY;
		process->next = process->before;
		process->repo = process->named;
		process->heard = process->wrote;
		process->waits = 0;
		process->alive = false;
	}
}

/*
 * One that writes no end, and was silent for so long when another one wrote, was
 * killed, it seems; so it is if the clock went back, as in logs after each
 * other.
 */
static bool is_silent(const struct tr2_crowd_process *process, int64_t now)
{
	return process->end == TR2_NOBODY &&
	       (now + BACK < process->heard ||
		(now > process->heard + SILENT && !process->waits));
}

/* Keep those that live at the line. */
static void drop_dead(struct tr2_crowd *crowd, uint32_t line)
{
	const struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);
	struct tr2_crowd_process *process;
	uint32_t *all = crowd->alive.items, count = 0;

	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		process = tr2_crowd_process(crowd, all[i]);
		process->alive =
			tr2_crowd_death(crowd, process) >= line &&
			(held->told || !is_silent(process, held->clock));
		if (process->alive)
			all[count++] = all[i];
	}
	crowd->alive.count = count;
}

void tr2_crowd_pass(struct tr2_crowd *crowd, uint32_t line, bool asks)
{
	const uint32_t owner = tr2_crowd_line(crowd, line)->owner;
	struct tr2_crowd_process *process = NULL;

	if (owner != TR2_NOBODY &&
	    tr2_crowd_process(crowd, owner)->version == line)
		process = tr2_crowd_process(crowd, owner);
	if (!process && !asks)
		return;
	drop_dead(crowd, line);
	if (crowd->alive.count > TR2_CROWD_ALIVE) {
		tr2_crowd_process(crowd, *tr2_crowd_alive(crowd))->alive =
			false;
		tr2_vec_remove(&crowd->alive, 0, sizeof(uint32_t));
	}
	if (!process)
		return;
	TR2_VEC_COPY(&crowd->alive, uint32_t, owner);
	process->alive = true;
}

static void note_line(struct tr2_crowd_process *owner,
		      const struct tr2_crowd_line *line, uint32_t at)
{
	if (line->is == TR2_IS_CMD_NAME) {
		if (at < owner->name)
			owner->name = at;
		owner->last_name = at;
	} else if (line->is == TR2_IS_CMD_ANCESTRY) {
		owner->chain = at;
	} else if (line->is == TR2_IS_DEF_REPO) {
		if (!owner->repo)
			owner->repo = line->same;
	} else if (tr2_is_child_start(line->is)) {
		owner->waits++;
		if (line->is == TR2_IS_CHILD_START && !line->told)
			owner->next = line->child + 1;
	} else if (tr2_is_child_end(line->is)) {
		owner->waits -= owner->waits > 0;
	}
}

void tr2_crowd_give(struct tr2_crowd *crowd, uint32_t line, uint32_t process)
{
	struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);
	struct tr2_crowd_process *owner = tr2_crowd_process(crowd, process);

	held->owner = process;
	owner->last = line;
	if (!held->told)
		owner->heard = held->clock;
	note_line(owner, held, line);
}

/* Offer the choice those that wait for a child, or those that do not. */
static void offer_group(struct tr2_crowd *crowd, uint32_t at,
			tr2_crowd_may_fn *may, bool waits,
			struct tr2_crowd_choice *choice)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	const struct tr2_crowd_process *process;
	uint32_t best = TR2_NOBODY, last = 0;

	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		process = tr2_crowd_process(crowd, alive[i]);
		if ((process->waits > 0) != waits || !may(crowd, alive[i], at))
			continue;
		choice->count++;
		if (best != TR2_NOBODY && process->last < last)
			continue;
		best = alive[i];
		last = process->last;
	}
	if (choice->best != TR2_NOBODY)
		return;
	choice->best = best;
	choice->waits = waits;
}

/* Of a process that waits and one that does not, the latter wrote the line. */
struct tr2_crowd_choice tr2_crowd_choose(struct tr2_crowd *crowd, uint32_t at,
					 tr2_crowd_may_fn *may)
{
	struct tr2_crowd_choice choice = { TR2_NOBODY, 0, true, false };
	const bool starts = tr2_is_child_start(tr2_crowd_line(crowd, at)->is);
	const uint32_t *alive = tr2_crowd_alive(crowd);

	offer_group(crowd, at, may, false, &choice);
	if (starts || !choice.count)
		offer_group(crowd, at, may, true, &choice);
	if (choice.count < 2)
		return choice;
	choice.twins = starts;
	for (uint32_t i = 0; choice.twins && i < crowd->alive.count; i++)
		choice.twins =
			!may(crowd, alive[i], at) ||
			tr2_crowd_are_twins(crowd, alive[i], choice.best);
	return choice;
}
