#include "validate/queue.h"

#include <signal.h>
#include <stdlib.h>

#include "lib/common/memory.h"

struct tr2_queue_item {
	struct tr2_queue_item *next;
	struct tr2_worker_log *log;
	struct tr2_block block;
	bool last;
};

static void check_item(struct tr2_queue *queue, struct tr2_queue_item *item)
{
	tr2_worker_go_on(queue->worker, item->log);
	tr2_worker_take(queue->worker, &item->block);
	if (item->last) {
		tr2_worker_end_log(queue->worker);
		free(item->log);
	}
}

static struct tr2_queue_item *take_item(struct tr2_queue *queue)
{
	struct tr2_queue_item *item;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->ended)
		pthread_cond_wait(&queue->changed, &queue->lock);
	item = queue->first;
	if (item) {
		queue->first = item->next;
		if (!queue->first)
			queue->end = &queue->first;
	}
	pthread_mutex_unlock(&queue->lock);
	return item;
}

static void *work_queue(void *context)
{
	struct tr2_queue *queue = context;
	struct tr2_queue_item *item;
	size_t len;

	while ((item = take_item(queue))) {
		len = item->block.len;
		check_item(queue, item);
		pthread_mutex_lock(&queue->lock);
		queue->held -= len;
		pthread_mutex_unlock(&queue->lock);
		tr2_block_release(&item->block);
		free(item);
	}
	return NULL;
}

/* Signals must go to the thread that reads. */
int tr2_queue_begin(struct tr2_queue *queue, struct tr2_worker *worker)
{
	sigset_t all, before;
	int error;

	*queue = (struct tr2_queue){ .worker = worker,
				     .lock = PTHREAD_MUTEX_INITIALIZER,
				     .changed = PTHREAD_COND_INITIALIZER,
				     .end = &queue->first };
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&queue->thread, NULL, work_queue, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

size_t tr2_queue_held(struct tr2_queue *queue)
{
	size_t held;

	pthread_mutex_lock(&queue->lock);
	held = queue->held;
	pthread_mutex_unlock(&queue->lock);
	return held;
}

void tr2_queue_put(struct tr2_queue *queue, struct tr2_worker_log *log,
		   struct tr2_block *block, bool last)
{
	struct tr2_queue_item *item = tr2_must_grow(NULL, sizeof(*item));

	*item = (struct tr2_queue_item){ .log = log,
					 .block = *block,
					 .last = last };
	*block = (struct tr2_block){ .text = NULL };
	pthread_mutex_lock(&queue->lock);
	queue->held += item->block.len;
	*queue->end = item;
	queue->end = &item->next;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
}

void tr2_queue_end(struct tr2_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->ended = true;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
}
