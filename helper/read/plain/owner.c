#include "read/plain/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/*
 * Only so many processes are remembered of those that have ended, and of all:
 * each line is compared with them.
 */
#define ENDED_MOST 16
#define OWNERS_MOST 512

#define CLOSE 300 /* us: two that began so close are not told apart */

#define FAR 1000000 /* us: then what a clock says is of no use */

void tr2_owner_put_sid(struct tr2_buf *sid, const struct tr2_buf *parent,
		       uint64_t name, const struct tr2_owner_line *first)
{
	char text[80];
	int len;

	if (parent) {
		tr2_buf_add(sid, parent->bytes, parent->len);
		len = snprintf(text, sizeof(text), "/log:%lu", first->number);
	} else {
		len = snprintf(text, sizeof(text), "log%04x:%lu-%016" PRIx64,
			       (unsigned)name & 0xffff, first->number,
			       name ^ tr2_hash(first->text, first->len).a);
	}
	tr2_buf_add(sid, text, (size_t)len);
	tr2_must_hold(sid);
}

static struct tr2_owner **list_owners(const struct tr2_owners *owners)
{
	return owners->all.items;
}

static void free_owner(struct tr2_owner *owner)
{
	tr2_buf_release(&owner->sid);
	free(owner);
}

static void release_all(struct tr2_owners *owners)
{
	for (size_t i = 0; i < owners->all.count; i++)
		free_owner(list_owners(owners)[i]);
	owners->alive = owners->all.count = 0;
	owners->last = NULL;
}

void tr2_owners_begin(struct tr2_owners *owners, const char *name)
{
	release_all(owners);
	owners->name = tr2_hash(name, strlen(name)).a;
	owners->now = 0;
	owners->doubt = false;
}

void tr2_owners_release(struct tr2_owners *owners)
{
	release_all(owners);
	tr2_vec_release(&owners->all);
}

/* Returns the place of the one that has not written for the longest time. */
static size_t find_silent(const struct tr2_owners *owners)
{
	struct tr2_owner **list = list_owners(owners);
	size_t found = 0;

	for (size_t i = 1; i < owners->all.count; i++)
		if (list[i]->line < list[found]->line)
			found = i;
	return found;
}

/* Forget the one that ended first, or is silent, if there are too many. */
static void forget_one(struct tr2_owners *owners)
{
	struct tr2_owner **list = list_owners(owners);
	size_t count = owners->all.count, first = 0;

	if (count - owners->alive > ENDED_MOST)
		while (!list[first]->ended)
			first++;
	else if (count > OWNERS_MOST)
		first = find_silent(owners);
	else
		return;
	owners->alive -= !list[first]->ended;
	free_owner(list[first]);
	tr2_vec_remove(&owners->all, first, sizeof(*list));
}

/* How well may it? 2: it waits for a child, 1: it is just above, 0: not. */
static int rate_parent(const struct tr2_owner *owner,
		       const struct tr2_owner_line *line)
{
	if (owner->ended || owner->depth + 1 != line->depth)
		return 0;
	return owner->runs ? 2 : 1;
}

/*
 * Returns the process in which the new one runs, or NULL: of those that have
 * not ended and the depth above, the last one that waits for a child.
 */
static struct tr2_owner *find_parent(struct tr2_owners *owners,
				     const struct tr2_owner_line *line)
{
	struct tr2_owner **list = list_owners(owners), *best = NULL;
	int most = 0, rating;
	size_t count = 0;

	if (!line->depth)
		return NULL;
	for (size_t i = owners->all.count; i--;) {
		rating = rate_parent(list[i], line);
		if (rating < most || !rating)
			continue;
		count = rating > most ? 1 : count + 1;
		if (rating > most || list[i] == owners->last)
			best = list[i];
		most = rating;
	}
	owners->doubt |= count > 1;
	return best;
}

