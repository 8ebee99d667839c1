/*
 * aside.h - the file `broken.log` of the spool directory, which has broken
 * lines. It never grows beyond its limit. Somebody may remove it at any time;
 * then a new one begins.
 */
#ifndef TR2_INTAKE_ASIDE_H
#define TR2_INTAKE_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr2_aside {
	const char *dir;
	uint64_t limit;
	int fd;	   /* -1: it is not open */
	bool told; /* why it can't be opened */

	/* Of the lines of one read. */
	uint64_t added; /* bytes */
	bool refused;	/* the disk, and not the limit, refused one */
};

/* Append a line. False: it does not fit, or cannot be written. */
bool tr2_aside_keep(struct tr2_aside *aside, const char *line, size_t len);

/* A read begins. */
void tr2_aside_begin(struct tr2_aside *aside);
/* Remove what was added since then: it will come again, or is dropped. */
void tr2_aside_undo(struct tr2_aside *aside);

void tr2_aside_close(struct tr2_aside *aside);

#endif
