/*
 * mark.h - what was read of a file, in a few bytes: is this still the file that
 * was read so far, or its copy? An inode does not tell: a file that is cut keeps
 * it, and one that is made again often gets the same.
 */
#ifndef TR2_INTAKE_MARK_H
#define TR2_INTAKE_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_MARK_HEAD 4096

/* Hashes of what was read first, and of what was read last. */
struct tr2_mark {
	uint64_t head; /* of at most TR2_MARK_HEAD bytes */
	uint64_t tail;
	uint32_t tail_len; /* 0: nothing is known */
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

/* The begin of a file that was not read yet: a hash for each length. */
struct tr2_mark_begin {
	size_t len;
	uint64_t heads[TR2_MARK_HEAD + 1];
};

void tr2_mark_read_begin(struct tr2_mark_begin *begin, int fd);

/* Does the file begin as the one that was read up to `end`? */
bool tr2_mark_fits(const struct tr2_mark_begin *begin,
		   const struct tr2_mark *mark, uint64_t end);

#endif
