/* Threads, regions, data, timers and counters, with fixed clocks. */
#include "process/process_kit.h"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

static int trace_regions(void)
{
	begin_program();
	pass_time(10);
	trace2_region_enter_fl("main.c", 2, "outer", "label", 0);
	pass_time(20);
	trace2_region_enter_printf_fl("main.c", 3, "inner", "label", 3, "%d",
				      7);
	pass_time(30);
	trace2_data_string_fl("main.c", 4, "c", 3, "key", "value");
	trace2_region_leave_printf_fl("main.c", 5, "inner", "label", 3, "%d",
				      8);
	pass_time(40);
	trace2_data_string_fl("main.c", 6, NULL, 0, NULL, NULL);
	trace2_region_leave_fl("main.c", 7, "outer", "label", 0);
	trace2_region_enter_fl("main.c", 8, NULL, NULL, 0);
	trace2_region_leave_fl("main.c", 9, NULL, NULL, 0);
	trace2_region_leave_fl("main.c", 10, "one", "too many", 0);
	trace2_region_leave_fl("main.c", 11, "two", "too many", 0);
	trace2_region_leave_printf_fl("main.c", 12, "", "", 0, "%s", "three");
	trace2_thread_exit_fl("main.c", 13);
	trace2_region_enter_printf_fl("main.c", 14, "c", "l", 0, "");
	return 0;
}

static void test_regions(void)
{
	tap_str(process_told(trace_regions),
		BEGIN
		"region_enter main main.c:2 nesting:1 category:outer "
		"label:label\n"
		"region_enter main main.c:3 repo:3 nesting:2 category:inner "
		"label:label msg:7\n"
		"data main main.c:4 repo:3 t_abs:0.000060 t_rel:0.000030 "
		"nesting:3 category:c key:key value:value\n"
		"region_leave main main.c:5 repo:3 t_rel:0.000030 nesting:2 "
		"category:inner label:label msg:8\n"
		"data main main.c:6 t_abs:0.000100 t_rel:0.000090 nesting:2 "
		"category: key: value:\n"
		"region_leave main main.c:7 t_rel:0.000090 nesting:1 "
		"category:outer label:label\n"
		"region_enter main main.c:8 nesting:1\n"
		"region_leave main main.c:9 t_rel:0.000000 nesting:1\n"
		"region_leave main main.c:10 t_rel:0.000100 nesting:0 "
		"category:one label:too many\n"
		"error main main.c:11 msg:trace2: region_leave without "
		"region_enter fmt:trace2: region_leave without region_enter\n"
		"error main main.c:12 msg:trace2: region_leave without "
		"region_enter fmt:trace2: region_leave without region_enter\n"
		"region_enter main main.c:14 nesting:0 category:c label:l\n",
		"regions nest and are timed");
}

static int trace_values(void)
{
	begin_program();
	trace2_data_intmax_fl("main.c", 2, "c", 0, "least", INT64_MIN);
	trace2_data_intmax_fl("main.c", 3, "c", 2, "most", INT64_MAX);
	trace2_data_json_fl("main.c", 4, "c", 2, "json", "[1]");
	trace2_data_json_fl("main.c", 5, "c", 0, "none", "no JSON");
	trace2_data_json_fl("main.c", 6, "c", 0, "null", NULL);
	trace2_printf_fl("main.c", 7, "%s", "text");
	trace2_printf_fl("main.c", 8, NULL);
	return 0;
}

static void test_values(void)
{
	tap_str(process_told(trace_values),
		BEGIN
		"data main main.c:2 t_abs:0.000000 t_rel:0.000000 nesting:1 "
		"category:c key:least value:-9223372036854775808\n"
		"data main main.c:3 repo:2 t_abs:0.000000 t_rel:0.000000 "
		"nesting:1 category:c key:most value:9223372036854775807\n"
		"data_json main main.c:4 repo:2 t_abs:0.000000 "
		"t_rel:0.000000 nesting:1 category:c key:json value:[1]\n"
		"data_json main main.c:5 t_abs:0.000000 t_rel:0.000000 "
		"nesting:1 category:c key:none value:no JSON\n"
		"data_json main main.c:6 t_abs:0.000000 t_rel:0.000000 "
		"nesting:1 category:c key:null value:\n"
		"printf main main.c:7 t_abs:0.000000 msg:text\n"
		"printf main main.c:8 t_abs:0.000000\n",
		"values are written as they are");
	tap_ok(strstr(kit_content("event"), "\"value\":\"no JSON\""),
	       "what is no JSON is written as a string");
}

