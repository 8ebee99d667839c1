#include "convert/logs_tie.h"

#include <stdlib.h>
#include <string.h>

#include "validate/memory.h"

#define RING ((uint32_t)1 << 14) /* ties; and buckets */
#define ROOM_FIRST ((uint32_t)64)

/*
 * Room for the next tie. Most logs have no children, and most children their
 * parents before them.
 */
static void need(struct tr2_tie_ring *ring)
{
	uint32_t room = ring->room ? 2 * ring->room : ROOM_FIRST;
	size_t more = (room - ring->room) * sizeof(*ring->ties);

	if (!ring->buckets)
		ring->buckets = tr2_must_zeros(RING * sizeof(*ring->buckets));
	if (ring->last < ring->room || ring->room == RING)
		return;
	ring->ties =
		tr2_must_grow(ring->ties, (room + 1) * sizeof(*ring->ties));
	memset(ring->ties + ring->room + 1, 0, more);
	ring->room = room;
}

void tr2_ties_release(struct tr2_ties *ties)
{
	free(ties->calls.ties);
	free(ties->calls.buckets);
	free(ties->orphans.ties);
	free(ties->orphans.buckets);
}

static uint32_t *bucket_of(struct tr2_tie_ring *ring,
			   const struct tr2_hash *sid)
{
	return &ring->buckets[sid->a >> 32 & (RING - 1)];
}

static void take_out(struct tr2_tie_ring *ring, uint32_t number)
{
	struct tr2_tie *tie = &ring->ties[number];
	uint32_t *at = bucket_of(ring, &tie->sid);

	while (*at && *at != number)
		at = &ring->ties[*at].older;
	if (*at)
		*at = tie->older;
}

static void put_in(struct tr2_tie_ring *ring, const struct tr2_tie *tie)
{
	uint32_t *bucket;

	need(ring);
	bucket = bucket_of(ring, &tie->sid);
	ring->last = ring->last % RING + 1;
	take_out(ring, ring->last);
	ring->ties[ring->last] = *tie;
	ring->ties[ring->last].older = *bucket;
	*bucket = ring->last;
}

/* The newest tie of that SID's bucket, or 0. */
static uint32_t newest(struct tr2_tie_ring *ring, const struct tr2_hash *sid)
{
	return ring->ties ? *bucket_of(ring, sid) : 0;
}

static bool is_same(const struct tr2_hash *a, const struct tr2_hash *b)
{
	return a->a == b->a && a->b == b->b;
}

void tr2_ties_call(struct tr2_ties *ties, const struct tr2_tie *call)
{
	put_in(&ties->calls, call);
}

/* The last one before the child; one with its words comes first. */
static const struct tr2_tie *find_call(struct tr2_ties *ties,
				       const struct tr2_tie *child)
{
	struct tr2_tie_ring *calls = &ties->calls;
	uint32_t at = newest(calls, &child->sid);
	const struct tr2_tie *found = NULL, *call;

	for (; at; at = calls->ties[at].older) {
		call = &calls->ties[at];
		if (!is_same(&call->sid, &child->sid) ||
		    call->time > child->time)
			continue;
		if (call->words == child->words)
			return call;
		if (!found || call->time > found->time)
			found = call;
	}
	return found;
}

const struct tr2_tie *tr2_ties_child(struct tr2_ties *ties,
				     const struct tr2_tie *child)
{
	const struct tr2_tie *call = find_call(ties, child);

	if (!call)
		put_in(&ties->orphans, child);
	return call;
}

const struct tr2_tie *tr2_ties_waiting(struct tr2_ties *ties,
				       const struct tr2_hash *sid,
				       struct tr2_tie *child)
{
	struct tr2_tie_ring *orphans = &ties->orphans;
	uint32_t at = newest(orphans, sid), older;
	const struct tr2_tie *call;

	for (; at; at = older) {
		older = orphans->ties[at].older;
		if (!is_same(&orphans->ties[at].sid, sid))
			continue;
		*child = orphans->ties[at];
		take_out(orphans, at);
		call = find_call(ties, child);
		if (call)
			return call;
	}
	return NULL;
}
