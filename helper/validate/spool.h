/*
 * spool.h - findings, printed and put aside until all are known, so that
 * they can be given in their order. What is too much for memory waits in a
 * file that has no name.
 */
#ifndef TR2_VALIDATE_SPOOL_H
#define TR2_VALIDATE_SPOOL_H

#include <stdint.h>
#include <stdio.h>

#include "tr2_buf.h"

struct tr2_spool {
	struct tr2_spool_entry *entries;
	size_t count, room;
	char **files; /* the names that entries have */
	size_t files_count;
	struct tr2_buf text; /* behind what is in the overflow */
	FILE *overflow;
	uint64_t spilled; /* bytes in the overflow */
	int failed;
};

/* Keep the text. Of what has the same place, the first stays the first. */
void tr2_spool_add(struct tr2_spool *spool, const char *file,
		   unsigned long line, size_t column, const char *text,
		   size_t len);

/* By name of file, line and column. */
void tr2_spool_sort(struct tr2_spool *spool);

/* Put the text of an entry behind what is in the buffer. */
void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out);

void tr2_spool_release(struct tr2_spool *spool);

#endif
