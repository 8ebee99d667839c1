/* What the FXT target writes of each call, in a process with fixed clocks. */
#include "target/process_fxt_kit.h"

static int trace_calls(void)
{
	static struct trace2_timer timer = { "c", "timer", 1, 0 };
	static struct trace2_counter counter = { "c", "counter", 1, 0 };
	static const char *const argv[] = { "prog", "two words", NULL };
	static const char *const bad_argv[] = { "\xff", "\xc3\xa9", NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;
	struct trace2_child second = TRACE2_CHILD_INIT;

	begin_program();
	trace2_cmd_start_fl("main.c", 2, argv);
	trace2_cmd_name_fl("main.c", 3, "name");
	trace2_region_enter_fl("main.c", 4, "cat", "label", 3);
	trace2_region_enter_fl("main.c", 5, NULL, NULL, -1);
	trace2_region_enter_fl("main.c", 6, "", "", 0);
	trace2_data_intmax_fl("main.c", 7, "cat", 0, "int", -5);
	trace2_data_string_fl("main.c", 8, "cat", 2, "text", "value");
	trace2_data_json_fl("main.c", 9, "", 0, "", "[1]");
	trace2_region_leave_fl("main.c", 10, "", "", 0);
	trace2_region_leave_fl("main.c", 11, NULL, NULL, -1);
	trace2_region_leave_fl("main.c", 12, "cat", "label", 3);
	trace2_region_leave_fl("main.c", 13, "one", "too many", 0);
	trace2_region_leave_fl("main.c", 14, "two", "too many", 0);
	child.argv = argv;
	trace2_child_start_fl("main.c", 15, &child);
	second.argv = bad_argv;
	second.use_shell = 2;
	trace2_child_start_fl("main.c", 16, &second);
	child.pid = 77;
	trace2_child_exit_fl("main.c", 17, &child, 3);
	trace2_child_ready_fl("main.c", 18, &second, "a\x80z");
	trace2_cmd_error_fl("main.c", 19, "%s", "\xff\xc3\xa9");
	trace2_cmd_mode_fl("main.c", 20, "\xc3\xa9");
	trace2_def_repo_fl("main.c", 21, "/one");
	trace2_timer_start(&timer);
	pass_time(1500000);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 5);
	trace2_cmd_exit_fl("main.c", 22, 3);
	process_exit(0);
	return 0;
}

static void *run_worker(void *unused)
{
	static struct trace2_counter counter = { "c", "counter", 1, 0 };

	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_counter_add(&counter, 7);
	trace2_thread_exit_fl("thread.c", 2);
	return unused;
}

static int run_threads(void)
{
	begin_program();
	run_thread(run_worker, NULL);
	process_exit(0);
	return 0;
}

static int trace_categories(void)
{
	process_setenv("GIT_TRACE2_CATEGORIES", "cat,other");
	begin_program();
	trace2_region_enter_fl("main.c", 2, "cat", "yes", 0);
	trace2_region_enter_fl("main.c", 3, "ca", "no", 0);
	trace2_region_enter_fl("main.c", 4, "cat,", "no", 0);
	trace2_region_enter_fl("main.c", 5, "other", "yes", 0);
	trace2_data_string_fl("main.c", 6, "othe", 0, "no", "value");
	trace2_data_string_fl("main.c", 7, "other", 0, "yes", "value");
	process_exit(0);
	return 0;
}

/* A call inside a call whose text finds memory. */
static void *realloc_that_calls(void *old, size_t size)
{
	trace2_region_enter_fl("hook.c", 1, "hook", "l", 0);
	trace2_region_leave_fl("hook.c", 2, "hook", "l", 0);
	return memory_realloc(old, size);
}

static int inside_a_call(void)
{
	begin_program();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	kit_host.realloc = realloc_that_calls;
	trace2_printf_fl("main.c", 3, "%s", "text");
	kit_host.realloc = memory_realloc;
	trace2_region_leave_fl("main.c", 4, "c", "l", 0);
	return trace2_dropped() != 2;
}

/* Without a text target no times of open regions are kept. */
static int many_regions(void)
{
	int i;

	begin_program();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	memory_fail(0);
	for (i = 0; i < 100; i++)
		trace2_region_enter_fl("main.c", 3, "c", "l", 0);
	return memory_calls;
}

/* The smallest file has room for fewer than these. */
static int fill_trace(void)
{
	int i;

	process_setenv("GIT_TRACE2_FXT_MAX", "1");
	begin_program();
	for (i = 0; i < 200000 && !trace2_dropped(); i++)
		trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	return trace2_dropped() != 1;
}

