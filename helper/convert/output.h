/*
 * output.h - where a converted trace goes: a file, or standard output.
 */
#ifndef TR2_CONVERT_OUTPUT_H
#define TR2_CONVERT_OUTPUT_H

#include <stdbool.h>

#include "tr2_buf.h"

struct tr2_output {
	int fd;
	const char *name;
	struct tr2_buf buf; /* what was not written yet */
	bool failed;	    /* and this was told */
};

/* `-` is standard output. 0, or -1 when why not was told. */
int tr2_output_open(struct tr2_output *output, const char *name);
/* Write what is in the buffer, if it is much. */
void tr2_output_step(struct tr2_output *output);
/* 0, or -1 if not all could be written. */
int tr2_output_close(struct tr2_output *output);

#endif
