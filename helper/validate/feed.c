#include "validate/feed.h"

#include <stdlib.h>

#include "log/glance.h"
#include "common/memory.h"
#include "report/merge.h"
#include "validate/place.h"

#define BLOCKS_A_JOB 4
#define WORKERS_A_JOB 2
#define HELD_MAX ((size_t)4 << 20) /* limits the ring if lines are long */

struct tr2_turn {      /* The state of a worker. */
	uint64_t next; /* the next block that it takes */
	bool taken;    /* one of the threads runs it now */
};

struct tr2_job { /* A thread. */
	struct tr2_feed *feed;
	unsigned number; /* 0 is the reader */
	pthread_t thread;
};

static struct tr2_block *block_at(const struct tr2_feed *feed, uint64_t number)
{
	return &feed->ring[number % feed->room];
}

static unsigned most_workers(unsigned jobs)
{
	unsigned count = jobs * WORKERS_A_JOB;

	return count < TR2_PARTITIONS ? count : TR2_PARTITIONS;
}

void tr2_feed_begin(struct tr2_feed *feed, const struct tr2_options *options,
		    unsigned jobs)
{
	unsigned workers = most_workers(jobs);

	*feed = (struct tr2_feed){
		.options = options,
		.alone = jobs == 1,
		.room = jobs > 1 ? jobs * BLOCKS_A_JOB : 1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	feed->ring = tr2_must_zeros(feed->room * sizeof(*feed->ring));
	feed->workers = tr2_must_zeros(workers * sizeof(*feed->workers));
	feed->turns = tr2_must_zeros(workers * sizeof(*feed->turns));
	feed->jobs = tr2_must_zeros(jobs * sizeof(*feed->jobs));
	tr2_worker_init(&feed->workers[0], options);
	tr2_report_begin(&feed->workers[0].report);
}

/* The only worker runs in the reader's thread. */
static void take_alone(struct tr2_feed *feed, struct tr2_block *block)
{
	feed->held -= block->len;
	feed->workers[0].report.alone = true;
	tr2_block_prepare(block, false);
	tr2_worker_take(&feed->workers[0], block);
	tr2_block_clear(block);
}

/* ---- Threads; they hold the lock except while they work on a block */

static void prepare_next(struct tr2_feed *feed)
{
	struct tr2_block *block = block_at(feed, feed->claimed++);

	pthread_mutex_unlock(&feed->lock);
	tr2_block_prepare(block, true);
	pthread_mutex_lock(&feed->lock);
	block->ready = true;
	pthread_cond_broadcast(&feed->changed);
}

static void take_next(struct tr2_feed *feed, struct tr2_turn *turn)
{
	struct tr2_block *block = block_at(feed, turn->next);

	turn->taken = true;
	pthread_mutex_unlock(&feed->lock);
	tr2_worker_take(&feed->workers[turn - feed->turns], block);
	pthread_mutex_lock(&feed->lock);
	turn->taken = false;
	turn->next++;
	if (--block->left)
		return;
	feed->held -= block->len;
	if (!block->logs.count)
		tr2_block_clear(block);
	feed->emptied++;
	pthread_cond_broadcast(&feed->changed);
}

static bool can_go_on(const struct tr2_feed *feed, const struct tr2_turn *turn)
{
	return !turn->taken && turn->next < feed->put &&
	       block_at(feed, turn->next)->ready;
}

/*
 * Of the workers `first`, `first` + `every` and so on, find the one that is
 * furthest behind and can continue; or NULL.
 */
static struct tr2_turn *find_turn(const struct tr2_feed *feed, unsigned first,
				  unsigned every)
{
	struct tr2_turn *found = NULL, *turn;
	unsigned i;

	for (i = first; i < feed->running; i += every) {
		turn = &feed->turns[i];
		if (can_go_on(feed, turn) &&
		    (!found || turn->next < found->next))
			found = turn;
	}
	return found;
}

/*
 * Do the next thing that this thread can do: run one of its own workers,
 * whose data are in its cache, or prepare a block for all, or run another
 * thread's worker. False if there is nothing to do.
 */
static bool do_step(struct tr2_job *job)
{
	struct tr2_feed *feed = job->feed;
	struct tr2_turn *turn = find_turn(feed, job->number, feed->threads);
	bool unprepared = feed->claimed < feed->put;

	if (!turn && !unprepared)
		turn = find_turn(feed, 0, 1);
	if (turn)
		take_next(feed, turn);
	else if (unprepared)
		prepare_next(feed);
	return turn || unprepared;
}

/* When all blocks are taken the workers end, each in one of the threads. */
static void end_workers(struct tr2_feed *feed)
{
	struct tr2_worker *worker;

	while (feed->ends < feed->running) {
		worker = &feed->workers[feed->ends++];
		pthread_mutex_unlock(&feed->lock);
		tr2_worker_end(worker);
		pthread_mutex_lock(&feed->lock);
	}
}

static void *run_job(void *context)
{
	struct tr2_job *job = context;
	struct tr2_feed *feed = job->feed;

	pthread_mutex_lock(&feed->lock);
	while (feed->emptied < feed->put || !feed->ended)
		if (!do_step(job))
			pthread_cond_wait(&feed->changed, &feed->lock);
	end_workers(feed);
	pthread_mutex_unlock(&feed->lock);
	return NULL;
}

/* Partition p belongs to worker p modulo the number of workers. */
static void begin_workers(struct tr2_feed *feed)
{
	unsigned i;

	for (i = 1; i < feed->running; i++)
		tr2_worker_init(&feed->workers[i], feed->options);
	for (i = 0; i < feed->running; i++)
		feed->workers[i].checker.sink.partitions = 0;
	for (i = 0; i < TR2_PARTITIONS; i++)
		feed->workers[i % feed->running].checker.sink.partitions |=
			UINT64_C(1) << i;
	for (i = 0; i < feed->room; i++)
		feed->ring[i].left = feed->running;
}

static bool start_job(struct tr2_feed *feed, unsigned number)
{
	struct tr2_job *job = &feed->jobs[number];

	job->feed = feed;
	job->number = number;
	return !number || !tr2_place_thread(&job->thread, run_job, job);
}

/* Start as many threads as possible; they begin when the lock is free. */
static void start_jobs(struct tr2_feed *feed)
{
	unsigned wanted = feed->room / BLOCKS_A_JOB;

	pthread_mutex_lock(&feed->lock);
	while (feed->threads < wanted && start_job(feed, feed->threads))
		feed->threads++;
	feed->alone = feed->threads < 2;
	if (!feed->alone) {
		feed->running = most_workers(feed->threads);
		begin_workers(feed);
	}
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
		if (!do_step(&feed->jobs[0]))
			pthread_cond_wait(&feed->changed, &feed->lock);
	pthread_mutex_unlock(&feed->lock);
	/* Names of many logs are freed faster where they were allocated. */
	tr2_block_clear(block);
	block->left = feed->running;
	return block;
}

/* Enough text to be worth sharing, and a limit for what waits. */
static bool is_much(const struct tr2_feed *feed)
{
	return feed->put == feed->room || feed->held > HELD_MAX;
}

/*
 * To wake a thread for each block takes longer than what that saves. The end
 * wakes it too.
 */
static bool is_worth_waking(const struct tr2_feed *feed)
{
	return feed->put - feed->emptied >= BLOCKS_A_JOB ||
	       feed->held > HELD_MAX / 2;
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
	if (is_worth_waking(feed))
		pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	if (!feed->running && !feed->alone && is_much(feed))
		start_jobs(feed);
	if (feed->alone)
		take_all_alone(feed);
}

void tr2_feed_give_back(struct tr2_feed *feed, struct tr2_block *block)
{
	(void)feed;
	tr2_block_clear(block);
}

static void join_jobs(struct tr2_feed *feed)
{
	unsigned i;

	pthread_mutex_lock(&feed->lock);
	feed->ended = true;
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
	run_job(&feed->jobs[0]);
	for (i = 1; i < feed->threads; i++)
		pthread_join(feed->jobs[i].thread, NULL);
	for (i = 1; i < feed->running; i++)
		tr2_worker_merge(&feed->workers[0], &feed->workers[i]);
	tr2_merge_end(&feed->workers[0].report);
}

struct tr2_worker *tr2_feed_end(struct tr2_feed *feed)
{
	if (feed->running) {
		join_jobs(feed);
	} else {
		take_all_alone(feed);
		tr2_worker_end(&feed->workers[0]);
	}
	return &feed->workers[0];
}

void tr2_feed_release(struct tr2_feed *feed)
{
	unsigned i;

	for (i = 0; i < feed->room; i++) {
		tr2_block_clear(&feed->ring[i]);
		tr2_block_release(&feed->ring[i]);
	}
	tr2_worker_release(&feed->workers[0]);
	free(feed->ring);
	free(feed->workers);
	free(feed->turns);
	free(feed->jobs);
	pthread_cond_destroy(&feed->changed);
	pthread_mutex_destroy(&feed->lock);
}
