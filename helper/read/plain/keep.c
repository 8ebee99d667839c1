#include "read/plain/crowd_part.h"

#include <stdlib.h>

#include "lib/common/memory.h"

/* So many of those that ended last are known afterwards. */
#define ENDED_MOST 16

/* So many children are known that have not ended. */
#define CHILDREN_MOST 1024

/* So many bytes are kept of a line. */
#define TEXT_MOST 4096

static bool is_told(const struct tr2_crowd *crowd, uint32_t line)
{
	return line != TR2_NOBODY && tr2_crowd_line(crowd, line)->told;
}

static void keep_told(const struct tr2_crowd *crowd, uint32_t *line)
{
	if (!is_told(crowd, *line))
		*line = TR2_NOBODY;
}

/* Note whether the process has ended by the lines that were passed on. */
static void end_told(struct tr2_crowd *crowd, struct tr2_crowd_process *process)
{
	const uint32_t death = tr2_crowd_death(crowd, process);

	process->gone |= is_told(crowd, death);
	if (is_told(crowd, process->end))
		return;
	process->end = TR2_NOBODY;
	process->began = TR2_NO_TIME;
	if (is_told(crowd, death) &&
	    (death != process->until || !crowd->running))
		process->end = death;
}

/* Keep what lines say of the process that were passed on. */
static void keep_process(struct tr2_crowd *crowd,
			 struct tr2_crowd_process *process)
{
	end_told(crowd, process);
	keep_told(crowd, &process->start);
	keep_told(crowd, &process->name);
	keep_told(crowd, &process->last_name);
	keep_told(crowd, &process->chain);
	if (process->parent >= crowd->processes.count)
		process->parent = TR2_NOBODY;
	if (process->start != TR2_NOBODY)
		return;
	process->child = TR2_NOBODY;
	process->guess = false;
}

/* The same of a line; of those that were not, nothing is known. */
static void keep_line(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	if (!line->told) {
		line->owner = line->mate = line->runs = TR2_NOBODY;
		line->guess = line->far = false;
		return;
	}
	keep_told(crowd, &line->mate);
	if (line->owner >= crowd->processes.count)
		line->owner = TR2_NOBODY;
	if (line->runs >= crowd->processes.count ||
	    tr2_crowd_process(crowd, line->runs)->child != at)
		line->runs = TR2_NOBODY;
}

/* What was found in lines that were not passed on is found again later. */
static void undo_untold(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;

	for (uint32_t i = crowd->processes.count; i--;) {
		process = tr2_crowd_process(crowd, i);
		if (is_told(crowd, process->version))
			break;
		free(process->sid.bytes);
		crowd->processes.count = i;
	}
	for (uint32_t i = 0; i < crowd->processes.count; i++)
		keep_process(crowd, tr2_crowd_process(crowd, i));
	for (uint32_t i = 0; i < crowd->lines.count; i++)
		keep_line(crowd, i);
}

/* A line or process is where `kept` says. */
static void move_place(const struct tr2_crowd *crowd, uint32_t *one)
{
	if (*one != TR2_NOBODY)
		*one = ((const uint32_t *)crowd->kept.items)[*one];
}

static void forget_process(struct tr2_crowd *crowd,
			   const struct tr2_crowd_process *process)
{
	if (process->sid.len && crowd->leave)
		crowd->leave(crowd->leaver, process->sid.bytes,
			     process->sid.len);
	free(process->sid.bytes);
}

/* Forget the processes that ended long ago. */
static void forget_processes(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t *kept = crowd->kept.items;
	uint32_t i, left = crowd->processes.count, ended = 0, alive = 0,
		    gone = 0, count = 0;

	for (i = left; i--;) {
		process = tr2_crowd_process(crowd, i);
		if (process->end != TR2_NOBODY)
			kept[i] = ended++ < ENDED_MOST;
		else
			kept[i] = (process->gone ? gone++ : alive++) <
				  TR2_CROWD_ALIVE;
	}
	for (i = 0; i < left; i++) {
		process = tr2_crowd_process(crowd, i);
		process->parted = process->calls = 0;
		if (kept[i])
			*tr2_crowd_process(crowd, count) = *process;
		else
			forget_process(crowd, process);
		kept[i] = kept[i] ? count++ : TR2_NOBODY;
	}
	crowd->processes.count = count;
}

