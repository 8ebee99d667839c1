/*
 * report.h - the findings in the format that the user asked for, and their
 * totals. The room prints what others have found; it checks nothing.
 */
#ifndef TR2_REPORT_REPORT_H
#define TR2_REPORT_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "validate/report/measure.h"
#include "rules/finding/finding.h"
#include "rules/rules.h"
#include "rules/schema.h"
#include "validate/report/spool.h"

/*
 * What --statistics prints besides the totals: the findings of each writer. A
 * writer is the `exe` of a `version` event.
 */

#define TR2_WRITERS 64 /* the first: unknown; the last: all others */
#define TR2_WRITER_NAME 80

struct tr2_writer_count {
	char name[TR2_WRITER_NAME];
	unsigned long sessions;
	unsigned long findings;
};

struct tr2_statistics {
	uint32_t current;	 /* writer of the present finding */
	struct tr2_vec writers;	 /* struct tr2_writer_count */
	struct tr2_map names;	 /* number of each writer */
	struct tr2_map sessions; /* number of each session's writer */
};

TR2_VEC_AT(tr2_writer_at, tr2_statistics, writers, tr2_writer_count);

void tr2_statistics_init(struct tr2_statistics *statistics);
void tr2_statistics_release(struct tr2_statistics *statistics);

/* There is a session; `sid` is a hash of its SID. */
void tr2_statistics_session(struct tr2_statistics *statistics, uint64_t sid);

/* The next finding is of this session; 0: nobody knows. */
void tr2_statistics_go_to(struct tr2_statistics *statistics, uint64_t sid);

/* The session declares that `exe` writes it. */
void tr2_statistics_writer(struct tr2_statistics *statistics, uint64_t sid,
			   const char *exe);

struct tr2_totals {
	unsigned long files;
	unsigned long other_files; /* files that are not Trace2 logs */
	unsigned long unreadable_files;
	unsigned long processes;
	unsigned long events[TR2_IS_OTHER + 1];
	unsigned long records;		    /* of archives */
	unsigned long findings[TR2_LEVELS]; /* all findings, selected or not */
	unsigned long reported[TR2_LEVELS]; /* selected */
	unsigned long not_shown;	    /* selected, beyond the limit */
	unsigned long *of_rule;		    /* selected findings of each rule */
	unsigned long max_per_rule; /* shown at most of each; 0: no limit */
	uint64_t bytes;
	uint64_t microseconds;
	struct tr2_statistics *statistics; /* NULL: not asked for */
};

/* Which findings the user wants: --select and --ignore. */
struct tr2_selection {
	struct tr2_vec words; /* struct tr2_selection_word */
	unsigned classes;     /* bits of enum tr2_class; 0: any */
	bool selects;	      /* there is a --select: only these */
};

/* A finding that is about to be shown, and what the report knows of it. */
struct tr2_shown {
	const struct tr2_finding *finding;
	const struct tr2_rule *rule; /* of the finding's id, or NULL */
	struct tr2_measure *measure; /* of its text, if it has one */
	bool color;
};

/* How one format writes findings. */
struct tr2_formatter {
	const char *name;
	const char *opening;
	const char *separator; /* between two findings */
	size_t room;	       /* bytes of all findings, at most; 0: any */
	void (*finding)(struct tr2_buf *out, const struct tr2_shown *shown);
	void (*end)(struct tr2_buf *out, const struct tr2_totals *);
};

struct tr2_report {
	const struct tr2_formatter *format;
	FILE *out;
	struct tr2_totals *totals; /* counts the findings */
	const struct tr2_selection *selection;
	unsigned long max;   /* largest number of findings that are shown */
	unsigned long shown; /* number shown so far, if they are live */
	size_t written;	     /* bytes of the findings that are shown */
	bool live;	     /* show findings at once */
	bool color;
	struct tr2_buf buf; /* output that is not written yet */
	struct tr2_measure measure;
	struct tr2_spool spool;
};

extern const char *const tr2_format_names[]; /* the last one is NULL */
/* Returns the format with this name, or NULL. */
const struct tr2_formatter *tr2_format_find(const char *name);

/* Members that are zero stay so. Writes the beginning of the output. */
void tr2_report_init(struct tr2_report *report);
void tr2_report_begin(struct tr2_report *report);
void tr2_report_finding(struct tr2_report *report,
			const struct tr2_finding *finding);
/* Write the totals and the end. 0, or -1 if something could not be written. */
int tr2_report_end(struct tr2_report *report);

/* Add a prefix, which must live as long. False: no rule has it. */
bool tr2_selection_add(struct tr2_selection *selection, const char *prefix,
		       bool select);
/* The longest prefix decides; of two equally long ones the last. */
bool tr2_selection_has(const struct tr2_selection *selection, const char *id);

unsigned long tr2_totals_events(const struct tr2_totals *totals);
unsigned long tr2_totals_reported(const struct tr2_totals *totals);
const char *tr2_totals_event_name(int is);
/* Returns how many rules the logs exercised. */
size_t tr2_totals_exercised(const struct tr2_totals *totals);

/* ANSI colours. */
enum tr2_color { TR2_COLOR_OFF, TR2_COLOR_BOLD, TR2_COLOR_LEVEL };

/* Write the line around a finding, and ^^^ under its bytes. */
void tr2_excerpt_write(struct tr2_buf *out, const struct tr2_shown *shown);
/* Write the place: `line:column`, or an offset. */
void tr2_excerpt_place(struct tr2_buf *out, const struct tr2_finding *finding);

/* text.c */
void tr2_concise_finding(struct tr2_buf *out, const struct tr2_shown *shown);
void tr2_full_finding(struct tr2_buf *out, const struct tr2_shown *shown);
void tr2_text_end(struct tr2_buf *out, const struct tr2_totals *totals);
/* The rest of a comment is for the totals. */
#define TR2_MARKDOWN_FINDINGS 49152
void tr2_markdown_finding(struct tr2_buf *out, const struct tr2_shown *shown);
void tr2_markdown_end(struct tr2_buf *out, const struct tr2_totals *totals);

/* github.c: commands of GitHub's workflows */
void tr2_github_finding(struct tr2_buf *out, const struct tr2_shown *shown);

/* sarif.c: SARIF 2.1.0 */
void tr2_sarif_finding(struct tr2_buf *out, const struct tr2_shown *shown);
void tr2_sarif_end(struct tr2_buf *out, const struct tr2_totals *totals);

/* json.c */
void tr2_json_finding(struct tr2_buf *out, const struct tr2_shown *shown);
void tr2_json_end(struct tr2_buf *out, const struct tr2_totals *totals);
void tr2_jsonl_finding(struct tr2_buf *out, const struct tr2_shown *shown);
void tr2_jsonl_end(struct tr2_buf *out, const struct tr2_totals *totals);

#endif
