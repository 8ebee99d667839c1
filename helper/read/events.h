/*
 * events.h - the lines of a log, one by one, to their events; and what is
 * wrong with a line that can't be read. Whatever is broken, the next whole
 * event is found. All commands read lines by it, so a broken line is the same
 * to each.
 */
#ifndef TR2_READ_EVENTS_H
#define TR2_READ_EVENTS_H

#include "read/bytes/block.h"
#include "read/problem.h"
#include "read/record.h"

/* Gets an event. */
typedef void tr2_events_fn(void *context, struct tr2_record *record);

typedef void tr2_problem_fn(void *context, const struct tr2_problem *problem);

/*
 * Gets a part of the present line that could not be read, or NULL: the whole
 * line. Its events are lost.
 */
typedef void tr2_lost_fn(void *context, const char *text, size_t len);

struct tr2_events {
	tr2_events_fn *take;
	void *taker;
	tr2_problem_fn *tell; /* NULL: nobody asks */
	tr2_lost_fn *lose;    /* the same */
	void *owner;	      /* for the last two */

	/* What is known of the present log, and about no other one. */
	bool in_torn;	/* the line before ended inside an event */
	bool told_crlf; /* reported once for each log */

	/* The present line. */
	const struct tr2_line *line;
	const char *text; /* the part that is read now, */
	size_t text_len;  /* and its length */
	unsigned part;	  /* objects that were read so far */
	bool mending;	  /* the event's line has a problem already */
	struct tr2_record record;
	struct tr2_buf mended;
};

/* Begin with another log. */
static inline void tr2_events_begin_log(struct tr2_events *events)
{
	events->in_torn = events->told_crlf = false;
}

/* Read a line. Is it one JSON value and nothing else? */
bool tr2_events_line(struct tr2_events *events, const struct tr2_line *line);

/* A tr2_plain_fn, for struct tr2_events. */
void tr2_events_made(void *events, const struct tr2_made *made,
		     unsigned long number);

/* Report an error in the event at hand, which is of no use to who takes it. */
void tr2_events_report(const struct tr2_events *events, const char *id,
		       const char *message);

void tr2_events_release(struct tr2_events *events);

#endif
