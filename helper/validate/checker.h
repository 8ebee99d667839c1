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

#include "log/block.h"
#include "rules/input.h"
#include "rules/known.h"
#include "common/map.h"
#include "rules/record.h"
#include "report/report.h"
#include "stream/sids.h"
#include "stream/stream.h"

/*
 * Several checkers may share the work: then each sees all the lines that
 * are not for one of them alone, and says what is wrong with its own.
 */
#define TR2_ALL_PARTITIONS (~UINT64_C(0))

struct tr2_consumers;

/* Takes an event, in place of the rules. */
typedef void tr2_checker_fn(void *context, struct tr2_record *record);

struct tr2_checker {
	uint64_t partitions; /* bit p: those of glance.h that it takes */
	unsigned evt; /* what --evt says, or 0: what each session declares */
	struct tr2_report *report;
	struct tr2_totals *totals;
	struct tr2_sids sids;
	struct tr2_stream stream;
	struct tr2_consumers *consumers; /* consumer.h; NULL: no --for */
	enum tr2_writer writer;		 /* of the event at hand */
	tr2_checker_fn *take;		 /* NULL: events are checked */
	void *taker;
	bool alone;  /* nothing is asked of what stands between events */
	bool strict; /* what is known of a writer is no excuse */

	const char *file;
	unsigned visit; /* of the file, from 1 */
	struct tr2_line line;
	bool in_event;	     /* what is said is about one */
	bool mine;	     /* what is said of it is this checker's */
	unsigned part;	     /* objects that were read of the line */
	bool in_torn;	     /* the line before ended inside of an event */
	bool told_crlf;	     /* once a file is enough */
	struct tr2_map told; /* unknown events and keys of this file */
	struct tr2_buf mended;

	/* The object at hand: a part of the line. */
	const char *text;
	size_t text_len;
	struct tr2_record record;
};

void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report);
void tr2_checker_release(struct tr2_checker *checker);

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name,
			    unsigned visit);
void tr2_checker_line(struct tr2_checker *checker, const struct tr2_line *line);

/* For --statistics: what is said now is about nobody's event. */
void tr2_checker_forget_writer(struct tr2_checker *checker);

/* No more files come: say what is missing at the end. */
void tr2_checker_end(struct tr2_checker *checker);

static inline bool tr2_checker_has(const struct tr2_checker *checker,
				   unsigned partition)
{
	return checker->partitions >> partition & 1;
}

/* What the finding is called a known deviation for, which excuses it. */
void tr2_checker_excuse(const struct tr2_checker *checker,
			struct tr2_finding *finding);

/* A finding about the file as a whole. */
void tr2_checker_report_file(struct tr2_checker *checker, enum tr2_input input,
			     const char *message);

/* Say it, with a message that is made like printf's. */
void tr2_checker_report(struct tr2_checker *checker,
			const struct tr2_what *what, const char *fmt, ...)
	__attribute__((cold, format(printf, 3, 4)));

/* Gives the level that it has in the end. */
enum tr2_level tr2_checker_vreport(struct tr2_checker *checker,
				   const struct tr2_what *what, const char *fmt,
				   va_list ap)
	__attribute__((cold, format(printf, 3, 0)));

/* An input.* finding at `at` of checker->text. */
void tr2_checker_report_input(struct tr2_checker *checker, enum tr2_input input,
			      size_t at, size_t len, const char *message)
	__attribute__((cold));

/*
 * Check the event in checker->record. With `quietly` it is counted and
 * nothing is said: its line has its finding already.
 */
void tr2_checker_event(struct tr2_checker *checker, bool quietly);

#endif
