/*
 * spool.h - findings that are printed to memory and kept until all are known,
 * so that they can be shown in order. Text that is too much for memory goes
 * to a file without a name.
 *
 * With a limit, only this many findings are kept, the first ones in that
 * order: a log full of defects needs no more memory than a good one.
 */
#ifndef TR2_REPORT_SPOOL_H
#define TR2_REPORT_SPOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "lib/common/vec.h"

struct tr2_spool_place {
	const char *file;
	uint64_t line;
	uint32_t column;
	uint32_t visit; /* number of the log, from 1 */
	uint32_t part;	/* order among the findings of one place */
};

struct tr2_spool_store;

struct tr2_spool_entry {
	uint64_t at; /* place in the texts of the store */
	struct tr2_spool_place place;
	uint32_t len;
};

struct tr2_spool {
	struct tr2_vec entries;	       /* struct tr2_spool_entry */
	struct tr2_spool_store *store; /* its texts */
	uint32_t limit; /* most entries that are kept, at most 2^30; 0: all */
	bool full; /* later entries than entry `limit` - 1 are not wanted */
	bool failed;
};

/* May a finding at this place be one of those that are kept? */
bool tr2_spool_wants(const struct tr2_spool *spool,
		     const struct tr2_spool_place *place);

/* Keep the text. Of entries with the same place the first stays the first. */
void tr2_spool_add(struct tr2_spool *spool, const struct tr2_spool_place *place,
		   const char *text, size_t len);

/* Let the other spool, which is empty, keep its texts in the same store. */
void tr2_spool_share(struct tr2_spool *spool, struct tr2_spool *other);

/* Append everything that the other spool has, which shares the store. */
void tr2_spool_merge(struct tr2_spool *spool, struct tr2_spool *other);

/* Sort by file name, line, column, visit and part. */
void tr2_spool_sort(struct tr2_spool *spool);

/* Sort it, and keep no more than its limit. */
void tr2_spool_cut(struct tr2_spool *spool);

/* Append the text of an entry to the buffer. */
void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out);

void tr2_spool_release(struct tr2_spool *spool);

#endif
