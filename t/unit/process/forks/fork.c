/* Forks without exec: the session of the child, and what it repeats. */
#include "process/process_kit.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

static struct trace2_timer timer = { "c", "timer", 1, 0 };
static struct trace2_counter counter = { "c", "counter", 0, 0 };

static void *run_worker(void *unused)
{
	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_timer_start(&timer);
	pass_time(1);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 5);
	trace2_thread_exit_fl("thread.c", 2);
	return unused;
}

/* It changes errno, as getaddrinfo(3) would. */
static int process_hostname_slowly(char *name, size_t size)
{
	errno = ENETDOWN;
	pass_time(1);
	return process_hostname(name, size);
}

static int busy_child(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	pass_time(10);
	kit_host.hostname = process_hostname_slowly;
	errno = 77;
	trace2_data_string_fl("child.c", 1, "c", 0, "key", "first");
	if (errno != 77 || trace2_dropped())
		return 1;
	trace2_data_string_fl("child.c", 2, "c", 0, "key", "second");
	trace2_region_leave_fl("child.c", 3, "c", "parent's", 0);
	trace2_child_start_fl("child.c", 4, &child);
	if (trace2_exec_fl("child.c", 5, "exe", NULL) ||
	    trace2_def_repo_fl("child.c", 6, "/three") != 3)
		return 2;
	run_thread(run_worker, NULL);
	trace2_cmd_name_fl("child.c", 7, "name");
	pass_time(5);
	trace2_timer_start(&timer);
	pass_time(7);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 3);
	process_exit(6);
	return 0;
}

static int quiet_child(void)
{
	process_exit(7);
	return 0;
}

static int run_parent(void)
{
	static const char *const argv[] = { "prog", "https://u:secret@h/",
					    NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;

	process_setenv("GIT_TRACE2_PARENT_SID", "up");
	process_setenv("GIT_TRACE2_PARENT_NAME", "up");
	begin_program();
	trace2_cmd_start_fl("main.c", 2, argv);
	trace2_cmd_start_fl("main.c", 3, NULL);
	trace2_def_repo_fl("main.c", 4, "/one");
	trace2_def_repo_fl("main.c", 5, "/two");
	trace2_child_start_fl("main.c", 6, &child);
	trace2_exec_fl("main.c", 7, "exe", NULL);
	run_thread(run_worker, NULL);
	trace2_region_enter_fl("main.c", 8, "c", "parent's", 0);
	trace2_timer_start(&timer);
	pass_time(100);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 2);
	trace2_cmd_exit_fl("main.c", 9, 3);
	process_setenv("GIT_TRACE2_PARENT_SID", "another's");
	process_setenv("GIT_TRACE2_PARENT_NAME", "another's");
	if (process_fork(quiet_child) || process_fork(busy_child))
		return 1;
	trace2_region_leave_fl("main.c", 10, "c", "parent's", 0);
	process_exit(0);
	return process_sound(process_fork(quiet_child));
}

