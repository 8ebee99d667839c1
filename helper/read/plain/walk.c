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

	alive->all.count = alive->deaths.count = 0;
	alive->sure.count = alive->waiting = 0;
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

static uint32_t *list_deaths(const struct tr2_crowd *crowd)
{
	return crowd->alive.deaths.items;
}

/* Keep those that live at the line. */
static void drop_dead(struct tr2_crowd *crowd, uint32_t line)
{
	uint32_t *all = crowd->alive.all.items, *deaths = list_deaths(crowd);
	uint32_t count = 0, dies = TR2_NOBODY;

	for (uint32_t i = 0; i < crowd->alive.all.count; i++) {
		if (deaths[i] < line) {
			forget_alive(crowd, all[i]);
			continue;
		}
		if (deaths[i] < dies)
			dies = deaths[i];
		all[count] = all[i];
		deaths[count++] = deaths[i];
	}
	crowd->alive.all.count = crowd->alive.deaths.count = count;
	crowd->alive.dies = dies;
}

static void drop_silent(struct tr2_crowd *crowd, uint32_t line)
{
	const int64_t now = tr2_crowd_line(crowd, line)->clock;
	struct tr2_crowd_alive *alive = &crowd->alive;
	const struct tr2_crowd_process *process;

	alive->quiet = INT64_MAX;
	alive->latest = INT64_MIN;
	for (uint32_t i = 0; i < alive->all.count; i++) {
		process = tr2_crowd_process(crowd, tr2_crowd_alive(crowd)[i]);
		if (is_silent(crowd, process, now))
			list_deaths(crowd)[i] = 0;
		else
			note_silence(crowd, process);
	}
	drop_dead(crowd, line);
}

static void drop_first(struct tr2_crowd *crowd)
{
	uint32_t *all = crowd->alive.all.items, *deaths = list_deaths(crowd);
	const uint32_t count = --crowd->alive.all.count;

	forget_alive(crowd, all[0]);
	memmove(all, all + 1, count * sizeof(*all));
	memmove(deaths, deaths + 1, count * sizeof(*deaths));
	crowd->alive.deaths.count = count;
}

static void add_number(struct tr2_vec *vec, uint32_t number)
{
	*(uint32_t *)tr2_vec_add(vec, sizeof(uint32_t)) = number;
}

static void add_alive(struct tr2_crowd *crowd, uint32_t number)
{
	struct tr2_crowd_process *process = tr2_crowd_process(crowd, number);
	const uint32_t death = tr2_crowd_death(crowd, process);

	add_number(&crowd->alive.all, number);
	add_number(&crowd->alive.deaths, death);
	add_number(&crowd->alive.sure, number);
	if (death < crowd->alive.dies)
		crowd->alive.dies = death;
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
	const uint32_t *all = tr2_crowd_alive(crowd);

	tr2_crowd_process(crowd, process)->end = line;
	for (uint32_t i = 0; i < crowd->alive.all.count; i++)
		if (all[i] == process)
			list_deaths(crowd)[i] = line;
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
