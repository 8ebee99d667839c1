/*
 * sink.h - receives the findings about the present line. The code that reads
 * a log sets the present line and event here. A rule gets a record and a
 * sink, and reports what is wrong. The owner of the sink takes each finding:
 * a checker passes it to its report, a test keeps it.
 */
#ifndef TR2_FINDING_SINK_H
#define TR2_FINDING_SINK_H

#include <stdarg.h>

#include "rules/finding/finding.h"
#include "read/bytes/block.h"

struct tr2_sink {
	/* The owner takes the finding. It may lower the level. */
	void (*take)(struct tr2_sink *sink, struct tr2_finding *finding);
	void *owner;

	const char *file;
	unsigned visit; /* number of the log, from 1 */
	struct tr2_line line;
	const char *text;	/* the examined part of the line */
	size_t event_len;	/* length of the event at its start; 0: none */
	unsigned part;		/* objects of the line that were read so far */
	enum tr2_writer writer; /* writer of the present event */
};

/* Begin a line; there is no present event yet. */
static inline void tr2_sink_line(struct tr2_sink *sink,
				 const struct tr2_line *line)
{
	sink->line = *line;
	sink->text = line->text;
}

/*
 * Report a finding about bytes of the text. The message is formatted as by
 * printf.
 */
void tr2_sink_report(struct tr2_sink *sink, const struct tr2_what *what,
		     const char *fmt, ...)
	__attribute__((cold, format(printf, 3, 4)));

/* Returns the final level. */
enum tr2_level tr2_sink_vreport(struct tr2_sink *sink,
				const struct tr2_what *what, const char *fmt,
				va_list ap)
	__attribute__((cold, format(printf, 3, 0)));

/* Report a problem at byte `at` of the text. */
void tr2_sink_report_input(struct tr2_sink *sink, enum tr2_input input,
			   size_t at, size_t len, const char *message)
	__attribute__((cold));

/* Lines that are no events, that a carrier changed, or that it broke. */
enum tr2_lines_kind { TR2_LINES_OTHER, TR2_LINES_CARRIED, TR2_LINES_WRAPPED };

/* Report those lines once, at the end of their log, and forget them. */
void tr2_sink_report_lines(struct tr2_sink *sink, enum tr2_lines_kind kind,
			   struct tr2_others *lines);

/* Report a problem with the file as a whole. */
void tr2_sink_report_file(struct tr2_sink *sink, enum tr2_input input,
			  const char *message);

#endif
