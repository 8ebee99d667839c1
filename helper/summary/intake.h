/*
 * intake.h - files to the processes of a forest: what every command reads
 * that sums up the times of EVENT logs. It reports broken lines and files of
 * other formats on standard error.
 */
#ifndef TR2_SUMMARY_INTAKE_H
#define TR2_SUMMARY_INTAKE_H

#include "account/forest.h"
#include "check/tell.h"
#include "read/bytes/lines.h"

struct tr2_intake {
	const char *command; /* for messages */
	struct tr2_forest *forest;
	struct tr2_tell tell;
	struct tr2_checker *rules; /* judges each line, too; NULL: none does */
	struct tr2_lines lines;
	struct tr2_block block;
	unsigned long skipped; /* files that are no EVENT log */
};

/* The forest must live as long as the intake. */
void tr2_intake_begin(struct tr2_intake *intake, const char *command,
		      struct tr2_forest *forest);

/* Print the line "trace2 COMMAND: NAME: WHY" on standard error. */
void tr2_intake_report(const struct tr2_intake *intake, const char *name,
		       const char *why);

/*
 * A tr2_inputs_fn in two parts. Returns the source of a file, after which
 * tr2_intake_read() may read it as a log, or NULL: it can't be opened.
 */
struct tr2_source *tr2_intake_open(struct tr2_intake *intake, const char *name,
				   int fd);
void tr2_intake_read(struct tr2_intake *intake, const char *name);

/* Read the file, or all files below the directory, or `-`. */
void tr2_intake_visit(struct tr2_intake *intake, const char *path);

/* There are no more files: end the forest, and count what it lacks. */
void tr2_intake_end(struct tr2_intake *intake);

/* Did any file fail to open or to be read? */
static inline bool tr2_intake_has_failed(const struct tr2_intake *intake)
{
	return intake->tell.totals.unreadable_files > 0;
}

/*
 * Nothing fits, or there is no event; the reason is reported, unless it was
 * already. The path may be NULL.
 */
void tr2_intake_complain(const struct tr2_intake *intake, const char *path);

void tr2_intake_release(struct tr2_intake *intake);

#endif