/* The first text of its thread finds no memory. */
static int value_without_memory(void)
{
	begin_program();
	memory_fail_on = 1;
	memory_fail(1);
	trace2_data_json_fl("main.c", 2, "c", 0, "none", "no JSON");
	memory_fail_on = 0;
	memory_fail(0);
	return trace2_dropped() != 1;
}

static void test_value_without_memory(void)
{
	tap_str(process_told(value_without_memory), BEGIN,
		"what is no JSON is dropped where memory fails");
}

static void *run_worker(void *name)
{
	static struct trace2_timer timer = { "c", "timer", 1, 0 };
	static struct trace2_counter counter = { "c", "counter", 1, 0 };

	pass_time(1);
	trace2_thread_start_fl("thread.c", 2, name);
	pass_time(2);
	trace2_region_enter_fl("thread.c", 3, "c", "l", 0);
	trace2_data_string_fl("thread.c", 4, "c", 0, "k", "v");
	trace2_timer_start(&timer);
	trace2_counter_add(&counter, 5);
	pass_time(4);
	trace2_timer_stop(&timer);
	trace2_thread_exit_fl("thread.c", 5);
	return NULL;
}

/* A thread without a name that ends without a call. */
static void *run_stranger(void *timer)
{
	pass_time(8);
	trace2_printf_fl("thread.c", 6, "here");
	trace2_thread_exit_fl("thread.c", 7);
	trace2_timer_start(timer);
	pass_time(16);
	trace2_timer_stop(timer);
	return NULL;
}

/* It gets another name, and then ends. */
static void *rename_self(void *timer)
{
	trace2_thread_start_fl("thread.c", 8, "first");
	trace2_timer_start(timer);
	pass_time(32);
	trace2_timer_stop(timer);
	trace2_thread_start_fl("thread.c", 9, "second");
	pass_time(64);
	trace2_thread_exit_fl("thread.c", 10);
	return NULL;
}

static int run_threads(void)
{
	static struct trace2_timer timer = { "c", "shared", 0, 0 };
	char name[] = "worker";

	begin_program();
	pass_time(1000000);
	run_thread(run_worker, name);
	run_thread(run_worker, NULL);
	run_thread(run_stranger, &timer);
	run_thread(rename_self, &timer);
	trace2_cmd_exit_fl("main.c", 2, 0);
	process_exit(0);
	return 0;
}

static void test_threads(void)
{
	tap_str(process_told(run_threads),
		BEGIN
		"thread_start th01:worker thread.c:2\n"
		"region_enter th01:worker thread.c:3 nesting:1 category:c "
		"label:l\n"
		"data th01:worker thread.c:4 t_abs:1.000003 t_rel:0.000000 "
		"nesting:2 category:c key:k value:v\n"
		"th_timer th01:worker thread.c:5 category:c name:timer "
		"intervals:1 t_total:0.000004 t_min:0.000004 t_max:0.000004\n"
		"th_counter th01:worker thread.c:5 category:c name:counter "
		"count:5\n"
		"thread_exit th01:worker thread.c:5 t_rel:0.000006\n"
		"thread_start th02: thread.c:2\n"
		"region_enter th02: thread.c:3 nesting:1 category:c label:l\n"
		"data th02: thread.c:4 t_abs:1.000010 t_rel:0.000000 "
		"nesting:2 category:c key:k value:v\n"
		"th_timer th02: thread.c:5 category:c name:timer intervals:1 "
		"t_total:0.000004 t_min:0.000004 t_max:0.000004\n"
		"th_counter th02: thread.c:5 category:c name:counter "
		"count:5\n"
		"thread_exit th02: thread.c:5 t_rel:0.000006\n"
		"printf th03:unknown thread.c:6 t_abs:1.000022 msg:here\n"
		"thread_start th04:first thread.c:8\n"
		"thread_start th05:second thread.c:9\n"
		"thread_exit th05:second thread.c:10 t_rel:0.000064\n"
		"exit main main.c:2 t_abs:1.000134 code:0\n"
		"timer main main.c:2 category:c name:timer intervals:2 "
		"t_total:0.000008 t_min:0.000004 t_max:0.000004\n"
		"timer main main.c:2 category:c name:shared intervals:2 "
		"t_total:0.000048 t_min:0.000016 t_max:0.000032\n"
		"counter main main.c:2 category:c name:counter count:10\n"
		"atexit main main.c:2 t_abs:1.000134 code:0\n",
		"threads have names, times and shares");
}

