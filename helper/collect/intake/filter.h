/*
 * filter.h - what happens to a line between a writer and the journal: it is
 * checked, and secrets are hidden. Without either, the intake reads into
 * the journal itself, and there is no filter. With it, no byte of a line is
 * on disk before the line has passed, so that no secret is. Therefore
 * SIGKILL may cost the lines of one read.
 *
 * A broken line
 *
 *	TR2_FILTER_PASS	  goes on as it is;
 *	TR2_FILTER_MARK	  becomes {"broken":"RULE","line":"TEXT"};
 *	TR2_FILTER_ASIDE  goes into a file of its own.
 *
 * Each way it is counted by its rule. Secrets are hidden first.
 *
 * What is left of an event that was cut has its secrets hidden up to its last
 * complete value; a part of one whose begin is lost is dropped and counted.
 * If more than secrets are to be hidden, a line that is no JSON object is
 * dropped and counted: nobody can know what is in it.
 *
 * What the configuration says of the machine becomes a part of each `start`
 * (read/origin.h). It is not redacted.
 */
#ifndef TR2_INTAKE_FILTER_H
#define TR2_INTAKE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "read/events.h"
#include "rules/check/checker.h"

struct tr2_judge;
struct tr2_redactor;

enum tr2_filter_check {
	TR2_FILTER_OFF,
	TR2_FILTER_PASS,
	TR2_FILTER_MARK,
	TR2_FILTER_ASIDE
};

#define TR2_FILTER_RULES 32

/* The lines that break this rule first. */
struct tr2_filter_rule {
	const char *id; /* NULL: this row and those after it are free */
	uint64_t lines;
};

struct tr2_filter_counts {
	uint64_t redacted; /* lines with a secret */
	uint64_t aside;	   /* lines that were set aside */
	uint64_t unkept;   /* lines for which there was no space aside */
	uint64_t unknown;  /* lines of which nobody knows what to hide */
	/* The last row is for all other rules. */
	struct tr2_filter_rule rules[TR2_FILTER_RULES];
};

/* Returns how many lines went to no output. */
static inline uint64_t
tr2_filter_count_held(const struct tr2_filter_counts *counts)
{
	return counts->aside + counts->unkept + counts->unknown;
}

/*
 * The file `broken.log` of the spool directory, which has broken lines. It
 * never grows beyond its limit. Somebody may remove it at any time; then a new
 * one begins.
 */
struct tr2_aside {
	const char *dir;
	uint64_t limit;
	int fd;	   /* -1: it is not open */
	bool told; /* why it can't be opened */

	/* Of the lines of one read. */
	uint64_t added; /* bytes */
	bool refused;	/* the disk, and not the limit, refused one */
};

struct tr2_line_filter {
	enum tr2_filter_check check;
	bool redact;		       /* secrets */
	struct tr2_redactor *redactor; /* the caller's: more, or NULL */
	const char *attributes; /* a JSON object for each start, or NULL */
	struct tr2_aside aside;
	struct tr2_filter_counts counts;

	/* Private */
	struct tr2_judge *judge;    /* NULL: no line is checked */
	struct tr2_redactor *plain; /* for `redact` alone */
	struct tr2_events starts;   /* reads those that get attributes */
	bool is_start;
	struct tr2_buf in, out;
	struct tr2_buf line; /* one that becomes another */
	unsigned long lines; /* in `out` */
	struct tr2_filter_counts before;
};

/* Does it do anything? Else lines go into the journal itself. */
static inline bool tr2_filter_is_wanted(const struct tr2_line_filter *filter)
{
	return filter->check || filter->redact || filter->redactor ||
	       filter->attributes;
}

/* `check`, `redact`, `redactor`, `attributes` and `aside` are set. */
void tr2_filter_begin(struct tr2_line_filter *filter);
void tr2_filter_end(struct tr2_line_filter *filter);

/* Returns room for so many bytes, until the next call; NULL: no memory. */
char *tr2_filter_room(struct tr2_line_filter *filter, size_t len);

/*
 * The first `len` bytes of the room are whole lines, and are not needed
 * afterwards. `out` gets what goes on, which are `lines` lines. False: there
 * is no memory for it.
 */
bool tr2_filter_lines(struct tr2_line_filter *filter, size_t len);

/*
 * These lines go nowhere: count nothing of them, and take those back that were
 * set aside.
 */
void tr2_filter_undo(struct tr2_line_filter *filter);

/*
 * Is one line broken? It is if `trace2 validate` reports an error about it
 * alone. What is between events is not checked, because lines of several
 * programs alternate. The known deviations of real writers are no errors, as
 * there.
 */
struct tr2_judge {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
	const char *rule; /* of the first error in the present line, or NULL */
};

/* It must not move until it is released. */
void tr2_judge_begin(struct tr2_judge *judge);
void tr2_judge_release(struct tr2_judge *judge);

/*
 * Returns the id of the rule that the line breaks first, or NULL. An LF
 * follows the line, and TR2_TOKENS_PADDING bytes in all.
 */
const char *tr2_judge_line(struct tr2_judge *judge, const char *line,
			   size_t len);

#endif
