/* Threads, with fixed clocks: names, times, shares, and little memory. */
#include "process/process_kit.h"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

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
	tap_run(test_value_without_memory, test_forgetful, test_renamed,
		test_named_in_child, test_threads);
	return kit_done();
}
