/* ancestry.h - the names of this process's ancestors. */
#ifndef TR2_SESSION_ANCESTRY_H
#define TR2_SESSION_ANCESTRY_H

#define TR2_ANCESTRY_MAX 64 /* further ancestors are left out */
#define TR2_ANCESTRY_NAME 64

struct tr2_ancestry {
	char text[TR2_ANCESTRY_MAX][TR2_ANCESTRY_NAME];
	const char *names[TR2_ANCESTRY_MAX + 1]; /* ends with NULL */
};

/*
 * Find the ancestors' names, the parent first. They are too large for small
 * stacks: the caller frees them. NULL if none could be read, or without
 * memory.
 * SPEC: event.cmd_ancestry.ancestry
 */
struct tr2_ancestry *tr2_ancestry_read(void);

#endif
