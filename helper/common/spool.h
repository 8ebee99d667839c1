/*
 * spool.h - findings, printed and put aside until all are known, so that
 * they can be given in their order. What is too much for memory waits in a
 * file that has no name.
 *
 * With a limit, only so many findings are kept, the first ones in that
 * order: a log of nothing but defects needs no more memory than a good one.
 */
#ifndef TR2_COMMON_SPOOL_H
#define TR2_COMMON_SPOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "common/vec.h"

struct tr2_spool_place {
	const char *file;
	uint64_t line;
	uint32_t column;
	uint32_t visit; /* which of the logs it is, from 1 */
	uint32_t part;	/* of what is said at one place of one log */
};

struct tr2_spool_store;

struct tr2_spool_entry {
	struct tr2_spool_store *store;
	uint64_t at; /* in the texts of the store */
	struct tr2_spool_place place;
	uint32_t len;
};

struct tr2_spool {
	struct tr2_vec entries;	       /* of struct tr2_spool_entry */
	struct tr2_spool_store *store; /* the texts, and those of others */
	uint32_t limit; /* how many are kept, at most 2^30; 0: all */
	bool full; /* entry `limit` - 1 is the last one that can be of use */
	bool failed;
};

/* May what is found at that place be one of those that are kept? */
bool tr2_spool_wants(const struct tr2_spool *spool,
		     const struct tr2_spool_place *place);

/*
 * Keep the text; gives its entry. Of what has the same place, the first
 * stays the first. With `text` NULL nothing is kept: the entry is only good
 * for tr2_spool_is_before() and tr2_spool_drop().
 */
struct tr2_spool_entry tr2_spool_add(struct tr2_spool *spool,
				     const struct tr2_spool_place *place,
				     const char *text, size_t len);

/* Take over all that the other spool has, behind what is here. */
void tr2_spool_merge(struct tr2_spool *spool, struct tr2_spool *other);

/* Does the place of the entry come before that of the other? */
bool tr2_spool_is_before(const struct tr2_spool_entry *entry,
			 const struct tr2_spool_entry *other);

/* Of a sorted spool: drop the entry, if it was kept. */
void tr2_spool_drop(struct tr2_spool *spool,
		    const struct tr2_spool_entry *entry);

/* By name of file, line, column, visit and part; what is dropped is gone. */
void tr2_spool_sort(struct tr2_spool *spool);

/* Sort it, and keep no more than its limit. */
void tr2_spool_cut(struct tr2_spool *spool);

/* Put the text of an entry behind what is in the buffer. */
void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out);

void tr2_spool_release(struct tr2_spool *spool);

#endif
