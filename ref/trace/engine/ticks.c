#include "trace/engine/ticks.h"

int tr2_trace_has_ticks;

#define CALIBRATION_NS 100000u
/* Where the clock stands still: some milliseconds. */
#define CALIBRATION_TURNS 20000
/* Half a second to two; `ticks * steep` and `ns << 32` fit in 64 bits. */
#define LONGEST_LINE (UINT64_C(1) << 31)
#define LONGEST_BASE (UINT64_C(1) << 33)

struct instant {
	uint64_t tick;
	uint64_t ns;
};

/* Measured at the start of the process. */
static struct {
	struct instant start;
	uint64_t steep; /* 0: not measured */
} first;

/* Read counter and clock at one moment: the closest pair of a few attempts. */
static struct instant read_both(void)
{
	struct instant best = { 0, 0 };
	uint64_t closest = UINT64_MAX;

	for (int try = 0; try < 4 && closest > 200; try++) {
		uint64_t before = tr2_trace_ticks_read();
		uint64_t ns = tr2_host->mono_ns();
		uint64_t took = tr2_trace_ticks_read() - before;

		if (took >= closest)
			continue;
		closest = took;
		best.tick = before + took / 2;
		best.ns = ns;
	}
	return best;
}

/*
 * ns a tick, times 2^32. No floating point: a program may have made its
 * exceptions fatal, and may look at its flags.
 */
static uint64_t slope_between(struct instant from, struct instant to)
{
	uint64_t ns = to.ns - from.ns, ticks = to.tick - from.tick;

	while (ns >> 32) {
		ns >>= 1;
		ticks >>= 1;
	}
	return ticks ? (ns << 32) / ticks : 0;
}

/* Between 0.5 and 8 GHz; otherwise products do not fit. */
static int is_plausible(uint64_t steep)
{
	return steep > UINT64_C(1) << 29 && steep < UINT64_C(1) << 33;
}

void tr2_trace_ticks_start(void)
{
	struct instant now;
	int turns = 0;

	if (first.steep || !tr2_host->has_constant_ticks ||
	    !tr2_host->has_constant_ticks())
		return;
	first.start = read_both();
	do {
		now = read_both();
	} while (now.ns - first.start.ns < CALIBRATION_NS &&
		 ++turns < CALIBRATION_TURNS);
	first.steep = slope_between(first.start, now);
	tr2_trace_has_ticks = is_plausible(first.steep);
}

/* The latest time that the clock may have returned. */
static uint64_t latest_time(const struct tr2_trace_clock *clock, uint64_t tick)
{
	uint64_t passed = tick - clock->tick;

	if (passed > clock->limit) /* the limit is 0 if there is no line */
		passed = clock->limit;
	return clock->ns + (passed * clock->steep >> 32);
}

/* Where to measure from: recent enough to notice a change of pace. */
static struct instant base_of(const struct tr2_trace_clock *clock,
			      struct instant now)
{
	struct instant base = { clock->base_tick, clock->base_ns };

	if (!base.tick)
		return first.start;
	if (now.tick - base.tick > LONGEST_BASE) {
		base.tick = clock->tick;
		base.ns = clock->ns;
	}
	return base;
}

/*
 * Is this more than the error of the first measurement? Then the machine was
 * suspended.
 */
static int is_off(uint64_t steep)
{
	const uint64_t error = first.steep / 100;

	return steep <= first.steep - error || steep >= first.steep + error;
}

static struct tr2_trace_clock draw_line(const struct tr2_trace_clock *old)
{
	struct tr2_trace_clock line = { .lines = old->lines + 1 };
	struct instant now = read_both();
	struct instant base = base_of(old, now);
	uint64_t steep = slope_between(base, now);
	uint64_t told = latest_time(old, now.tick);

	line.limit = now.tick - base.tick;
	if (is_off(steep)) {
		steep = first.steep;
		base = now;
		line.limit = CALIBRATION_NS;
	}
	if (line.limit > LONGEST_LINE)
		line.limit = LONGEST_LINE;
	line.steep = steep;
	line.tick = now.tick;
	line.ns = now.ns > told ? now.ns : told;
	line.base_tick = base.tick;
	line.base_ns = base.ns;
	return line;
}

/*
 * A signal handler on this thread may draw a line at any point. Then `line`,
 * or a half of it, is older than the handler's line and must not be used.
 */
static int put_line(struct tr2_trace_clock *clock,
		    const struct tr2_trace_clock *line)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (clock->lines + 1 != line->lines)
		return 0;
	clock->lines = line->lines;
	clock->limit = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	clock->tick = line->tick;
	clock->ns = line->ns;
	clock->steep = line->steep;
	clock->base_tick = line->base_tick;
	clock->base_ns = line->base_ns;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return clock->lines == line->lines;
}

uint64_t tr2_trace_ticks_renew(struct tr2_trace_clock *clock)
{
	struct tr2_trace_clock line;

	do
		line = draw_line(clock);
	while (!put_line(clock, &line));
	clock->limit = line.limit;
	return line.ns;
}
