/* clock.h - the clock that nobody sets, for time-outs. */
#ifndef TR2_FILES_CLOCK_H
#define TR2_FILES_CLOCK_H

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

static inline void tr2_clock_sleep(int ms)
{
	struct timespec time = { .tv_sec = ms / 1000,
				 .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

#endif
