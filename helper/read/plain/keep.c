#include "read/plain/crowd_part.h"

#include <stdlib.h>

#include "lib/common/memory.h"

/* Of the line of a process that is kept, this many bytes. */
#define TEXT_MOST 4096

/* So many of those that ended last are known afterwards. */
#define ENDED_MOST 16

/* Is it forgotten, as one of so many that have not ended? */
static bool is_in_middle(uint32_t place, uint32_t count)
{
	return place >= TR2_CROWD_MOST / 2 &&
	       count - place > TR2_CROWD_MOST / 2;
}

/* Choose the processes that are still of use: `place` is where they will be. */
static void choose_processes(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t ended = 0, others = 0, count = 0, left;
	bool kept;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->end == TR2_NOBODY &&
		    tr2_crowd_death(crowd, process) != TR2_NOBODY)
			process->end = process->version;
		others += process->end == TR2_NOBODY;
	}
	left = others;
	for (uint32_t i = crowd->processes.count; i--;) {
		process = tr2_crowd_process(crowd, i);
		kept = process->end == TR2_NOBODY
			       ? !is_in_middle(--left, others)
			       : ended++ < ENDED_MOST;
		process->place = kept ? 0 : TR2_NOBODY;
	}
	for (uint32_t i = 0; i < crowd->processes.count; i++)
		if (!tr2_crowd_process(crowd, i)->place)
			tr2_crowd_process(crowd, i)->place = count++;
	crowd->running = others < TR2_CROWD_MOST ? others : TR2_CROWD_MOST;
}

/* What was found in the lines from this one on is found again later. */
static void undo_lines(struct tr2_crowd *crowd, uint32_t end)
{
	struct tr2_crowd_line *line;

	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		if (i >= end) {
			line->owner = line->mate = line->runs = TR2_NOBODY;
			continue;
		}
		if (line->mate >= end)
			line->mate = TR2_NOBODY;
		if (line->runs >= crowd->processes.count ||
		    tr2_crowd_process(crowd, line->runs)->start == TR2_NOBODY)
			line->runs = TR2_NOBODY;
	}
}

/* The same of processes, of which those are left that began before it. */
static void undo_processes(struct tr2_crowd *crowd, uint32_t end)
{
	struct tr2_crowd_process *process;
	uint32_t *count = &crowd->processes.count;

	while (*count && tr2_crowd_process(crowd, *count - 1)->version >= end)
		free(tr2_crowd_process(crowd, --*count)->sid.bytes);
	for (uint32_t i = 0; i < *count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->start >= end)
			process->start = TR2_NOBODY;
		if (process->end >= end)
			process->end = TR2_NOBODY;
		if (process->until >= end)
			process->until = TR2_NOBODY;
		if (process->parent >= *count)
			process->parent = TR2_NOBODY;
	}
}

static bool is_kept(const struct tr2_crowd *crowd,
		    const struct tr2_crowd_line *line)
{
	return line->owner != TR2_NOBODY &&
	       tr2_crowd_process(crowd, line->owner)->place != TR2_NOBODY;
}

/* Does the line say what its process is? */
static bool is_useful(const struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_process *owner =
		tr2_crowd_process(crowd, tr2_crowd_line(crowd, at)->owner);

	return at == owner->version || at == owner->start || at == owner->end ||
	       at == owner->name || at == owner->last_name ||
	       at == owner->chain;
}

/* Does it begin a child that runs? */
static bool is_open(const struct tr2_crowd_line *line)
{
	return tr2_is_child_start(line->is) && line->mate == TR2_NOBODY;
}

static uint32_t count_open(const struct tr2_crowd *crowd, uint32_t end)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < end; i++)
		count += is_kept(crowd, tr2_crowd_line(crowd, i)) &&
			 is_open(tr2_crowd_line(crowd, i));
	return count;
}

static void put_line(struct tr2_crowd *crowd, uint32_t place,
		     struct tr2_crowd_line line)
{
	tr2_buf_add(&crowd->spare, crowd->texts.bytes + line.at, line.len);
	line.at = (uint32_t)(crowd->spare.len - line.len);
	*tr2_crowd_line(crowd, place) = line;
}

static void move_line(struct tr2_crowd *crowd, uint32_t at, uint32_t place)
{
	struct tr2_crowd_line line = *tr2_crowd_line(crowd, at);
	struct tr2_crowd_process *owner = tr2_crowd_process(crowd, line.owner),
				 *child;

	if (at == owner->version)
		owner->version = place;
	if (at == owner->start)
		owner->start = place;
	if (at == owner->end)
		owner->end = place;
	if (line.len > TEXT_MOST) { /* its hashes stand for all of it */
		line.len = TEXT_MOST;
		if (line.words > TEXT_MOST)
			line.words = TEXT_MOST;
	}
	line.owner = owner->place;
	line.mate = TR2_NOBODY;
	if (line.runs != TR2_NOBODY) {
		child = tr2_crowd_process(crowd, line.runs);
		line.runs = child->place;
		if (child->place == TR2_NOBODY)
			line.runs = line.owner; /* it is no other one */
		else
			child->child = place;
	}
	put_line(crowd, place, line);
}

static void move_processes(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t count = 0;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->place == TR2_NOBODY) {
			if (crowd->leave && process->sid.len)
				crowd->leave(crowd->leaver, process->sid.bytes,
					     process->sid.len);
			free(process->sid.bytes);
			continue;
		}
		if (process->parent != TR2_NOBODY)
			process->parent =
				tr2_crowd_process(crowd, process->parent)
					->place;
		process->soon = process->until = TR2_NOBODY;
	}
	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->place != TR2_NOBODY)
			*tr2_crowd_process(crowd, count++) = *process;
	}
	crowd->processes.count = count;
}

void tr2_crowd_forget(struct tr2_crowd *crowd, uint32_t end)
{
	struct tr2_buf texts;
	uint32_t count = 0, child = 0, children;

	undo_processes(crowd, end);
	undo_lines(crowd, end);
	choose_processes(crowd);
	for (uint32_t i = 0; i < crowd->processes.count; i++)
		tr2_crowd_process(crowd, i)->child = TR2_NOBODY;
	tr2_buf_reset(&crowd->spare);
	children = count_open(crowd, end);
	for (uint32_t i = 0; i < end; i++)
		if (is_kept(crowd, tr2_crowd_line(crowd, i)) &&
		    (is_useful(crowd, i) ||
		     (is_open(tr2_crowd_line(crowd, i)) &&
		      !is_in_middle(child++, children))))
			move_line(crowd, i, count++);
	crowd->old = count;
	crowd->old_texts = crowd->spare.len;
	for (uint32_t i = end; i < crowd->lines.count; i++)
		put_line(crowd, count++, *tr2_crowd_line(crowd, i));
	tr2_must_hold(&crowd->spare);
	move_processes(crowd);
	texts = crowd->texts;
	crowd->texts = crowd->spare;
	crowd->spare = texts;
	crowd->lines.count = count;
}
