#include "validate/feed.h"

#include <stdlib.h>

#include "validate/glance.h"
#include "validate/memory.h"
#include "validate/merge.h"

#define BLOCKS_A_JOB 4
#define HELD_MAX ((size_t)4 << 20) /* long lines leave no room for others */

struct tr2_job {
	struct tr2_feed *feed;
	struct tr2_worker *worker;
	uint64_t next; /* the block that it takes next */
	pthread_t thread;
};

static struct tr2_block *block_at(const struct tr2_feed *feed, uint64_t number)
{
	return &feed->ring[number % feed->room];
}

void tr2_feed_begin(struct tr2_feed *feed, const struct tr2_options *options,
		    unsigned jobs)
{
	*feed = (struct tr2_feed){
		.options = options,
		.alone = jobs == 1,
		.room = jobs > 1 ? jobs * BLOCKS_A_JOB : 1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	feed->ring = tr2_must_zeros(feed->room * sizeof(*feed->ring));
	feed->workers = tr2_must_zeros(jobs * sizeof(*feed->workers));
	feed->jobs = tr2_must_zeros(jobs * sizeof(*feed->jobs));
	tr2_worker_init(&feed->workers[0], options);
	tr2_report_begin(&feed->workers[0].report);
}

/* The one worker, in the reader's thread. */
static void take_alone(struct tr2_feed *feed, struct tr2_block *block)
{
	feed->held -= block->len;
	tr2_block_prepare(block, false);
	tr2_worker_take(&feed->workers[0], block);
	tr2_block_clear(block);
}

/*
 * ---- Threads; the lock is held, but while a block is worked on
 */

static void prepare_next(struct tr2_feed *feed)
{
	struct tr2_block *block = block_at(feed, feed->claimed++);

	pthread_mutex_unlock(&feed->lock);
	tr2_block_prepare(block, true);
	pthread_mutex_lock(&feed->lock);
	block->ready = true;
	pthread_cond_broadcast(&feed->changed);
}

static void take_next(struct tr2_job *job)
{
	struct tr2_feed *feed = job->feed;
	struct tr2_block *block = block_at(feed, job->next++);

	pthread_mutex_unlock(&feed->lock);
	tr2_worker_take(job->worker, block);
	pthread_mutex_lock(&feed->lock);
	if (--block->left)
		return;
	feed->held -= block->len;
	tr2_block_clear(block);
	feed->emptied++;
	pthread_cond_broadcast(&feed->changed);
}

/* The next thing that the worker can do. False if there is none. */
static bool step(struct tr2_job *job)
{
	struct tr2_feed *feed = job->feed;

	if (job->next < feed->put && block_at(feed, job->next)->ready)
		take_next(job);
	else if (feed->claimed < feed->put)
		prepare_next(feed);
	else
		return false;
	return true;
}

static void *work(void *context)
{
	struct tr2_job *job = context;
	struct tr2_feed *feed = job->feed;

	pthread_mutex_lock(&feed->lock);
	while (job->next < feed->put || !feed->ended)
		if (!step(job))
			pthread_cond_wait(&feed->changed, &feed->lock);
	pthread_mutex_unlock(&feed->lock);
	tr2_worker_end(job->worker);
	return NULL;
}

/* Partition p is of worker p modulo their number. */
static void share_partitions(struct tr2_feed *feed)
{
	unsigned i;

	for (i = 0; i < feed->running; i++)
		feed->workers[i].checker.partitions = 0;
	for (i = 0; i < TR2_PARTITIONS; i++)
		feed->workers[i % feed->running].checker.partitions |=
			UINT64_C(1) << i;
}

static bool start_job(struct tr2_feed *feed, unsigned number)
{
	struct tr2_job *job = &feed->jobs[number];

	job->feed = feed;
	job->worker = &feed->workers[number];
	if (!number)
		return true;
	tr2_worker_init(job->worker, feed->options);
	if (!pthread_create(&job->thread, NULL, work, job))
		return true;
	free(job->worker->totals.of_rule);
	tr2_worker_release(job->worker);
	return false;
}

/* As many threads as can be had; they begin when the lock is free. */
static void start(struct tr2_feed *feed)
{
	unsigned i = 0, wanted = feed->room / BLOCKS_A_JOB;

	pthread_mutex_lock(&feed->lock);
	while (i < wanted && start_job(feed, i))
		i++;
	feed->alone = i < 2;
	feed->running = feed->alone ? 0 : i;
	if (feed->running)
		share_partitions(feed);
	for (i = 0; i < feed->room; i++)
		feed->ring[i].left = feed->running;
	pthread_mutex_unlock(&feed->lock);
}

/*
 * ---- The reader
 */

struct tr2_block *tr2_feed_take(struct tr2_feed *feed)
{
	struct tr2_block *block = block_at(feed, feed->put);

	if (!feed->running)
		return block;
	pthread_mutex_lock(&feed->lock);
	while (feed->put - feed->emptied == feed->room || feed->held > HELD_MAX)
		if (!step(&feed->jobs[0]))
			pthread_cond_wait(&feed->changed, &feed->lock);
	block->left = feed->running;
	pthread_mutex_unlock(&feed->lock);
	return block;
}

/* Enough to be shared, and what waits at most. */
static bool is_much(const struct tr2_feed *feed)
{
	return feed->put == feed->room || feed->held > HELD_MAX;
}

static void take_all_alone(struct tr2_feed *feed)
{
	for (; feed->claimed < feed->put; feed->claimed++)
		take_alone(feed, block_at(feed, feed->claimed));
}

void tr2_feed_put(struct tr2_feed *feed, struct tr2_block *block)
{
	pthread_mutex_lock(&feed->lock);
	feed->put++;
	feed->held += block->len;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	if (!feed->running && !feed->alone && is_much(feed))
		start(feed);
	if (feed->alone)
		take_all_alone(feed);
}

void tr2_feed_give_back(struct tr2_feed *feed, struct tr2_block *block)
{
	(void)feed;
	tr2_block_clear(block);
}

static void join(struct tr2_feed *feed)
{
	unsigned i;

	pthread_mutex_lock(&feed->lock);
	feed->ended = true;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	work(&feed->jobs[0]);
	for (i = 1; i < feed->running; i++) {
		pthread_join(feed->jobs[i].thread, NULL);
		tr2_worker_merge(&feed->workers[0], &feed->workers[i]);
	}
	tr2_merge_end(&feed->workers[0].report);
}

struct tr2_worker *tr2_feed_end(struct tr2_feed *feed)
{
	if (feed->running) {
		join(feed);
	} else {
		take_all_alone(feed);
		tr2_worker_end(&feed->workers[0]);
	}
	return &feed->workers[0];
}

void tr2_feed_release(struct tr2_feed *feed)
{
	unsigned i;

	for (i = 0; i < feed->room; i++)
		tr2_block_release(&feed->ring[i]);
	tr2_worker_release(&feed->workers[0]);
	free(feed->ring);
	free(feed->workers);
	free(feed->jobs);
	pthread_cond_destroy(&feed->changed);
	pthread_mutex_destroy(&feed->lock);
}
