/*
 * ticks.h - the time of a record: CLOCK_MONOTONIC, for the cost of reading
 * the CPU's counter.
 *
 * Time is a straight line over the counter. Each thread draws its own line
 * again from time to time: first after 0.1 ms, then after twice as long each
 * time, and at last once a second. The slope of a line is measured over a
 * stretch that is at least as long as the line is used; so threads (and
 * processes) differ by no more than the error of reading the clock once. A
 * thread's time never goes back.
 */
#ifndef TR2_TRACE_ENGINE_TICKS_H
#define TR2_TRACE_ENGINE_TICKS_H

#include <stdint.h>

#include "host/host.h"

struct tr2_trace_clock {
	uint64_t tick; /* where the line starts */
	uint64_t ns;
	uint64_t steep;	    /* ns a tick, times 2^32 */
	uint64_t limit;	    /* ticks that the line is valid for; 0: no line */
	uint64_t base_tick; /* where the measurement of the slope began */
	uint64_t base_ns;
	uint32_t lines; /* number of lines so far */
};

/* Can the CPU's counter be used? tr2_trace_ticks_start() decides this. */
extern int tr2_trace_has_ticks;

/*
 * Choose the source of time and measure it, once in a process (0.1 ms). Call
 * it before a clock is used, and not from several threads at once.
 */
void tr2_trace_ticks_start(void);

/*
 * Draw a new line; returns the time. Safe in a signal handler, even if it
 * interrupts this function on the same clock.
 */
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
