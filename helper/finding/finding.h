/*
 * finding.h - the room of findings: what a finding is, and where it goes.
 *
 *	finding.h	a finding, and what a rule says of one
 *	sink.h		where the findings about the line at hand go
 *
 * The room knows lines and their places. It knows no rule, no format of
 * output, no option and no total. Whoever checks something may use it:
 * rules, stream, textlog, consumer, validate; the report prints what comes
 * out. Nothing is printed here and no finding is dropped: the owner of a
 * sink decides that.
 */
#ifndef TR2_FINDING_FINDING_H
#define TR2_FINDING_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr2_measure;
struct tr2_rule;

enum tr2_level { TR2_ERROR, TR2_WARNING, TR2_INFO, TR2_LEVELS };

/* Who wrote a session, by the form of the SID's last component. */
enum tr2_writer {
	TR2_WRITER_OTHER,
	TR2_WRITER_GIT,	      /* or one that makes the same SIDs */
	TR2_WRITER_REPO,      /* the tool `repo` */
	TR2_WRITER_REPOHOOKS, /* git-repohooks */
	TR2_WRITER_UUID,      /* one of the next two */
	TR2_WRITER_GCM,	      /* Git Credential Manager */
	TR2_WRITER_BUNDLE,    /* git-bundle-server */
	TR2_WRITERS_KNOWN
};

/* What a rule says of a finding, beyond the message. */
struct tr2_what {
	enum tr2_level level;
	const char *id;
	const char *expected; /* or NULL */
	const char *known;    /* NULL: what known.c has for the id, if any */
	size_t at, len;	      /* the bytes at fault, in the text of the sink */
	uint64_t once;	      /* of what is said once a file, or 0 */
};

struct tr2_finding {
	enum tr2_level level;
	const char *id;
	const char *file;
	unsigned long line;   /* from 1 */
	size_t column;	      /* bytes, from 1 */
	size_t width;	      /* how many bytes are at fault */
	const char *message;  /* one sentence */
	const char *expected; /* what should be there, or NULL */
	const char *known;    /* the id of the deviation that it is, or NULL */
	const char *text;     /* the line, or NULL: the file as a whole */
	size_t text_len;
	size_t event_at, event_len; /* its event in the text, or 0, 0: all */
	uint64_t session; /* a hash of its process's SID, or 0: by the text */
	unsigned visit;	  /* of the file, from 1 */
	unsigned part;	  /* of what is said at one place */
	uint64_t once;	  /* of what is said once a file, or 0 */
	bool binary;	  /* no lines: column - 1 is an offset in the file */
	uint64_t seen;	  /* of a binary one: the value that is there */

	/* The report sets these, and nobody else reads them. */
	const struct tr2_rule *rule; /* that of the id */
	bool color;
	struct tr2_measure *measure; /* of the text, if there is one */
};

/* The part of what is said when nothing more comes. */
#define TR2_PART_END 0x80000000U

#endif
