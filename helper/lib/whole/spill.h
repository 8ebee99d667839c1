/*
 * spill.h - text that is kept until it is needed again. What is too much for
 * memory goes to a file without a name; if there can be none, it stays in
 * memory.
 */
#ifndef TR2_WHOLE_SPILL_H
#define TR2_WHOLE_SPILL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

struct tr2_spill {	     /* An empty one is all zero. */
	struct tr2_buf text; /* follows what is in the file */
	FILE *file;
	uint64_t spilled; /* bytes in the file */
	bool full;	  /* the file accepts no more */
};

/* Keep the text. Returns its place. */
uint64_t tr2_spill_add(struct tr2_spill *spill, const char *text, size_t len);

/* Append the text at this place to the buffer. 0, or -1: it can't be read. */
int tr2_spill_read(const struct tr2_spill *spill, uint64_t at, size_t len,
		   struct tr2_buf *out);

void tr2_spill_release(struct tr2_spill *spill);

#endif