/* Is the line one that tells what its process is? */
static bool is_useful(const struct tr2_crowd *crowd, uint32_t line)
{
	const struct tr2_crowd_process *owner =
		tr2_crowd_process(crowd, tr2_crowd_line(crowd, line)->owner);

	return line == owner->version || line == owner->start ||
	       line == owner->name || line == owner->last_name ||
	       line == owner->chain;
}

/* Is it the begin of a child that may end? */
static bool is_child(const struct tr2_crowd *crowd, uint32_t line)
{
	const struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);

	return tr2_is_child_start(held->is) && held->mate == TR2_NOBODY &&
	       tr2_crowd_process(crowd, held->owner)->end == TR2_NOBODY;
}

/* Choose the lines that are still of use. */
static void choose_lines(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;
	uint32_t *kept = crowd->kept.items;
	uint32_t children = 0;

	for (uint32_t i = crowd->lines.count; i--;) {
		line = tr2_crowd_line(crowd, i);
		if (!line->told)
			kept[i] = true;
		else if (line->owner == TR2_NOBODY)
			kept[i] = false;
		else
			kept[i] = is_useful(crowd, i) ||
				  (is_child(crowd, i) &&
				   children++ < CHILDREN_MOST);
	}
}

/* Where lines are now is in `kept`. */
static void move_lines(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		move_place(crowd, &process->version);
		move_place(crowd, &process->start);
		move_place(crowd, &process->name);
		move_place(crowd, &process->last_name);
		move_place(crowd, &process->chain);
		move_place(crowd, &process->child);
		if (process->end != TR2_NOBODY)
			process->end = process->version;
		process->latest = TR2_NOBODY;
	}
}

/* Its hashes stand for all of it. */
static void cut_line(struct tr2_crowd_line *line)
{
	line->len = TEXT_MOST;
	if (line->words > TEXT_MOST)
		line->words = TEXT_MOST;
}

static void forget_lines(struct tr2_crowd *crowd)
{
	struct tr2_buf texts = crowd->spare;
	struct tr2_crowd_line *line;
	uint32_t *kept = crowd->kept.items;
	uint32_t count = 0;

	choose_lines(crowd);
	tr2_buf_reset(&texts);
	crowd->old = 0;
	crowd->old_texts = 0;
	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		kept[i] = kept[i] ? count++ : TR2_NOBODY;
		if (kept[i] == TR2_NOBODY)
			continue;
		if (line->told && line->len > TEXT_MOST)
			cut_line(line);
		tr2_buf_add(&texts, crowd->texts.bytes + line->at, line->len);
		line->at = (uint32_t)(texts.len - line->len);
		*tr2_crowd_line(crowd, kept[i]) = *line;
		if (!line->told)
			continue;
		crowd->old = count;
		crowd->old_texts = texts.len;
	}
	tr2_must_hold(&texts);
	move_lines(crowd);
	crowd->lines.count = count;
	crowd->spare = crowd->texts;
	crowd->texts = texts;
}

/* Where processes are now is in `kept`. */
static void move_owners(struct tr2_crowd *crowd)
{
	struct tr2_crowd_line *line;

	for (uint32_t i = 0; i < crowd->processes.count; i++)
		move_place(crowd, &tr2_crowd_process(crowd, i)->parent);
	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		move_place(crowd, &line->owner);
		move_place(crowd, &line->runs);
	}
}

void tr2_crowd_forget(struct tr2_crowd *crowd)
{
	const uint32_t most = crowd->lines.count;

	for (crowd->kept.count = 0; crowd->kept.count < most;)
		*(uint32_t *)tr2_vec_add(&crowd->kept, sizeof(uint32_t)) = 0;
	undo_untold(crowd);
	forget_processes(crowd);
	move_owners(crowd);
	forget_lines(crowd);
	crowd->parts.count = 0;
}
