/*
 * Threads that begin elsewhere. The test sees the calls of the system: a
 * thread is moved to the other processors, and may then use all of them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* affinity */
#endif
#include <errno.h>
#include <sched.h>

#include "kit/tap.h"
#include "validate/place.h"

static cpu_set_t allowed, told[4];
static int calls, wrong, here;
static pthread_t moved;

int sched_getcpu(void)
{
	return here;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	wrong += pid || size != sizeof(*set);
	*set = allowed;
	return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	wrong += size != sizeof(*set);
	if (calls)
		wrong += !pthread_equal(thread, moved);
	moved = thread;
	told[calls++ % 4] = *set;
	return CPU_COUNT(set) ? 0 : EINVAL;
}

static void *run_thread(void *context)
{
	return context;
}

/* Make a thread where these processors may be used, on that one. */
static void begin_threads(unsigned processors, int on)
{
	pthread_t thread;
	void *result = NULL;
	size_t i;

	CPU_ZERO(&allowed);
	for (i = 0; i < 32; i++)
		if (processors >> i & 1)
			CPU_SET(i, &allowed);
	here = on;
	calls = 0;
	if (tr2_place_thread(&thread, run_thread, &allowed))
		wrong++;
	else
		pthread_join(thread, &result);
	wrong += result != &allowed || !pthread_equal(thread, moved);
}

static void test_others(void)
{
	cpu_set_t others;

	begin_threads(0x35, 4);
	others = allowed;
	CPU_CLR(4, &others);
	tap_ok(calls == 2 && CPU_EQUAL(&told[0], &others) &&
		       CPU_EQUAL(&told[1], &allowed),
	       "a thread is moved to others, and may be in all of them then");
	begin_threads(1, 0);
	tap_ok(calls == 1 && !CPU_COUNT(&told[0]),
	       "where there is but one processor it stays");
	begin_threads(3, -1);
	tap_ok(calls == 2 && CPU_EQUAL(&told[0], &allowed),
	       "it may be unknown which one this is");
	tap_int(wrong, 0, "each time it ran, and was the one that was moved");
}

/* A stack that no machine has. */
static void test_none(void)
{
#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && \
	!defined(__SANITIZE_ADDRESS__)
	pthread_attr_t attr, before;
	pthread_t thread;

	calls = 0;
	pthread_getattr_default_np(&before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)1 << 46);
	pthread_setattr_default_np(&attr);
	tap_ok(tr2_place_thread(&thread, run_thread, NULL) && !calls,
	       "what can't be made is told, and not moved");
	pthread_setattr_default_np(&before);
	pthread_attr_destroy(&attr);
	pthread_attr_destroy(&before);
#endif
}

int main(void)
{
	test_others();
	test_none();
	return tap_done();
}
