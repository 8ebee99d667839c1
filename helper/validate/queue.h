/*
 * queue.h - blocks of logs that come side by side, from the thread that
 * reads them to one that checks them.
 */
#ifndef TR2_VALIDATE_QUEUE_H
#define TR2_VALIDATE_QUEUE_H

#include <pthread.h>

#include "validate/worker.h"

struct tr2_queue_log { /* one of the logs; the checking thread's */
	struct tr2_worker_log log;
};

struct tr2_queue {
	struct tr2_worker *worker;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Guarded by the lock. */
	struct tr2_queue_item *first, **end;
	size_t held; /* bytes of the blocks that wait */
	bool ended;
};

/* Start the thread. 0, or an error number. */
int tr2_queue_begin(struct tr2_queue *queue, struct tr2_worker *worker);

/* How many bytes wait? */
size_t tr2_queue_held(struct tr2_queue *queue);

/*
 * Put what is in the block, which is empty then. With `last` the log ends
 * with it, and is freed when that was checked.
 */
void tr2_queue_put(struct tr2_queue *queue, struct tr2_queue_log *log,
		   struct tr2_block *block, bool last);

/* Wait until all was checked. */
void tr2_queue_end(struct tr2_queue *queue);

#endif
