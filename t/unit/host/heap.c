/* The library's own memory: blocks, threads, and handlers that interrupt. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "host/heap.h"
#include "kit/own_heap.h"
#include "kit/tap.h"

#define SIZES 12
#define SMALL 9 /* of lists */

static const size_t sizes[SIZES] = { 0,	   1,	 15,   16,   17,   100,
				     1000, 4079, 4080, 4081, 8192, 70000 };

static char pattern_of(size_t i)
{
	return (char)(i * 37 + 11);
}

/* Do the bytes still have the pattern? */
static int is_whole(const char *bytes, size_t len, size_t i)
{
	for (size_t at = 0; at < len; at++)
		if (bytes[at] != pattern_of(i))
			return 0;
	return 1;
}

static int fill_some(char **blocks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		blocks[i] = tr2_heap_realloc(NULL, sizes[i]);
		if (!blocks[i] || (uintptr_t)blocks[i] % 16)
			return 0;
		memset(blocks[i], pattern_of(i), sizes[i]);
	}
	return 1;
}

static int check_some(char **blocks, size_t count)
{
	int whole = 1;

	for (size_t i = 0; i < count; i++) {
		whole &= is_whole(blocks[i], sizes[i], i);
		tr2_heap_free(blocks[i]);
	}
	return whole;
}

static void test_blocks(void)
{
	char *blocks[SIZES], *others[SIZES];

	tap_ok(fill_some(blocks, SIZES) && fill_some(others, SIZES),
	       "a block is aligned for any type");
	tap_ok(check_some(blocks, SIZES) & check_some(others, SIZES),
	       "blocks do not overlap");
	tr2_heap_free(NULL);
}

static void test_growth(void)
{
	char *bytes = NULL;
	size_t whole = 1;

	for (size_t i = 1; i < SIZES; i++) {
		bytes = tr2_heap_realloc(bytes, sizes[i]);
		if (!bytes)
			break;
		whole &= (size_t)is_whole(bytes, sizes[i - 1], 1);
		memset(bytes, pattern_of(1), sizes[i]);
	}
	tap_ok(bytes && whole, "a block keeps its bytes while it grows");
	tap_ok(tr2_heap_realloc(bytes, 5) == bytes,
	       "a block that gets smaller stays where it is");
	tr2_heap_free(bytes);
}

static void test_refusal(void)
{
	char *bytes = tr2_heap_realloc(NULL, 5);

	errno = 0;
	tap_ok(!tr2_heap_realloc(NULL, SIZE_MAX) && errno == ENOMEM,
	       "a size that overflows is refused");
	tap_ok(bytes && !tr2_heap_realloc(bytes, SIZE_MAX - 100) &&
		       is_whole(memset(bytes, pattern_of(1), 5), 5, 1),
	       "a block stays when it can't grow");
	errno = 77;
	tr2_heap_free(bytes);
	tr2_heap_free(tr2_heap_realloc(NULL, 100000));
	tap_int(errno, 77, "memory is given back without a change of errno");
}

/* In one loop, so that a leak would take gigabytes. */
static void test_reuse(void)
{
	struct rlimit limit = { 1u << 30, 1u << 30 };
	int status;
	pid_t pid = fork();

	if (!pid) {
		setrlimit(RLIMIT_AS, &limit);
		for (int i = 0; i < 4000; i++) {
			char *bytes =
				tr2_heap_realloc(NULL, i % 2 ? 2000 : 1000000);

			if (!bytes)
				_exit(1);
			tr2_heap_free(bytes);
		}
		_exit(0);
	}
	waitpid(pid, &status, 0);
	tap_int(status, 0, "what was given back is used again");
}

/*
 * Threads and a handler that use the same lists
 */

static int damaged; /* atomic */

static void use_blocks(void)
{
	char *blocks[SIZES];

	if (!fill_some(blocks, SMALL) || !check_some(blocks, SMALL))
		__atomic_store_n(&damaged, 1, __ATOMIC_RELAXED);
}

static void use_from_handler(int signo)
{
	(void)signo;
	use_blocks();
}

static void *use_often(void *unused)
{
	for (int i = 0; i < 300; i++)
		use_blocks();
	return unused;
}

static void test_threads(void)
{
	const struct sigaction action = { .sa_handler = use_from_handler };
	struct itimerval timer = { { 0, 3000 }, { 0, 3000 } };
	pthread_t threads[3];

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, use_often, NULL))
			abort();
	use_often(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	timer = (struct itimerval){ { 0, 0 }, { 0, 0 } };
	setitimer(ITIMER_REAL, &timer, NULL);
	tap_ok(!damaged, "threads and handlers do not get each other's blocks");
}

int main(void)
{
	test_blocks();
	if (tr2_heap_is_libc) {
		tap_skip("growth, limits and handlers", "the sanitizer");
		return tap_done();
	}
	test_growth();
#ifdef __SANITIZE_THREAD__
	tap_skip("limits, and handlers inside", "the sanitizer");
	return tap_done();
#endif
	tap_run(test_refusal, test_reuse, test_threads);
	return tap_done();
}
