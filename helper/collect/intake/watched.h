/*
 * watched.h - how far each file of the watched directories was read, also on
 * disk.
 *
 * A file is known by its device and inode, so that it can get another name, and
 * another directory. What else is known of it tells whether it is still that
 * file: when it was made, and what was read of it.
 *
 * The file `watched` of the spool directory has a line for each read: times and
 * hashes in hexadecimal, inode, offset, 1 if the file's process has ended, 2 if
 * the rest of a line is to be skipped, plus 4 if an output lacks a line, plus 8
 * if it went and this was told, plus 16 if no other process has it, and path, in
 * which a backslash and a line end are `\\` and `\n`. The last line about an
 * inode counts, but one without an offset only for its directory: the file may
 * have gone to another. The list is made anew when the service begins, when it
 * has grown, when a directory is on another device, and after it could not be
 * written to. Numbers of devices change, so an inode is of its directory's
 * device, or else has a number of its own.
 */
#ifndef TR2_INTAKE_WATCHED_H
#define TR2_INTAKE_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "collect/journal/journal.h"
#include "lib/common/map.h"
#include "lib/common/vec.h"

/*
 * What was read of a file, in a few bytes: is this still the file that
 * was read so far, or its copy? An inode does not tell: a file that is cut
 * keeps it, and one that is made again often gets the same.
 */
#define TR2_MARK_HEAD 4096
#define TR2_MARK_LINES 40
#define TR2_MARK_LAST 4

/* Hashes of what was read first, and of what was read last. */
struct tr2_mark {
	uint64_t head; /* of at most TR2_MARK_HEAD bytes */
	uint64_t tail;
	uint32_t tail_len;	      /* 0: nothing is known */
	uint32_t last[TR2_MARK_LAST]; /* of the last lines, latest first */

	/* Of this run only: of what `head` is of, up to each line end. */
	uint32_t lines[TR2_MARK_LINES], line_count;
};

