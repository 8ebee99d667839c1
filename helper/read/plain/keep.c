#include "read/plain/crowd_part.h"

#include <stdlib.h>

#include "lib/common/memory.h"

/* So many of those that ended last are known afterwards. */
#define ENDED_MOST 16

/* So many children are known that have not ended. */
#define CHILDREN_MOST 1024

/* So many bytes are kept of a line. */
#define TEXT_MOST 4096

/* Forget the processes that ended long ago. */
static void forget_processes(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t *kept = crowd->kept.items;
	uint32_t i, left = crowd->processes.count, ended = 0, alive = 0,
		    count = 0;

	for (i = left; i--;) {
		process = tr2_crowd_process(crowd, i);
		if (!crowd->running && process->end == TR2_NOBODY)
			process->end = process->until;
		kept[i] = process->end == TR2_NOBODY ? alive++ < TR2_CROWD_ALIVE
						     : ended++ < ENDED_MOST;
	}
	for (i = 0; i < left; i++) {
		process = tr2_crowd_process(crowd, i);
		process->parted = process->calls = 0;
		if (kept[i])
			*tr2_crowd_process(crowd, count) = *process;
		else
			free(process->sid.bytes);
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

	return tr2_crowd_starts_child(held->is) && held->mate == TR2_NOBODY &&
	       tr2_crowd_process(crowd, held->owner)->end == TR2_NOBODY;
}

/* Choose the lines that are still of use. */
static void choose_lines(struct tr2_crowd *crowd)
{
	uint32_t *kept = crowd->kept.items;
	uint32_t i, children = 0;

	for (i = crowd->lines.count; i--;) {
		kept[i] = tr2_crowd_line(crowd, i)->owner != TR2_NOBODY &&
			  (is_useful(crowd, i) ||
			   (is_child(crowd, i) && children++ < CHILDREN_MOST));
	}
}

static uint32_t find_again(const struct tr2_crowd *crowd, uint32_t line)
{
	const uint32_t *kept = crowd->kept.items;

	return line == TR2_NOBODY ? line : kept[line];
}

/* Where lines are now is in `kept`. */
static void move_lines(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	uint32_t i;

	for (i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		process->before = process->next;
		process->version = find_again(crowd, process->version);
		process->start = find_again(crowd, process->start);
		process->name = find_again(crowd, process->name);
		process->last_name = find_again(crowd, process->last_name);
		process->chain = find_again(crowd, process->chain);
		process->child = find_again(crowd, process->child);
		if (process->end != TR2_NOBODY)
			process->end = process->version;
		process->parent = process->latest = TR2_NOBODY;
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
	uint32_t i, count = 0;

	choose_lines(crowd);
	tr2_buf_reset(&texts);
	for (i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		kept[i] = kept[i] ? count++ : TR2_NOBODY;
		if (kept[i] == TR2_NOBODY)
			continue;
		if (line->len > TEXT_MOST)
			cut_line(line);
		tr2_buf_add(&texts, crowd->texts.bytes + line->at, line->len);
		line->at = (uint32_t)(texts.len - line->len);
		line->mate = line->runs = TR2_NOBODY;
		*tr2_crowd_line(crowd, kept[i]) = *line;
	}
	tr2_must_hold(&texts);
	move_lines(crowd);
	crowd->lines.count = count;
	crowd->spare = crowd->texts;
	crowd->texts = texts;
}

static void move_owners(struct tr2_crowd *crowd)
{
	const uint32_t *kept = crowd->kept.items;
	struct tr2_crowd_line *line;
	uint32_t i;

	for (i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		if (line->owner != TR2_NOBODY)
			line->owner = kept[line->owner];
	}
}

void tr2_crowd_forget(struct tr2_crowd *crowd)
{
	const uint32_t most = crowd->lines.count;

	for (crowd->kept.count = 0; crowd->kept.count < most;)
		*(uint32_t *)tr2_vec_add(&crowd->kept, sizeof(uint32_t)) = 0;
	forget_processes(crowd);
	move_owners(crowd);
	forget_lines(crowd);
	crowd->told = crowd->processes.count;
	crowd->old = crowd->lines.count;
	crowd->old_texts = crowd->texts.len;
	crowd->parts.count = 0;
}
