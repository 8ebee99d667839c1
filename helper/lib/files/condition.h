/* condition.h - conditions that wait by the clock that nobody sets. */
#ifndef TR2_FILES_CONDITION_H
#define TR2_FILES_CONDITION_H

#include <pthread.h>

#include "lib/files/clock.h"

/* Initialize a condition that waits by this clock. */
static inline void tr2_clock_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

/* The time in so many ms, for pthread_cond_timedwait(). */
static inline struct timespec tr2_clock_after(int ms)
{
	uint64_t then = tr2_clock_now() + (uint64_t)ms * 1000000;
	struct timespec at = { .tv_sec = (time_t)(then / 1000000000),
			       .tv_nsec = (long)(then % 1000000000) };

	return at;
}

#endif
