/*
 * feed_kit.h - a feed of blocks whose lock is watched, and whose threads are
 * held up where a test wants it.
 */
#ifndef UNIT_VALIDATE_FEED_KIT_H
#define UNIT_VALIDATE_FEED_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT, pthread_setattr_default_np() */
#endif
#include "kit/validate.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "validate/feed.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

static inline void watch_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutex_destroy(lock);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

#define HELD_MAX ((size_t)4 << 20)

/*
 * Threads other than the reader's stop when they find something in this line
 * and, if there is another one, in that one: until they are released, or it
 * takes too long.
 */
static unsigned long hold_lines[3];
static pthread_t reader;
static sem_t held, released;
static int impatient;

/* What the reader's thread found, in its order: the numbers of the lines. */
static unsigned long found[64];
static unsigned founds;

static inline int is_late(sem_t *semaphore)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 30;
	return sem_timedwait(semaphore, &end) != 0;
}

static void say_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_str(out, finding->id);
	if (pthread_equal(pthread_self(), reader)) {
		if (founds < 64 &&
		    (!founds || found[founds - 1] != finding->line))
			found[founds++] = finding->line;
		return;
	}
	if (finding->line != hold_lines[0] || !hold_lines[0])
		return;
	hold_lines[0] = hold_lines[1];
	hold_lines[1] = 0;
	sem_post(&held);
	impatient += is_late(&released);
}

static void say_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_uint(out, totals->reported[TR2_ERROR]);
}

static const struct tr2_formatter format = { "test", "", "\n", say_finding,
					     say_end };
static const struct tr2_options options = { .format = &format,
					    .max_findings = 1000 };
static FILE *printed;
static int fences_broken;
static struct tr2_feed feed;

static inline void begin_feed(unsigned jobs)
{
	tr2_feed_begin(&feed, &options, jobs);
	watch_lock(&feed.lock);
}

/* An event, followed by a long line of blanks. */
static inline struct tr2_block *fill_block(size_t len)
{
	static const char event[] = "{\"event\":\"a\",\"sid\":\"s\"}\n";
	struct tr2_block *block = tr2_feed_take(&feed);

	tr2_block_make_room(block, len);
	memset(block->text, ' ', len);
	memcpy(block->text, event, strlen(event));
	block->len = len;
	block->visit = 1;
	block->format = TR2_LOG_EVENT;
	block->name = feed.put ? NULL : tr2_must_copy("log");
	return block;
}

/* One more block. */
static inline void put_block(size_t len)
{
	tr2_feed_put(&feed, fill_block(len));
}

/* Returns how many events were taken. */
static inline unsigned long end_feed(void)
{
	struct tr2_worker *first = tr2_feed_end(&feed);
	struct tr2_report *report = &first->report;
	unsigned long events = tr2_totals_events(&first->totals);

	fences_broken += !kit_is_whole(feed.ring) + !kit_is_whole(feed.jobs) +
			 !kit_is_whole(feed.workers) +
			 !kit_is_whole(feed.turns);
	report->out = printed;
	tr2_report_end(report);
	tr2_feed_release(&feed);
	return events;
}

static const struct timespec moment = { 0, 1000000 };

/* Does it become true, whatever the machine does meanwhile? */
static inline int becomes_true(int (*is_so)(void))
{
	int i, so = 0;

	for (i = 0; i < 10000 && !so; i++) {
		pthread_mutex_lock(&feed.lock);
		so = is_so();
		pthread_mutex_unlock(&feed.lock);
		if (!so)
			nanosleep(&moment, NULL);
	}
	return so;
}

static inline int is_emptied(void)
{
	return feed.emptied == feed.put;
}

/* By all workers but one. */
static inline int is_taken(void)
{
	uint64_t i = feed.emptied;

	while (i < feed.put && feed.ring[i % feed.room].left == 1)
		i++;
	return i == feed.put;
}

/* Release a thread when all is done that others could do. */
static inline void *release_thread(void *context)
{
	*(int *)context = becomes_true(is_taken);
	sem_post(&released);
	return NULL;
}

/* Before all else, in the thread that reads. */
static inline void feed_kit_begin(void)
{
	reader = pthread_self();
	sem_init(&held, 0, 0);
	sem_init(&released, 0, 0);
	printed = tmpfile();
}

#endif
