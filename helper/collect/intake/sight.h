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
	uint64_t number;
	bool complete; /* the file has no name and no writer */
	bool is_fresh; /* all of which something was read had their turn */
	struct tr2_watched *file;
	struct tr2_watched before; /* as an earlier look knew it */
};

/*
 * Read what is new, and remove the file if it is time. `name`, `st`, `number`
 * are set, and `known` is what the table has of the file, or NULL.
 */
void tr2_sight_visit(struct tr2_sight *sight, struct tr2_watched *known);

/* Read what is new in a file that has no name there, but is held. */
void tr2_sight_read_held(struct tr2_sight *sight, struct tr2_watched *file);

/* Returns a descriptor, or -1: it went, or cannot be read. */
int tr2_sight_open(struct tr2_sight *sight);

/* Tell once that the file cannot be read, until it can be. */
void tr2_sight_fail(const struct tr2_sight *sight, int error);

/* Was it so many seconds without a change? */
bool tr2_sight_is_quiet(const struct tr2_sight *sight, int64_t seconds);

/* Print a message about a file of the directory, or about it itself. */
void tr2_sight_report(const struct tr2_watch *watch, const char *name,
		      const char *what);

/*
 * Files that are written, whatever becomes of their names: each has its
 * descriptor here, as long as there are not too many.
 */

/*
 * Are these the last lines of a process? A file that has not the name of its
 * SID may be of several, and is not done then.
 */
bool tr2_held_find_end(struct tr2_watched *file, const char *bytes, size_t len);

/* May the file be written, and is there a place for it? */
bool tr2_held_has_place(const struct tr2_sight *sight);

/* Hold the file by the descriptor if it must stay, or close that. */
void tr2_held_keep(const struct tr2_sight *sight, int fd);

bool tr2_held_must_stay(const struct tr2_sight *sight, int fd);
void tr2_held_let_go(struct tr2_watches *watches, struct tr2_watched *file);

/*
 * Files of watched directories that are removed when all outputs have got them.
 * What was dropped, or missed by an output, the file alone still has: it stays.
 */

/* Note if an output has missed lines of the file. Before it is read on. */
void tr2_removal_notice(const struct tr2_sight *sight);

/* Remove the file if it is time, and nothing is lost with it. */
void tr2_removal_try(struct tr2_sight *sight);

/*
 * Files that are in no directory any more, and what was cut: a new one may be
 * the copy. If there is none in ten seconds, tell what may be lost, and forget
 * them.
 */
void tr2_gone_end_look(struct tr2_collect_intake *intake);

/*
 * Tell what was not read of a file that went, or may be written to it now.
 * False: nothing.
 */
bool tr2_gone_tell_loss(struct tr2_collect_intake *intake,
			struct tr2_watched *file);

/* Another file goes on in its place, unless it is still written. */
void tr2_gone_replace(struct tr2_watches *watches, struct tr2_watched *file);

/*
 * Find out whether the open file is the one that was read. If it was cut, it is
 * as new. False: nobody knows, or it is complete and was written over, and it
 * must not be read.
 */
bool tr2_identity_find(struct tr2_sight *sight, int fd);

/* Find the file by its first line. */
void tr2_identity_add(struct tr2_watches *watches,
		      const struct tr2_watched *file);

/*
 * A file of which nothing is read waits for its turn, after all others. If it
 * begins as one that was read, it is its copy, as logrotate makes it before it
 * cuts a file, and is read from where that one was read. A copy that may not be
 * complete waits.
 */
bool tr2_identity_must_wait(const struct tr2_sight *sight, int fd);

#endif
