#include "host/wait.h"

#include <poll.h>
#include <sched.h>
#include <stddef.h>

#include "host/cancel.h"
#include "host/host.h"

#define NS_PER_MS 1000000u

/*
 * The least that a wait costs; otherwise a clock that stands still would
 * allow endless waits.
 */
#define LEAST_NS 1000u

/*
 * Pay for a wait before it begins, so that threads that wait at the same time
 * can't overdraw the account, and in slices, so that one thread does not use
 * all of it. Returns the ns that were taken, in whole ms; 0 if none are left.
 */
static uint64_t take_slice(uint64_t *waited_ns, unsigned max_ms)
{
	uint64_t waited, slice;

	if (!waited_ns)
		return 0;
	waited = __atomic_load_n(waited_ns, __ATOMIC_RELAXED);
	do {
		slice = waited < TR2_WAIT_LIMIT_NS
				? (TR2_WAIT_LIMIT_NS - waited) / NS_PER_MS
				: 0;
		slice = (slice < max_ms ? slice : max_ms) * NS_PER_MS;
	} while (!__atomic_compare_exchange_n(
		waited_ns, &waited, waited + slice, 0, __ATOMIC_RELAXED,
		__ATOMIC_RELAXED));
	return slice;
}

/* A thread is not cancelled here: its caller may hold a lock. */
static int poll_quietly(struct pollfd *wanted, int ms)
{
	const int cancel = tr2_cancel_forbid();
	const int ready = poll(wanted, wanted != NULL, ms);

	tr2_cancel_allow(cancel);
	return ready;
}

static int wait_slice(uint64_t *waited_ns, int fd, unsigned max_ms)
{
	struct pollfd wanted = { .fd = fd, .events = POLLOUT };
	uint64_t slice = take_slice(waited_ns, max_ms);
	uint64_t start, spent;

	if (!slice)
		return 0;
	start = tr2_host->mono_ns();
	if (!poll_quietly(&wanted, (int)(slice / NS_PER_MS)))
		return 1;
	spent = tr2_host->mono_ns() - start;
	if (spent < LEAST_NS)
		spent = LEAST_NS;
	if (spent < slice)
		__atomic_fetch_sub(waited_ns, slice - spent, __ATOMIC_RELAXED);
	return 1;
}

int tr2_wait_writable(uint64_t *waited_ns, int fd)
{
	return wait_slice(waited_ns, fd, 10);
}

int tr2_wait_moment(uint64_t *waited_ns)
{
	return wait_slice(waited_ns, -1, 1);
}

#define YIELDS 100 /* before a wait of a millisecond */

#define TURN_MS 200

int tr2_wait_turn(unsigned tries)
{
	if (tries < YIELDS)
		return !sched_yield();
	poll_quietly(NULL, 1);
	return tries < YIELDS + TURN_MS;
}

/* Whoever has the lock has no signals and soon gives it back. */
static int wait_for_holder(unsigned tries, const int *forking,
			   uint64_t *waited_ns)
{
	if (tries < YIELDS)
		return !sched_yield();
	if (__atomic_load_n(forking, __ATOMIC_ACQUIRE))
		return tr2_wait_moment(waited_ns);
	poll_quietly(NULL, 1);
	return 1;
}

int tr2_wait_lock(pthread_mutex_t *lock, const int *forking,
		  uint64_t *waited_ns)
{
	unsigned tries = 0;

	while (pthread_mutex_trylock(lock))
		if (!wait_for_holder(tries++, forking, waited_ns))
			return 0;
	return 1;
}
