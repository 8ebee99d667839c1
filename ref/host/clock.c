/*
 * CLOCK_MONOTONIC, but never back. setns(CLONE_NEWTIME) puts a process into a
 * namespace whose clock may be far behind, and programs that fake the time set
 * it as they like. Then we add what it lost, so that times go on from where
 * they were.
 */
#include "host/clock.h"

#include <errno.h>
#include <time.h>

#include "host/host.h"

/*
 * Threads tell each other their time at most so often, because the word is
 * shared.
 */
#define SHARE_NS 1000000u

/* Read again so often before a time that is behind is believed. */
#define TRIES 4

static uint64_t lost_ns;  /* atomic: what the clock went back so far */
static uint64_t floor_ns; /* atomic: no time that comes is before this one */

/* The latest time that this thread got. */
static __thread uint64_t latest __attribute__((tls_model("initial-exec")));

/* A clock of the program's own may change errno. SPEC: engine.errno */
static uint64_t read_clock(void)
{
	const int error = errno;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	errno = error;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec +
	       __atomic_load_n(&lost_ns, __ATOMIC_RELAXED);
}

/* A clock that was set back may be before its own beginning. */
static int is_before(uint64_t now, uint64_t other)
{
	return (int64_t)(now - other) < 0;
}

static uint64_t read_floor(void)
{
	const uint64_t shared = __atomic_load_n(&floor_ns, __ATOMIC_RELAXED);

	return is_before(shared, latest) ? latest : shared;
}

/*
 * A signal handler may have got a later time since we read the clock; if so,
 * the clock is ahead again at the next reading. Otherwise it went back, and
 * the first thread that notices makes up for it.
 */
static uint64_t catch_up(uint64_t now)
{
	uint64_t lost = 0, before = read_floor();

	for (int tries = 0; is_before(now, before) && tries < TRIES; tries++) {
		lost = __atomic_load_n(&lost_ns, __ATOMIC_RELAXED);
		now = read_clock();
		before = read_floor();
	}
	if (!is_before(now, before))
		return now;
	__atomic_compare_exchange_n(&lost_ns, &lost, lost + (before - now), 0,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return before;
}

uint64_t tr2_clock_mono_ns(void)
{
	uint64_t now = read_clock();
	const uint64_t shared = __atomic_load_n(&floor_ns, __ATOMIC_RELAXED);

	if (__builtin_expect(is_before(now, latest) || is_before(now, shared),
			     0))
		now = catch_up(now);
	latest = now;
	if (now - shared >= SHARE_NS && is_before(shared, now))
		__atomic_store_n(&floor_ns, now, __ATOMIC_RELAXED);
	return now;
}
