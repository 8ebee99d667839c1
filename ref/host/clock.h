/* clock.h - the system's monotonic clock, which other files see as mono_ns. */
#ifndef TR2_HOST_CLOCK_H
#define TR2_HOST_CLOCK_H

#include <stdint.h>

/*
 * CLOCK_MONOTONIC in ns, from any origin. For a thread it never goes back,
 * whatever the system's clock does; threads may differ by a millisecond after
 * that. It may stand still. Async-signal-safe.
 */
uint64_t tr2_clock_mono_ns(void);

#endif
