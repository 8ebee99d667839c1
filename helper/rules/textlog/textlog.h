/*
 * textlog.h - NORMAL and PERF logs: text for people. Line breaks in texts are
 * written as they are, so an event consists of a line and all following lines
 * that do not begin an event.
 *
 *	textlog.c  lines to events, and their findings
 *	normal.c   NORMAL: prefix and payload
 *	perf.c     PERF: payload, and which columns an event fills
 *	process.c  PERF: regions and times, between events
 *
 * The room gets lines and a sink. It knows no JSON, no option and no output
 * format.
 */
#ifndef TR2_TEXTLOG_TEXTLOG_H
#define TR2_TEXTLOG_TEXTLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/common/hash.h"
#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "read/text/columns.h"
#include "read/text/form.h"
#include "rules/finding/finding.h"
#include "rules/schema.h"

/*
 * The rules between the lines of a PERF log. PERF has no SID, so
 * the lines of two processes of the same depth can't be told apart: nothing
 * is reported for a depth at which two processes may be alive.
 */

struct tr2_textlog;

struct tr2_text_thread {
	int64_t last;	     /* t_abs of its last line */
	int64_t began;	     /* t_abs of its start, or -1: unknown */
	struct tr2_vec open; /* int64_t: t_abs of each open region */
	bool lost;	     /* its open regions are unknown */
};

struct tr2_text_process {
	unsigned long depth;
	unsigned alive;		/* processes that have not ended */
	bool begun;		/* a `version` was there */
	bool is_gone;		/* by a signal */
	bool may_be_gone;	/* by exec, if that did not fail */
	bool may_be_back;	/* one before this may be there still: exec */
	bool unknown;		/* lines can't be attributed */
	bool stray;		/* a process continues after its atexit */
	unsigned long lost;	/* lost lines at its last line */
	struct tr2_vec threads; /* struct tr2_text_thread */
	struct tr2_map places;	/* by name: place in the list, from 1 */
};

struct tr2_processes {
	struct tr2_vec all;    /* struct tr2_text_process: one for each depth */
	struct tr2_map places; /* by depth: place in the list, from 1 */
	unsigned long lost;    /* lines that could not be read */
	bool from_start; /* it has each `version` from the first line on */
	bool any;
};

/* A line and the dots at the start of its payload. */
struct tr2_perf_step {
	const struct tr2_columns *columns;
	unsigned dots; /* number of pairs */
	bool free;     /* the payload itself may begin with dots */
	bool none;     /* the event never has dots */
};

void tr2_processes_step(struct tr2_processes *processes,
			struct tr2_textlog *log,
			const struct tr2_perf_step *step);

/* A payload could not be read: the open regions are unknown from now on. */
void tr2_processes_lost(struct tr2_processes *processes);

/* Not even a line's columns could be read: a process may have begun there. */
void tr2_processes_lost_line(struct tr2_processes *processes);

void tr2_processes_release(struct tr2_processes *processes);

enum tr2_text_form { TR2_TEXT_NORMAL, TR2_TEXT_PERF };

/* Forms of older gits: recognised, and reported once for each file. */
enum tr2_older {
	TR2_OLDER_NORMAL_ARGV,
	TR2_OLDER_NORMAL_CD,
	TR2_OLDER_NORMAL_PARAM,
	TR2_OLDER_PERF_WIDTH,
	TR2_OLDER_PERF_ARGV,
	TR2_OLDER_PERF_LABEL,
	TR2_OLDER_PERF_PARAM,
	TR2_OLDER_COUNT
};

/* Which git's forms the `version` events of the file announced. */
enum { TR2_AGE_OLD = 1, TR2_AGE_NEW = 2 };

struct tr2_textlog {
	struct tr2_sink *sink;
	unsigned long *events; /* counts, by enum tr2_is */
	enum tr2_text_form form;
	bool brief;	      /* NORMAL: there are lines in brief form */
	struct tr2_buf event; /* the present event; LF between its lines */
	unsigned long number; /* number of its first line; 0: no event yet */
	bool cut;	      /* too long: only a part of it is kept */
	/* PERF: its columns, or what is wrong with them. */
	bool has_columns;
	struct tr2_columns columns;
	struct tr2_bad_column bad;
	bool told_unknown; /* reported an event with an unknown name */
	bool told_older[TR2_OLDER_COUNT];
	unsigned ages;
	enum tr2_is last; /* type of the event before */
	struct tr2_processes processes;
	struct tr2_others others;  /* lines of others between events */
	struct tr2_others head;	   /* lines before the first event */
	struct tr2_others wrapped; /* events that a mail broke into lines */
	unsigned long unwrapped;   /* number of the last one */
	bool torn_head;		   /* one of these is a part of an event */
	bool carried; /* lines had more than these, which is gone */
	bool crlf;    /* lines end in CR LF: the first one does */
};

#define TR2_TEXTLOG_INIT(sink_, events_, form_)                        \
	{                                                              \
		.sink = (sink_), .events = (events_), .form = (form_), \
		.event = TR2_BUF_INIT, .last = TR2_IS_OTHER,           \
	}

/* The lines of a log, and its end. */
void tr2_textlog_line(struct tr2_textlog *log, const struct tr2_line *line);
void tr2_textlog_end(struct tr2_textlog *log);

/* For the other files: report a finding about bytes of the present event. */
void tr2_textlog_report(struct tr2_textlog *log, struct tr2_what what,
			const char *message);
void tr2_textlog_report_span(struct tr2_textlog *log, const char *id,
			     struct tr2_span span, const char *message);
void tr2_textlog_older(struct tr2_textlog *log, enum tr2_older older,
		       size_t at);

/*
 * Has the payload at `at` one of the forms, or the older one if that is not
 * NULL? Else a finding says so, with this id if no other one is known.
 */
bool tr2_textlog_check(struct tr2_textlog *log, size_t at,
		       const char *const *patterns, const char *old,
		       enum tr2_older older, const char *id);

/* Note that a mail broke the present event. */
void tr2_textlog_unwrapped(struct tr2_textlog *log);

/* Is the present event too long to be read again for each further line? */
#define TR2_TEXT_LONG ((size_t)64 << 10)

/* A mail broke events of so many bytes at most. */
#define TR2_TEXT_WRAPPED ((size_t)4096)

/* normal.c, perf.c: does an event begin here? Check it. */
bool tr2_normal_begins(struct tr2_textlog *log, const char *text, size_t len);
void tr2_normal_check(struct tr2_textlog *log);
bool tr2_perf_begins(struct tr2_textlog *log, const char *text, size_t len);
/* Is the present event complete, so that no further line belongs to it? */
bool tr2_perf_is_whole(const struct tr2_textlog *log);
void tr2_perf_check(struct tr2_textlog *log);
/* The present event is another one, or it has more bytes: read its columns. */
void tr2_perf_read(struct tr2_textlog *log);

/*
 * If a mail broke the present event: this line break, after which the last line
 * was added, is a blank if the payload was incomplete before it. Columns are
 * read whatever blanks are left of them.
 */
void tr2_normal_unwrap(struct tr2_textlog *log, size_t lf);
void tr2_perf_unwrap(struct tr2_textlog *log);

/* Does this version belong to a git that wrote the older forms? */
bool tr2_text_is_old_git(const char *exe, size_t len);

#endif
