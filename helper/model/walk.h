/*
 * walk.h - the processes of logs while their events come, for the accounts and
 * for the views that show each process by itself: one table from SIDs, which
 * processes rest, which one another took the place of, and when each ends.
 *
 * What a view knows of a process begins with a struct tr2_life. The view hears
 * of a process when it begins, then of its events and spans, and then of its
 * end; `life` is the one it hears of.
 */
#ifndef TR2_MODEL_WALK_H
#define TR2_MODEL_WALK_H

#include "lib/common/map.h"
#include "model/timeline.h"
#include "model/tree.h"

/*
 * Processes that have ended, and may go on: git's daemonize() ends the process
 * that calls it, and its child writes on under the same SID. A view lets a
 * process that has ended rest, with its open spans, before it makes something
 * final of it. Only so many rest, so that memory does not grow with the log;
 * the one that has rested longest leaves first.
 */
#define TR2_REST_MOST 1000

struct tr2_rest_place { /* A member of a process. */
	struct tr2_rest_place *prev, *next;
	bool rests;
};

struct tr2_rest {
	struct tr2_rest_place *first, *last; /* the first one rests longest */
	size_t count;
};

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

struct tr2_life {
	struct tr2_tree_process self; /* its times are known at its end */
	uint32_t parent_pid;
	uint32_t started; /* so many children, by lines without a `time` */
	uint32_t depth;	  /* how many components its SID has before the last */
	uint64_t number;  /* they count from 0 as they begin */
	struct tr2_timeline timeline;
	uint64_t recent; /* `now` of its last event */
	uint32_t mark;	 /* what its owner wants to know after its end */
	bool is_aside;
	bool waits;		    /* among those that executed a program */
	struct tr2_rest_place open; /* in one of both lists */
	struct tr2_rest_place rest;
};

/* Each function but release gets the taker of the walk. */
struct tr2_walk_view {
	size_t size; /* of what it knows of a process, which is all 0 at first */
	void (*begin)(void *taker, struct tr2_life *life, const char *sid,
		      size_t len);
	struct tr2_timeline_view events;
	/* Its spans have ended. True: the taker keeps it, and frees it. */
	bool (*end)(void *taker, struct tr2_life *life);
	/* It is freed, whether it has ended or not. */
	void (*release)(struct tr2_life *life);
};

/*
 * Processes whose parent executed them: the parent ends with its heir, though
 * the heir's log may be read first. Where the parent has not been seen, or may
 * have an exec that is not known yet, some 50 bytes are kept of it.
 */
struct tr2_heirs {
	struct tr2_map places; /* from the hash of the parent's SID, from 1 */
	struct tr2_vec kept;   /* struct tr2_heir_kept */
};

struct tr2_walk {
	const struct tr2_walk_view *view;
	void *taker;
	struct tr2_life *life;
	/*
	 * From the hash of a SID; 1: it has ended, 2: before the owner began;
	 * above these two bits is the mark of one that ended.
	 * When `recent` has `sids_most` entries, it replaces `older`, of which
	 * only the processes that are open are kept.
	 */
	struct tr2_map recent, older;
	size_t sids_most;  /* 0: no limit */
	bool begins_again; /* after its end; else such an event is late */
	/*
	 * A process that has ended may go on, so it is final when so many
	 * others have ended after it. 0: at its first atexit or signal.
	 */
	size_t rest_most;
	struct tr2_rest rest;
	struct tr2_rest open, aside; /* the first to begin first */
	struct tr2_life *latest;     /* of the last event, or NULL */
	struct tr2_heirs heirs;
	/*
	 * struct tr2_life *: processes that executed a program and end last of
	 * all. Those without an end always do; if `defers` is set, so do the
	 * others, and the order of files changes nothing.
	 */
	bool defers;
	struct tr2_vec replaced;
	uint64_t now;	      /* of the present event; only the owner knows */
	uint64_t begun, late; /* processes, and events after their end */
};

/* Returns the process with this SID, or NULL: no event of it may come. */
struct tr2_life *tr2_walk_find(struct tr2_walk *walk, const char *sid,
			       size_t len);

/* The process has no more events, if it is there. */
void tr2_walk_leave(struct tr2_walk *walk, const char *sid, size_t len);

/* The mark of a process that has ended; and another one. */
uint32_t tr2_walk_mark(const struct tr2_walk *walk, uint64_t hash);
void tr2_walk_set_mark(struct tr2_walk *walk, uint64_t hash, uint32_t mark);

/* The next event of the process, which may end it and others. */
void tr2_walk_take(struct tr2_walk *walk, struct tr2_life *life,
		   struct tr2_record *record);

/* Wait no longer for events that tell when others took place. */
void tr2_walk_settle(struct tr2_walk *walk, struct tr2_life *life);

/* Move the process to the other list. */
void tr2_walk_put_aside(struct tr2_walk *walk, struct tr2_life *life);

/* Returns the process whose member this is; NULL: there is none. */
#define TR2_LIFE_OF(place, member)                                           \
	((place) ? (struct tr2_life *)(void *)((                             \
			   char *)(place)-offsetof(struct tr2_life, member)) \
		 : NULL)

static inline struct tr2_life *tr2_life_of(struct tr2_rest_place *place)
{
	return TR2_LIFE_OF(place, open);
}

/* Returns the process that rests longest, or NULL. */
static inline struct tr2_life *tr2_life_rested(const struct tr2_walk *walk)
{
	return TR2_LIFE_OF(walk->rest.first, rest);
}

/* End the process, whatever its events say. */
void tr2_walk_end_life(struct tr2_walk *walk, struct tr2_life *life);

/* There are no more events: end all processes. */
void tr2_walk_end(struct tr2_walk *walk);

/* Free one that the taker kept. */
void tr2_walk_free(const struct tr2_walk *walk, struct tr2_life *life);

/* Free those that have not ended, too. */
void tr2_walk_release(struct tr2_walk *walk);

#endif
