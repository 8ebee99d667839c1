#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/text/text.h"

/* How far lines that say the same may be apart. */
#define FAR ((uint32_t)256)

/* Where a name that may be of any process says that it is an outermost one. */
void tr2_crowd_note_outermost(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;
	uint32_t next = TR2_NOBODY;

	for (uint32_t i = crowd->lines.count; i--;) {
		line = tr2_crowd_line(crowd, i);
		if (line->outermost &&
		    (line->owner == TR2_NOBODY || line->guess))
			next = i;
		else if (line->owner != TR2_NOBODY)
			tr2_crowd_process(crowd, line->owner)->outermost = next;
	}
}

bool tr2_crowd_may_be_outermost(const struct tr2_crowd *crowd,
				const struct tr2_crowd_process *process)
{
	uint32_t end = process->end;

	if (process->name != TR2_NOBODY)
		return tr2_crowd_line(crowd, process->name)->outermost;
	if (process->chain != TR2_NOBODY &&
	    !tr2_crowd_line(crowd, process->chain)->gits)
		return true;
	if (end > process->version + FAR)
		end = process->version + FAR;
	return process->outermost < end;
}

#define REFUSED 9

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
		return below && !last->alias ? REFUSED : 2;
	return below && last->alias && !process->waits ? 3 : REFUSED;
}

/* Is the name above the one that the process has later, and below its parent's? */
static bool fits_between(struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process, uint32_t at)
{
	uint32_t parent = process->parent;

	if (process->name != TR2_NOBODY && process->name > at &&
	    tr2_crowd_line(crowd, process->name)->above !=
		    tr2_crowd_line(crowd, at)->own)
		return false;
	if (process->child != TR2_NOBODY && !process->guess)
		parent = tr2_crowd_line(crowd, process->child)->owner;
	return parent == TR2_NOBODY ||
	       tr2_crowd_process(crowd, parent)->last_name == TR2_NOBODY ||
	       tr2_crowd_is_below(crowd, at, parent);
}

/* How well does the name fit the process? The least fits best. */
static unsigned rate_name(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);

	if (process->last_name != TR2_NOBODY)
		return rate_next_name(crowd, process, line);
	if (!fits_between(crowd, process, at))
		return REFUSED;
	if (process->start == TR2_NOBODY || !line->leaf || line->alias)
		return 2;
	if (process->start > at)
		return REFUSED;
	return tr2_crowd_rate_words(crowd, number, at);
}

typedef unsigned rate_fn(struct tr2_crowd *crowd, uint32_t process,
			 uint32_t line);

/*
 * Do so many lines say the same from here on that each of those that may have
 * written it has one, and of those that begin later, too? Then whose is which is
 * equal.
 */
static bool are_many(struct tr2_crowd *crowd, uint32_t at, rate_fn *rate,
		     unsigned least, int many)
{
	uint32_t i = crowd->lines.count, next = TR2_NOBODY;
	const struct tr2_crowd_line *line;
	int left = 0;

	if (i - at > FAR)
		i = at + FAR;
	while (i-- > at) {
		line = tr2_crowd_line(crowd, i);
		if (tr2_crowd_say_same(crowd, at, i)) {
			next = i;
			left--;
		} else if (line->is == TR2_IS_START && next != TR2_NOBODY &&
			   line->owner != TR2_NOBODY) {
			left += rate(crowd, line->owner, next) <= least;
		}
		if (left > 0)
			left = 0;
	}
	return left + many <= 0;
}

/* Was it a guess that another one wrote such a line, which this one may have? */
static bool was_guessed(const struct tr2_crowd *crowd, uint32_t at,
			uint32_t number)
{
	const uint32_t start = tr2_crowd_process(crowd, number)->start;

	for (uint32_t i = at; i-- > start && at - i < FAR;)
		if (tr2_crowd_line(crowd, i)->guess &&
		    tr2_crowd_say_same(crowd, at, i))
			return true;
	return false;
}

/* A name before this one may be that of an alias. */
static void doubt_equals(struct tr2_crowd *crowd, uint32_t at, unsigned least)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);

	for (uint32_t i = 0; i < crowd->alive.count; i++)
		if (tr2_crowd_process(crowd, alive[i])->last_name !=
			    TR2_NOBODY &&
		    rate_name(crowd, alive[i], at) == least)
			tr2_crowd_doubt(crowd, alive[i]);
}

static bool ends_before(const struct tr2_crowd *crowd, uint32_t one,
			uint32_t other)
{
	return tr2_crowd_death(crowd, tr2_crowd_process(crowd, one)) <
	       tr2_crowd_death(crowd, tr2_crowd_process(crowd, other));
}

/*
 * Returns whose line it is, or TR2_NOBODY; none is rated more than `most`. Of
 * equals, the first one to end has no time for another line. If it was an alias,
 * the name that it has before is not the one of its command.
 */
