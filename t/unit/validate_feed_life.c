/*
 * What a feed of blocks takes and gives back: locks, memory, and the work
 * that waits for a thread.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT, pthread_setattr_default_np() */
#endif
#include "validate_kit.h"

#include <dlfcn.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "validate/feed.h"
#include "validate/glance.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

/*
 * ---- Locks that are given back by who does not hold them, and those that
 * are taken away
 */

static int locks_wrong; /* atomic */
static int destroyed = 2;

#ifndef SANITIZED
int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static int (*unlock)(pthread_mutex_t *); /* atomic: any thread's */
	int (*known)(pthread_mutex_t *);

	known = __atomic_load_n(&unlock, __ATOMIC_RELAXED);
	if (!known) {
		*(void **)&known = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
		__atomic_store_n(&unlock, known, __ATOMIC_RELAXED);
	}
	if (!known(mutex))
		return 0;
	__atomic_add_fetch(&locks_wrong, 1, __ATOMIC_RELAXED);
	return EPERM;
}

/* On this platform there is nothing else to do. */
int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	(void)mutex;
	destroyed++;
	return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond)
{
	(void)cond;
	destroyed++;
	return 0;
}
#endif

static void watch_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutex_destroy(lock);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

/*
 * ---- A feed
 */

#define HELD_MAX ((size_t)4 << 20)

/*
 * Threads but the reader's are held up by what they find in that line and,
 * if there is another, in that one: until they are released, or it takes
 * too long.
 */
static unsigned long hold_lines[3];
static pthread_t reader;
static sem_t held, released;
static int impatient;

static int is_late(sem_t *semaphore)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 30;
	return sem_timedwait(semaphore, &end) != 0;
}

static void say(struct tr2_buf *out, const struct tr2_finding *finding)
{
	tr2_buf_str(out, finding->id);
	if (pthread_equal(pthread_self(), reader) ||
	    finding->line != hold_lines[0] || !hold_lines[0])
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

static const struct tr2_format format = { "test", "", "\n", say, say_end };
static const struct tr2_options options = { .format = &format,
					    .max_findings = 1000 };
static FILE *printed;
static int fences_broken;
static struct tr2_feed feed;

static void begin(unsigned jobs)
{
	tr2_feed_begin(&feed, &options, jobs);
	watch_lock(&feed.lock);
}

/* One more block: an event, and a long line of blanks behind it. */
static void put(size_t len)
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
	tr2_feed_put(&feed, block);
}

/* Gives how many events were taken. */
static unsigned long end(void)
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
static int becomes(int (*is_so)(void))
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

static int is_emptied(void)
{
	return feed.emptied == feed.put;
}

/* By all workers but one. */
static int is_taken(void)
{
	uint64_t i = feed.emptied;

	while (i < feed.put && feed.ring[i % feed.room].left == 1)
		i++;
	return i == feed.put;
}

/* Release a thread when all is done that others could do. */
static void *release(void *context)
{
	*(int *)context = becomes(is_taken);
	sem_post(&released);
	return NULL;
}

/*
 * ---- Tests
 */

static void test_room(void)
{
	begin(2);
	while (feed.put < 20)
		put(100);
	end();
	tap_int(fences_broken, 0, "each job has its room");
	tap_int(locks_wrong, 0, "a lock is given back by who has it");
}

static void test_held(void)
{
	begin(2);
	put(100);
	put(HELD_MAX);
	tap_ok(feed.threads == 2 && becomes(is_emptied),
	       "another thread takes what is held");
	end();
}

/* The other thread is held up twice: by the first block and the second. */
static void test_held_up(void)
{
	pthread_t helper;
	int others_go_on = 0;

	begin(2);
	hold_lines[0] = 1;
	hold_lines[1] = 3;
	put(100);
	put(HELD_MAX);
	tap_ok(!is_late(&held), "another thread begins at once");
	pthread_create(&helper, NULL, release, &others_go_on);
	tr2_feed_give_back(&feed, tr2_feed_take(&feed));
	pthread_join(helper, NULL);
	tap_ok(others_go_on, "a thread that is held up holds nobody up");
	tap_ok(!is_late(&held) && feed.emptied == 1 && feed.held == HELD_MAX,
	       "the one that reads waits for what is too much, and no more");
	sem_post(&released);
	tap_int((intmax_t)end(), 2, "nothing is taken twice");
	tap_int(impatient, 0, "no thread was held up for too long");
}

