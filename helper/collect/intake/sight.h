/*
 * sight.h - a file of a watched directory, as one look sees it: what is new in
 * it goes into the journal.
 */
#ifndef TR2_INTAKE_SIGHT_H
#define TR2_INTAKE_SIGHT_H

#include <sys/stat.h>

#include "collect/intake/watch.h"

struct tr2_sight {
	struct tr2_watches *watches;
	struct tr2_collect_intake *intake;
	struct tr2_watch *watch;
	int dir;
	const char *name;
	struct stat st;
	const struct tr2_watched *known; /* by an earlier look, or NULL */
	struct tr2_watched *file;
};

/* Read what is new, and remove the file if it is time. `name`, `st` are set. */
void tr2_sight_visit(struct tr2_sight *sight, struct tr2_watched *known);

/* The file is there no more: report and count what was not read of it. */
void tr2_sight_lose(struct tr2_collect_intake *intake,
		    const struct tr2_watch *watch,
		    const struct tr2_watched *file);

/* Tell once that the file cannot be read, until it can be. */
void tr2_sight_fail(const struct tr2_sight *sight, int error);

/* Was it so many seconds without a change? */
bool tr2_sight_is_quiet(const struct tr2_sight *sight, int64_t seconds);

/* Print a message about a file of the directory, or about it itself. */
void tr2_sight_report(const struct tr2_watch *watch, const char *name,
		      const char *what);

#endif
