/* What each call of the API writes, in a process with fixed clocks. */
#include "process/process_kit.h"

#include "session/session.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

static const char *const argv[] = { "prog", "https://u:secret@h/", NULL };

static int trace_command(void)
{
	trace2_initialize_clock();
	pass_time(5);
	trace2_initialize_clock();
	trace2_set_program("1.2.3");
	trace2_set_program(NULL);
	trace2_initialize_fl("main.c", 1);
	trace2_initialize_fl("main.c", 99);
	trace2_cmd_start_fl("main.c", 2, argv);
	trace2_cmd_start_fl("main.c", 3, NULL);
	trace2_cmd_path_fl("main.c", 4, "/bin/prog");
	trace2_cmd_path_fl("main.c", 5, NULL);
	trace2_cmd_ancestry_fl("main.c", 6, argv);
	trace2_cmd_ancestry_fl("main.c", 7, NULL);
	trace2_cmd_mode_fl("main.c", 8, "mode");
	trace2_cmd_mode_fl("main.c", 9, NULL);
	trace2_cmd_alias_fl("main.c", 10, "co", argv);
	trace2_cmd_alias_fl("main.c", 11, NULL, NULL);
	trace2_def_param_fl("main.c", 12, "param", "value");
	trace2_def_param_fl("main.c", 13, NULL, NULL);
	trace2_cmd_error_fl("main.c", 14, "%d of %s", 3, "four");
	trace2_cmd_error_fl("main.c", 15, NULL);
	trace2_cmd_error_fl("main.c", 15, "");
	trace2_printf_fl("main.c", 16, "%s", "text");
	pass_time(7);
	if (trace2_cmd_exit_fl("main.c", 17, 259) != 259)
		return 1;
	if (trace2_cmd_exit_fl("main.c", 18, 4) != 4)
		return 2;
	pass_time(1000000);
	process_exit(5);
	trace2_printf_fl("main.c", 19, "too late");
	return trace2_cmd_exit_fl("main.c", 20, 0) || trace2_dropped();
}

static void test_command(void)
{
	tap_str(process_told(trace_command),
		"version main main.c:1 evt:4 exe:1.2.3\n"
		"start main main.c:2 t_abs:0.000005 "
		"argv:[prog https://u:<REDACTED>@h/]\n"
		"start main main.c:3 t_abs:0.000005 argv:[]\n"
		"cmd_path main main.c:4 path:/bin/prog\n"
		"cmd_path main main.c:5 path:\n"
		"cmd_ancestry main main.c:6 "
		"ancestry:[prog https://u:secret@h/]\n"
		"cmd_ancestry main main.c:7 ancestry:[]\n"
		"cmd_mode main main.c:8 name:mode\n"
		"cmd_mode main main.c:9 name:\n"
		"alias main main.c:10 alias:co "
		"argv:[prog https://u:<REDACTED>@h/]\n"
		"alias main main.c:11 alias: argv:[]\n"
		"def_param main main.c:12 scope:unknown param:param "
		"value:value\n"
		"def_param main main.c:13 scope:unknown param:\n"
		"error main main.c:14 msg:3 of four fmt:%d of %s\n"
		"error main main.c:15\n"
		"error main main.c:15\n"
		"printf main main.c:16 t_abs:0.000005 msg:text\n"
		"exit main main.c:17 t_abs:0.000012 code:3\n"
		"atexit main main.c:17 t_abs:1.000012 code:3\n",
		"calls about the command write what they were told");
}

