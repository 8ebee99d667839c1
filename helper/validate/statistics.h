/*
 * statistics.h - what --statistics tells beyond the totals: who wrote what
 * has findings. A writer is what the `version` event calls `exe`.
 */
#ifndef TR2_VALIDATE_STATISTICS_H
#define TR2_VALIDATE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#define TR2_WRITERS 64 /* the first one: unknown; the last: all the others */
#define TR2_WRITER_NAME 80

struct tr2_writer_count {
	char name[TR2_WRITER_NAME];
	unsigned long sessions;
	unsigned long findings;
};

struct tr2_statistics {
	unsigned current; /* who wrote the event at hand */
	unsigned writers_count;
	struct tr2_writer_count writers[TR2_WRITERS];
	uint64_t *sessions; /* a hash of the SID, the writer in its last bits */
	size_t room, count;
};

void tr2_statistics_init(struct tr2_statistics *statistics);
void tr2_statistics_release(struct tr2_statistics *statistics);

/*
 * An event of that session is at hand. With `exe` it is the one that says
 * who writes; else NULL.
 */
void tr2_statistics_event(struct tr2_statistics *statistics, const char *sid,
			  size_t sid_len, const char *exe, size_t exe_len);

#endif
