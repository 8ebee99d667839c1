/*
 * textlog.h - NORMAL and PERF logs: text for people. Line breaks in texts
 * stand there as they are, so an event is a line and all lines behind it
 * that begin no event.
 *
 *	textlog.c		lines to events, and what is said of them
 *	textlog_pattern.c	the forms of payloads, and quoting
 *	textlog_normal.c	NORMAL: prefix and payload
 *	textlog_perf.c		PERF: payload, and what fits the event
 *	textlog_columns.c	PERF: the columns of a line
 *	textlog_process.c	PERF: regions and times, between events
 */
#ifndef TR2_TEXTLOG_TEXTLOG_H
#define TR2_TEXTLOG_TEXTLOG_H

#include "finding/sink.h"
#include "rules/schema.h"
#include "textlog/process.h"

enum tr2_text_form { TR2_TEXT_NONE, TR2_TEXT_NORMAL, TR2_TEXT_PERF };

/* What older gits wrote: recognised, and told once a file. */
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
	bool brief;	      /* NORMAL: lines in brief form are there */
	struct tr2_buf event; /* the event at hand; LF between its lines */
	unsigned long number; /* of its first line, or 0: no event yet */
	bool cut;	      /* too long: not all of it is here */
	bool told_unknown;    /* of an event with an unknown name */
	bool told_older[TR2_OLDER_COUNT];
	unsigned ages;
	enum tr2_is last; /* the event before */
	struct tr2_processes processes;
};

#define TR2_TEXTLOG_INIT(sink_, events_, form_)                        \
	{                                                              \
		.sink = (sink_), .events = (events_), .form = (form_), \
		.event = TR2_BUF_INIT, .last = TR2_IS_OTHER,           \
	}

/* Which of them does the beginning of a log look like? */
enum tr2_text_form tr2_textlog_form(const char *head, size_t len);

/* The lines of a log, and its end. */
void tr2_textlog_line(struct tr2_textlog *log, const struct tr2_line *line);
void tr2_textlog_end(struct tr2_textlog *log);

/* For the parts: what to say about bytes of the event at hand. */
void tr2_textlog_report(struct tr2_textlog *log, struct tr2_what what,
			const char *message);
void tr2_textlog_older(struct tr2_textlog *log, enum tr2_older older,
		       size_t at);

/* Is the event at hand too long to be read again for each further line? */
#define TR2_TEXT_LONG ((size_t)64 << 10)

/* Does the text begin with `HH:MM:SS.uuuuuu `? With `near`, or almost? */
bool tr2_text_is_clock(const char *text, size_t len, bool near);

/* textlog_normal.c, textlog_perf.c: does an event begin here? Check it. */
bool tr2_normal_begins(struct tr2_textlog *log, const char *text, size_t len);
void tr2_normal_check(struct tr2_textlog *log);
bool tr2_perf_begins(struct tr2_textlog *log, const char *text, size_t len);
void tr2_perf_check(struct tr2_textlog *log);

/* Is that the version of a git that wrote the older forms? */
bool tr2_text_is_old_git(const char *exe, size_t len);

#endif
