/*
 * What a feed of blocks acquires and releases: locks, memory, and the work
 * that waits for a thread.
 */
#include "validate/feed_kit.h"

#include <dlfcn.h>

#include "log/glance.h"

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

/*
 * ---- Tests
 */

static void test_room(void)
{
	begin_feed(2);
	while (feed.put < 20)
		put_block(100);
	end_feed();
	tap_int(fences_broken, 0, "each job has its room");
	tap_int(locks_wrong, 0, "a lock is given back by who has it");
}

static void test_held(void)
{
	begin_feed(2);
	put_block(100);
	put_block(HELD_MAX);
	tap_ok(feed.threads == 2 && becomes_true(is_emptied),
	       "another thread takes what is held");
	end_feed();
}

/* The last one is put while the thread may sleep. Are all of them taken? */
static bool wakes_for(unsigned blocks, size_t len)
{
	struct tr2_block *block;

	if (!becomes_true(is_emptied))
		return false;
	while (--blocks)
		put_block(len);
	block = fill_block(len);
	nanosleep(&moment, NULL);
	tr2_feed_put(&feed, block);
	return becomes_true(is_emptied);
}

static void test_wakes(void)
{
	begin_feed(2);
	put_block(100);
	put_block(HELD_MAX + 1);
	tap_ok(wakes_for(4, 100) && wakes_for(4, 100),
	       "several blocks that are put wake a thread");
	tap_ok(wakes_for(1, HELD_MAX / 2 + 1),
	       "and so does one with much text");
	end_feed();
}

static void test_end_wakes(void)
{
	begin_feed(2);
	put_block(HELD_MAX + 1);
	tr2_feed_give_back(&feed, tr2_feed_take(&feed));
	nanosleep(&moment, NULL); /* all is done: the thread may sleep */
	end_feed();
	tap_ok(feed.ended, "the end wakes a thread");
}

static void test_start(void)
{
	int i;

	begin_feed(1);
	tap_ok(feed.alone, "one job wants no other");
#ifndef SANITIZED
	destroyed = 0;
#endif
	end_feed();
	tap_int(destroyed, 2, "a feed takes its lock and its condition away");
	begin_feed(2);
	for (i = 0; i < 3; i++)
		put_block(HELD_MAX + 1);
	tap_int((intmax_t)end_feed(), 3,
		"what is too much again starts nobody");
}

/* A worker has a partition at least. */
static void test_many_jobs(void)
{
	begin_feed(40);
	while (feed.put < 161)
		put_block(100);
	tap_ok(feed.threads == 40 && feed.running == TR2_PARTITIONS,
	       "many threads share as many workers as there are partitions");
	tap_int((intmax_t)end_feed(), 161, "and take each block");
}

static void test_give_back(void)
{
	struct tr2_block *block;

	begin_feed(1);
	block = tr2_feed_take(&feed);
	tr2_block_make_room(block, 10);
	block->len = 10;
	block->name = tr2_must_copy("log");
	tr2_feed_give_back(&feed, block);
	block = tr2_feed_take(&feed);
	tap_ok(!block->len && !block->name && !feed.put,
	       "a block that is given back is empty");
	end_feed();
}

static void use_one(void)
{
	begin_feed(1);
	put_block(100);
	end_feed();
}

static void use_two(void)
{
	begin_feed(2);
	put_block(100);
	end_feed();
}

/* Enough to start threads. */
static void use_many(void)
{
	begin_feed(2);
	while (feed.put < 9)
		put_block(100);
	end_feed();
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
	tap_ok(!kit_leaks_each_time(use_many), "nor do two that get none");
	begin_feed(2);
	while (feed.put < 8)
		put_block(100);
	pthread_setattr_default_np(&before);
	put_block(HELD_MAX + 1);
	tap_ok(!feed.running && !feed.held, "what got none asks for no more");
	end_feed();
	pthread_attr_destroy(&attr);
	pthread_attr_destroy(&before);
#else
	use_many();
#endif
}

int main(void)
{
	feed_kit_begin();
	test_memory();
	test_no_threads();
	test_room();
	test_held();
	test_wakes();
	test_end_wakes();
	test_start();
	test_many_jobs();
	test_give_back();
	fclose(printed);
	tap_int(kit_broken, 0, "nothing is written behind what was asked for");
	return tap_done();
}