static struct tr2_owner *add_owner(struct tr2_owners *owners,
				   const struct tr2_owner_line *line)
{
	struct tr2_owner *parent = find_parent(owners, line);
	struct tr2_owner *owner = tr2_must_zeros(sizeof(*owner));

	owner->depth = line->depth;
	owner->above = parent ? parent->names : 0;
	owner->line = line->number;
	owner->whole = line->is == TR2_IS_VERSION;
	owner->begun = line->clock;
	if (line->clock == TR2_NO_TIME)
		owner->begun = owners->now;
	else if (line->t_abs != TR2_NO_TIME)
		owner->begun -= line->t_abs;
	tr2_owner_put_sid(&owner->sid, parent ? &parent->sid : NULL,
			  owners->name, line);
	*(struct tr2_owner **)tr2_vec_add(&owners->all, sizeof(owner)) = owner;
	owners->alive++;
	forget_one(owners);
	return owner;
}

static bool is_candidate(const struct tr2_owners *owners,
			 const struct tr2_owner *owner,
			 const struct tr2_owner_line *line)
{
	return owner->depth == line->depth &&
	       (owners->lax || tr2_owner_may_say(owner, line));
}

/*
 * Without a clock, the times of a process only grow. Whoever wrote last, waits
 * for no child and has not ended is the nearest; none is far.
 */
static int64_t measure_silence(const struct tr2_owner *owner, int64_t t_abs)
{
	int64_t silent = t_abs - owner->last;

	if (silent < 0)
		return INT64_MAX;
	if (silent > FAR / 4)
		silent = FAR / 4;
	return silent + (owner->runs ? FAR / 4 : 0) +
	       (owner->ended ? FAR / 2 : 0);
}

/* How far is the line from what the process would write now? */
static int64_t measure_distance(const struct tr2_owner *owner,
				const struct tr2_owner_line *line)
{
	return line->clock == TR2_NO_TIME
		       ? measure_silence(owner, line->t_abs)
		       : llabs(line->clock - line->t_abs - owner->begun);
}

/* The line says when its process began; of equals, the last one wrote it. */
static struct tr2_owner *find_nearest(struct tr2_owners *owners,
				      const struct tr2_owner_line *line)
{
	struct tr2_owner **list = list_owners(owners), *best = NULL;
	int64_t least = INT64_MAX, distance;

	for (size_t i = owners->all.count; i--;) {
		if (!is_candidate(owners, list[i], line))
			continue;
		distance = measure_distance(list[i], line);
		if (best && !list[i]->ended && !best->ended &&
		    line->clock != TR2_NO_TIME && distance - least < CLOSE &&
		    least - distance < CLOSE)
			owners->doubt = true;
		if (best && distance >= least)
			continue;
		best = list[i];
		least = distance;
	}
	return best;
}

/* Returns the process of the line before if it may have written this one. */
static struct tr2_owner *find_last(const struct tr2_owners *owners,
				   const struct tr2_owner_line *line)
{
	struct tr2_owner *last = owners->last;

	return last && !last->ended && is_candidate(owners, last, line) ? last
									: NULL;
}

/*
 * Returns the candidate that wrote last and has not ended. Are there none, one
 * or more of them? That is 0, 1 or 2 in *count.
 */
static struct tr2_owner *find_latest(const struct tr2_owners *owners,
				     const struct tr2_owner_line *line,
				     size_t *count)
{
	struct tr2_owner **list = list_owners(owners),
			 *latest = find_last(owners, line);
	size_t i = owners->all.count, left = owners->alive;

	for (*count = 0; left && *count < 2; left -= !list[i]->ended) {
		if (list[--i]->ended || !is_candidate(owners, list[i], line))
			continue;
		++*count;
		if (!latest)
			latest = list[i];
	}
	return latest;
}

/* Did another one that may have written the line begin at the same time? */
static bool has_twin(const struct tr2_owners *owners,
		     const struct tr2_owner *owner,
		     const struct tr2_owner_line *line)
{
	struct tr2_owner **list = list_owners(owners);
	size_t i = owners->all.count, left = owners->alive;

	for (; left > 1; left -= !list[i]->ended)
		if (!list[--i]->ended && list[i] != owner &&
		    is_candidate(owners, list[i], line) &&
		    measure_distance(list[i], line) < CLOSE)
			return true;
	return false;
}

