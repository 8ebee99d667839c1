#include "read/plain/crowd_part.h"

/* us: a process that works writes this often. */
#define SILENT 10000000

/* After so many lines, it is looked who lives, also if nobody has ended. */
#define SEEN 64

/* The lines are gone through so often, at most, in a phase. */
#define WALKS_MOST 4

uint32_t tr2_crowd_death(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process)
{
	uint32_t end = process->end;

	/* One that wrote no end has ended when its starter says so. */
	if (end == TR2_NOBODY && process->child != TR2_NOBODY)
		end = tr2_crowd_child_end(crowd, process->child);
	return end == TR2_NOBODY ? process->until : end;
}

bool tr2_crowd_is_alias(const struct tr2_crowd *crowd, uint32_t number)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	return process->last_name != TR2_NOBODY &&
	       tr2_crowd_line(crowd, process->last_name)->alias;
}

void tr2_crowd_doubt(struct tr2_crowd *crowd, uint32_t process)
{
	if (!tr2_crowd_process(crowd, process)->doubt)
		tr2_crowd_process(crowd, process)->doubt = TR2_CROWD_DOUBT;
}

void tr2_crowd_doubt_all(struct tr2_crowd *crowd, uint32_t line,
			 tr2_crowd_rate_fn *rate, unsigned most)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);

	for (uint32_t i = 0; i < crowd->alive.count; i++)
		if (!tr2_crowd_process(crowd, alive[i])->doubt &&
		    rate(crowd, alive[i], line) <= most)
			tr2_crowd_doubt(crowd, alive[i]);
}

static void offer_one(const struct tr2_crowd *crowd, uint32_t number,
		      struct tr2_crowd_choice *choice)
{
	const struct tr2_crowd_process *one = tr2_crowd_process(crowd, number);

	if (!choice->count++) {
		choice->first = choice->last = number;
		choice->twins = true;
		return;
	}
	choice->twins = choice->twins &&
			tr2_crowd_are_twins(crowd, number, choice->first);
	if (tr2_crowd_death(crowd, one) <
	    tr2_crowd_death(crowd, tr2_crowd_process(crowd, choice->first)))
		choice->first = number;
	if (one->last >= tr2_crowd_process(crowd, choice->last)->last)
		choice->last = number;
}

struct tr2_crowd_choice tr2_crowd_choose(const struct tr2_crowd *crowd,
					 uint32_t line, tr2_crowd_rate_fn *rate)
{
	struct tr2_crowd_choice choice = { .first = TR2_NOBODY,
					   .last = TR2_NOBODY,
					   .least = TR2_REFUSED - 1 };
	const uint32_t *alive = tr2_crowd_alive(crowd);
	unsigned rating;

	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		rating = rate(crowd, alive[i], line);
		if (rating > choice.least)
			continue;
		if (rating < choice.least)
			choice.count = 0;
		choice.least = rating;
		offer_one(crowd, alive[i], &choice);
	}
	return choice;
}

/* What the line, which is its own, says of a process wherever it is. */
static void note_ever(const struct tr2_crowd *crowd,
		      struct tr2_crowd_process *owner, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	if (owner->latest == TR2_NOBODY || owner->latest < at)
		owner->latest = at;
	if (line->is == TR2_IS_CHILD_START && line->child < 64)
		owner->ids |= UINT64_C(1) << line->child;
	if (line->is == TR2_IS_CMD_NAME && at < owner->name)
		owner->name = at;
	else if (line->is == TR2_IS_CMD_ANCESTRY)
		owner->chain = at;
}

static void begin_walk(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;

	crowd->changed = false;
	crowd->stale = true;
	crowd->left = 0;
	crowd->alive.count = crowd->open.count = 0;
	crowd->orphan = 0;
	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		process->until = process->soon;
		process->soon = process->latest = process->name =
			process->last_name = process->chain = process->last =
				TR2_NOBODY;
		process->heard = process->wrote;
		process->next = process->before;
		process->repo = process->named;
		process->ids = 0;
		process->waits = 0;
	}
	for (uint32_t i = 0; i < crowd->lines.count; i++)
		if (tr2_crowd_line(crowd, i)->owner != TR2_NOBODY)
			note_ever(crowd,
				  tr2_crowd_process(
					  crowd,
					  tr2_crowd_line(crowd, i)->owner),
				  i);
}

