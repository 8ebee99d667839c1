/*
 * feed.h - the blocks of logs, on their way to one worker or to several.
 *
 * What is found between events hangs on what was seen of a process, its
 * parent and its children, in the order of the lines. So the processes are
 * partitioned, by the root of their SIDs (glance.h), and each worker has
 * some of the partitions: it sees all blocks in their order, and takes the
 * lines of its processes. Nothing is kept in common, so nothing is locked
 * but the queue of blocks, and each finding comes from one worker, the same
 * whatever their number. What the workers say is sorted, and put together
 * at the end (merge.h).
 *
 *	first thread	fills blocks, in a ring: read(2), decompression
 *	any thread	prepares them: finds lines, their owners, the tokens
 *	every worker	takes its lines of each block: JSON, schema, streams
 *
 * There are more workers than threads. Each thread has some of them work,
 * one block at a time, the one first that is farthest behind; if these have
 * nothing to do it takes another's, so that a thread that is slow, or reads,
 * holds nobody up.
 *
 * A line may be for all of them:
 *
 *	- It is not clear whose it is, or it holds more than one beginning of
 *	  an event. Each worker reads it as it would alone, takes the events
 *	  of its own processes, and says nothing else unless it has the line's
 *	  partition.
 *	- It is broken, and nobody knows whose: from then on what is missing
 *	  anywhere may have been in it. Each worker has to know, and finds out
 *	  by itself, since such a line is for all.
 *	- The next line begins no object, or is not known yet: whether that
 *	  one is told depends on this one.
 *
 * The first thread works too, so that none gives way to a reader: it does
 * while the ring is full, and reads on when there is room. The others start
 * when the ring is full for the first time. What is less than that one worker
 * takes alone, in the first thread, and so does the only one of `--jobs 1`,
 * with a ring of one block.
 */
#ifndef TR2_VALIDATE_FEED_H
#define TR2_VALIDATE_FEED_H

#include <pthread.h>

#include "validate/worker.h"

struct tr2_feed {
	const struct tr2_options *options;
	struct tr2_worker *workers; /* of the first one is the report */
	struct tr2_turn *turns;	    /* of each worker */
	unsigned running;	    /* workers, or 0: there is but one */
	bool alone; /* and it stays so: no thread is wanted or to be had */
	unsigned threads; /* that run, with the reader's */
	struct tr2_block *ring;
	unsigned room; /* blocks in the ring */
	struct tr2_job *jobs;

	/* Of blocks, counted from the first of all; guarded by the lock. */
	uint64_t put, claimed, emptied;
	size_t held; /* bytes of the text in the ring */
	bool ended;
	unsigned ends; /* workers that were told so */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a block has come further, or ended */
};

void tr2_feed_begin(struct tr2_feed *feed, const struct tr2_options *options,
		    unsigned jobs);

/* An empty block, to be filled and put, or given back as it is. */
struct tr2_block *tr2_feed_take(struct tr2_feed *feed);
void tr2_feed_put(struct tr2_feed *feed, struct tr2_block *block);
void tr2_feed_give_back(struct tr2_feed *feed, struct tr2_block *block);

/*
 * No more comes: wait for the workers. The first one then has it all, and
 * stays until the feed is released.
 */
struct tr2_worker *tr2_feed_end(struct tr2_feed *feed);
void tr2_feed_release(struct tr2_feed *feed);

#endif
