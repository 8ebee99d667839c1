/*
 * sink.h - where the findings about the line at hand go. Whoever reads a
 * log says here which line, and which event of it, is at hand. A rule gets
 * a record and a sink, and says what is wrong. The owner of the sink takes
 * each finding: a checker passes it to its report, a test keeps it.
 */
#ifndef TR2_FINDING_SINK_H
#define TR2_FINDING_SINK_H

#include <stdarg.h>

#include "finding/finding.h"
#include "log/block.h"

/*
 * Several checkers may share the work: then each sees all the lines that
 * are not for one of them alone, and says what is wrong with its own.
 */
#define TR2_ALL_PARTITIONS (~UINT64_C(0))

struct tr2_sink {
	/* The owner takes the finding. It may lower its level. */
	void (*take)(struct tr2_sink *sink, struct tr2_finding *finding);
	void *owner;
	uint64_t partitions; /* bit p: those of glance.h that are its own */

	const char *file;
	unsigned visit; /* of the file, from 1 */
	struct tr2_line line;
	const char *text;	/* the part of the line that is looked at */
	size_t event_len;	/* of the event that begins it; 0: none does */
	unsigned part;		/* objects that were read of the line */
	bool mine;		/* findings about it are this sink's */
	enum tr2_writer writer; /* of the event at hand */
};

static inline bool tr2_sink_has(const struct tr2_sink *sink, unsigned partition)
{
	return sink->partitions >> partition & 1;
}

/* The line is at hand, and no event of it. */
static inline void tr2_sink_line(struct tr2_sink *sink,
				 const struct tr2_line *line)
{
	sink->line = *line;
	sink->text = line->text;
}

/*
 * Report a finding about bytes of the text, with a message that is made
 * like printf's.
 */
void tr2_sink_report(struct tr2_sink *sink, const struct tr2_what *what,
		     const char *fmt, ...)
	__attribute__((cold, format(printf, 3, 4)));

/* Gives the level that it has in the end. */
enum tr2_level tr2_sink_vreport(struct tr2_sink *sink,
				const struct tr2_what *what, const char *fmt,
				va_list ap)
	__attribute__((cold, format(printf, 3, 0)));

/* A finding about the file as a whole. */
void tr2_sink_report_file(struct tr2_sink *sink, const struct tr2_what *what,
			  const char *message);

#endif
