/*
 * output.h - what a command makes: a file that appears when it is whole, or
 * standard output. It has a buffer, waits for a reader who is slow, and
 * reports the first failure.
 */
#ifndef TR2_WHOLE_OUTPUT_H
#define TR2_WHOLE_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "lib/whole/whole_file.h"

struct tr2_output {
	struct tr2_whole_file file;
	const char *command, *name; /* of messages; of the output */
	struct tr2_buf buf;	    /* bytes that are not written yet */
	bool failed;		    /* and this was reported */
};

/* Both texts must live as long as the output. Opens nothing. */
void tr2_output_begin(struct tr2_output *output, const char *command,
		      const char *name);
/*
 * Would an output of this name replace this input? `-` replaces nothing. A
 * device, as a terminal, may be both; a FIFO would feed itself for ever.
 */
bool tr2_output_would_replace(const char *name, const struct stat *input);
/* The same for an open input; the name may be NULL, and the descriptor -1. */
bool tr2_output_would_replace_fd(const char *name, int fd);
/* The same for the file of an option; both may be NULL. */
bool tr2_output_would_replace_file(const char *name, const char *file);
/*
 * `-` is standard output. Does nothing if it is open; sets `failed` on
 * failure. From now on the file is no input (written.h).
 */
void tr2_output_open(struct tr2_output *output);
/* Write the buffer if it is large. */
void tr2_output_step(struct tr2_output *output);
/*
 * Put the complete file in place. -1 if something could not be written: then
 * the old file stays.
 */
int tr2_output_close(struct tr2_output *output);
/*
 * The same if there is no file of this name, also in this moment. 1 if there is
 * one: then the caller drops the output. It is no standard output.
 */
int tr2_output_close_new(struct tr2_output *output);
/* The result is not wanted: the old file stays as it is. */
void tr2_output_drop(struct tr2_output *output);

#endif
