/*
 * ancestry.h - the names of the processes above this one.
 */
#ifndef TR2_PROCESS_ANCESTRY_H
#define TR2_PROCESS_ANCESTRY_H

#define TR2_ANCESTRY_MAX 64 /* deeper ones are cut */
#define TR2_ANCESTRY_NAME 64

struct tr2_ancestry {
	char text[TR2_ANCESTRY_MAX][TR2_ANCESTRY_NAME];
	const char *names[TR2_ANCESTRY_MAX + 1]; /* ends with NULL */
};

/*
 * Fill in the ancestors' names, nearest first. How many; 0 if none could
 * be read. SPEC: event.cmd_ancestry.ancestry
 */
int tr2_ancestry_read(struct tr2_ancestry *ancestry);

#endif
