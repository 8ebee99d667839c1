#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"

/* What is left out rather than given to another process. */
static bool is_precious(enum tr2_is is)
{
	return is == TR2_IS_CMD_NAME || is == TR2_IS_CMD_MODE ||
	       is == TR2_IS_CMD_ANCESTRY || is == TR2_IS_DEF_REPO ||
	       is == TR2_IS_ALIAS || tr2_crowd_ends(is);
}

/*
 * Is it clear whose the line is, if it may be of so many? Names, and lines of
 * children, were given already where that is clear; so were ends that say when
 * their process began, if any began then. Of lines in brief form nothing more
 * is ever known.
 */
static bool is_clear(const struct tr2_crowd *crowd,
		     const struct tr2_crowd_line *line, uint32_t count)
{
	const uint32_t alive = crowd->alive.count;

	if (tr2_crowd_is_brief(line))
		return true;
	if (tr2_crowd_ends(line->is) && line->since != TR2_NO_TIME &&
	    !line->far)
		return false;
	if (tr2_is_child_start(line->is) || tr2_is_child_end(line->is))
		return alive < 2;
	if (line->is == TR2_IS_CMD_NAME || line->is == TR2_IS_CMD_ANCESTRY ||
	    line->is == TR2_IS_DEF_REPO)
		return !alive;
	return !alive || count == 1 || !is_precious(line->is);
}

/* Is the process between its exit and its end, where it writes its sums? */
static bool may_sum(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
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
static bool may_write(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	return !process->waits && !may_sum(crowd, number, at) &&
	       (process->start == TR2_NOBODY || process->start < at);
}

static bool may_live(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	(void)crowd;
	(void)number;
	(void)at;
	return true;
}

#define ENDS_FAR 64 /* lines */

/* Does one end after it that lived shorter? Then that one began later. */
static bool ends_older(const struct tr2_crowd *crowd, uint32_t at)
{
	const enum tr2_is is = tr2_crowd_line(crowd, at)->is;
	const int64_t lived = tr2_crowd_line(crowd, at)->lived;

	for (uint32_t i = at + 1; i < crowd->lines.count && i - at < ENDS_FAR;
	     i++) {
		if (tr2_crowd_line(crowd, i)->is == TR2_IS_VERSION)
			return false;
		if (tr2_crowd_line(crowd, i)->is == is &&
		    tr2_crowd_line(crowd, i)->lived < lived)
			return true;
	}
	return false;
}

/* Its end is not known. */
static bool may_end(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const uint32_t *alive = tr2_crowd_alive(crowd);
	uint32_t newest = crowd->alive.count;

	if (process->end != TR2_NOBODY ||
	    (process->start != TR2_NOBODY && process->start > at))
		return false;
	while (newest &&
	       tr2_crowd_process(crowd, alive[newest - 1])->end != TR2_NOBODY)
		newest--;
	return newest < 2 || alive[newest - 1] != number ||
	       !ends_older(crowd, at);
}

/* It has not said how it ends, and then it fails. */
static bool may_fail(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const uint32_t end = tr2_crowd_process(crowd, number)->end;

	return end != TR2_NOBODY && tr2_crowd_line(crowd, end)->code > 0 &&
	       !may_sum(crowd, number, at);
}

/* Right after an exit, atexit is of the same process. */
static struct tr2_crowd_choice choose_ended(struct tr2_crowd *crowd,
					    uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	if (line->is == TR2_IS_ATEXIT && at && line[-1].is == TR2_IS_EXIT &&
	    line[-1].owner != TR2_NOBODY)
		return (struct tr2_crowd_choice){ line[-1].owner, 1, false,
						  false };
	return tr2_crowd_choose(crowd, at, may_end);
}

static struct tr2_crowd_choice choose_owner(struct tr2_crowd *crowd,
					    uint32_t at)
{
	const enum tr2_is is = tr2_crowd_line(crowd, at)->is;
	struct tr2_crowd_choice choice;

	if (tr2_crowd_ends(is))
		return choose_ended(crowd, at);
	if (is == TR2_IS_ERROR) {
		choice = tr2_crowd_choose(crowd, at, may_fail);
		if (choice.count)
			return choice;
	}
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

/* Doubt all that live and may have written the line. */
static void doubt_all(struct tr2_crowd *crowd, uint32_t line,
		      tr2_crowd_may_fn *may)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);

	for (uint32_t i = 0; i < crowd->alive.count; i++)
		if (!tr2_crowd_process(crowd, alive[i])->doubt &&
		    may(crowd, alive[i], line))
			tr2_crowd_doubt(crowd, alive[i]);
}

