/*
 * statistics.h - what --statistics tells beyond the totals: who wrote what
 * has findings. A writer is what the `version` event calls `exe`.
 */
#ifndef TR2_REPORT_STATISTICS_H
#define TR2_REPORT_STATISTICS_H

#include "common/map.h"
#include "common/vec.h"

#define TR2_WRITERS 64 /* told; the first one: unknown; the last: the others */
#define TR2_WRITER_NAME 80

struct tr2_writer_count {
	char name[TR2_WRITER_NAME];
	unsigned visit;	    /* of the log where it was met, of the line, */
	unsigned long line; /* and of the part of the line: */
	unsigned part;	    /* they are told in this order */
	unsigned long sessions;
	unsigned long findings;
};

struct tr2_statistics {
	uint32_t current;	 /* who wrote the event at hand */
	struct tr2_vec writers;	 /* struct tr2_writer_count */
	struct tr2_map names;	 /* of writers: their numbers */
	struct tr2_map sessions; /* the numbers of their writers */
};

static inline struct tr2_writer_count *
tr2_writer_at(const struct tr2_statistics *statistics, size_t number)
{
	return (struct tr2_writer_count *)statistics->writers.items + number;
}

void tr2_statistics_init(struct tr2_statistics *statistics);
void tr2_statistics_release(struct tr2_statistics *statistics);

/* Something of the session is at hand, which a hash of its SID stands for. */
void tr2_statistics_session(struct tr2_statistics *statistics, uint64_t sid);

/* Who writes that session; 0: it is not known. */
uint32_t tr2_statistics_find(const struct tr2_statistics *statistics,
			     uint64_t sid);

/* The session says that `exe` writes it. */
void tr2_statistics_writer(struct tr2_statistics *statistics, uint64_t sid,
			   const struct tr2_writer_count *exe);

/* Add what another one has counted. */
void tr2_statistics_merge(struct tr2_statistics *statistics,
			  const struct tr2_statistics *other);

/* The number that the other one's writer has here after that. */
uint32_t tr2_statistics_same(const struct tr2_statistics *statistics,
			     const struct tr2_statistics *other,
			     uint32_t writer);

/* Put them in order, and together those for whom there are too many. */
void tr2_statistics_end(struct tr2_statistics *statistics);

#endif
