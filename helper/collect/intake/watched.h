/*
 * watched.h - how far each file of the watched directories was read, also on
 * disk.
 *
 * A file is known by a number: of its device, its inode and the time when it
 * was made. So it can get another name, and another directory. What was read
 * last of it tells whether it was cut, and whether another one is its copy.
 *
 * The file `watched` of the spool directory has a line for each read: a check,
 * the number, the offset, bits of enum state, the time of the last change, the
 * mark, and the path, in which a backslash and a line end are `\\` and `\n`.
 * The last line about a number counts; without an offset nothing was read. The
 * list is made anew when the service begins, when it has grown, and after it
 * could not be written to.
 */
#ifndef TR2_INTAKE_WATCHED_H
#define TR2_INTAKE_WATCHED_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "collect/journal/journal.h"
#include "lib/common/map.h"
#include "lib/common/vec.h"

/*
 * What was read of a file, in a few bytes. An inode does not tell: a file that
 * is cut keeps it.
 */
struct tr2_mark {
	uint64_t first;	   /* hash of the first line; 0: other files may have it
			    */
	uint64_t tail;	   /* hash of what was read last */
	uint32_t tail_len; /* 0: nothing was read */
};

/* These bytes were read at this place, which is where the mark ends. */
void tr2_mark_add(struct tr2_mark *mark, uint64_t at, const char *bytes,
		  size_t len);

struct tr2_watched {
	struct tr2_watch *watch; /* its directory */
	char *name;
	uint64_t number; /* 0: what was read is in no file any more */
	uint64_t offset; /* bytes before it are in the journal */
	uint64_t begin;	 /* of what no output may have yet, in the journal */
	uint64_t end;	 /* of its last line in the journal */
	bool ended;	 /* its last line is the last one of a process */
	bool done;	 /* and no other one has this file */
	bool skipping;	 /* to an LF: the rest of a line that was dropped */
	bool holed;	 /* a line of it was dropped or missed */
	struct tr2_mark mark; /* of the bytes before `offset` */
	uint64_t stamp; /* ns: its last change, of the clock that may be set */

	/* Of this run only. */
	bool seen;
	uint64_t size, written; /* ns, by the clock that may be set */
	int64_t changed; /* ns: when a change was seen, by the other clock */
	bool unsure;	 /* it may have been cut by now */
	bool told;	 /* it cannot be read, and this was told */
	bool packed;	 /* it is compressed */
	bool copied;	 /* another file has what was read of it */
	unsigned unseen; /* looks that did not find it */
	int held;	 /* its descriptor + 1, while it is written; 0: none */
	int writer;	 /* who has it open: 1 someone, 0 nobody, -1 unknown */
};

/* A directory whose files are read. */
struct tr2_watch {
	const char *path;
	bool looked;  /* once or more */
	bool gone;    /* its path could not be read, and this was told */
	bool full;    /* git writes no more files, and this was told */
	bool hidden;  /* nothing is known of some files, and this was told */
	bool foreign; /* there are files of others, and this was told */
	bool holed;   /* a file stays, and this was told */
	bool bare;    /* it has no file, so it may be another one soon */
	DIR *dir;     /* during a look; NULL: it can't be read */
};

/* All files of all directories, and the file `watched`. */
struct tr2_watched_table {
	struct tr2_vec files;	/* struct tr2_watched */
	struct tr2_map numbers; /* one: its place in files, from 1 */

	const char *dir; /* of the spool */
	int fd;		 /* -1: positions cannot be kept: no file is read */
	int why;	 /* an errno value */
	uint64_t size, least;
	bool told;	       /* why it can't be written */
	struct tr2_buf others; /* records of directories that are not watched */
};

/* Returns the file with this number, or NULL. Valid until one is added. */
struct tr2_watched *tr2_watched_find(const struct tr2_watched_table *table,
				     uint64_t number);

/* Add one, with a copy of its name. Returns it; others move. */
struct tr2_watched *tr2_watched_add(struct tr2_watched_table *table,
				    const struct tr2_watched *file);

/* Remove those of which nothing was read and that are there no more. */
void tr2_watched_sweep(struct tr2_watched_table *table);

/*
 * Returns when (ns, of the clock that nobody sets) a file was changed that has
 * this time of change (s); of a future one now, and at most a day ago.
 */
int64_t tr2_watched_change(int64_t seconds);
#define TR2_WATCHED_SECOND INT64_C(1000000000)
#define TR2_WATCHED_DAY (24 * 60 * 60)

/*
 * Read what an earlier process has left; outputs may have got what is before
 * `marks->needed`. Tells if it is missing or damaged.
 */
void tr2_watched_load(struct tr2_watched_table *table,
		      struct tr2_watch *watches, uint32_t count,
		      const struct tr2_journal_marks *marks);

/* Write the file anew. If this fails, the old one stays, and `fd` is -1. */
void tr2_watched_renew(struct tr2_watched_table *table);

/*
 * Release the table. If files are `watched`, try once more to write what could
 * not be written.
 */
void tr2_watched_end(struct tr2_watched_table *table, bool watched);

/* Make the file if there is none: then a missing one was removed. */
void tr2_watched_make(struct tr2_watched_table *table);

/* Note how far the file was read. */
void tr2_watched_note(struct tr2_watched_table *table,
		      const struct tr2_watched *file);

/* Is it time to write the file anew? */
bool tr2_watched_is_long(const struct tr2_watched_table *table);

#endif
