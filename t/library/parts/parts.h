/*
 * parts.h - what the program of the matrix knows of a part of the library.
 *
 *	parts ENDING PART...	begin each part, use them all, end
 *
 * It prints a line for each part that can't do its work here, which another
 * part may be the reason for, and nothing else.
 */
#ifndef PARTS_H
#define PARTS_H

#define PARTS_CODE 7 /* with which it exits */

struct part {
	const char *name;
	void (*begin)(void);
	void (*use)(void);
	int ends_with_fork;
};

/* By its name; NULL: there is none. */
const struct part *find_part(const char *name);

/* What the program was called with: a copy of the library, a plugin. */
extern char **parts_argv;

#endif
