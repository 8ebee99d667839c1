/*
 * feed.h - passes the blocks of logs to one worker or to several.
 *
 * Findings between events depend on the lines of a process, its parent and
 * its children, in the order of the log. So the processes are partitioned by
 * the root of their SIDs (log/glance.h), and each worker has some of the
 * partitions. A worker sees all blocks in their order, and takes the lines of
 * its processes. The workers share nothing, so only the queue of blocks needs
 * a lock; and each finding comes from exactly one worker, whatever their
 * number. Their findings are sorted and joined at the end (report/merge.h).
 *
 *	first thread	fills blocks, in a ring: read(2), decompression
 *	any thread	prepares them: finds lines, their owners, the tokens
 *			(not of packed logs, whose worker finds them)
 *	every worker	takes its lines of each block: JSON, schema, streams
 *
 * There are more workers than threads. Each thread runs some of the workers,
 * one block at a time, and first the one that is furthest behind. If none of
 * these has work it runs another thread's worker, so that a thread that is
 * slow, or that reads, delays nobody.
 *
 * These lines are for all workers:
 *
 * - A line whose owner is unknown, or that has more than one beginning of
 *   an event. Each worker reads it as it would if it were alone, and takes
 *   the events of its own processes. It reports other findings only if it
 *   has the line's partition.
 * - A broken line of an unknown process: from then on, everything that is
 *   missing may have been in it. Each worker has to know that, and finds
 *   it out by itself.
 * - A line before one that does not begin an object, or that is not known
 *   yet: whether a finding about that one is reported depends on this one.
 *
 * The first thread works, too, so that reading does not need a processor of
 * its own: it works while the ring is full, and reads when there is room. The
 * other threads start when the ring is full for the first time. With less
 * input than that, one worker takes everything in the first thread; `--jobs
 * 1` does the same with a ring of one block.
 */
#ifndef TR2_VALIDATE_FEED_H
#define TR2_VALIDATE_FEED_H

#include <pthread.h>

#include "validate/worker.h"

struct tr2_feed {
	const struct tr2_options *options;
	struct tr2_worker *workers; /* the first one has the report */
	struct tr2_turn *turns;	    /* one for each worker */
	unsigned running;	    /* number of workers; 0: only one */
	bool alone;		    /* and no other thread will start */
	unsigned threads;	    /* running threads, with the reader's */
	struct tr2_block *ring;
	unsigned room; /* number of blocks in the ring */
	struct tr2_job *jobs;

	/* Numbers of blocks since the beginning; the lock guards them. */
	uint64_t put, claimed, emptied;
	size_t held; /* bytes of text in the ring */
	bool ended;
	unsigned ends; /* workers that know of the end */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a block was changed, or the input ended */
};

void tr2_feed_begin(struct tr2_feed *feed, const struct tr2_options *options,
		    unsigned jobs);

/* Returns an empty block, to be filled and put, or returned unchanged. */
struct tr2_block *tr2_feed_take(struct tr2_feed *feed);
void tr2_feed_put(struct tr2_feed *feed, struct tr2_block *block);
void tr2_feed_give_back(struct tr2_feed *feed, struct tr2_block *block);

/*
 * There are no more blocks: wait for the workers. Returns the first one,
 * which has all findings; it is valid until the feed is released.
 */
struct tr2_worker *tr2_feed_end(struct tr2_feed *feed);
void tr2_feed_release(struct tr2_feed *feed);

#endif
