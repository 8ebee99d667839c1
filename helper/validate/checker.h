/*
 * checker.h - one reader: takes the lines of a log, one by one, and says
 * what is wrong with them. It owns all that it needs, so that several can
 * run side by side on logs of their own.
 *
 *	checker.c	what becomes of a finding: it owns a sink
 *	checker_line.c	from a line to objects: the input.* rules
 *	checker_event.c	an object against the rules of its event
 *	stream.h	an event against those before it
 *	consumer.h	an event as other programs take it
 */
#ifndef TR2_VALIDATE_CHECKER_H
#define TR2_VALIDATE_CHECKER_H

#include "finding/sink.h"
#include "rules/input.h"
#include "rules/known.h"
#include "common/map.h"
#include "rules/record.h"
#include "report/report.h"
#include "stream/stream.h"

struct tr2_consumers;

/* Takes an event, in place of the rules. */
typedef void tr2_checker_fn(void *context, struct tr2_record *record);

/* What a checker knows of the log at hand, and of no other one. */
struct tr2_checker_log {
	struct tr2_log_name *name; /* the stream's, while it is at hand */
	bool in_torn;	     /* the line before ended inside of an event */
	bool told_crlf;	     /* once a file is enough */
	struct tr2_map told; /* its unknown events and keys */
};

struct tr2_checker {
	struct tr2_sink sink;
	unsigned evt; /* what --evt says, or 0: what each session declares */
	struct tr2_report *report;
	struct tr2_totals *totals;
	struct tr2_stream stream;
	struct tr2_consumers *consumers; /* consumer.h; NULL: no --for */
	tr2_checker_fn *take;		 /* NULL: events are checked */
	void *taker;
	bool alone;  /* nothing is asked of what stands between events */
	bool strict; /* what is known of a writer is no excuse */

	struct tr2_checker_log log;
	struct tr2_buf mended;

	size_t text_len; /* of the object at hand, in the line */
	struct tr2_record record;
};

void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report);
void tr2_checker_release(struct tr2_checker *checker);

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name,
			    unsigned visit);
void tr2_checker_line(struct tr2_checker *checker, const struct tr2_line *line);

/*
 * Put the log at hand aside, or go on with one that was: for logs that
 * come side by side. A log that was put aside is its holder's.
 */
void tr2_checker_put_aside(struct tr2_checker *checker,
			   struct tr2_checker_log *log);
void tr2_checker_go_on(struct tr2_checker *checker,
		       const struct tr2_checker_log *log);
/* The log at hand has ended, and no other one has begun. */
void tr2_checker_end_log(struct tr2_checker *checker);

/* For --statistics: what is said now is about nobody's event. */
void tr2_checker_forget_writer(struct tr2_checker *checker);

/* No more files come: say what is missing at the end. */
void tr2_checker_end(struct tr2_checker *checker);

/*
 * Check the event in checker->record. With `quietly` it is counted and
 * nothing is said: its line has its finding already.
 */
void tr2_checker_event(struct tr2_checker *checker, bool quietly);

#endif
