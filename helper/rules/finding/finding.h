/*
 * finding.h - the room of findings: what a finding is, and where it goes.
 *
 *	finding.h	a finding, and a rule's description of one
 *	sink.h		where the findings about the present line go
 *
 * The room knows lines and their places. It knows no rule, no output format,
 * no option and no total. All code that checks something may use it: rules,
 * stream, textlog, consumer, validate; the report prints the result. Nothing
 * is printed here, and no finding is dropped: the owner of a sink decides
 * about that.
 */
#ifndef TR2_FINDING_FINDING_H
#define TR2_FINDING_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