static void find_owner(struct tr2_crowd *crowd, uint32_t at)
{
	struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_choice choice = choose_owner(crowd, at);
	uint32_t owner = choice.best;

	if (!is_clear(crowd, line, choice.count))
		return;
	if (owner == TR2_NOBODY)
		owner = find_last(crowd, at);
	if (choice.count > 1)
		doubt_all(crowd, at, choice.waits ? may_live : may_write);
	if (tr2_crowd_ends(line->is))
		tr2_crowd_process(crowd, owner)->end = at;
	tr2_crowd_give(crowd, at, owner);
}

#define DYING 1000 /* us: who dies says why, and ends at once */

/* Returns the process that ends in the next line because of this error. */
static uint32_t find_dying(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);

	if (at + 1 == crowd->lines.count || line->is != TR2_IS_ERROR ||
	    line[1].is != TR2_IS_EXIT || !line[1].code ||
	    line[1].clock - line->clock >= DYING)
		return TR2_NOBODY;
	return line[1].owner == TR2_NOBODY && tr2_crowd_is_brief(line)
		       ? choose_owner(crowd, at + 1).best
		       : line[1].owner;
}

void tr2_crowd_find_rest(struct tr2_crowd *crowd)
{
	uint32_t owner;

	tr2_crowd_walk(crowd);
	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		owner = tr2_crowd_line(crowd, i)->owner;
		tr2_crowd_pass(crowd, i, owner == TR2_NOBODY);
		if (owner == TR2_NOBODY)
			owner = find_dying(crowd, i);
		if (owner == TR2_NOBODY)
			find_owner(crowd, i);
		else
			tr2_crowd_give(crowd, i, owner);
	}
}

/* So many processes are named. */
#define NAMED_MOST 32

void tr2_crowd_doubt(struct tr2_crowd *crowd, uint32_t process)
{
	if (!tr2_crowd_process(crowd, process)->doubt)
		tr2_crowd_process(crowd, process)->doubt = TR2_CROWD_DOUBT;
}

void tr2_crowd_doubt_twins(struct tr2_crowd *crowd,
			   const struct tr2_crowd_choice *choice)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	bool doubt = choice->count > 1;

	for (uint32_t i = 0; i < crowd->alive.count; i++)
		doubt |= tr2_crowd_process(crowd, alive[i])->doubt &&
			 tr2_crowd_are_twins(crowd, alive[i], choice->best);
	for (uint32_t i = 0; doubt && i < crowd->alive.count; i++)
		if (tr2_crowd_are_twins(crowd, alive[i], choice->best))
			tr2_crowd_doubt(crowd, alive[i]);
}

static void name_lines(const struct tr2_vec *lines, struct tr2_buf *out)
{
	const unsigned long *number = lines->items;
	uint32_t most = lines->count;

	if (most > NAMED_MOST)
		most = NAMED_MOST;
	for (uint32_t i = 0; i < most; i++) {
		if (i)
			tr2_buf_str(out, i + 1 < lines->count ? ", " : " and ");
		tr2_buf_uint(out, number[i]);
	}
	if (most == lines->count)
		return;
	tr2_buf_str(out, " and ");
	tr2_buf_uint(out, lines->count - most);
	tr2_buf_str(out, " more");
}

bool tr2_crowd_tell_doubt(const struct tr2_crowd *crowd, struct tr2_buf *out)
{
	tr2_buf_reset(out);
	tr2_buf_str(out, "processes wrote at the same time, and the format "
			 "does not say which line is whose: ");
	if (crowd->lost) {
		tr2_buf_uint(out, crowd->lost);
		tr2_buf_str(out, crowd->lost == 1 ? " line is" : " lines are");
		tr2_buf_str(out, " left out, the first is line ");
		tr2_buf_uint(out, crowd->first_lost);
	}
	if (crowd->lost && crowd->doubtful.count)
		tr2_buf_str(out, "; ");
	if (crowd->doubtful.count) {
		tr2_buf_str(out, "what those that begin in lines ");
		name_lines(&crowd->doubtful, out);
		tr2_buf_str(out, " did may be counted for each other");
	}
	tr2_must_end(out);
	return crowd->lost || crowd->doubtful.count;
}