static int start_children(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	struct trace2_child hook = TRACE2_CHILD_INIT;
	int id;

	begin_program();
	trace2_child_exit_fl("main.c", 2, &child, 1);
	trace2_child_ready_fl("main.c", 3, &child, "ready");
	child.argv = argv;
	child.use_shell = 3;
	trace2_child_start_fl("main.c", 4, &child);
	pass_time(20);
	hook.hook_name = "pre-push";
	hook.child_class = "other";
	hook.dir = "/dir";
	trace2_child_start_fl("main.c", 5, &hook);
	pass_time(30);
	child.pid = 77;
	trace2_child_exit_fl("main.c", 6, &child, 3);
	hook.pid = 78;
	trace2_child_ready_fl("main.c", 7, &hook, "ready");
	trace2_child_ready_fl("main.c", 8, &hook, NULL);
	hook = (struct trace2_child)TRACE2_CHILD_INIT;
	hook.child_class = "editor";
	hook.dir = "/dir";
	trace2_child_start_fl("main.c", 9, &hook);
	trace2_child_ready_fl("main.c", 9, &hook, NULL);
	id = trace2_exec_fl("main.c", 10, "exe", argv);
	pass_time(1);
	trace2_exec_result_fl("main.c", 11, id, 2);
	if (id || trace2_exec_fl("main.c", 12, NULL, NULL) != 1)
		return 1;
	trace2_exec_result_fl("main.c", 13, 1, 0);
	trace2_exec_result_fl("main.c", 14, -1, 0);
	return 0;
}

static void test_children(void)
{
	tap_str(process_told(start_children),
		BEGIN "child_start main main.c:4 child_id:0 child_class:? "
		      "use_shell:true argv:[prog https://u:<REDACTED>@h/]\n"
		      "child_start main main.c:5 child_id:1 child_class:hook "
		      "hook_name:pre-push cd:/dir use_shell:false argv:[]\n"
		      "child_exit main main.c:6 child_id:0 pid:77 code:3 "
		      "t_rel:0.000050\n"
		      "child_ready main main.c:7 child_id:1 pid:78 ready:ready "
		      "t_rel:0.000030\n"
		      "child_start main main.c:9 child_id:2 child_class:editor "
		      "cd:/dir use_shell:false argv:[]\n"
		      "child_ready main main.c:9 child_id:2 pid:-1 ready:error "
		      "t_rel:0.000000\n"
		      "exec main main.c:10 exec_id:0 exe:exe "
		      "argv:[prog https://u:<REDACTED>@h/]\n"
		      "exec_result main main.c:11 exec_id:0 code:2\n"
		      "exec main main.c:12 exec_id:1 argv:[]\n"
		      "exec_result main main.c:13 exec_id:1 code:0\n",
		"calls about children and execs write what they were told");
}

/* The names of the processes above 1000: 20, and 1 above it. */
static ssize_t process_stat(pid_t pid, char *out, size_t size)
{
	const char *text = "1000 (prog) S 20 1";

	if (pid)
		text = pid == 20 ? "20 (shell) S 1 1" : "1 (init) S 0 1";
	return snprintf(out, size, "%s", text);
}

static ssize_t no_process_stat(pid_t pid, char *out, size_t size)
{
	(void)pid, (void)out, (void)size;
	return -1;
}

static int trace_parameters(void)
{
	const char *sid;

	process_setenv("GIT_TRACE2_CONFIG_PARAMS", "a.*");
	process_setenv("GIT_TRACE2_ENV_VARS", "ONE");
	process_setenv("ONE", "1");
	process_setenv("GIT_CONFIG_COUNT", "1");
	process_setenv("GIT_CONFIG_KEY_0", "a.b");
	process_setenv("GIT_CONFIG_VALUE_0", "c");
	process_setenv("GIT_TRACE2_PARENT_NAME", "up");
	process_setenv("GIT_TRACE2_PARENT_SID", "up");
	kit_host.process_stat = process_stat;
	begin_program();
	sid = process_getenv("GIT_TRACE2_PARENT_SID");
	if (!sid || strcmp(sid, trace2_session_id()))
		return 1;
	trace2_collect_process_info_fl("main.c", 2,
				       TRACE2_PROCESS_INFO_STARTUP);
	trace2_collect_process_info_fl("main.c", 3, TRACE2_PROCESS_INFO_EXIT);
	kit_host.process_stat = no_process_stat;
	trace2_collect_process_info_fl("main.c", 4,
				       TRACE2_PROCESS_INFO_STARTUP);
	trace2_cmd_list_env_vars_fl("main.c", 5);
	trace2_cmd_list_env_vars_fl("main.c", 6);
	process_setenv("GIT_TRACE2_PARENT_SID", "somebody's");
	trace2_cmd_name_fl("main.c", 9, "name");
	if (strcmp(process_getenv("GIT_TRACE2_PARENT_NAME"), "up/name") ||
	    strcmp(process_getenv("GIT_TRACE2_PARENT_SID"), sid))
		return 2;
	trace2_cmd_name_fl("main.c", 10, NULL);
	trace2_cmd_list_config_fl("main.c", 11);
	trace2_cmd_set_config_fl("main.c", 11, "a.key", "a value");
	trace2_cmd_set_config_fl("main.c", 12, "b.key", "a value");
	trace2_cmd_set_config_fl("main.c", 13, NULL, NULL);
	process_exit(0);
	return 0;
}

