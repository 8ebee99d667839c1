/*
 * notes.h - which commands ran when, in which repository: what is needed to
 * know which of them were in each other's way. It can be added in any order.
 *
 * Of more than TR2_NOTES_MOST commands some hours of some repositories are
 * kept whole: in the order of a hash, as many as fit. A part of the commands
 * keeps at least those that all together keep, so that the sum of parts has the
 * same ones as a single run.
 */
#ifndef TR2_TOTALS_NOTES_H
#define TR2_TOTALS_NOTES_H

#include <stdbool.h>

#include "model/totals/rows.h"

#define TR2_NOTES_MOST (1 << 17)

/* Of a process without a parent, with times. */
struct tr2_command_note {
	int64_t begin, end;
	uint64_t unit; /* hash of the repository and the hour */
	uint64_t kind; /* hash of the texts */
	uint64_t root; /* hash of its SID; 0: of another sum */
	/* Numbers of texts; lock: the one that it could not have, 0: none. */
	uint32_t repository, name, caller, lock;
};

struct tr2_notes {	     /* An empty one is all zero. */
	struct tr2_vec list; /* struct tr2_command_note */
	uint64_t seen;	     /* commands, also those that are not kept */
	uint64_t cut;	     /* units below this are not kept; 0: all are */
	uint64_t older;	     /* states that had none of this */
};

/* Add it, unless it is cut; `seen` is left alone. The hashes are set here. */
void tr2_notes_keep(struct tr2_notes *notes, const struct tr2_rows *rows,
		    const struct tr2_command_note *note);

/* A commit has the index while it runs a hook. */
#define TR2_LOCK_OWN "index.lock, which it held itself"

/* Processes inside could not have these locks: from `root` to the lock. */
void tr2_notes_lock(struct tr2_notes *notes, struct tr2_rows *rows,
		    const struct tr2_map *locks);

/* Another sum has been cut so far. */
void tr2_notes_cut(struct tr2_notes *notes, uint64_t cut);

/* There are no more: leave those that fit, by repository and begin. */
void tr2_notes_end(struct tr2_notes *notes);

/* Put them in the order of `kind` and begin. */
void tr2_notes_sort_kinds(struct tr2_vec *list);

#endif