static void test_fork(void)
{
	tap_str(process_told(run_parent),
		"/version main main.c:1 evt:4 exe:1.0\n"
		"/start main main.c:2 t_abs:0.000000 argv:[prog "
		"https://u:<REDACTED>@h/]\n"
		"/start main main.c:3 t_abs:0.000000 argv:[]\n"
		"/def_repo main main.c:4 repo:1 worktree:/one\n"
		"/def_repo main main.c:5 repo:2 worktree:/two\n"
		"/child_start main main.c:6 child_id:0 child_class:? "
		"use_shell:false argv:[]\n"
		"/exec main main.c:7 exec_id:0 exe:exe argv:[]\n"
		"/thread_start th01:worker thread.c:1\n"
		"/th_timer th01:worker thread.c:2 category:c name:timer "
		"intervals:1 t_total:0.000001 t_min:0.000001 t_max:0.000001\n"
		"/thread_exit th01:worker thread.c:2 t_rel:0.000001\n"
		"/region_enter main main.c:8 nesting:1 category:c "
		"label:parent's\n"
		"/exit main main.c:9 t_abs:0.000101 code:3\n"
		"//version main child.c:1 evt:4 exe:1.0\n"
		"//start main child.c:1 t_abs:0.000011 argv:[prog "
		"https://u:<REDACTED>@h/]\n"
		"//def_repo main child.c:1 repo:1 worktree:/one\n"
		"//def_repo main child.c:1 repo:2 worktree:/two\n"
		"//data main child.c:1 t_abs:0.000011 t_rel:0.000011 "
		"nesting:1 category:c key:key value:first\n"
		"//data main child.c:2 t_abs:0.000011 t_rel:0.000011 "
		"nesting:1 category:c key:key value:second\n"
		"//region_leave main child.c:3 t_rel:0.000011 nesting:0 "
		"category:c label:parent's\n"
		"//child_start main child.c:4 child_id:0 child_class:? "
		"use_shell:false argv:[]\n"
		"//exec main child.c:5 exec_id:0 exe:exe argv:[]\n"
		"//def_repo main child.c:6 repo:3 worktree:/three\n"
		"//thread_start th01:worker thread.c:1\n"
		"//th_timer th01:worker thread.c:2 category:c name:timer "
		"intervals:1 t_total:0.000001 t_min:0.000001 t_max:0.000001\n"
		"//thread_exit th01:worker thread.c:2 t_rel:0.000001\n"
		"//cmd_name main child.c:7 name:name hierarchy:up/name\n"
		"//exit main main.c:1 t_abs:0.000024 code:6\n"
		"//th_timer main main.c:1 category:c name:timer intervals:1 "
		"t_total:0.000007 t_min:0.000007 t_max:0.000007\n"
		"//timer main main.c:1 category:c name:timer intervals:2 "
		"t_total:0.000008 t_min:0.000001 t_max:0.000007\n"
		"//counter main main.c:1 category:c name:counter count:8\n"
		"//atexit main main.c:1 t_abs:0.000024 code:6\n"
		"/region_leave main main.c:10 t_rel:0.000100 nesting:1 "
		"category:c label:parent's\n"
		"/th_timer main main.c:9 category:c name:timer intervals:1 "
		"t_total:0.000100 t_min:0.000100 t_max:0.000100\n"
		"/timer main main.c:9 category:c name:timer intervals:2 "
		"t_total:0.000101 t_min:0.000001 t_max:0.000100\n"
		"/counter main main.c:9 category:c name:counter count:7\n"
		"/atexit main main.c:9 t_abs:0.000101 code:3\n",
		"a forked child has a session of its own");
}

/* In a child: another thread speaks before the one that forked. */
static void *run_stranger(void *unused)
{
	trace2_printf_fl("thread.c", 3, "stranger");
	return unused;
}

static int other_speaks_first(void)
{
	pass_time(10);
	run_thread(run_stranger, NULL);
	pass_time(1);
	trace2_data_string_fl("child.c", 1, "c", 0, "key", "value");
	return 0;
}

static int parent_of_threads(void)
{
	begin_program();
	pass_time(100);
	return process_fork(other_speaks_first);
}

static void test_other_speaks_first(void)
{
	tap_str(process_told(parent_of_threads),
		BEGIN "/version main thread.c:3 evt:4 exe:1.0\n"
		      "/printf th01:unknown thread.c:3 t_abs:0.000010 "
		      "msg:stranger\n"
		      "/data main child.c:1 t_abs:0.000011 t_rel:0.000011 "
		      "nesting:1 category:c key:key value:value\n",
		"who forked is main, also if another thread speaks first");
}

static int started_child(void)
{
	errno = 77;
	kit_host.hostname = process_hostname_slowly;
	trace2_thread_start_fl("child.c", 1, "proc");
	if (errno != 77)
		return 1;
	pass_time(3);
	trace2_thread_exit_fl("child.c", 2);
	return 0;
}

static void *forking_worker(void *code)
{
	trace2_thread_start_fl("thread.c", 1, "worker");
	*(int *)code = process_fork(started_child);
	trace2_thread_exit_fl("thread.c", 2);
	return NULL;
}

static int parent_thread(void)
{
	int code;

	begin_program();
	run_thread(forking_worker, &code);
	return code;
}

static void test_worker_forks(void)
{
	tap_str(process_told(parent_thread),
		BEGIN
		"thread_start th01:worker thread.c:1\n"
		"/version main child.c:1 evt:4 exe:1.0\n"
		"/region_enter main child.c:1 nesting:1 msg:thread-proc on "
		"main: proc\n"
		"/region_leave main child.c:2 t_rel:0.000003 nesting:1 "
		"msg:thread-proc on main\n"
		"thread_exit th01:worker thread.c:2 t_rel:0.000000\n",
		"a worker that forks is its child's main thread");
}

