/* The engine where the clock stands still, whatever the CPU's counter does. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <unistd.h>

#include "host/host.h"
#include "trace/engine/ticks.h"

static uint64_t readings;

static uint64_t stand_still(void)
{
	readings++;
	return 1577836800 * UINT64_C(1000000000);
}

static int are_ticks_constant(void)
{
	return 1;
}

int main(void)
{
	struct tr2_host host = tr2_host_system;
	struct tr2_trace_clock clock = { 0 };

	host.mono_ns = stand_still;
	host.has_constant_ticks = are_ticks_constant;
	tr2_host = &host;
	alarm(20);
	tr2_trace_ticks_start();
	tap_ok(readings < 1000000, "a clock that stands still is not awaited");
	tap_ok(!tr2_trace_has_ticks,
	       "the counter is not used where the clock stands still");
	tap_int((intmax_t)tr2_trace_ticks_now(&clock),
		1577836800 * INTMAX_C(1000000000),
		"records have the time at which the clock stands");
	return tap_done();
}