static void test_parameters(void)
{
	tap_str(process_told(trace_parameters),
		"/version main main.c:1 evt:4 exe:1.0\n"
		"/cmd_ancestry main main.c:2 ancestry:[shell init]\n"
		"/def_param main main.c:5 scope:command param:ONE value:1\n"
		"/cmd_name main main.c:9 name:name hierarchy:up/name\n"
		"/def_param main main.c:9 scope:command param:a.b value:c\n"
		"/cmd_name main main.c:10 name: hierarchy:up/name/\n"
		"/def_param main main.c:11 scope:unknown param:a.key value:a "
		"value\n"
		"/exit main main.c:1 t_abs:0.000000 code:0\n"
		"/atexit main main.c:1 t_abs:0.000000 code:0\n",
		"parameters are listed once, whoever asks");
}

/* Hierarchies of as many bytes as a child may have, and of one more. */
static int long_names(void)
{
	static char name[TR2_SESSION_MOST + 2];
	const char *exported;

	begin_program();
	memset(name, 'x', TR2_SESSION_MOST);
	trace2_cmd_name_fl("main.c", 2, name);
	exported = process_getenv("GIT_TRACE2_PARENT_NAME");
	if (strlen(exported) != TR2_SESSION_MOST)
		return 1;
	name[TR2_SESSION_MOST] = 'x';
	trace2_cmd_name_fl("main.c", 4, name);
	return process_getenv("GIT_TRACE2_PARENT_NAME") != exported;
}

static void test_long_names(void)
{
	process_prepare();
	tap_int(kit_in_child(long_names), 0,
		"a hierarchy that no child would take is not exported");
}

static int trace_repositories(void)
{
	int first, second;

	begin_program();
	if (trace2_def_repo_fl("main.c", 2, NULL) != TRACE2_REPO_UNANNOUNCED)
		return 1;
	first = trace2_def_repo_fl("main.c", 3, "/one");
	second = trace2_def_repo_fl("main.c", 4, "/two");
	return first != 1 || second != 2;
}

static void test_repositories(void)
{
	tap_str(process_told(trace_repositories),
		BEGIN "def_repo main main.c:3 repo:1 worktree:/one\n"
		      "def_repo main main.c:4 repo:2 worktree:/two\n",
		"repositories are numbered as they are announced");
}

