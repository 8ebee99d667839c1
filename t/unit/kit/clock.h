/*
 * clock.h - clocks that a test moves, for code that waits for long: who sleeps
 * or waits for a condition is late after a moment, and the clock that nobody
 * sets has moved on by then. The C library's functions are replaced, so
 * _GNU_SOURCE has to be defined before the first header.
 */
#ifndef UNIT_KIT_CLOCK_H
#define UNIT_KIT_CLOCK_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CLOCK_SECOND UINT64_C(1000000000) /* ns */

static uint64_t clock_ahead;  /* ns; atomic */
static time_t clock_set;      /* what time(2) tells; 0: the time; atomic */
static uint64_t clock_waited; /* ns that were slept; atomic */

static inline uint64_t clock_real(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

static inline struct timespec clock_parts(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / CLOCK_SECOND),
				  .tv_nsec = (long)(ns % CLOCK_SECOND) };
}

/* What the clock that nobody sets tells, in ns. */
static inline uint64_t clock_now(void)
{
	return clock_real() + __atomic_load_n(&clock_ahead, __ATOMIC_ACQUIRE);
}

static inline void pass_time(uint64_t ns)
{
	__atomic_add_fetch(&clock_ahead, ns, __ATOMIC_ACQ_REL);
}

static inline void set_time(time_t seconds)
{
	__atomic_store_n(&clock_set, seconds, __ATOMIC_RELEASE);
}

int clock_gettime(clockid_t id, struct timespec *now)
{
	if (id != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, id, now);
	*now = clock_parts(clock_now());
	return 0;
}

time_t time(time_t *at)
{
	time_t set = __atomic_load_n(&clock_set, __ATOMIC_ACQUIRE);
	struct timespec now = { .tv_sec = set };

	if (!set)
		syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
	uint64_t ns = (uint64_t)length->tv_sec * CLOCK_SECOND +
		      (uint64_t)length->tv_nsec;

	(void)left;
	pass_time(ns);
	__atomic_add_fetch(&clock_waited, ns, __ATOMIC_ACQ_REL);
	return 0;
}

/* A test waits for other threads, and its clocks stay. */
static inline void take_nap(void)
{
	struct timespec nap = { .tv_nsec = 200000 };

	syscall(SYS_nanosleep, &nap, NULL);
}

/* What comes within this time comes; otherwise all of it has passed. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
			   const struct timespec *end)
{
	struct timespec soon = clock_parts(clock_real() + 500000);
	int rc = pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC,
					&soon);
	int64_t left;

	if (rc != ETIMEDOUT)
		return rc;
	left = end->tv_sec * (int64_t)CLOCK_SECOND + end->tv_nsec -
	       (int64_t)clock_now();
	if (left > 0)
		pass_time((uint64_t)left);
	return rc;
}

#endif