/* A thread that was never heard of forks, and its child speaks. */
static int plain_child(void)
{
	trace2_printf_fl("child.c", 1, "child");
	return 0;
}

static int data_child(void)
{
	pass_time(4);
	trace2_data_string_fl("child.c", 1, "c", 0, "key", "value");
	return 0;
}

static void *forking_stranger(void *code)
{
	*(int *)code = process_fork(data_child);
	return NULL;
}

static int parent_stranger(void)
{
	int code;

	begin_program();
	run_thread(forking_stranger, &code);
	return code;
}

static void test_stranger_forks(void)
{
	tap_str(process_told(parent_stranger),
		BEGIN "/version main child.c:1 evt:4 exe:1.0\n"
		      "/data main child.c:1 t_abs:0.000004 t_rel:0.000004 "
		      "nesting:1 category:c key:key value:value\n",
		"a stranger that forks is its child's main thread");
}

static int parent_after_exit(void)
{
	begin_program();
	process_exit(0);
	return process_fork(plain_child);
}

static void test_after_exit(void)
{
	tap_str(process_told(parent_after_exit),
		BEGIN "exit main main.c:1 t_abs:0.000000 code:0\n"
		      "atexit main main.c:1 t_abs:0.000000 code:0\n",
		"a fork behind the exit writes nothing");
}

/* Without memory for a session of its own it must not speak at all. */
static int poor_child(void)
{
	char parent[128];

	snprintf(parent, sizeof(parent), "%s/",
		 process_getenv("GIT_TRACE2_PARENT_SID"));
	memory_fail_on = 1;
	memory_fail(1);
	trace2_printf_fl("child.c", 1, "child");
	memory_fail_on = 0;
	memory_fail(0);
	trace2_printf_fl("child.c", 2, "child");
	return trace2_is_enabled() ||
	       strncmp(trace2_session_id(), parent, strlen(parent));
}

static int parent_of_poor(void)
{
	begin_program();
	return process_fork(poor_child);
}

static void test_no_session(void)
{
	tap_str(process_told(parent_of_poor), BEGIN,
		"a child without memory does not speak as its parent");
}

/* From inside: in the midst of the session's begin, and of its events. */
static int hostname_that_calls(char *name, size_t size)
{
	trace2_thread_start_fl("hook.c", 1, "name");
	trace2_printf_fl("hook.c", 2, "text");
	return process_hostname(name, size);
}

static ssize_t write_that_calls(int fd, const void *bytes, size_t len)
{
	trace2_thread_start_fl("hook.c", 3, "name");
	trace2_printf_fl("hook.c", 4, "text");
	return tr2_host_system.write(fd, bytes, len);
}

static int child_with_hooks(void)
{
	kit_host.hostname = hostname_that_calls;
	kit_host.write = write_that_calls;
	trace2_printf_fl("child.c", 1, "child");
	kit_host.write = tr2_host_system.write;
	run_thread(run_stranger, NULL);
	return trace2_dropped() != 6;
}

static void *forking_with_hooks(void *code)
{
	*(int *)code = process_fork(child_with_hooks);
	return NULL;
}

static int parents_with_hooks(void)
{
	int code;

	begin_program();
	if (process_fork(child_with_hooks))
		return 1;
	run_thread(forking_with_hooks, &code);
	return code;
}

/* The thread sanitizer does not follow forked children that start threads. */
static void test_hooks(void)
{
	static const char name[] =
		"calls inside the begin of a child are dropped and counted";

#ifdef __SANITIZE_THREAD__
	(void)parents_with_hooks;
	tap_skip(name, "the sanitizer");
#else
	tap_str(process_told(parents_with_hooks),
		BEGIN "/version main child.c:1 evt:4 exe:1.0\n"
		      "/printf main child.c:1 t_abs:0.000000 msg:child\n"
		      "/printf th01:unknown thread.c:3 t_abs:0.000000 "
		      "msg:stranger\n"
		      "/version main child.c:1 evt:4 exe:1.0\n"
		      "/printf main child.c:1 t_abs:0.000000 msg:child\n"
		      "/printf th01:unknown thread.c:3 t_abs:0.000000 "
		      "msg:stranger\n",
		name);
#endif
}

int main(void)
{
	kit_start();
	tap_run(test_fork, test_other_speaks_first, test_worker_forks,
		test_stranger_forks, test_after_exit, test_no_session,
		test_hooks);
	return kit_done();
}