static uint32_t choose_best(struct tr2_crowd *crowd, uint32_t at, rate_fn *rate,
			    unsigned most)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	uint32_t best = TR2_NOBODY;
	unsigned least = REFUSED, rating, count = 0;

	for (uint32_t i = 0; i < crowd->alive.count; i++) {
		rating = rate(crowd, alive[i], at);
		if (rating < least) {
			least = rating;
			count = 0;
			best = alive[i];
		} else if (rating == least && best != TR2_NOBODY &&
			   ends_before(crowd, alive[i], best)) {
			best = alive[i];
		}
		count += rating == least;
	}
	if (best == TR2_NOBODY || least > most)
		return TR2_NOBODY;
	tr2_crowd_line(crowd, at)->guess = count > 1 ||
					   was_guessed(crowd, at, best);
	if (count == 1 || are_many(crowd, at, rate, least, (int)count))
		return best;
	if (rate == rate_name)
		doubt_equals(crowd, at, least);
	return TR2_NOBODY;
}

/* The same without the parent's: does it begin with a git that started it? */
static unsigned rate_first(const struct tr2_crowd *crowd,
			   const struct tr2_crowd_process *process,
			   const struct tr2_words *own)
{
	const bool by_git =
		tr2_text_starts(own->text, tr2_words_measure(own), "git");

	if (tr2_crowd_is_direct(crowd, process))
		return by_git ? 1 : 4;
	return by_git && process->name != TR2_NOBODY &&
			       tr2_crowd_line(crowd, process->name)->outermost
		       ? 4
		       : 3;
}

/* Does it end with that of the parent, which is directly above, or a shell is? */
static unsigned rate_below(const struct tr2_crowd *crowd,
			   const struct tr2_crowd_process *process,
			   const struct tr2_words *own)
{
	const struct tr2_crowd_process *parent =
		tr2_crowd_process(crowd, process->parent);
	struct tr2_words above;
	const char *arrow;
	size_t more;

	if (parent->chain == TR2_NOBODY)
		return 1;
	above = tr2_crowd_words(crowd, parent->chain);
	if (tr2_words_measure(own) <= tr2_words_measure(&above))
		return 4;
	more = tr2_words_measure(own) - tr2_words_measure(&above);
	if (memcmp(own->text + more, above.text, tr2_words_measure(&above)))
		return 4;
	arrow = tr2_text_find(own->text, tr2_words_measure(own), " <- ");
	if (arrow && (size_t)(arrow - own->text) + 4 == more)
		return tr2_crowd_is_direct(crowd, process) ? 0 : 2;
	return tr2_crowd_is_direct(crowd, process) ? 4 : 0;
}

/*
 * How well does an ancestry fit? It comes before the name, and it has the
 * programs of git that the name says, but if the process detached itself.
 */
static unsigned rate_chain(struct tr2_crowd *crowd, uint32_t number,
			   uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const struct tr2_words own = tr2_crowd_words(crowd, at);

	if (process->chain != TR2_NOBODY || process->start > at ||
	    process->name < at)
		return REFUSED;
	if (process->name != TR2_NOBODY &&
	    tr2_crowd_line(crowd, at)->gits <
		    tr2_crowd_line(crowd, process->name)->gits)
		return 5;
	return process->parent == TR2_NOBODY ? rate_first(crowd, process, &own)
					     : rate_below(crowd, process, &own);
}

/*
 * A process names its own repository once, and those of submodules any number of
 * times. Who waits for a child seldom does.
 */
static unsigned rate_repository(struct tr2_crowd *crowd, uint32_t number,
				uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const uint32_t end = process->end;

	if (process->repo == tr2_crowd_line(crowd, at)->same ||
	    (process->start != TR2_NOBODY && process->start > at) ||
	    (end != TR2_NOBODY && tr2_crowd_line(crowd, end)->mate < at))
		return REFUSED;
	return process->waits ? 3 : 2;
}

static void find_lines(struct tr2_crowd *crowd, enum tr2_is is, rate_fn *rate,
		       unsigned most)
{
	const struct tr2_crowd_line *line;
	uint32_t owner;
	bool asks;

	tr2_crowd_walk(crowd);
	for (uint32_t i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		owner = line->owner;
		asks = owner == TR2_NOBODY && line->is == is;
		tr2_crowd_pass(crowd, i, asks);
		if (asks)
			owner = choose_best(crowd, i, rate, most);
		if (owner != TR2_NOBODY)
			tr2_crowd_give(crowd, i, owner);
	}
}

void tr2_crowd_find_names(struct tr2_crowd *crowd, bool sure)
{
	find_lines(crowd, TR2_IS_CMD_NAME, rate_name, sure ? 2 : REFUSED);
}

void tr2_crowd_find_chains(struct tr2_crowd *crowd)
{
	find_lines(crowd, TR2_IS_CMD_ANCESTRY, rate_chain, REFUSED);
}

void tr2_crowd_find_repositories(struct tr2_crowd *crowd)
{
	find_lines(crowd, TR2_IS_DEF_REPO, rate_repository, REFUSED);
}
