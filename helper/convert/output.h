/*
 * output.h - where a converted trace goes: a file, or standard output. It is
 * opened when it is known that there is something to convert.
 */
#ifndef TR2_CONVERT_OUTPUT_H
#define TR2_CONVERT_OUTPUT_H

#include <stdbool.h>

#include "tr2_buf.h"
#include "whole_file.h"

struct tr2_output {
	struct tr2_whole_file file;
	const char *name;
	struct tr2_buf buf; /* what was not written yet */
	bool failed;	    /* and this was told */
};

void tr2_output_begin(struct tr2_output *output, const char *name);
/* `-` is standard output. Nothing if it is open; `failed` if that fails. */
void tr2_output_open(struct tr2_output *output);
/* Write what is in the buffer, if it is much. */
void tr2_output_step(struct tr2_output *output);
/* Put the file in place. -1 if not all could be written: then it is not. */
int tr2_output_close(struct tr2_output *output);
/* Nothing was converted, or must not be: the file stays as it is. */
void tr2_output_drop(struct tr2_output *output);

#endif
