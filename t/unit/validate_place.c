/*
 * Threads that begin elsewhere: where they may be is as of any other.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* affinity */
#endif
#include <sched.h>
#include <stdbool.h>

#include "tap.h"
#include "validate/place.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cpu_set_t seen;

/* The lock is free when the thread was made. */
static void *look(void *context)
{
	pthread_mutex_lock(&lock);
	sched_getaffinity(0, sizeof(seen), &seen);
	pthread_mutex_unlock(&lock);
	return context;
}

/* Does a thread begin, and may it and its maker be in all these places? */
static bool begins(const cpu_set_t *allowed)
{
	pthread_t thread;
	cpu_set_t mine;
	void *result = NULL;

	CPU_ZERO(&seen);
	pthread_mutex_lock(&lock);
	if (tr2_place_thread(&thread, look, &seen))
		return false;
	pthread_mutex_unlock(&lock);
	pthread_join(thread, &result);
	sched_getaffinity(0, sizeof(mine), &mine);
	return result == &seen && CPU_EQUAL(&seen, allowed) &&
	       CPU_EQUAL(&mine, allowed);
}

int main(void)
{
	cpu_set_t allowed, one;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	tap_ok(begins(&allowed), "a thread may be where its maker may");
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	tap_ok(begins(&one), "it begins where there is but one processor");
	sched_setaffinity(0, sizeof(allowed), &allowed);
	return tap_done();
}