static int main_thread(void)
{
	begin_program();
	pass_time(5);
	trace2_thread_start_fl("main.c", 2, "proc");
	pass_time(6);
	trace2_thread_exit_fl("main.c", 3);
	trace2_thread_start_fl("main.c", 4, NULL);
	return 0;
}

static void test_main_thread(void)
{
	tap_str(process_told(main_thread),
		BEGIN "region_enter main main.c:2 nesting:1 msg:thread-proc on "
		      "main: proc\n"
		      "region_leave main main.c:3 t_rel:0.000006 nesting:1 "
		      "msg:thread-proc on main\n"
		      "region_enter main main.c:4 nesting:1 msg:thread-proc on "
		      "main: \n",
		"a thread's work on the main thread is a region");
}

static int trace_stopwatches(void)
{
	static struct trace2_timer one = { "c", "one", 1, 0 };
	static struct trace2_timer two = { "c", "two", 0, 0 };
	static struct trace2_timer zero = { "c", "zero", 0, 0 };
	static struct trace2_timer never = { "c", "never", 1, 0 };
	static struct trace2_counter three = { "c", "three", 0, 0 };
	static struct trace2_counter four = { "c", "four", 1, 0 };
	static struct trace2_counter nothing = { "c", "nothing", 1, 0 };

	begin_program();
	trace2_timer_stop(&never);
	trace2_timer_start(&never);
	trace2_timer_start(&one);
	pass_time(10);
	trace2_timer_start(&one);
	pass_time(10);
	trace2_timer_stop(&one);
	trace2_timer_stop(&one);
	trace2_timer_stop(&one);
	trace2_timer_start(&one);
	trace2_timer_stop(&one);
	trace2_timer_start(&zero);
	trace2_timer_stop(&zero);
	trace2_timer_start(&two);
	pass_time(7);
	trace2_timer_stop(&two);
	trace2_counter_add(&nothing, 0);
	trace2_counter_add(&three, 1);
	trace2_counter_add(&four, 2);
	trace2_counter_add(&three, 3);
	trace2_cmd_exit_fl("main.c", 2, 0);
	process_exit(0);
	return 0;
}

static void test_stopwatches(void)
{
	tap_str(process_told(trace_stopwatches),
		BEGIN "exit main main.c:2 t_abs:0.000027 code:0\n"
		      "th_timer main main.c:2 category:c name:one intervals:2 "
		      "t_total:0.000020 t_min:0.000000 t_max:0.000020\n"
		      "th_counter main main.c:2 category:c name:four count:2\n"
		      "timer main main.c:2 category:c name:one intervals:2 "
		      "t_total:0.000020 t_min:0.000000 t_max:0.000020\n"
		      "timer main main.c:2 category:c name:zero intervals:1 "
		      "t_total:0.000000 t_min:0.000000 t_max:0.000000\n"
		      "timer main main.c:2 category:c name:two intervals:1 "
		      "t_total:0.000007 t_min:0.000007 t_max:0.000007\n"
		      "counter main main.c:2 category:c name:three count:4\n"
		      "counter main main.c:2 category:c name:four count:2\n"
		      "atexit main main.c:2 t_abs:0.000027 code:0\n",
		"timers and counters are summed up at the end");
}

