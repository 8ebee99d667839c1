/*
 * spool.h - findings that are printed to memory and kept until all are known,
 * so that they can be shown in order. Text that is too much for memory goes
 * to a file without a name.
 *
 * With a limit, only this many findings are kept, the first ones in that
 * order, of all or of each rule: a log full of defects needs no more memory
 * than a good one.
 */
#ifndef TR2_REPORT_SPOOL_H
#define TR2_REPORT_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
#include "lib/whole/spill.h"

struct tr2_spool_place {
	const char *file;
	uint64_t line;
	uint32_t column;
	uint32_t visit; /* number of the log, from 1 */
	uint32_t part;	/* order among the findings of one place */
	uint32_t rule;	/* a number; 0: none, and no limit */
};

struct tr2_spool_entry {
	uint64_t at; /* place in the texts */
	struct tr2_spool_place place;
	uint32_t len;
};

struct tr2_spool {		/* An empty one is all zero. */
	struct tr2_vec entries; /* struct tr2_spool_entry */
	struct tr2_vec files;	/* char *: the names of files that they have */
	struct tr2_spill text;
	uint32_t limit;	      /* most entries that are kept; 0: all */
	uint32_t rule_limit;  /* and of each rule */
	uint32_t kept;	      /* entries that the last cut left */
	struct tr2_vec rules; /* struct tr2_spool_rule: what it left of each */
	bool failed;
};

/* May a finding at this place be one of those that are kept? */
bool tr2_spool_wants(const struct tr2_spool *spool,
		     const struct tr2_spool_place *place);

/* Keep the text. Of entries with the same place the first stays the first. */
void tr2_spool_add(struct tr2_spool *spool, const struct tr2_spool_place *place,
		   const char *text, size_t len);

/*
 * Sort by file name, line, column, visit and part, and keep no more than the
 * limits.
 */
void tr2_spool_cut(struct tr2_spool *spool);

/* Append the text of an entry to the buffer. */
void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out);

void tr2_spool_release(struct tr2_spool *spool);

#endif
