/* timeline_part.h - what the files of the room share. */
#ifndef TR2_MODEL_TIMELINE_PART_H
#define TR2_MODEL_TIMELINE_PART_H

#include "model/timeline.h"

/* What an event may begin or end. */
enum tr2_pair {
	TR2_PAIR_NONE,
	TR2_PAIR_REGION,
	TR2_PAIR_CHILD,
	TR2_PAIR_THREAD
};

/* What an event says of its place. */
struct tr2_claim {
	int64_t time;		    /* its `time`, or 0 */
	int64_t since;		    /* its t_abs, or -1 */
	int64_t length;		    /* its t_rel, or -1 */
	enum tr2_pair begins, ends; /* `ends`: if that is open */
	uint64_t thread;	    /* hash of its name */
	uint64_t child; /* key of the child that it begins or ends */
};

void tr2_claim_read(struct tr2_claim *claim, struct tr2_record *record);

#define TR2_NO_CHILD UINT64_MAX /* the event has no id */

/* Returns the place of the thread, or TR2_NO_SPAN if it is new. */
uint32_t tr2_timeline_find_thread(const struct tr2_timeline *timeline,
				  uint64_t hash);

/* Returns the place of the open child, or TR2_NO_SPAN. */
uint32_t tr2_timeline_find_child(const struct tr2_timeline *timeline,
				 uint64_t key);

/*
 * Returns the place where the log itself says that the event lies, or -1: only
 * its `time` says something.
 */
int64_t tr2_place_find(const struct tr2_timeline *timeline,
		       const struct tr2_claim *claim);

/* Returns how far after `now` the event lies by its `time`. */
int64_t tr2_place_difference(const struct tr2_timeline *timeline,
			     const struct tr2_claim *claim);

/*
 * The event lies here, as far as places do not go back. Returns its place.
 */
int64_t tr2_place_enter(struct tr2_timeline *timeline,
			const struct tr2_record *record,
			const struct tr2_claim *claim, int64_t at);

/* timeline.c: do what the event does, at this place. */
void tr2_timeline_apply(struct tr2_timeline *timeline,
			struct tr2_record *record,
			const struct tr2_claim *claim, int64_t at);

/* ending.c */
enum tr2_ending tr2_ending_of(const struct tr2_record *record);
/* The process ends with this event, or goes on after its end. */
void tr2_ending_note(struct tr2_timeline *timeline,
		     const struct tr2_record *record,
		     const struct tr2_claim *claim, int64_t at);

/* hold.c */
/* Must the event wait for a later one that tells its place? */
bool tr2_held_wants(const struct tr2_timeline *timeline,
		    const struct tr2_record *record,
		    const struct tr2_claim *claim);
/*
 * Let it wait. True: it does not, because it knows its place, ends the process,
 * or comes after too many.
 */
bool tr2_held_add(struct tr2_timeline *timeline, struct tr2_record *record,
		  const struct tr2_claim *claim);
/* Let all that wait happen. `next` is the event after them, or NULL. */
void tr2_held_end(struct tr2_timeline *timeline, const struct tr2_claim *next);
void tr2_held_release(struct tr2_timeline *timeline);

/* span.c */
struct tr2_timeline_span *tr2_span_begin(const struct tr2_moment *moment,
					 enum tr2_span_kind kind);
/* Take the span out of the list. Its place is free. */
void tr2_span_remove(struct tr2_timeline *timeline,
		     struct tr2_timeline_span *span);

#endif