static void test_wakes(void)
{
	int i, emptied = 0;

	begin(2);
	put(100);
	put(HELD_MAX + 1);
	for (i = 0; i < 2 && becomes(is_emptied); i++) {
		nanosleep(&moment, NULL); /* and it may sleep */
		put(100);
		emptied += becomes(is_emptied);
	}
	tap_int(emptied, 2, "a block that is put wakes a thread");
	end();
}

static void test_end_wakes(void)
{
	begin(2);
	put(HELD_MAX + 1);
	tr2_feed_give_back(&feed, tr2_feed_take(&feed));
	nanosleep(&moment, NULL); /* all is done: the thread may sleep */
	end();
	tap_ok(feed.ended, "the end wakes a thread");
}

static void test_start(void)
{
	int i;

	begin(1);
	tap_ok(feed.alone, "one job wants no other");
#ifndef SANITIZED
	destroyed = 0;
#endif
	end();
	tap_int(destroyed, 2, "a feed takes its lock and its condition away");
	begin(2);
	for (i = 0; i < 3; i++)
		put(HELD_MAX + 1);
	tap_int((intmax_t)end(), 3, "what is too much again starts nobody");
}

/* A worker has a partition at least. */
static void test_many_jobs(void)
{
	begin(40);
	while (feed.put < 161)
		put(100);
	tap_ok(feed.threads == 40 && feed.running == TR2_PARTITIONS,
	       "many threads share as many workers as there are partitions");
	tap_int((intmax_t)end(), 161, "and take each block");
}

static void test_give_back(void)
{
	struct tr2_block *block;

	begin(1);
	block = tr2_feed_take(&feed);
	tr2_block_make_room(block, 10);
	block->len = 10;
	block->name = tr2_must_copy("log");
	tr2_feed_give_back(&feed, block);
	block = tr2_feed_take(&feed);
	tap_ok(!block->len && !block->name && !feed.put,
	       "a block that is given back is empty");
	end();
}

static void use_one(void)
{
	begin(1);
	put(100);
	end();
}

static void use_two(void)
{
	begin(2);
	put(100);
	end();
}

/* Enough to start threads. */
static void use_many(void)
{
	begin(2);
	while (feed.put < 9)
		put(100);
	end();
}

static void test_memory(void)
{
	tap_ok(!kit_leaks(use_one), "one job leaves no memory");
	tap_ok(!kit_leaks(use_two), "nor do two that need no thread");
}

static void test_no_threads(void)
{
#if defined(__GLIBC__) && !defined(SANITIZED)
	pthread_attr_t attr, before;

	pthread_getattr_default_np(&before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)1 << 46);
	pthread_setattr_default_np(&attr);
	tap_ok(!kit_leaks(use_many), "nor do two that get none");
	begin(2);
	while (feed.put < 8)
		put(100);
	pthread_setattr_default_np(&before);
	put(HELD_MAX + 1);
	tap_ok(!feed.running && !feed.held, "what got none asks for no more");
	end();
	pthread_attr_destroy(&attr);
	pthread_attr_destroy(&before);
#else
	use_many();
#endif
}

int main(void)
{
	reader = pthread_self();
	sem_init(&held, 0, 0);
	sem_init(&released, 0, 0);
	printed = tmpfile();
	test_memory();
	test_no_threads();
	test_room();
	test_held();
	test_held_up();
	test_wakes();
	test_end_wakes();
	test_start();
	test_many_jobs();
	test_give_back();
	fclose(printed);
	tap_int(kit_broken, 0, "nothing is written behind what was asked for");
	return tap_done();
}
