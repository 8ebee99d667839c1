/* Timers and counters, as in git's own helper. */
#include "verbs.h"

#define AT(line) "timer.c", (line)

TRACE2_TIMER(test1_timer, "test", "test1", 0);
TRACE2_TIMER(test2_timer, "test", "test2", 1);
TRACE2_COUNTER(test1_counter, "test", "test1", 0);
TRACE2_COUNTER(test2_counter, "test", "test2", 1);

static void run_intervals(struct trace2_timer *timer, const int *numbers)
{
	int i;

	for (i = 0; i < numbers[0]; i++) {
		TRACED(trace2_timer_start(timer));
		fake_sleep((uint64_t)numbers[1] * 1000000);
		TRACED(trace2_timer_stop(timer));
	}
}

static void run_100timer(int *numbers)
{
	run_intervals(test1_timer, numbers);
}

static void timer_thread(int place, void *data)
{
	(void)place;
	TRACE(thread_start, AT(20), "ut_101");
	run_intervals(test2_timer, data);
	TRACE(thread_exit, AT(21));
}

static void run_101timer(int *numbers)
{
	tool_threads(numbers[2], timer_thread, numbers);
}

static int run_200counter(const char **argv)
{
	int value;

	if (!*argv)
		tool_die(AT(40), "expect <v1> [<v2> [...]]");
	for (; *argv; argv++) {
		if (tool_int(&value, *argv) < 0)
			tool_die(AT(41),
				 "invalid value[%s] -- expect <v1> [<v2> "
				 "[...]]",
				 *argv);
		TRACED(trace2_counter_add(test1_counter,
					  (uint64_t)(int64_t)value));
	}
	return 0;
}

static void counter_thread(int place, void *data)
{
	const int *numbers = data;

	(void)place;
	TRACE(thread_start, AT(50), "ut_201");
	TRACED(trace2_counter_add(test2_counter,
				  (uint64_t)(int64_t)numbers[0]));
	TRACED(trace2_counter_add(test2_counter,
				  (uint64_t)(int64_t)numbers[1]));
	TRACE(thread_exit, AT(51));
}

static void run_201counter(int *numbers)
{
	tool_threads(numbers[2], counter_thread, numbers);
}

const struct verb verbs_timer[] = {
	NUMERIC(100timer, "<count> <ms_delay>", 2, AT(10)),
	NUMERIC(101timer, "<count> <ms_delay> <threads>", 3, AT(30)),
	VERB(200counter, "<v1> [<v2> [<v3> [...]]]"),
	NUMERIC(201counter, "<v1> <v2> <threads>", 3, AT(60)),
	{ .name = NULL },
};
