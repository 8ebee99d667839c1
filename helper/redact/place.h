/*
 * place.h - where redacted logs go: to standard output, into one file, or
 * into a new directory. A file or directory appears when it is whole.
 */
#ifndef TR2_REDACT_PLACE_H
#define TR2_REDACT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/whole/whole_dir.h"
#include "lib/whole/whole_file.h"
#include "redact/redactor/value.h"

struct tr2_place {
	const char *output;	       /* NULL: standard output */
	bool dir;		       /* `output` is a directory */
	const struct tr2_hider *names; /* hides names of files; NULL: kept */
	struct tr2_whole_dir made;     /* the directory, until it is whole */
	struct tr2_whole_file file;
	int fd;			/* of the present log, or -1 */
	unsigned long numbered; /* the last number after a name; at first 1 */
};

/*
 * Check that the output may be written: 0, or -1 after a message. `inputs`
 * ends with NULL.
 */
int tr2_place_check(const struct tr2_place *place, char **inputs);

/*
 * Open the place for the log `log`, whose name is `name` below the output, or
 * this and a number if another log has it; the descriptor of the log is `in`.
 * 0, or after a message 1 if only this log has no place, otherwise -1.
 */
int tr2_place_open(struct tr2_place *place, const char *log, const char *name,
		   int in);

/* How much there is of a redacted log. */
enum tr2_place_part {
	TR2_PLACE_NOTHING, /* drop it */
	TR2_PLACE_LINES,   /* some lines, which replace no file */
	TR2_PLACE_WHOLE
};

/*
 * Put the log in its place, or drop it. 0, or an errno value: EEXIST if there
 * is a file that some lines can't replace.
 */
int tr2_place_close(struct tr2_place *place, enum tr2_place_part part);

/* Put the directory in its place, or remove it. 0, or -1 after a message. */
int tr2_place_end(struct tr2_place *place, bool whole);

#endif
