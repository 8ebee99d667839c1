/* Timers and counters that the program registers. */
#include "verbs.h"

#define AT(line) "stopwatch.c", (line)

TRACE2_TIMER(never_timer, "host", "never", 1);
TRACE2_TIMER(second_timer, "host", "second used", 0);
TRACE2_TIMER(first_timer, "host", "first used", 1);
TRACE2_COUNTER(never_counter, "host", "never", 1);
TRACE2_COUNTER(second_counter, "host", "second used", 0);
TRACE2_COUNTER(first_counter, "a long category", "first used", 1);

static void measure_interval(struct trace2_timer *timer, uint64_t ns)
{
	TRACED(trace2_timer_start(timer));
	fake_sleep(ns);
	TRACED(trace2_timer_stop(timer));
}

/*
 * Nanoseconds are rounded when they are written, not before: the parts of the
 * first timer add up to more than their rounded values.
 */
static void run_580timer(void)
{
	measure_interval(first_timer, 400);
	measure_interval(first_timer, 400);
	measure_interval(second_timer, 20000600);
	measure_interval(first_timer, 400);
}

/* Only the outermost pair counts; a stop without a start does nothing. */
static void run_581timer_nested(void)
{
	TRACED(trace2_timer_stop(first_timer));
	TRACED(trace2_timer_start(first_timer));
	fake_sleep(1000000);
	measure_interval(first_timer, 1000000);
	TRACED(trace2_timer_stop(first_timer));
	TRACED(trace2_timer_stop(first_timer));
}

/*
 * Neither is written: a timer that is never stopped, and a counter that stays
 * 0.
 */
static void run_582nothing(void)
{
	TRACED(trace2_timer_start(never_timer));
	TRACED(trace2_counter_add(never_counter, 0));
}

static void run_583counter(void)
{
	TRACED(trace2_counter_add(first_counter, 1));
	TRACED(trace2_counter_add(second_counter, UINT64_MAX));
	TRACED(trace2_counter_add(first_counter, 41));
}

static void sharing_thread(int place, void *data)
{
	(void)data;
	TRACE(thread_start, AT(10), "shares");
	measure_interval(first_timer, 1000000 * (uint64_t)(place + 1));
	TRACED(trace2_counter_add(first_counter, (uint64_t)place));
	TRACED(trace2_counter_add(second_counter, 1));
	TRACE(thread_exit, AT(11));
}

/* Both kinds, on main and in two threads. */
static void run_584shares(void)
{
	measure_interval(first_timer, 5000000);
	TRACED(trace2_counter_add(first_counter, 7));
	tool_threads(2, sharing_thread, NULL);
}

/* Totals after a region that is never left. */
static void run_585totals_open(void)
{
	TRACE(region_enter, AT(20), "cat", "open", TRACE2_REPO_NONE);
	measure_interval(first_timer, 1000);
	TRACED(trace2_counter_add(first_counter, 1));
}

const struct verb verbs_stopwatch[] = {
	PLAIN(580timer),   PLAIN(581timer_nested), PLAIN(582nothing),
	PLAIN(583counter), PLAIN(584shares),	   PLAIN(585totals_open),
	{ .name = NULL },
};
