#include "archive/tie.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

#define RING ((uint32_t)1 << 14) /* number of ties */
#define ROOM_FIRST ((uint32_t)64)

/*
 * Make room for the next tie. The rings begin small: most logs have no
 * children, and most children come after their parents.
 */
static void need_room(struct tr2_tie_ring *ring)
{
	uint32_t room = ring->room ? 2 * ring->room : ROOM_FIRST;
	size_t more = (room - ring->room) * sizeof(*ring->ties);

	if (ring->last < ring->room || ring->room == RING)
		return;
	ring->ties =
		tr2_must_grow(ring->ties, (room + 1) * sizeof(*ring->ties));
	memset(ring->ties + ring->room + 1, 0, more);
	tr2_tree_grow(&ring->by_time, room);
	tr2_tree_grow(&ring->by_words, room);
	ring->room = room;
}

static void release_ring(struct tr2_tie_ring *ring)
{
	free(ring->ties);
	tr2_tree_release(&ring->by_time);
	tr2_tree_release(&ring->by_words);
}

void tr2_ties_release(struct tr2_ties *ties)
{
	release_ring(&ties->calls);
	release_ring(&ties->orphans);
}

/* A tie is in both trees or in neither; `waits` tells which. */
static void take_out(struct tr2_tie_ring *ring, uint32_t number)
{
	if (!ring->ties[number].waits)
		return;
	ring->ties[number].waits = false;
	tr2_tree_remove(&ring->by_time, number);
	tr2_tree_remove(&ring->by_words, number);
}

/* Once the ring is full, a tie gets the number of the oldest one. */
static void put_in(struct tr2_tie_ring *ring, const struct tr2_tie *tie)
{
	struct tr2_tree_key key = { tie->sid, 0, tie->time, ++ring->turn };

	need_room(ring);
	ring->last = ring->last % RING + 1;
	take_out(ring, ring->last);
	ring->ties[ring->last] = *tie;
	ring->ties[ring->last].waits = true;
	tr2_tree_add(&ring->by_time, ring->last, &key);
	key.words = tie->words;
	tr2_tree_add(&ring->by_words, ring->last, &key);
}

static bool is_same(const struct tr2_hash *a, const struct tr2_hash *b)
{
	return a->a == b->a && a->b == b->b;
}

void tr2_ties_call(struct tr2_ties *ties, const struct tr2_tie *call)
{
	put_in(&ties->calls, call);
}

/* Find the last call before the child; one with the same words is preferred. */
static const struct tr2_tie *find_call(struct tr2_ties *ties,
				       const struct tr2_tie *child)
{
	const struct tr2_tie_ring *calls = &ties->calls;
	struct tr2_tree_key key = { child->sid, child->words, child->time,
				    UINT64_MAX };
	uint32_t found = tr2_tree_find(&calls->by_words, &key);

	if (found && is_same(&calls->ties[found].sid, &child->sid) &&
	    calls->ties[found].words == child->words)
		return &calls->ties[found];
	key.words = 0;
	found = tr2_tree_find(&calls->by_time, &key);
	if (found && is_same(&calls->ties[found].sid, &child->sid))
		return &calls->ties[found];
	return NULL;
}

const struct tr2_tie *tr2_ties_child(struct tr2_ties *ties,
				     const struct tr2_tie *child)
{
	const struct tr2_tie *call = find_call(ties, child);

	if (!call)
		put_in(&ties->orphans, child);
	return call;
}

/*
 * Returns the next waiting child of this parent for which there is a call.
 * Children without one are dropped, since no more calls can come.
 */
const struct tr2_tie *tr2_ties_waiting(struct tr2_ties *ties,
				       const struct tr2_hash *sid,
				       struct tr2_tie *child)
{
	struct tr2_tie_ring *orphans = &ties->orphans;
	const struct tr2_tree_key key = { *sid, 0, UINT64_MAX, UINT64_MAX };
	const struct tr2_tie *call;
	uint32_t at;

	while ((at = tr2_tree_find(&orphans->by_time, &key)) &&
	       is_same(&orphans->ties[at].sid, sid)) {
		*child = orphans->ties[at];
		take_out(orphans, at);
		call = find_call(ties, child);
		if (call)
			return call;
	}
	return NULL;
}
