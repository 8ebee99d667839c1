/*
 * plain.h - lines of NORMAL and PERF as events: each becomes the object that
 * EVENT would have, so that all who read logs need to know nothing of them.
 *
 *	plain.c	   an event with its process and its time
 *	owner.c    whose line of PERF it is
 *	crowd.c    NORMAL: whose the lines are, of all of a time together
 *
 * What the format does not say is absent. There is no date: days are counted
 * from the first one of 1970. Without a clock, as in brief form, a process
 * begins at the latest time that is known.
 *
 * What never happens here: nothing is judged, nothing is printed.
 */
#ifndef TR2_READ_PLAIN_PLAIN_H
#define TR2_READ_PLAIN_PLAIN_H

#include "read/bytes/block.h"
#include "read/text/columns.h"
#include "read/plain/crowd.h"
#include "read/text/form.h"
#include "read/plain/owner.h"
#include "read/text/pieces.h"

/* Gets an event, made of the line with this number. */
typedef void tr2_plain_fn(void *context, const struct tr2_made *made,
			  unsigned long number);

/* The time of the present log. */
struct tr2_plain_days {
	int64_t last; /* the clock of the line before */
	unsigned day; /* the number of midnights so far */
};

struct tr2_plain_reader {
	tr2_plain_fn *take;
	void *taker;
	enum tr2_log_format format; /* the poorest that is read */
	struct tr2_owners owners;
	struct tr2_crowd crowd;
	struct tr2_plain_days days;
	struct tr2_plain_pieces pieces;
	struct tr2_made made;	  /* the present event */
	struct tr2_buf value;	  /* memory for a value */
	struct tr2_others others; /* lines that are no events */
	unsigned long poorer;	  /* number of lines of poorer formats */
};

/* Begin with another log of this name. */
void tr2_plain_begin(struct tr2_plain_reader *reader, const char *name,
		     enum tr2_log_format format);

/* Read a line. There may be no event yet: it goes on with the next line. */
void tr2_plain_line(struct tr2_plain_reader *reader,
		    const struct tr2_line *line);

/* The same for what is left at the end of the log. */
void tr2_plain_end(struct tr2_plain_reader *reader);

void tr2_plain_release(struct tr2_plain_reader *reader);

#endif