/*
 * One that writes no end, and was silent for so long when another one wrote, was
 * killed, it seems, once nearly all that it wrote is known.
 */
static bool is_silent(const struct tr2_crowd *crowd,
		      const struct tr2_crowd_process *process,
		      const struct tr2_crowd_line *line)
{
	return crowd->phase == TR2_CROWD_REST && process->end == TR2_NOBODY &&
	       !line->told && !process->waits &&
	       line->clock > process->heard + SILENT;
}

/* Keep those that live at the line. */
static void drop_dead(struct tr2_crowd *crowd, uint32_t line)
{
	const struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);
	const struct tr2_crowd_process *process;
	uint32_t *all = crowd->alive.items, count = 0;

	if (!crowd->stale)
		return;
	crowd->stale = false;
	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		process = tr2_crowd_process(crowd, all[i]);
		if (tr2_crowd_death(crowd, process) >= line &&
		    !is_silent(crowd, process, held))
			all[count++] = all[i];
	}
	crowd->alive.count = count;
}

static void close_child(struct tr2_crowd *crowd, uint32_t line)
{
	const uint32_t *open = crowd->open.items;

	for (uint32_t i = crowd->open.count; i--;)
		if (open[i] == line) {
			tr2_vec_remove(&crowd->open, i, sizeof(uint32_t));
			return;
		}
}

/* What the line says of its process, from here on. */
static void note_line(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	struct tr2_crowd_process *owner = tr2_crowd_process(crowd, line->owner);

	owner->last = at;
	if (!line->told)
		owner->heard = line->clock;
	if (line->is == TR2_IS_CMD_NAME) {
		owner->last_name = at;
	} else if (line->is == TR2_IS_DEF_REPO && !owner->repo) {
		owner->repo = line->same;
	} else if (tr2_is_child_start(line->is)) {
		owner->waits++;
		if (line->is == TR2_IS_CHILD_START && !line->told)
			owner->next = line->child + 1;
	} else if (tr2_is_child_end(line->is)) {
		owner->waits -= owner->waits > 0;
	}
}

static void begin_process(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	drop_dead(crowd, at);
	if (!line->told)
		tr2_crowd_find_parent(crowd, line->owner);
	tr2_crowd_add(&crowd->alive, line->owner);
}

void tr2_crowd_give(struct tr2_crowd *crowd, uint32_t line, uint32_t process)
{
	struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);

	crowd->changed = true;
	held->owner = process;
	note_ever(crowd, tr2_crowd_process(crowd, process), line);
}

/* The end of a child is its starter's, too. */
static void give_mate(struct tr2_crowd *crowd, struct tr2_crowd_line *end)
{
	if (end->mate == TR2_NOBODY)
		return;
	end->owner = tr2_crowd_line(crowd, end->mate)->owner;
}

/* A tr2_crowd_rate_fn: it has not said how it was started. */
static unsigned rate_startless(const struct tr2_crowd *crowd, uint32_t process,
			       uint32_t line)
{
	(void)line;
	return tr2_crowd_process(crowd, process)->start == TR2_NOBODY
		       ? 0
		       : TR2_REFUSED;
}

/* us: `start` follows `version` so soon, */
#define SOON 500
/* and of those that began in such a time it may be of any. */
#define CLOSE 1000

/*
 * A `start` is of the first one of those that have none, but of the last one if
 * the others began long before it, or if there are no times.
 */
