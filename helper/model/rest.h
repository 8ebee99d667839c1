/*
 * rest.h - processes that have ended, and may go on: git's daemonize() ends
 * the process that calls it, and its child writes on under the same SID.
 *
 * A view lets a process that has ended rest, with its open spans, before it
 * makes something final of it. Only so many rest, so that memory does not
 * grow with the log; the one that has rested longest leaves first.
 */
#ifndef TR2_MODEL_REST_H
#define TR2_MODEL_REST_H

#include <stdbool.h>
#include <stddef.h>

#define TR2_REST_MOST 1000

struct tr2_rest_place { /* A member of a process. */
	struct tr2_rest_place *prev, *next;
	bool rests;
};

struct tr2_rest {
	struct tr2_rest_place *first, *last; /* the first one rests longest */
	size_t count;
};

/* Returns the process whose member this is. */
#define TR2_REST_OWNER(place, type) \
	((type *)(void *)((char *)(place)-offsetof(type, rest)))

/* The process goes on, or is final. It may be one that does not rest. */
static inline void tr2_rest_leave(struct tr2_rest *rest,
				  struct tr2_rest_place *place)
{
	if (!place->rests)
		return;
	*(place->prev ? &place->prev->next : &rest->first) = place->next;
	*(place->next ? &place->next->prev : &rest->last) = place->prev;
	place->rests = false;
	rest->count--;
}

/* The process has ended, maybe once more. */
static inline void tr2_rest_enter(struct tr2_rest *rest,
				  struct tr2_rest_place *place)
{
	tr2_rest_leave(rest, place);
	*place = (struct tr2_rest_place){ .prev = rest->last, .rests = true };
	*(rest->last ? &rest->last->next : &rest->first) = place;
	rest->last = place;
	rest->count++;
}

#endif