/* It ends without a word, and with a region open. */
static void *leave_open(void *unused)
{
	static struct trace2_counter counter = { "c", "counter", 1, 0 };

	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_region_enter_fl("thread.c", 2, "c", "l", 0);
	trace2_counter_add(&counter, 5);
	return unused;
}

static int forget_threads(void)
{
	int live = 0;

	begin_program();
	for (int i = 0; i < 2; i++) {
		live = memory_live;
		run_thread(leave_open, NULL);
	}
	if (memory_live != live)
		return 1;
	process_exit(0);
	return 0;
}

static void test_forgetful(void)
{
	process_told(forget_threads);
	tap_ok(strstr(kit_content("event"), "\"count\":10"),
	       "a named thread that ends without a word is counted and freed");
}

static void *leaves_open(void *unused)
{
	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_region_enter_fl("thread.c", 2, "c", "l", 0);
	trace2_thread_exit_fl("thread.c", 3);
	return unused;
}

static int regions_in_perf(void)
{
	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	process_setenv("GIT_TRACE2_PERF_BRIEF", "1");
	begin_program();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	trace2_printf_fl("main.c", 3, "text");
	trace2_region_leave_fl("main.c", 4, "c", "l", 0);
	run_thread(leaves_open, NULL);
	return 0;
}

static void test_regions_in_perf(void)
{
	const char *perf;

	process_prepare();
	kit_in_child(regions_in_perf);
	perf = kit_content("perf");
	tap_ok(strstr(perf, "| ..text\n") && strstr(perf, "| label:l\n") &&
		       !strstr(perf, "| ..label:l\n"),
	       "PERF's lines stand as deep as what is open around them");
	tap_ok(!strstr(strstr(perf, "thread_exit"), ".."),
	       "a thread's exit stands outside of its regions");
}

/* Inside a call of its own a thread can't be named anew. */
static int names;

static ssize_t write_that_names(int fd, const void *bytes, size_t len)
{
	if (!names++)
		trace2_thread_start_fl("hook.c", 1, "other");
	return tr2_host_system.write(fd, bytes, len);
}

static void *named_inside(void *unused)
{
	trace2_thread_start_fl("thread.c", 1, "worker");
	kit_host.write = write_that_names;
	errno = 0;
	trace2_printf_fl("thread.c", 2, "text");
	kit_host.write = tr2_host_system.write;
	trace2_thread_exit_fl("thread.c", 3);
	return unused;
}

static int trace_renames(void)
{
	begin_program();
	run_thread(named_inside, NULL);
	return trace2_dropped() != 1;
}

static void test_renamed(void)
{
	tap_str(process_told(trace_renames),
		BEGIN "thread_start th01:worker thread.c:1\n"
		      "printf th01:worker thread.c:2 t_abs:0.000000 msg:text\n"
		      "thread_exit th01:worker thread.c:3 t_rel:0.000000\n",
		"a thread inside a call keeps its name");
}

/* A child whose first word is another thread's name. */
static void *named_in_child(void *unused)
{
	trace2_thread_start_fl("child.c", 1, "worker");
	trace2_thread_exit_fl("child.c", 2);
	return unused;
}

static int child_that_names(void)
{
	run_thread(named_in_child, NULL);
	return 0;
}

static int parent_of_named(void)
{
	begin_program();
	return process_fork(child_that_names);
}

static void test_named_in_child(void)
{
	tap_str(process_told(parent_of_named),
		BEGIN "/version main child.c:1 evt:4 exe:1.0\n"
		      "/thread_start th01:worker child.c:1\n"
		      "/thread_exit th01:worker child.c:2 t_rel:0.000000\n",
		"a child may begin with the name of a thread");
}

int main(void)
{
	kit_start();
	tap_run(test_regions, test_values, test_value_without_memory,
		test_forgetful, test_regions_in_perf, test_renamed,
		test_named_in_child, test_threads, test_main_thread,
		test_stopwatches);
	return kit_done();
}