/* Make every call. 0 if each returns what it must return without a target. */
static int call_all(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	static struct trace2_timer timer = { "c", "t", 1, 0 };
	static struct trace2_counter counter = { "c", "t", 1, 0 };

	trace2_cmd_start_fl("main.c", 2, argv);
	trace2_cmd_path_fl("main.c", 2, "path");
	trace2_cmd_ancestry_fl("main.c", 2, argv);
	trace2_collect_process_info_fl("main.c", 2,
				       TRACE2_PROCESS_INFO_STARTUP);
	trace2_cmd_name_fl("main.c", 2, "name");
	trace2_cmd_mode_fl("main.c", 2, "mode");
	trace2_cmd_alias_fl("main.c", 2, "alias", argv);
	trace2_cmd_list_config_fl("main.c", 2);
	trace2_cmd_list_env_vars_fl("main.c", 2);
	trace2_cmd_set_config_fl("main.c", 2, "a.key", "value");
	trace2_def_param_fl("main.c", 2, "param", "value");
	trace2_cmd_error_fl("main.c", 2, "text");
	trace2_printf_fl("main.c", 2, "text");
	trace2_child_start_fl("main.c", 2, &child);
	child.child_id_ = 0;
	trace2_child_ready_fl("main.c", 2, &child, "ready");
	trace2_child_exit_fl("main.c", 2, &child, 0);
	trace2_exec_result_fl("main.c", 2, 0, 2);
	trace2_thread_start_fl("main.c", 2, "name");
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	trace2_region_enter_printf_fl("main.c", 2, "c", "l", 0, "text");
	trace2_data_string_fl("main.c", 2, "c", 0, "key", "value");
	trace2_data_intmax_fl("main.c", 2, "c", 0, "key", 1);
	trace2_data_json_fl("main.c", 2, "c", 0, "key", "1");
	trace2_region_leave_printf_fl("main.c", 2, "c", "l", 0, "text");
	trace2_region_leave_fl("main.c", 2, "c", "l", 0);
	trace2_timer_start(&timer);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 1);
	trace2_thread_exit_fl("main.c", 2);
	return trace2_cmd_exit_fl("main.c", 2, 5) != 5 ||
	       trace2_exec_fl("main.c", 2, "exe", argv) != -1 ||
	       trace2_def_repo_fl("main.c", 2, "/one") != TRACE2_REPO_NONE;
}

static int no_target(void)
{
	process_setenv("GIT_TRACE2_EVENT", "0");
	process_setenv("GIT_TRACE2_CONFIG_PARAMS", "a.*");
	if (call_all())
		return 1;
	begin_program();
	memory_calls = 0;
	return call_all() || memory_calls || trace2_dropped() || process_exit ||
	       process_getenv("GIT_TRACE2_PARENT_SID");
}

static int after_exit(void)
{
	process_setenv("GIT_TRACE2_CONFIG_PARAMS", "a.*");
	begin_program();
	process_exit(0);
	unlink("event");
	return call_all() || trace2_dropped() ||
	       strcmp(kit_content("event"), "(none)");
}

static ssize_t write_and_call(int fd, const void *bytes, size_t len)
{
	static int inside;

	if (!inside++ && call_all())
		return -1;
	errno = ENETDOWN;
	return tr2_host_system.write(fd, bytes, len);
}

static int inside_a_call(void)
{
	process_setenv("GIT_TRACE2_CONFIG_PARAMS", "a.*");
	begin_program();
	kit_host.write = write_and_call;
	errno = 77;
	trace2_printf_fl("main.c", 2, "text");
	return errno != 77 || trace2_dropped() != 32;
}

static void *call_inside(void *wrong)
{
	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_region_enter_fl("thread.c", 2, "c", "l", 0);
	*(int *)wrong = inside_a_call();
	trace2_region_leave_fl("thread.c", 3, "c", "l", 0);
	trace2_thread_exit_fl("thread.c", 4);
	return NULL;
}

static int inside_a_worker(void)
{
	int wrong = 1;

	process_setenv("GIT_TRACE2_CONFIG_PARAMS", "a.*");
	begin_program();
	run_thread(call_inside, &wrong);
	return wrong;
}

static void test_off(void)
{
	process_prepare();
	tap_int(kit_in_child(no_target), 0,
		"calls without a target do nothing");
	process_prepare();
	tap_int(kit_in_child(after_exit), 0, "calls after the exit do nothing");
	tap_str(process_told(inside_a_call),
		BEGIN "printf main main.c:2 t_abs:0.000000 msg:text\n",
		"calls inside a call are dropped and counted");
	tap_str(process_told(inside_a_worker),
		BEGIN
		"thread_start th01:worker thread.c:1\n"
		"region_enter th01:worker thread.c:2 nesting:1 category:c "
		"label:l\n"
		"printf th01:worker main.c:2 t_abs:0.000000 msg:text\n"
		"region_leave th01:worker thread.c:3 t_rel:0.000000 nesting:1 "
		"category:c label:l\n"
		"thread_exit th01:worker thread.c:4 t_rel:0.000000\n",
		"calls inside a worker's call are dropped and counted");
}

int main(void)
{
	kit_start();
	tap_run(test_command, test_children, test_parameters, test_long_names,
		test_repositories, test_off);
	return kit_done();
}