static int no_room(void)
{
	static const char *const argv[] = { "https://u:secret@h/", NULL };

	begin_program();
	memory_fail(1);
	memory_fail_on = 1;
	trace2_data_json_fl("main.c", 2, "c", 0, "key", "no JSON");
	trace2_printf_fl("main.c", 3, "%s", "text");
	trace2_cmd_mode_fl("main.c", 4, "\xff");
	memory_fail_on = 0;
	memory_fail(1);
	trace2_cmd_start_fl("main.c", 5, argv);
	memory_fail(0);
	return trace2_dropped() != 4;
}

static void test_records(void)
{
	tap_str(trace_life(trace_calls),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 start argv:'prog 'two words''\n"
		"0 trace2 cmd_name name:'name' hierarchy:'name'\n"
		"2 cat label repo:1=3\n"
		"2 trace2 region repo:1=0\n"
		"2 trace2 region\n"
		"0 cat int value:3=-5\n"
		"0 cat text value:'value' repo:1=2\n"
		"0 trace2 data_json value:'[1]'\n"
		"3 trace2 region\n"
		"3 trace2 region repo:1=0\n"
		"3 cat label repo:1=3\n"
		"3 one too many\n"
		"0 trace2 error msg:'trace2: region_leave without "
		"region_enter' fmt:'trace2: region_leave without "
		"region_enter'\n"
		"5 trace2 child child_id:1=0 child_class:'?' use_shell:9=0 "
		"argv:'prog 'two words''\n"
		"5 trace2 child #1 child_id:1=1 child_class:'?' "
		"use_shell:9=1 argv:''\357\277\275' '\303\251''\n"
		"7 trace2 child child_id:1=0 pid:3=77 code:1=3\n"
		"7 trace2 child #1 child_id:1=1 pid:3=-1 "
		"ready:'error'\n"
		"0 trace2 error msg:'\357\277\275\303\251' fmt:'%s'\n"
		"0 trace2 cmd_mode name:'\303\251'\n"
		"0 trace2 def_repo worktree:'/one' repo:1=1\n"
		"0 trace2 exit code:1=3\n"
		"1 c timer intervals:4=1 t_total:1.500000 t_min:1.500000 "
		"t_max:1.500000\n"
		"1 c counter count:4=5\n"
		"1 c timer intervals:4=1 t_total:1.500000 t_min:1.500000 "
		"t_max:1.500000\n"
		"1 c counter count:4=5\n"
		"0 trace2 atexit code:1=3\n",
		"each call is a record");
}

/* The first call of a thread is one leave too many. */
static void *leave_first(void *unused)
{
	trace2_region_leave_fl("thread.c", 1, "c", "l", 0);
	trace2_region_leave_fl("thread.c", 2, "c", "l", 0);
	return unused;
}

static int leave_in_a_thread(void)
{
	begin_program();
	run_thread(leave_first, NULL);
	return 0;
}

static void test_others(void)
{
	tap_str(trace_life(leave_in_a_thread),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"3 c l\n"
		"0 trace2 error msg:'trace2: region_leave without "
		"region_enter' fmt:'trace2: region_leave without "
		"region_enter'\n",
		"a thread may begin with a leave");
	tap_str(trace_life(run_threads),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 exit code:1=0\n"
		"1 c counter count:4=7\n"
		"0 trace2 atexit code:1=0\n"
		"0 trace2 thread_start\n"
		"1 c counter #1 count:4=7\n"
		"0 trace2 thread_exit\n",
		"threads have counters of their own");
	tap_str(trace_life(trace_categories),
		"2 cat yes\n"
		"2 other yes\n"
		"0 other yes value:'value'\n",
		"only categories asked for are traced");
	tap_str(trace_life(inside_a_call),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"2 c l\n"
		"0 trace2 printf msg:'text'\n"
		"3 c l\n",
		"a region inside a call is dropped");
	tap_str(trace_life(no_room), "0 trace2 version evt:'4' exe:'1.0'\n",
		"what finds no memory is dropped, above all a secret");
	prepare_fxt("fxt");
	tap_int(kit_in_child(many_regions), 0, "a region takes no memory");
	prepare_fxt("fxt");
	tap_int(kit_in_child(fill_trace), 0,
		"what a full file drops is counted");
	tap_str(kit_stderr(), "", "the FXT target says nothing");
}

int main(void)
{
	kit_start();
	test_records();
	test_others();
	return kit_done();
}
