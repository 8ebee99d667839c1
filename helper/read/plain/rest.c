#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"

/* Is the name above the one that the process has later? */
static bool is_above(const struct tr2_crowd *crowd,
		     const struct tr2_crowd_process *process, uint32_t at)
{
	return process->name == TR2_NOBODY || process->name <= at ||
	       tr2_crowd_line(crowd, process->name)->above ==
		       tr2_crowd_line(crowd, at)->own;
}

/*
 * An alias has its own name first, and then that of its command. Any other name
 * below that of the process is one of a child whose begin is lost.
 */
static unsigned rate_next_name(const struct tr2_crowd *crowd,
			       const struct tr2_crowd_process *process,
			       const struct tr2_crowd_line *line)
{
	const struct tr2_crowd_line *last =
		tr2_crowd_line(crowd, process->last_name);
	const bool below = line->own && line->above == last->own;

	if (crowd->alive.count == 1)
		return below && !last->alias ? TR2_REFUSED : 2;
	return below && last->alias && !process->waits ? 3 : TR2_REFUSED;
}

/* A tr2_crowd_rate_fn: how well does the name fit the process? */
static unsigned rate_name(const struct tr2_crowd *crowd, uint32_t number,
			  uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	if (process->last_name != TR2_NOBODY)
		return rate_next_name(crowd, process, line);
	if (!is_above(crowd, process, at))
		return TR2_REFUSED;
	if (process->start == TR2_NOBODY || !line->own || line->alias)
		return 2;
	if (process->start > at)
		return TR2_REFUSED;
	return tr2_crowd_is_called(crowd, process, at) ? 0 : 4;
}

/*
 * A tr2_crowd_rate_fn: an ancestry comes before the name, and that of the parent
 * is a part of it.
 */
static unsigned rate_chain(const struct tr2_crowd *crowd, uint32_t number,
			   uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	if (process->chain != TR2_NOBODY || process->start > at ||
	    process->name < at)
		return TR2_REFUSED;
	if (crowd->phase < TR2_CROWD_TWINS)
		return 0;
	if (process->parent == TR2_NOBODY)
		return 3;
	return tr2_crowd_is_inside(crowd, at, process->child, process->parent)
		       ? 0
		       : 4;
}

/*
 * A tr2_crowd_rate_fn: a process names its own repository once, and those of
 * submodules any number of times. Who waits for a child seldom does.
 */
static unsigned rate_repository(const struct tr2_crowd *crowd, uint32_t number,
				uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	if (process->repo == tr2_crowd_line(crowd, at)->same ||
	    (process->start != TR2_NOBODY && process->start > at))
		return TR2_REFUSED;
	return process->waits > 0;
}

/* After its exit, a process writes its sums; before that, why it fails. */
static bool is_apt(const struct tr2_crowd *crowd,
		   const struct tr2_crowd_process *process, uint32_t at)
{
	const enum tr2_is is = tr2_crowd_line(crowd, at)->is;
	/* The mate of the end is the exit, which is TR2_NOBODY if there is none. */
	const bool exited = process->end != TR2_NOBODY &&
			    tr2_crowd_line(crowd, process->end)->mate < at;

	if (is == TR2_IS_ERROR)
		return process->end != TR2_NOBODY && !exited &&
		       tr2_crowd_line(crowd, process->end)->code > 0;
	return exited && (is == TR2_IS_TIMER || is == TR2_IS_COUNTER ||
			  is == TR2_IS_TH_TIMER || is == TR2_IS_TH_COUNTER);
}

/* A tr2_crowd_rate_fn: of one that waits and one that does not, the latter. */
static unsigned rate_other(const struct tr2_crowd *crowd, uint32_t number,
			   uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	if (is_apt(crowd, process, at))
		return process->waits > 0;
	return process->waits ? 5 : 2;
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
	if (line[1].owner == TR2_NOBODY && tr2_crowd_is_brief(line))
		tr2_crowd_find_ended(crowd, at + 1);
	return line[1].owner;
}

bool tr2_crowd_is_precious(enum tr2_is is)
{
	return is == TR2_IS_CMD_NAME || is == TR2_IS_CMD_MODE ||
	       is == TR2_IS_CMD_ANCESTRY || is == TR2_IS_DEF_REPO ||
	       is == TR2_IS_ALIAS;
}

/* Nobody lives here: it is the last one that began before. */
static uint32_t find_last(const struct tr2_crowd *crowd, uint32_t at)
{
	uint32_t place;

	TR2_SEARCH(place, crowd->processes.count,
		   tr2_crowd_process(crowd, place)->version < at);
	return place - 1;
}

static void give_likely(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_choice choice =
		tr2_crowd_choose(crowd, at, rate_other);
	uint32_t owner = find_dying(crowd, at);

	if (owner != TR2_NOBODY) {
		tr2_crowd_give(crowd, at, owner);
		return;
	}
	owner = choice.count ? choice.last : find_last(crowd, at);
	if (choice.count > 1)
		tr2_crowd_doubt_all(crowd, at, rate_other, choice.least);
	tr2_crowd_give(crowd, at, owner);
}

static tr2_crowd_rate_fn *find_rate(enum tr2_is is)
{
	return is == TR2_IS_CMD_NAME	   ? rate_name
	       : is == TR2_IS_CMD_ANCESTRY ? rate_chain
	       : is == TR2_IS_DEF_REPO	   ? rate_repository
					   : rate_other;
}

/* How far lines that say the same may be apart. */
#define FAR 256

/*
 * Do so many lines say the same from here on that each of those that may have
 * written it has one, and of those that begin later, too? Then whose is which is
 * equal.
 */
static bool are_many(const struct tr2_crowd *crowd, uint32_t at,
		     tr2_crowd_rate_fn *rate,
		     const struct tr2_crowd_choice *choice)
{
	const struct tr2_crowd_line *first = tr2_crowd_line(crowd, at), *line;
	uint32_t i = crowd->lines.count, next = TR2_NOBODY, left = 0;

	if (i - at > FAR)
		i = at + FAR;
	while (first->same && i-- > at) {
		line = tr2_crowd_line(crowd, i);
		if (line->is == first->is && line->same == first->same) {
			next = i;
			left++;
		} else if (line->is == TR2_IS_START && next != TR2_NOBODY &&
			   line->owner != TR2_NOBODY && left) {
			left -= rate(crowd, line->owner, next) <= choice->least;
		}
	}
	return left >= choice->count;
}

/* The only one that fits has written it, or any of equals. */
static void give_precious(struct tr2_crowd *crowd, uint32_t at)
{
	const enum tr2_is is = tr2_crowd_line(crowd, at)->is;
	tr2_crowd_rate_fn *rate = find_rate(is);
	const struct tr2_crowd_choice choice =
		tr2_crowd_choose(crowd, at, rate);

	if (choice.count == 1)
		tr2_crowd_give(crowd, at, choice.first);
	else if (crowd->phase >= TR2_CROWD_TWINS && choice.count &&
		 ((choice.twins && is != TR2_IS_DEF_REPO) ||
		  are_many(crowd, at, rate, &choice)))
		tr2_crowd_give(crowd, at, choice.first);
}

void tr2_crowd_find_writer(struct tr2_crowd *crowd, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const bool precious = tr2_crowd_is_precious(line->is);

	if (precious)
		give_precious(crowd, at);
	if (crowd->phase == TR2_CROWD_REST && line->owner == TR2_NOBODY &&
	    (!precious || tr2_crowd_is_brief(line)))
		give_likely(crowd, at);
}

/* So many processes are named. */
#define NAMED_MOST 32

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
