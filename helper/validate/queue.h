/*
 * queue.h - passes blocks of logs that arrive side by side from the thread
 * that reads to the thread that checks.
 */
#ifndef TR2_VALIDATE_QUEUE_H
#define TR2_VALIDATE_QUEUE_H

#include <pthread.h>

#include "validate/worker.h"

struct tr2_queue {
	struct tr2_worker *worker;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* The lock guards these. */
	struct tr2_queue_item *first, **end;
	size_t held; /* bytes of the waiting blocks */
	bool ended;
};

/* Start the thread. 0, or an error number. */
int tr2_queue_begin(struct tr2_queue *queue, struct tr2_worker *worker);

/* Returns how many bytes wait. */
size_t tr2_queue_held(struct tr2_queue *queue);

/*
 * Queue the contents of the block, which is empty afterwards. Only the checking
 * thread uses the log. With `last` it ends, and is freed when this block has
 * been checked.
 */
void tr2_queue_put(struct tr2_queue *queue, struct tr2_worker_log *log,
		   struct tr2_block *block, bool last);

/* Wait until everything is checked. */
void tr2_queue_end(struct tr2_queue *queue);

#endif