static inline uint32_t tr2_mark_shorten(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* These bytes were read at this place, which is where the mark ends. */
void tr2_mark_add(struct tr2_mark *mark, uint64_t at, const char *bytes,
		  size_t len);

enum tr2_mark_match { TR2_MARK_SAME, TR2_MARK_OTHER, TR2_MARK_UNREADABLE };

/*
 * Has the file what was read so far, which is all before `end`? With
 * TR2_MARK_UNREADABLE, errno tells why nobody knows.
 */
enum tr2_mark_match tr2_mark_check(const struct tr2_mark *mark, uint64_t end,
				   int fd);

/*
 * Find again what is only of this run: an earlier one has read the file; and
 * the hashes, if that was an older version, which had none.
 */
void tr2_mark_find_lines(struct tr2_mark *mark, uint64_t end, int fd);

/*
 * Was the head of what was read cut away, and is this what is left? Returns the
 * place before `end` where the last lines that were read end, or 0. The first
 * line is enough if it is `unique`. The room is to read to.
 */
uint64_t tr2_mark_find_rest(const struct tr2_mark *mark, uint64_t end,
			    bool unique, int fd, char *room, size_t size);

/* The begin of a file that was not read yet: a hash for each length. */
struct tr2_mark_begin {
	size_t len, lines; /* the second one up to its last line end */
	bool unique;	   /* its first line has a SID, or a time of the day */
	uint64_t heads[TR2_MARK_HEAD + 1];
};

/* One that cannot be read is empty. */
void tr2_mark_read_begin(struct tr2_mark_begin *begin, int fd);

/* Does the file begin as the one that was read up to `end`? */
bool tr2_mark_fits(const struct tr2_mark_begin *begin,
		   const struct tr2_mark *mark, uint64_t end);

/* Is it, up to its last line end, the begin of what the mark is of? */
bool tr2_mark_holds_begin(const struct tr2_mark *mark,
			  const struct tr2_mark_begin *begin);

/* Returns the mark of a file of which all is in `begin`, and was read. */
struct tr2_mark tr2_mark_of_begin(const struct tr2_mark_begin *begin);

struct tr2_watched {
	struct tr2_watch *watch; /* its directory */
	char *name;
	uint64_t number; /* of its device and inode; 0: it is in no place */
	uint64_t offset; /* bytes before it are in the journal */
	uint64_t begin;	 /* of what no output may have yet, in the journal */
	uint64_t end;	 /* of its last line in the journal */
	bool ended;	 /* its last line is the last one of a process */
	bool done;	 /* and no other one has this file */
	bool skipping;	 /* to an LF: the rest of a line that was dropped */
	bool holed;	 /* a line of it was dropped or missed */
	bool lost;	 /* what was not read of it, and this was told */
	struct tr2_mark mark; /* of the bytes before `offset` */
	uint64_t birth;	      /* ns, or 0: unknown */
	uint64_t stamp; /* ns: its last change, of the clock that may be set */

	/* Of this run only. */
	bool seen;
	uint64_t size, written; /* ns, by the clock that may be set */
	int64_t changed; /* ns: when a change was seen, by the other clock */
	bool unsure;	 /* it may be another file by now */
	bool told;	 /* it cannot be read, and this was told */
	bool packed;	 /* it is compressed */
	uint64_t cut;	 /* 0, or what was read is no more in this number */
	bool grew;	 /* until it was cut, so more may have been in it */
	bool anew;	 /* it was cut, and this was not noted */
	unsigned unseen; /* looks that did not find it */
	int held;	 /* its descriptor + 1, while it is written; 0: none */
	int writer;	 /* who has it open: 1 someone, 0 nobody, -1 unknown */
};

/* A directory whose files are read. */
struct tr2_watch {
	const char *path;
	bool looked;  /* once or more */
	bool gone;    /* its path could not be read, and this was told */
	bool hides;   /* what is in it is not known now */
	bool full;    /* git writes no more files, and this was told */
	bool hidden;  /* nothing is known of some files, and this was told */
	bool foreign; /* there are files of others, and this was told */
	bool holed;   /* a file stays, and this was told */
	bool bare;    /* it has no file, so it may be another one soon */
	bool ringed;  /* it has events of this service, and this was told */
	int held;     /* its descriptor + 1, whatever its name; 0: none */
	dev_t device; /* its own, or one that is no device: it was not there */
	struct tr2_vec former; /* int: descriptors of those before it */
};

/* All files of all directories, and the file `watched`. */
struct tr2_watched_table {
	struct tr2_vec files;	/* struct tr2_watched */
	struct tr2_map numbers; /* hash of one: its place in files, from 1 */

	const char *dir; /* of the spool */
	int fd;		 /* -1: positions cannot be kept: no file is read */
	int why;	 /* an errno value */
	uint64_t size, least;
	bool told;	       /* why it can't be written */
	struct tr2_buf others; /* records of directories that are not watched */
};

/* Returns the number of a file that is on this device. */
uint64_t tr2_watched_number(dev_t device, uint64_t inode);

/* Returns the file with this number, or NULL. Valid until one is added. */
struct tr2_watched *tr2_watched_find(const struct tr2_watched_table *table,
				     uint64_t number);

/* Add one. */
struct tr2_watched *tr2_watched_add(struct tr2_watched_table *table,
				    struct tr2_watch *watch, const char *name,
				    uint64_t number);

/*
 * Keep what was read of the file with this number and is in it no more. Its own
 * number is 0, or if it went another one, so that it can be noted.
 */
void tr2_watched_keep_cut(struct tr2_watched_table *table,
			  const struct tr2_watched *file, uint64_t number);

/* Forget those without a number of which nothing was read; others move. */
void tr2_watched_sweep(struct tr2_watched_table *table);

/* The directory is on this device now. */
void tr2_watched_place(struct tr2_watched_table *table, struct tr2_watch *watch,
		       dev_t device);

/*
 * Returns when (ns, of the clock that nobody sets) a file was changed that has
 * this time of change (s); of a future one now, and at most a day ago.
 */
int64_t tr2_watched_change(int64_t seconds);
#define TR2_WATCHED_SECOND INT64_C(1000000000)
#define TR2_WATCHED_DAY (24 * 60 * 60)

/*
 * Find the devices of the directories, and read what an earlier process has
 * left; outputs may have got what is before `marks->needed`. Tells if it is
 * missing or damaged.
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
void tr2_watched_release(struct tr2_watched_table *table);

/* Make the file if there is none: then a missing one was removed. */
void tr2_watched_make(struct tr2_watched_table *table);

/* Note how far the file was read. */
void tr2_watched_note(struct tr2_watched_table *table,
		      const struct tr2_watched *file);

/* Is it time to write the file anew? */
bool tr2_watched_is_long(const struct tr2_watched_table *table);

#endif
