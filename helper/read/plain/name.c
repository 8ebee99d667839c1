#include "read/plain/crowd_part.h"

#include <string.h>

#include "lib/text/text.h"

/* How far lines that say the same may be apart. */
#define FAR ((uint32_t)256)

static size_t measure_words(const struct tr2_words *words)
{
	return (size_t)(words->end - words->text);
}

/* Where a name that may be of any process says that it is an outermost one. */
void tr2_crowd_note_outermost(struct tr2_crowd *crowd)
{
	const struct tr2_crowd_line *line;
	uint32_t i, next = TR2_NOBODY;

	for (i = crowd->lines.count; i--;) {
		line = tr2_crowd_line(crowd, i);
		if (line->is == TR2_IS_CMD_NAME && line->outermost &&
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
	if (end > process->version + FAR)
		end = process->version + FAR;
	return process->outermost < end;
}

#define REFUSED 9

/* An alias has its own name first, and then that of its command. */
static unsigned rate_next_name(const struct tr2_crowd *crowd,
			       const struct tr2_crowd_process *process,
			       uint32_t at)
{
	const uint32_t name = process->last_name;

	if (crowd->alive.all.count == 1)
		return 2;
	return !process->waits && tr2_crowd_line(crowd, name)->alias &&
			       tr2_crowd_is_below(crowd, at, name)
		       ? 3
		       : REFUSED;
}

/* How well does the name fit the process? The least fits best. */
static unsigned rate_name(struct tr2_crowd *crowd, uint32_t number, uint32_t at)
{
	const struct tr2_crowd_line *line = tr2_crowd_line(crowd, at);
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	uint32_t parent = process->parent, above;

	if (process->last_name != TR2_NOBODY)
		return rate_next_name(crowd, process, at);
	if (process->child != TR2_NOBODY && !process->guess)
		parent = tr2_crowd_line(crowd, process->child)->owner;
	above = parent == TR2_NOBODY
			? TR2_NOBODY
			: tr2_crowd_process(crowd, parent)->last_name;
	if (above != TR2_NOBODY && !tr2_crowd_is_below(crowd, at, above))
		return REFUSED;
	if (process->start == TR2_NOBODY || !line->leaf || line->alias)
		return 2;
	if (process->start > at)
		return REFUSED;
	return tr2_crowd_rate_words(crowd, number, at);
}

/* Do so many lines say the same from here on? Then whose is which is equal. */
static bool are_many(const struct tr2_crowd *crowd, uint32_t at, unsigned many)
{
	uint32_t i, end = crowd->lines.count;

	if (end - at > FAR)
		end = at + FAR;
	for (i = at; i < end && many; i++)
		many -= tr2_crowd_say_same(crowd, at, i);
	return !many;
}

typedef unsigned rate_fn(struct tr2_crowd *crowd, uint32_t process,
			 uint32_t line);

/* Returns whose line it is, or TR2_NOBODY; none is rated more than `most`. */
static uint32_t choose_best(struct tr2_crowd *crowd, uint32_t at, rate_fn *rate,
			    unsigned most)
{
	const uint32_t *alive = tr2_crowd_alive(crowd);
	uint32_t i, best = TR2_NOBODY;
	unsigned least = REFUSED, rating, count = 0;

	for (i = 0; i < crowd->alive.all.count; i++) {
		rating = rate(crowd, alive[i], at);
		if (rating < least) {
			least = rating;
			count = 0;
			best = alive[i];
		}
		count += rating == least && rating < REFUSED;
	}
	if (least > most)
		return TR2_NOBODY;
	tr2_crowd_line(crowd, at)->guess = count > 1;
	return count > 1 && !are_many(crowd, at, count) ? TR2_NOBODY : best;
}

/* The same without the parent's: does it begin with a git that started it? */
static unsigned rate_first(const struct tr2_crowd *crowd,
			   const struct tr2_crowd_process *process,
			   const struct tr2_words *own)
{
	const bool by_git =
		tr2_text_starts(own->text, measure_words(own), "git");

	if (tr2_crowd_is_direct(crowd, process))
		return by_git ? 1 : 4;
	return by_git && process->name != TR2_NOBODY &&
			       tr2_crowd_line(crowd, process->name)->outermost
		       ? 4
		       : 3;
}

/*
 * How well does an ancestry fit? It ends with that of the parent, and comes
 * before the name.
 */
static unsigned rate_chain(struct tr2_crowd *crowd, uint32_t number,
			   uint32_t at)
{
	const struct tr2_crowd_process *process =
		tr2_crowd_process(crowd, number);
	const struct tr2_crowd_process *parent;
	struct tr2_words own = tr2_crowd_words(crowd, at), above;
	const char *arrow;
	size_t more;

	if (process->chain != TR2_NOBODY || process->start > at ||
	    process->name < at)
		return REFUSED;
	if (process->parent == TR2_NOBODY)
		return rate_first(crowd, process, &own);
	parent = tr2_crowd_process(crowd, process->parent);
	if (parent->chain == TR2_NOBODY)
		return 1;
	above = tr2_crowd_words(crowd, parent->chain);
	if (measure_words(&own) <= measure_words(&above))
		return 4;
	more = measure_words(&own) - measure_words(&above);
	if (memcmp(own.text + more, above.text, measure_words(&above)))
		return 4;
	arrow = tr2_text_find(own.text, measure_words(&own), " <- ");
	if (arrow && (size_t)(arrow - own.text) + 4 == more)
		return tr2_crowd_is_direct(crowd, process) ? 0 : 2;
	return tr2_crowd_is_direct(crowd, process) ? 4 : 0;
}

static void find_lines(struct tr2_crowd *crowd, enum tr2_is is, rate_fn *rate,
		       unsigned most)
{
	const struct tr2_crowd_line *line;
	uint32_t i, owner;
	bool asks;

	tr2_crowd_walk(crowd);
	for (i = 0; i < crowd->lines.count; i++) {
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

/* Names that were guesses, and come after the end of their process, are not. */
static void drop_late(struct tr2_crowd *crowd)
{
	struct tr2_crowd_process *process;
	struct tr2_crowd_line *line;
	uint32_t i;

	for (i = 0; i < crowd->lines.count; i++) {
		line = tr2_crowd_line(crowd, i);
		if (line->told || !line->guess || line->owner == TR2_NOBODY ||
		    line->is != TR2_IS_CMD_NAME)
			continue;
		process = tr2_crowd_process(crowd, line->owner);
		if (process->end >= i)
			continue;
		if (process->name == i)
			process->name = TR2_NOBODY;
		line->owner = TR2_NOBODY;
	}
}

void tr2_crowd_find_names(struct tr2_crowd *crowd, bool sure)
{
	if (!sure)
		drop_late(crowd);
	find_lines(crowd, TR2_IS_CMD_NAME, rate_name, sure ? 2 : REFUSED);
}

void tr2_crowd_find_chains(struct tr2_crowd *crowd)
{
	find_lines(crowd, TR2_IS_CMD_ANCESTRY, rate_chain, REFUSED);
}
