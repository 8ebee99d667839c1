/*
 * Threads that share the blocks of a feed: what each does next, while others
 * are held up or can't be had.
 */
#include "validate/feed_kit.h"

#include <dlfcn.h>

#include "log/glance.h"

/*
 * ---- Threads that can't be had
 */

#ifndef SANITIZED
static int threads_left = -1; /* any number */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *context)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *);

	if (!threads_left)
		return EAGAIN;
	threads_left -= threads_left > 0;
	*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	return create(thread, attr, run, context);
}
#endif

static void test_some_threads(void)
{
#ifndef SANITIZED
	begin_feed(3);
	threads_left = 1;
	while (feed.put < 20)
		put_block(100);
	threads_left = -1;
	tap_ok(feed.threads == 2 && feed.running == 4,
	       "those threads share the work that can be had");
	tap_int((intmax_t)end_feed(), 20, "they do all of it");
#endif
}

/*
 * ---- Threads that are held up
 */

/* The other thread is held up twice: by the first block and the second. */
static void test_held_up(void)
{
	pthread_t helper;
	int others_go_on = 0;

	begin_feed(2);
	hold_lines[0] = 1;
	hold_lines[1] = 3;
	put_block(100);
	put_block(HELD_MAX);
	tap_ok(!is_late(&held), "another thread begins at once");
	pthread_create(&helper, NULL, release_thread, &others_go_on);
	tr2_feed_give_back(&feed, tr2_feed_take(&feed));
	pthread_join(helper, NULL);
	tap_ok(others_go_on, "a thread that is held up holds nobody up");
	tap_ok(!is_late(&held) && feed.emptied == 1 && feed.held == HELD_MAX,
	       "the one that reads waits for what is too much, and no more");
	sem_post(&released);
	tap_int((intmax_t)end_feed(), 2, "nothing is taken twice");
	tap_int(impatient, 0, "no thread was held up for too long");
}

/* A SID that is that worker's, one of four. */
static const char *sid_of(unsigned worker)
{
	static char sid[16];
	unsigned number = 0;

	do
		sprintf(sid, "%u", number++);
	while (tr2_glance_partition(sid, strlen(sid)) % 4 != worker);
	return sid;
}

/*
 * Lines of the workers 1, 0, 2 and 3; the other thread has the workers with
 * odd numbers. One more line is for all; the first worker reports it.
 */
static void put_five(void)
{
	static const unsigned workers[] = { 1, 0, 2, 3 };
	struct tr2_block *block = fill_block(1);
	unsigned i;
	char *at = block->text;

	for (i = 0; i < 4; i++)
		at += sprintf(at, "{\"event\":\"a\",\"sid\":\"%s\"}\n",
			      sid_of(workers[i]));
	at += sprintf(at, "{\n");
	block->len = (size_t)(at - block->text);
	tr2_feed_put(&feed, block);
}

/* Which of the lines that the reader found are not those? */
static int count_wrong(void)
{
	static const unsigned long own[] = { 2, 5, 3 };
	unsigned long i;
	int wrong = founds != 32;

	for (i = 0; i < 24; i++)
		wrong += found[i] != i / 3 * 5 + own[i % 3];
	for (i = 0; i < 8; i++)
		wrong += found[24 + i] != i * 5 + 4;
	return wrong;
}

/*
 * The other thread is held up by the first line of all; the reader works
 * while it wants room for one more block, or at the end.
 */
static void test_order(bool at_end)
{
	pthread_t helper;
	unsigned long events = 0;
	int wrong, done = 0;

	begin_feed(2);
	hold_lines[0] = 1;
	while (feed.put < 8)
		put_five();
	wrong = is_late(&held);
	founds = 0;
	pthread_create(&helper, NULL, release_thread, &done);
	if (at_end)
		events = end_feed();
	else
		tr2_feed_give_back(&feed, tr2_feed_take(&feed));
	pthread_join(helper, NULL);
	tap_int(wrong + !done + count_wrong(), 0,
		at_end ? "at the end the one that reads does the same"
		       : "own workers go on, a block is prepared, then others");
	tap_int((intmax_t)(at_end ? events : end_feed()), 32,
		"each event is taken once");
}

int main(void)
{
	feed_kit_begin();
	test_some_threads();
	test_held_up();
	test_order(false);
	test_order(true);
	fclose(printed);
	return tap_done();
}
