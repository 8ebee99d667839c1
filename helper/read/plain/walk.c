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
	struct tr2_crowd_alive *alive = &crowd->alive;
	struct tr2_crowd_process *process;

	alive->all.count = alive->sure.count = alive->waiting = 0;
	alive->orphan = crowd->lost ? crowd->old : 0;
	alive->newest[0] = alive->newest[1] = TR2_NOBODY;
	alive->dies = TR2_NOBODY;
	alive->quiet = INT64_MAX;
	alive->latest = INT64_MIN;
	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		process->last_name = process->last = TR2_NOBODY;
		process->next = process->before;
		process->repo = process->named;
		process->waits = 0;
		process->alive = false;
	}
}

/* Put the process before the others that wait, or do not wait, as it does. */
static void link_newest(struct tr2_crowd *crowd, uint32_t number)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);
	uint32_t *newest = &crowd->alive.newest[process->waits > 0];

	process->newer = TR2_NOBODY;
	process->older = *newest;
	if (*newest != TR2_NOBODY)
		tr2_crowd_process(crowd, *newest)->newer = number;
	*newest = number;
	crowd->alive.waiting += process->waits > 0;
}

static void unlink_newest(struct tr2_crowd *crowd, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	uint32_t *newest = &crowd->alive.newest[process->waits > 0];

	if (process->newer != TR2_NOBODY)
		newest = &tr2_crowd_process(crowd, process->newer)->older;
	*newest = process->older;
	if (process->older != TR2_NOBODY)
		tr2_crowd_process(crowd, process->older)->newer =
			process->newer;
	crowd->alive.waiting -= process->waits > 0;
}

static int64_t find_last_clock(const struct tr2_crowd *crowd,
			       const struct tr2_crowd_process *process)
{
	const struct tr2_crowd_line *last;

	if (process->last == TR2_NOBODY)
		return process->wrote;
	last = tr2_crowd_line(crowd, process->last);
	return last->told ? process->wrote : last->clock;
}

/* Note when the process may be silent at the earliest. */
static void note_silence(struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process)
{
	struct tr2_crowd_alive *alive = &crowd->alive;
	const int64_t last = find_last_clock(crowd, process);

	if (process->end != TR2_NOBODY)
		return;
	if (last > alive->latest)
		alive->latest = last;
	if (!process->waits && last < alive->quiet - SILENT)
		alive->quiet = last + SILENT;
}

/*
 * One that writes no end, and was silent for so long when another one wrote, was
 * killed, it seems; so it is if the clock went back, as in logs after each
 * other.
 */
static bool is_silent(const struct tr2_crowd *crowd,
		      const struct tr2_crowd_process *process, int64_t now)
{
	const int64_t last = find_last_clock(crowd, process);

	return process->end == TR2_NOBODY &&
	       (now + BACK < last || (now > last + SILENT && !process->waits));
}

static void forget_alive(struct tr2_crowd *crowd, uint32_t number)
{
	unlink_newest(crowd, number);
	tr2_crowd_process(crowd, number)->alive = false;
}

/* Keep those that live at the line. */
static void drop_dead(struct tr2_crowd *crowd, uint32_t line)
{
	uint32_t *all = crowd->alive.all.items;
	uint32_t count = 0, dies = TR2_NOBODY, death;

	for (uint32_t i = 0; i < crowd->alive.all.count; i++) {
		death = tr2_crowd_process(crowd, all[i])->death;
		if (death < line) {
			forget_alive(crowd, all[i]);
			continue;
		}
		if (death < dies)
			dies = death;
		all[count++] = all[i];
	}
	crowd->alive.all.count = count;
	crowd->alive.dies = dies;
}

static void drop_silent(struct tr2_crowd *crowd, uint32_t line)
{
	const int64_t now = tr2_crowd_line(crowd, line)->clock;
	struct tr2_crowd_alive *alive = &crowd->alive;
	struct tr2_crowd_process *process;

	alive->quiet = INT64_MAX;
	alive->latest = INT64_MIN;
	for (uint32_t i = 0; i < alive->all.count; i++) {
		process = tr2_crowd_process(crowd, tr2_crowd_alive(crowd)[i]);
		if (is_silent(crowd, process, now))
			process->death = 0;
		else
			note_silence(crowd, process);
	}
	drop_dead(crowd, line);
}

static void drop_first(struct tr2_crowd *crowd)
{
	forget_alive(crowd, *tr2_crowd_alive(crowd));
	tr2_vec_remove(&crowd->alive.all, 0, sizeof(uint32_t));
}

static void add_alive(struct tr2_crowd *crowd, uint32_t number)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);

	TR2_VEC_COPY(&crowd->alive.all, uint32_t, number);
	TR2_VEC_COPY(&crowd->alive.sure, uint32_t, number);
	process->death = tr2_crowd_death(crowd, process);
	if (process->death < crowd->alive.dies)
		crowd->alive.dies = process->death;
	process->alive = true;
	link_newest(crowd, number);
	note_silence(crowd, process);
}

void tr2_crowd_pass(struct tr2_crowd *crowd, uint32_t line, bool asks)
{
	const struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);
	const struct tr2_crowd_alive *alive = &crowd->alive;
	const bool begins = held->owner != TR2_NOBODY &&
			    tr2_crowd_process(crowd, held->owner)->version ==
				    line;

	if (!begins && !asks)
		return;
	if (line > alive->dies)
		drop_dead(crowd, line);
	if (!held->told &&
	    (held->clock > alive->quiet || held->clock + BACK < alive->latest))
		drop_silent(crowd, line);
	if (alive->all.count > TR2_CROWD_ALIVE)
		drop_first(crowd);
	if (begins)
		add_alive(crowd, held->owner);
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

	if (owner->alive)
		unlink_newest(crowd, process);
	held->owner = process;
	owner->last = line;
	note_line(owner, held, line);
	if (!owner->alive)
		return;
	link_newest(crowd, process);
	note_silence(crowd, owner);
}

void tr2_crowd_end_here(struct tr2_crowd *crowd, uint32_t line,
			uint32_t process)
{
	tr2_crowd_process(crowd, process)->end = line;
	tr2_crowd_process(crowd, process)->death = line;
	if (line < crowd->alive.dies)
		crowd->alive.dies = line;
}

/* Of a process that waits and one that does not, the latter wrote the line. */
struct tr2_crowd_choice tr2_crowd_choose(struct tr2_crowd *crowd, uint32_t at,
					 tr2_crowd_may_fn *may)
{
	struct tr2_crowd_choice choice = { TR2_NOBODY, 0, true, false };
	const bool starts = tr2_is_child_start(tr2_crowd_line(crowd, at)->is);
	unsigned waits;
	uint32_t one;

	for (waits = 0; waits < 2 && (starts || !choice.count); waits++) {
		choice.waits = waits;
		for (one = crowd->alive.newest[waits]; one != TR2_NOBODY;
		     one = tr2_crowd_process(crowd, one)->older) {
			if (!may(crowd, one, at))
				continue;
			if (!choice.count++) {
				choice.best = one;
				continue;
			}
			choice.twins =
				starts &&
				tr2_crowd_are_twins(crowd, one, choice.best);
			if (!choice.twins)
				return choice;
		}
	}
	return choice;
}
