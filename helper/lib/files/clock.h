/* clock.h - the clock that nobody sets, for time-outs. */
#ifndef TR2_FILES_CLOCK_H
#define TR2_FILES_CLOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* In ns. */
static inline uint64_t tr2_clock_read(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t tr2_clock_now(void)
{
	return tr2_clock_read(CLOCK_MONOTONIC);
}

/* One that goes on while the machine sleeps, if there is one. */
#ifndef CLOCK_BOOTTIME
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#endif

static inline uint64_t tr2_clock_boot(void)
{
	return tr2_clock_read(CLOCK_BOOTTIME);
}

/* The time in so many ms, for pthread_cond_timedwait(). */
static inline struct timespec tr2_clock_after(int ms)
{
	uint64_t then = tr2_clock_now() + (uint64_t)ms * 1000000;
	struct timespec at = { .tv_sec = (time_t)(then / 1000000000),
			       .tv_nsec = (long)(then % 1000000000) };

	return at;
}

static inline void tr2_clock_sleep(int ms)
{
	struct timespec time = { .tv_sec = ms / 1000,
				 .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

/* Initialize a condition that waits by this clock. */
static inline void tr2_clock_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

#endif
