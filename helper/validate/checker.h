/*
 * checker.h - one reader: takes the lines of a log, one by one, and says
 * what is wrong with them. It owns all that it needs, so that several can
 * run side by side on logs of their own.
 *
 *	checker.c	what the parts share: a finding at some bytes
 *	checker_line.c	from a line to objects: the input.* rules
 *	checker_event.c	an object against the rules of its event
 *	stream.h	an event against those before it
 *	consumer.h	an event as other programs take it
 */
#ifndef TR2_VALIDATE_CHECKER_H
#define TR2_VALIDATE_CHECKER_H

#include <stdarg.h>

#include "validate/input.h"
#include "validate/known.h"
#include "validate/lines.h"
#include "validate/record.h"
#include "validate/report.h"
#include "validate/sids.h"
#include "validate/stream.h"

#define TR2_TOLD 256

struct tr2_consumers;

/* Takes an event, in place of the rules. */
typedef void tr2_checker_fn(void *context, struct tr2_record *record);

struct tr2_checker {
	unsigned evt; /* what --evt says, or 0: what each session declares */
	struct tr2_report *report;
	struct tr2_totals *totals;
	struct tr2_sids sids;
	struct tr2_stream stream;
	struct tr2_consumers *consumers; /* consumer.h; NULL: no --for */
	enum tr2_writer writer;		 /* of the event at hand */
	tr2_checker_fn *take;		 /* NULL: events are checked */
	void *taker;
	bool strict; /* what is known of a writer is no excuse */

	const char *file;
	struct tr2_line line;
	bool in_torn;	/* the line before ended inside of an event */
	bool told_crlf; /* once a file is enough */
	/* Unknown events and keys of this file that were told already. */
	struct tr2_hash told[TR2_TOLD];
	unsigned told_count;

	/* The object at hand: a part of the line. */
	const char *text;
	size_t text_len;
	struct tr2_record record;
};

void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report);
void tr2_checker_release(struct tr2_checker *checker);

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name);
void tr2_checker_line(struct tr2_checker *checker, const struct tr2_line *line);

/* No more files come: say what is missing at the end. */
void tr2_checker_end(struct tr2_checker *checker);

/* What the finding is called a known deviation for, which excuses it. */
void tr2_checker_excuse(const struct tr2_checker *checker,
			struct tr2_finding *finding);

/* A finding about the file as a whole. */
void tr2_checker_report_file(struct tr2_checker *checker, enum tr2_input input,
			     const char *message);

/* What a finding says, beyond the message. */
struct tr2_what {
	enum tr2_level level;
	const char *id;
	const char *expected; /* or NULL */
	const char *known;    /* NULL: what known.c has for the id, if any */
	size_t at, len;	      /* the bytes at fault, in checker->text */
};

/* Say it, with a message that is made like printf's. */
void tr2_checker_report(struct tr2_checker *checker,
			const struct tr2_what *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Gives the level that it has in the end. */
enum tr2_level tr2_checker_vreport(struct tr2_checker *checker,
				   const struct tr2_what *what, const char *fmt,
				   va_list ap)
	__attribute__((format(printf, 3, 0)));

/* An input.* finding at `at` of checker->text. */
void tr2_checker_report_input(struct tr2_checker *checker, enum tr2_input input,
			      size_t at, size_t len, const char *message);

/*
 * Check the event in checker->record. With `quietly` it is counted and
 * nothing is said: its line has its finding already.
 */
void tr2_checker_event(struct tr2_checker *checker, bool quietly);

#endif
