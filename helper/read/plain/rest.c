#include "read/plain/crowd_part.h"

/*
 * Some lines are left out rather than given to another process. Those of a child
 * were given already if it was clear whose they are.
 */
static bool is_clear(const struct tr2_crowd *crowd, enum tr2_is is,
		     uint32_t count)
{
	if (!crowd->alive.all.count)
		return true;
	if (tr2_crowd_starts_child(is) || tr2_crowd_ends_child(is))
		return crowd->alive.all.count == 1;
	return count == 1 ||
	       !(is == TR2_IS_CMD_NAME || is == TR2_IS_CMD_MODE ||
		 is == TR2_IS_CMD_ANCESTRY || is == TR2_IS_DEF_REPO ||
		 is == TR2_IS_ALIAS || tr2_crowd_ends(is));
}

/* Is the process between its exit and its end, where it writes its sums? */
static bool may_sum(const struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	uint32_t exit;

	if (process->end == TR2_NOBODY)
		return false;
	exit = tr2_crowd_line(crowd, process->end)->mate;
	return exit != TR2_NOBODY && exit < at;
}

/* The process waits for no child, and it has not said how it ends. */
static bool may_write(const struct tr2_crowd *crowd, uint32_t number,
		      uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	return !process->waits && !may_sum(crowd, number, at) &&
	       (process->start == TR2_NOBODY || process->start < at);
}

static bool may_live(const struct tr2_crowd *crowd, uint32_t number,
		     uint32_t at)
{
	(void)crowd;
	(void)number;
	(void)at;
	return true;
}

/* Its end is not known, and it may have begun when the line says. */
static bool may_end(const struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	return may_write(crowd, number, at) &&
	       tr2_crowd_process(crowd, number)->end == TR2_NOBODY &&
	       (line->far || line->since == TR2_NO_TIME ||
		tr2_crowd_may_end(crowd, number, at));
}

static struct tr2_crowd_choice choose_owner(const struct tr2_crowd *crowd,
					    uint32_t at)
{
	const enum tr2_is is = tr2_crowd_line(crowd, at)->is;
	struct tr2_crowd_choice choice;

	if (tr2_crowd_ends(is))
		return tr2_crowd_choose(crowd, at, may_end);
	if (is == TR2_IS_TIMER || is == TR2_IS_COUNTER ||
	    is == TR2_IS_TH_TIMER || is == TR2_IS_TH_COUNTER) {
		choice = tr2_crowd_choose(crowd, at, may_sum);
		if (choice.count)
			return choice;
	}
	choice = tr2_crowd_choose(crowd, at, may_write);
	return choice.count ? choice : tr2_crowd_choose(crowd, at, may_live);
}

/* Nobody lives here: it is the process of the line before, or the last one. */
static uint32_t find_last(const struct tr2_crowd *crowd, uint32_t at)
{
	if (at && tr2_crowd_line(crowd, at - 1)->owner != TR2_NOBODY)
		return tr2_crowd_line(crowd, at - 1)->owner;
	return crowd->processes.count - 1;
}

static void find_owner(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_choice choice = choose_owner(crowd, at);
	uint32_t owner = choice.best;

	if (!is_clear(crowd, line->is, choice.count))
		return;
	if (owner == TR2_NOBODY)
		owner = find_last(crowd, at);
	if (choice.count > 1)
		tr2_crowd_doubt_all(crowd, at,
				    choice.waits ? may_live : may_write);
	if (tr2_crowd_ends(line->is))
		tr2_crowd_end_here(crowd, at, owner);
	tr2_crowd_give(crowd, at, owner);
}

void tr2_crowd_find_rest(struct tr2_crowd *crowd)
{
	uint32_t i, owner;

	tr2_crowd_walk(crowd);
	for (i = 0; i < crowd->lines.count; i++) {
		owner = tr2_crowd_line(crowd, i)->owner;
		tr2_crowd_pass(crowd, i, owner == TR2_NOBODY);
		if (owner == TR2_NOBODY)
			find_owner(crowd, i);
		else
			tr2_crowd_give(crowd, i, owner);
	}
}
