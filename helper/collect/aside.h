/*
 * aside.h - the file `broken.log` of the spool directory, which has broken
 * lines. It never grows beyond its limit. Somebody may remove it at any time;
 * then a new one begins.
 */
#ifndef TR2_COLLECT_ASIDE_H
#define TR2_COLLECT_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr2_aside {
	const char *dir;
	uint64_t limit;
	int fd; /* -1: it is not open */
};

/* Append a line. False: it does not fit, or cannot be written. */
bool tr2_aside_keep(struct tr2_aside *aside, const char *line, size_t len);

void tr2_aside_close(struct tr2_aside *aside);

#endif
