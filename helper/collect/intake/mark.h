/*
 * mark.h - what was read of a file, in a few bytes: is this still the file that
 * was read so far, or its copy? An inode does not tell: a file that is cut
 * keeps it, and one that is made again often gets the same.
 */
#ifndef TR2_INTAKE_MARK_H
#define TR2_INTAKE_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_MARK_HEAD 4096
#define TR2_MARK_LINES 40

/* Hashes of what was read first, and of what was read last. */
struct tr2_mark {
	uint64_t head; /* of at most TR2_MARK_HEAD bytes */
	uint64_t tail;
	uint32_t tail_len; /* 0: nothing is known */

	/* Of this run only: of what `head` is of, up to each line end. */
	uint64_t first;
	uint32_t lines[TR2_MARK_LINES], line_count;
};

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

/* Find again what is only of this run: an earlier one has read the file. */
void tr2_mark_find_lines(struct tr2_mark *mark, uint64_t end, int fd);

/* The begin of a file that was not read yet: a hash for each length. */
struct tr2_mark_begin {
	size_t len, lines; /* the second one up to its last line end */
	uint64_t heads[TR2_MARK_HEAD + 1];
};

void tr2_mark_read_begin(struct tr2_mark_begin *begin, int fd);

/* Does the file begin as the one that was read up to `end`? */
bool tr2_mark_fits(const struct tr2_mark_begin *begin,
		   const struct tr2_mark *mark, uint64_t end);

/* Is it, up to its last line end, the begin of what the mark is of? */
bool tr2_mark_holds(const struct tr2_mark *mark,
		    const struct tr2_mark_begin *begin);

/* Returns the mark of a file of which all is in `begin`, and was read. */
struct tr2_mark tr2_mark_of(const struct tr2_mark_begin *begin);

#endif
