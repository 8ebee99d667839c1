/* The monotonic clock, while the system's goes back as the test likes. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "host/clock.h"

#define SECOND INT64_C(1000000000)

static int64_t system_ns;
static int64_t once_back; /* a reading that a signal handler has overtaken */

int clock_gettime(clockid_t id, struct timespec *now)
{
	const int64_t ns = system_ns - once_back;
	const int64_t part = (ns % SECOND + SECOND) % SECOND;

	once_back = 0;
	errno = ENOENT;
	now->tv_sec = (ns - part) / SECOND;
	now->tv_nsec = part;
	return id == CLOCK_MONOTONIC ? 0 : -1;
}

static uint64_t read_at(int64_t ns)
{
	system_ns = ns;
	return tr2_clock_mono_ns();
}

static void *read_later(void *ns)
{
	*(uint64_t *)ns = tr2_clock_mono_ns();
	return NULL;
}

static uint64_t read_on_thread(int64_t ns)
{
	pthread_t thread;
	uint64_t got = 0;

	system_ns = ns;
	if (pthread_create(&thread, NULL, read_later, &got) ||
	    pthread_join(thread, NULL))
		return 0;
	return got;
}

static void test_ahead(void)
{
	errno = EDOM;
	tap_int((intmax_t)read_at(50 * SECOND), 50 * SECOND,
		"the first time is the system's");
	tap_int(errno, EDOM, "errno is not that of the clock");
	tap_int((intmax_t)read_at(50 * SECOND + 7), 50 * SECOND + 7,
		"a later time is the system's");
	tap_int((intmax_t)read_at(50 * SECOND + 7), 50 * SECOND + 7,
		"a clock that stands still gives the same time again");
	once_back = 5;
	tap_int((intmax_t)read_at(50 * SECOND + 9), 50 * SECOND + 9,
		"one reading that came late changes no later time");
	tap_int((intmax_t)read_at(60 * SECOND), 60 * SECOND,
		"a clock that goes on is the system's");
}

static void test_back(void)
{
	tap_int((intmax_t)read_at(20 * SECOND), 60 * SECOND,
		"a clock that goes back by 40 s stands at its latest time");
	tap_int((intmax_t)read_at(20 * SECOND + 3), 60 * SECOND + 3,
		"time goes on from there");
	tap_int((intmax_t)read_at(10 * SECOND), 60 * SECOND + 3,
		"a clock that goes back once more stands again");
	tap_int((intmax_t)read_on_thread(10 * SECOND + 5), 60 * SECOND + 8,
		"a thread that begins later has the same time");
	tap_int((intmax_t)read_on_thread(4 * SECOND), 60 * SECOND,
		"a thread that notices it first keeps the process's time");
	tap_ok(read_at(4 * SECOND) >= (uint64_t)(60 * SECOND + 3),
	       "who had a later time does not go back either");
	tap_ok(read_at(-7000 * SECOND) >= (uint64_t)(60 * SECOND + 3) &&
		       read_at(-6999 * SECOND) >= (uint64_t)(61 * SECOND) &&
		       read_at(-6999 * SECOND) < (uint64_t)(62 * SECOND),
	       "a clock that goes back before its beginning does no harm");
}

int main(void)
{
	test_ahead();
	test_back();
	return tap_done();
}
