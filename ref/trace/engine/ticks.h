/*
 * ticks.h - the time of a record: CLOCK_MONOTONIC, at the price of reading
 * the CPU's counter.
 *
 * Time is a straight line over the counter, drawn again by each thread for
 * itself, first after 0.1 ms, then after twice as long each time, at last
 * once a second. Each line is as steep as the clock was against the counter
 * over a stretch at least as long as the line is used, so threads (and
 * processes) stay within the error of reading the clock once. A thread's
 * time never goes back.
 */
#ifndef TR2_TRACE_ENGINE_TICKS_H
#define TR2_TRACE_ENGINE_TICKS_H

#include <stdint.h>

#include "base/host.h"

struct tr2_trace_clock {
	uint64_t tick; /* where the line starts */
	uint64_t ns;
	uint64_t steep;	    /* ns a tick, times 2^32 */
	uint64_t limit;	    /* ticks that the line is good for; 0: no line */
	uint64_t base_tick; /* what the slope was measured from */
	uint64_t base_ns;
	uint32_t lines; /* drawn so far */
};

/* Does the CPU's counter serve? Fixed by tr2_trace_ticks_start(). */
extern int tr2_trace_has_ticks;

/*
 * Choose the source of time and measure it, once in a process (0.1 ms).
 * Before a clock is used; not from several threads at once.
 */
void tr2_trace_ticks_start(void);

/* Draw a line; returns the time. Safe in a signal handler, on its own
 * thread's clock too. */
uint64_t tr2_trace_ticks_renew(struct tr2_trace_clock *clock);

static inline uint64_t tr2_trace_ticks_read(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

static inline uint64_t tr2_trace_ticks_now(struct tr2_trace_clock *clock)
{
	uint64_t passed;

	if (!tr2_trace_has_ticks)
		return tr2_host->mono_ns();
	passed = tr2_trace_ticks_read() - clock->tick;
	if (passed < clock->limit)
		return clock->ns + (passed * clock->steep >> 32);
	return tr2_trace_ticks_renew(clock);
}

#endif
