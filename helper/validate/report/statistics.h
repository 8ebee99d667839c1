/*
 * statistics.h - what --statistics prints besides the totals: the findings of
 * each writer. A writer is the `exe` of a `version` event.
 */
#ifndef TR2_REPORT_STATISTICS_H
#define TR2_REPORT_STATISTICS_H

#include "lib/common/map.h"
#include "lib/common/vec.h"

#define TR2_WRITERS 64 /* the first: unknown; the last: all others */
#define TR2_WRITER_NAME 80

struct tr2_writer_count {
	char name[TR2_WRITER_NAME];
	unsigned long sessions;
	unsigned long findings;
};

struct tr2_statistics {
	uint32_t current;	 /* writer of the present event */
	struct tr2_vec writers;	 /* struct tr2_writer_count */
	struct tr2_map names;	 /* number of each writer */
	struct tr2_map sessions; /* number of each session's writer */
};

TR2_VEC_AT(tr2_writer_at, tr2_statistics, writers, tr2_writer_count);

void tr2_statistics_init(struct tr2_statistics *statistics);
void tr2_statistics_release(struct tr2_statistics *statistics);

/* An event of this session is present; `session` is a hash of its SID. */
void tr2_statistics_session(struct tr2_statistics *statistics, uint64_t sid);

/* Returns the writer of this session; 0: unknown. */
uint32_t tr2_statistics_find(const struct tr2_statistics *statistics,
			     uint64_t sid);

/* The session declares that `exe` writes it. */
void tr2_statistics_writer(struct tr2_statistics *statistics, uint64_t sid,
			   const char *exe);

#endif