static void find_started(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const uint32_t *alive = tr2_crowd_alive(crowd);
	struct tr2_crowd_process *process, *first = NULL, *last = NULL;

	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		process = tr2_crowd_process(crowd, alive[i]);
		if (process->start != TR2_NOBODY)
			continue;
		if (!first || tr2_crowd_is_brief(line) ||
		    line->clock > last->begun + SOON) {
			line->owner = alive[i];
			first = first ? first : process;
		}
		last = process;
	}
	if (!first)
		return;
	crowd->changed = true;
	tr2_crowd_process(crowd, line->owner)->start = at;
	if (last->begun > first->begun + CLOSE) {
		tr2_crowd_doubt(crowd, line->owner);
		tr2_crowd_doubt_all(crowd, at, rate_startless, 0);
	}
}

/* Does the line say more of its process than that it was there? */
static bool is_telling(enum tr2_is is)
{
	return tr2_crowd_is_precious(is) || tr2_is_child_start(is) ||
	       tr2_crowd_ends(is);
}

/* Ends come first: then it is known who lives where. Most lines come last. */
static bool is_asked(const struct tr2_crowd *crowd, enum tr2_is is)
{
	if (is == TR2_IS_START || tr2_crowd_ends(is) ||
	    crowd->phase == TR2_CROWD_REST)
		return true;
	return crowd->phase != TR2_CROWD_ENDS &&
	       (is_telling(is) || tr2_is_child_end(is));
}

static void find_owner(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const enum tr2_is is = line->is;

	if (tr2_is_child_end(is))
		give_mate(crowd, line);
	if (line->owner != TR2_NOBODY)
		return;
	drop_dead(crowd, at);
	if (is == TR2_IS_START)
		find_started(crowd, at);
	if (tr2_is_child_start(is))
		tr2_crowd_find_starter(crowd, at);
	else if (tr2_crowd_ends(is))
		tr2_crowd_find_ended(crowd, at);
	else if (line->owner == TR2_NOBODY &&
		 (!tr2_is_child_end(is) || crowd->alive.count < 2 ||
		  tr2_crowd_is_brief(line)))
		tr2_crowd_find_writer(crowd, at);
}

/* What the line says of those that end, and of children. */
static void note_ends(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const bool ends = tr2_is_child_end(line->is);

	crowd->stale |= ends || tr2_crowd_ends(line->is) || !(at % SEEN);
	if (tr2_is_child_start(line->is)) {
		tr2_crowd_add(&crowd->open, at);
	} else if (ends && line->mate != TR2_NOBODY) {
		tr2_crowd_find_end(crowd, at);
		close_child(crowd, line->mate);
	}
}

static void pass_line(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_process *owner;

	if (line->owner == TR2_NOBODY && is_asked(crowd, line->is))
		find_owner(crowd, at);
	if (line->owner == TR2_NOBODY) {
		crowd->left += is_telling(line->is);
	} else {
		owner = tr2_crowd_process(crowd, line->owner);
		if (owner->version == at)
			begin_process(crowd, at);
		if (owner->start == at && !line->told)
			tr2_crowd_tie(crowd, line->owner);
		note_line(crowd, at);
	}
	note_ends(crowd, at);
}

static void walk_lines(struct tr2_crowd *crowd)
{
	begin_walk(crowd);
	for (uint32_t i = 0; i < crowd->lines.count; i++)
		pass_line(crowd, i);
}

/* After a walk that found something, another one finds more. */
void tr2_crowd_find_owners(struct tr2_crowd *crowd)
{
	tr2_crowd_pair(crowd);
	tr2_crowd_note_step(crowd);
	crowd->phase = TR2_CROWD_ENDS;
	while (crowd->phase <= TR2_CROWD_REST) {
		for (unsigned i = 0; i < WALKS_MOST; i++) {
			walk_lines(crowd);
			if (!crowd->changed)
				break;
		}
		if (crowd->left || crowd->phase < TR2_CROWD_PROOF ||
		    crowd->phase == TR2_CROWD_REST)
			crowd->phase++;
		else
			crowd->phase = TR2_CROWD_REST;
	}
}
