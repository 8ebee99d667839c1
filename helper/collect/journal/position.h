/*
 * position.h - the place of an output in the journal, on disk. It is a
 * short text that is written by one write(2), so that it is never half new
 * after a SIGKILL: a line that is the place, and one that checks it by a hash,
 * for somebody, or a disk, may have changed it.
 */
#ifndef TR2_JOURNAL_POSITION_H
#define TR2_JOURNAL_POSITION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct tr2_position {
	uint64_t at, line;	 /* bytes and lines of the journal before it */
	uint64_t missed;	 /* lines that this output never got */
	uint64_t size;		 /* of its present file at this place */
	char file[NAME_MAX + 1]; /* this file; empty: there is none */
	uint64_t shown;		 /* lines of the journal when it was written */

	/* Not on disk. */
	bool lost; /* there was a position, which is gone or damaged */
};

/*
 * Open the file DIR/NAME.position, and read it. Returns a descriptor, or -1
 * and errno. If there is no such file yet, or if it is damaged, `at` is
 * UINT64_MAX. The file DIR/NAME.output tells that there was one.
 */
int tr2_position_open(struct tr2_position *position, const char *dir,
		      const char *name);

/* 0, or an errno value. */
int tr2_position_write(int fd, const struct tr2_position *position);

#endif