/* Is it surely the process of the line before? Nearly always. */
static bool is_same(const struct tr2_owners *owners,
		    const struct tr2_owner_line *line)
{
	const struct tr2_owner *last = find_last(owners, line);

	return last && line->t_abs != TR2_NO_TIME &&
	       line->clock != TR2_NO_TIME &&
	       measure_distance(last, line) < CLOSE &&
	       !has_twin(owners, last, line);
}

static bool has_opened(const struct tr2_owner *owner, int64_t t_abs)
{
	for (size_t i = 0; i < TR2_OWNER_OPENS; i++)
		if (owner->opens[i] == t_abs)
			return true;
	return false;
}

/* Returns the only process in which the region or child began, or NULL. */
static struct tr2_owner *find_opener(const struct tr2_owners *owners,
				     const struct tr2_owner_line *line)
{
	struct tr2_owner **list = list_owners(owners), *found = NULL;
	const int64_t begun = line->t_abs - line->t_rel;
	size_t i = owners->all.count, left = owners->alive;

	for (; left && begun > 0; left -= !list[i]->ended) {
		if (list[--i]->ended || !is_candidate(owners, list[i], line) ||
		    !has_opened(list[i], begun))
			continue;
		if (found)
			return NULL;
		found = list[i];
	}
	return found;
}

/* The line has a t_abs. */
static struct tr2_owner *find_by_time(struct tr2_owners *owners,
				      const struct tr2_owner_line *line)
{
	struct tr2_owner *owner, *latest;
	size_t alive;

	if (line->clock == TR2_NO_TIME) {
		latest = find_latest(owners, line, &alive);
		if (alive == 1)
			return latest;
	}
	owner = find_nearest(owners, line);
	if (!owner)
		return NULL;
	if (measure_distance(owner, line) <= FAR)
		return owner;
	/* The clock was set, or the beginning of its process is lost. */
	latest = find_latest(owners, line, &alive);
	return latest && latest->last <= line->t_abs ? latest : NULL;
}

static struct tr2_owner *choose_owner(struct tr2_owners *owners,
				      const struct tr2_owner_line *line)
{
	struct tr2_owner *owner;
	size_t alive;

	if (line->is == TR2_IS_VERSION)
		return NULL;
	owner = line->t_rel == TR2_NO_TIME ? NULL : find_opener(owners, line);
	if (owner)
		return owner;
	if (line->t_abs != TR2_NO_TIME)
		return find_by_time(owners, line);
	owner = find_latest(owners, line, &alive);
	owners->doubt |= alive > 1;
	return owner;
}

struct tr2_owner *tr2_owners_find(struct tr2_owners *owners,
				  const struct tr2_owner_line *line)
{
	struct tr2_owner *owner;

	if (line->is != TR2_IS_VERSION && is_same(owners, line))
		return owners->last;
	owner = choose_owner(owners, line);
	owners->lax = !owner;
	if (owners->lax)
		owner = choose_owner(owners, line);
	owners->lax = false;
	if (!owner)
		owner = add_owner(owners, line);
	owners->last = owner;
	return owner;
}

/* Two clocks drift by little. */
static void note_time(struct tr2_owners *owners, struct tr2_owner *owner,
		      const struct tr2_owner_line *line)
{
	int64_t begun;

	owner->last = line->t_abs;
	if (line->clock == TR2_NO_TIME) {
		if (owner->begun + line->t_abs > owners->now)
			owners->now = owner->begun + line->t_abs;
		return;
	}
	begun = line->clock - line->t_abs;
	/* It began before it wrote its version, also if a line was late. */
	if (owner->timed || !owner->whole || begun < owner->begun)
		owner->begun = begun;
	owner->timed = true;
}

void tr2_owners_end_line(struct tr2_owners *owners, struct tr2_owner *owner,
			 const struct tr2_owner_line *line)
{
	owner->line = line->number;
	if (line->t_abs != TR2_NO_TIME)
		note_time(owners, owner, line);
	tr2_owner_note_said(owner, line);
	owners->alive += owner->ended;
	owner->ended = line->is == TR2_IS_ATEXIT || line->is == TR2_IS_SIGNAL;
	owners->alive -= owner->ended;
}
