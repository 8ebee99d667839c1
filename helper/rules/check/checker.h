/*
 * checker.h - the room that takes a line through all rules. It checks the
 * lines of a log, one by one, and reports what is wrong. A checker owns all
 * its state, so several can run side by side on different logs. Only those
 * who judge logs come in, `validate` and `collect --check`; who reads them
 * needs read/read.h.
 *
 *	read/events.h    a line to events: the input.* rules
 *	checker.c        what happens to a finding: it owns a sink
 *	event.c          an event against the rules of its kind
 *	stream/stream.h  an event against the events before it
 *	consumer/consumer.h  an event as other programs read it
 */
#ifndef TR2_CHECK_CHECKER_H
#define TR2_CHECK_CHECKER_H

#include "rules/finding/finding.h"
#include "rules/known.h"
#include "lib/common/map.h"
#include "read/events.h"
#include "validate/report/report.h"
#include "rules/stream/stream.h"

struct tr2_consumers;

/* What a checker knows about the present log, and about no other one. */
struct tr2_checker_log {
	/* Of another one than the present: what the stream and the events have. */
	struct tr2_log_name *name;
	bool in_torn, told_crlf;
	struct tr2_map told; /* unknown events and keys, already reported */
};

struct tr2_checker {
	struct tr2_sink sink;
	unsigned evt; /* the value of --evt; 0: each session's own */
	struct tr2_report *report;
	struct tr2_totals *totals;
	struct tr2_stream stream;
	uint64_t session; /* hash of the present event's SID, or 0 */
	struct tr2_consumers *consumers; /* consumer.h; NULL: no --for */
	bool formed;   /* check how events are written; --class */
	bool alone;    /* do not check what is between events */
	bool strict;   /* known deviations keep their level */
	bool document; /* errata of the source documents explain findings */

	struct tr2_checker_log *log; /* the present one, */
	struct tr2_checker_log own;  /* which is this where there is no other */
	struct tr2_events events;
};

/* It must not move until it is released. */
void tr2_checker_init(struct tr2_checker *checker, struct tr2_report *report);
void tr2_checker_release(struct tr2_checker *checker);

void tr2_checker_begin_file(struct tr2_checker *checker, const char *name,
			    unsigned visit);
void tr2_checker_line(struct tr2_checker *checker, const struct tr2_line *line);

/* Continue with another log, for logs that arrive side by side. */
void tr2_checker_go_on(struct tr2_checker *checker,
		       struct tr2_checker_log *log);
/* The present log has ended, and no other one has begun. */
void tr2_checker_end_log(struct tr2_checker *checker);

/* There are no more files: report what is missing at the end. */
void tr2_checker_end(struct tr2_checker *checker);

/* A tr2_events_fn: check an event of the present line. */
void tr2_checker_event(void *context, struct tr2_record *record);

#endif
