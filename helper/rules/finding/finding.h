/*
 * finding.h - the room of findings: what a finding is, and where it goes.
 *
 * The room knows lines and their places. It knows no rule, no output format,
 * no option and no total. All code that checks something may use it: rules,
 * stream, textlog, consumer, validate; the report prints the result. Nothing
 * is printed here, and no finding is dropped: the owner of a sink decides
 * about that.
 */
#ifndef TR2_FINDING_FINDING_H
#define TR2_FINDING_FINDING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/bytes/block.h"
#include "read/problem.h"

/* The writer of a session, recognised by the last component of the SID. */
enum tr2_writer {
	TR2_WRITER_OTHER,
	TR2_WRITER_GIT,	      /* or a writer with the same form of SIDs */
	TR2_WRITER_REPO,      /* the tool `repo` */
	TR2_WRITER_REPOHOOKS, /* git-repohooks */
	TR2_WRITER_UUID,      /* one of the next two; not known yet which */
	TR2_WRITER_GCM,	      /* Git Credential Manager */
	TR2_WRITER_BUNDLE,    /* git-bundle-server */
	TR2_WRITER_GRIT,      /* grit */
	TR2_WRITERS_KNOWN
};

/* A rule's description of a finding, besides the message. */
struct tr2_what {
	enum tr2_level level;
	const char *id;
	const char *expected; /* or NULL */
	const char *known;    /* NULL: what known.c has for the id */
	size_t at, len;	      /* the wrong bytes in the sink's text */
};

static inline struct tr2_what tr2_what_at(enum tr2_level level, const char *id,
					  size_t at, size_t len)
{
	return (struct tr2_what){
		.level = level, .id = id, .at = at, .len = len
	};
}

struct tr2_finding {
	enum tr2_level level;
	const char *id;
	const char *file;
	unsigned long line;   /* from 1 */
	size_t column;	      /* bytes, from 1 */
	size_t width;	      /* number of wrong bytes */
	const char *message;  /* one sentence */
	const char *expected; /* what was expected, or NULL */
	const char *known;    /* id of its known deviation, or NULL */
	const char *text;     /* the line; NULL: the file as a whole */
	size_t text_len;
	size_t event_at, event_len; /* its event in the text; 0, 0: all of it */
	uint64_t session; /* hash of the process's SID; 0: use the text */
	unsigned visit;	  /* number of the log, from 1 */
	unsigned part;	  /* order among findings of one place */
	bool binary;	  /* an archive: column - 1 is an offset in the file */
	uint64_t seen;	  /* for an archive: the value at this place */
};

/* The part for findings at the end of the log. */
#define TR2_PART_END 0x80000000U

/*
 * Receives the findings about the present line. The code that reads
 * a log sets the present line and event here. A rule gets a record and a
 * sink, and reports what is wrong. The owner of the sink takes each finding:
 * a checker passes it to its report, a test keeps it.
 */

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

/* Report about a line; `part` is its order among the findings of the line. */
void tr2_sink_report_line(struct tr2_sink *sink, enum tr2_level level,
			  const char *id, unsigned long line, unsigned part,
			  const char *message);

/* Report a problem with the file as a whole. */
void tr2_sink_report_file(struct tr2_sink *sink, enum tr2_input input,
			  const char *message);

#endif
