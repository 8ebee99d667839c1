/* Timers and counters, as in git's own helper. */
#include "verbs.h"

#define AT(line) "timer.c", (line)

TRACE2_TIMER(test1_timer, "test", "test1", 0);
TRACE2_TIMER(test2_timer, "test", "test2", 1);
TRACE2_COUNTER(test1_counter, "test", "test1", 0);
TRACE2_COUNTER(test2_counter, "test", "test2", 1);

struct numbers {
	int first;
	int second;
};

static void run_intervals(struct trace2_timer *timer,
			  const struct numbers *numbers)
{
	int i;

	for (i = 0; i < numbers->first; i++) {
		TRACED(trace2_timer_start(timer));
		fake_sleep((uint64_t)numbers->second * 1000000);
		TRACED(trace2_timer_stop(timer));
	}
}

static int run_100timer(int argc, const char **argv)
{
	struct numbers numbers;

	if (argc != 2 || tool_int(&numbers.first, argv[0]) < 0 ||
	    tool_int(&numbers.second, argv[1]) < 0)
		tool_die(AT(10), "expect <count> <ms_delay>");
	run_intervals(test1_timer, &numbers);
	return 0;
}

static void timer_thread(int place, void *data)
{
	(void)place;
	TRACE(thread_start, AT(20), "ut_101");
	run_intervals(test2_timer, data);
	TRACE(thread_exit, AT(21));
}

static int run_101timer(int argc, const char **argv)
{
	struct numbers numbers;
	int threads;

	if (argc != 3 || tool_int(&numbers.first, argv[0]) < 0 ||
	    tool_int(&numbers.second, argv[1]) < 0 ||
	    tool_int(&threads, argv[2]) < 0)
		tool_die(AT(30), "expect <count> <ms_delay> <threads>");
	tool_threads(threads, timer_thread, &numbers);
	return 0;
}

static int run_200counter(int argc, const char **argv)
{
	int i, value;

	if (!argc)
		tool_die(AT(40), "expect <v1> [<v2> [...]]");
	for (i = 0; i < argc; i++) {
		if (tool_int(&value, argv[i]) < 0)
			tool_die(AT(41),
				 "invalid value[%s] -- expect <v1> [<v2> "
				 "[...]]",
				 argv[i]);
		TRACED(trace2_counter_add(test1_counter,
					  (uint64_t)(int64_t)value));
	}
	return 0;
}

static void counter_thread(int place, void *data)
{
	const struct numbers *numbers = data;

	(void)place;
	TRACE(thread_start, AT(50), "ut_201");
	TRACED(trace2_counter_add(test2_counter,
				  (uint64_t)(int64_t)numbers->first));
	TRACED(trace2_counter_add(test2_counter,
				  (uint64_t)(int64_t)numbers->second));
	TRACE(thread_exit, AT(51));
}

static int run_201counter(int argc, const char **argv)
{
	struct numbers numbers;
	int threads;

	if (argc != 3 || tool_int(&numbers.first, argv[0]) < 0 ||
	    tool_int(&numbers.second, argv[1]) < 0 ||
	    tool_int(&threads, argv[2]) < 0)
		tool_die(AT(60), "expect <v1> <v2> <threads>");
	tool_threads(threads, counter_thread, &numbers);
	return 0;
}

const struct verb verbs_timer[] = {
	{ "100timer", run_100timer, "<count> <ms_delay>", NULL },
	{ "101timer", run_101timer, "<count> <ms_delay> <threads>", NULL },
	{ "200counter", run_200counter, "<v1> [<v2> [<v3> [...]]]", NULL },
	{ "201counter", run_201counter, "<v1> <v2> <threads>", NULL },
	{ NULL, NULL, NULL, NULL },
};
