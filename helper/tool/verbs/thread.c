/* Threads. */
#include "verbs.h"

#define AT(line) "thread.c", (line)
#define NONE TRACE2_REPO_NONE

TRACE2_TIMER(thread_timer, "threads", "timer", 1);
TRACE2_COUNTER(thread_counter, "threads", "counter", 1);

static int count_of(const char *text)
{
	int count;

	if (tool_int(&count, text) < 0)
		tool_die(AT(1), "expect <threads>");
	return count;
}

static void trace_worker(int place, void *data)
{
	(void)data;
	TRACE(thread_start, AT(10), "worker");
	TRACE(region_enter, AT(11), "cat", "outer", NONE);
	TRACE(data_intmax, AT(12), "cat", NONE, "place", place);
	TRACE(region_enter, AT(13), "cat", "inner", NONE);
	TRACE(printf, AT(14), "in %d", place);
	TRACE(region_leave, AT(15), "cat", "inner", NONE);
	TRACE(region_leave, AT(16), "cat", "outer", NONE);
	TRACE(thread_exit, AT(17));
}

static int run_550threads(const char **argv)
{
	int count = count_of(argv[0]);

	TRACE(region_enter, AT(18), "cat", "around threads", NONE);
	tool_threads(count, trace_worker, NULL);
	TRACE(region_leave, AT(19), "cat", "around threads", NONE);
	return 0;
}

/* The first thread never calls thread_start. */
static void trace_unknown(int place, void *data)
{
	(void)data;
	if (place)
		TRACE(thread_start, AT(20), "known");
	TRACE(region_enter, AT(21), "cat", "label", NONE);
	TRACE(data_intmax, AT(22), "cat", NONE, "place", place);
	TRACE(region_leave, AT(23), "cat", "label", NONE);
	if (place)
		TRACE(thread_exit, AT(24));
}

static void run_551thread_unknown(void)
{
	tool_threads(2, trace_unknown, NULL);
}

static int run_552thread_main(const char **argv)
{
	const char *name = *argv ? *argv : "name";

	TRACE(thread_start, AT(30), name);
	TRACE(data_string, AT(31), "cat", NONE, "key", "value");
	TRACE(thread_exit, AT(32));
	return 0;
}

/* Leaves a region open, continues after its exit, and starts again. */
static void trace_again(int place, void *data)
{
	(void)place;
	(void)data;
	TRACE(thread_start, AT(40), "once");
	TRACE(region_enter, AT(41), "cat", "open", NONE);
	TRACE(thread_exit, AT(42));
	TRACE(data_string, AT(43), "cat", NONE, "after", "exit");
	TRACE(thread_start, AT(44), "twice");
	TRACE(data_string, AT(45), "cat", NONE, "after", "start");
	TRACE(thread_exit, AT(46));
}

static void run_553thread_again(void)
{
	tool_threads(1, trace_again, NULL);
}

static void trace_named(int place, void *data)
{
	const char **names = data;

	TRACE(thread_start, AT(50), names[place]);
	TRACE(thread_exit, AT(51));
}

static int run_554thread_names(const char **argv)
{
	tool_threads(tool_count(argv), trace_named, argv);
	return 0;
}

/* The library writes its share of the totals when the thread ends. */
static void no_exit(int place, void *data)
{
	(void)data;
	TRACE(thread_start, AT(60), "silent");
	TRACED(trace2_timer_start(thread_timer));
	fake_sleep(1000000);
	TRACED(trace2_timer_stop(thread_timer));
	TRACED(trace2_counter_add(thread_counter, 10 + (uint64_t)place));
}

static int run_555thread_no_exit(const char **argv)
{
	tool_threads(count_of(argv[0]), no_exit, NULL);
	return 0;
}

const struct verb verbs_thread[] = {
	VERB(550threads, "<threads>"),
	PLAIN(551thread_unknown),
	VERB(552thread_main, "[<name>]"),
	PLAIN(553thread_again),
	VERB(554thread_names, "<name>..."),
	VERB(555thread_no_exit, "<threads>"),
	{ .name = NULL },
};
