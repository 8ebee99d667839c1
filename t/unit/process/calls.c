/*
 * Calls that write nothing: without a target, after the exit, inside a call. And
 * messages of any length.
 */
#include "process/process_kit.h"
#include "session/session.h"
#include <wchar.h>

/*
 * ---- Calls
 */

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

static const char *const argv[] = { "prog", "https://u:secret@h/", NULL };

/* What a program may leave out, and no verb of test-tool can. */
static int give_nothing(void)
{
	begin_program();
	trace2_cmd_start_fl("main.c", 2, NULL);
	trace2_cmd_path_fl("main.c", 3, NULL);
	trace2_cmd_ancestry_fl("main.c", 4, NULL);
	trace2_cmd_mode_fl("main.c", 5, NULL);
	trace2_cmd_alias_fl("main.c", 6, NULL, NULL);
	trace2_def_param_fl("main.c", 7, NULL, NULL);
	trace2_cmd_error_fl("main.c", 8, NULL);
	trace2_cmd_error_fl("main.c", 9, "");
	trace2_printf_fl("main.c", 10, NULL);
	trace2_region_enter_fl("main.c", 11, NULL, NULL, 0);
	trace2_region_leave_fl("main.c", 12, NULL, NULL, 0);
	trace2_region_enter_printf_fl("main.c", 13, "c", "l", 0, "");
	trace2_data_string_fl("main.c", 14, NULL, 0, NULL, NULL);
	trace2_data_json_fl("main.c", 15, "c", 0, "null", NULL);
	trace2_exec_fl("main.c", 16, NULL, NULL);
	return trace2_def_repo_fl("main.c", 17, NULL) !=
		       TRACE2_REPO_UNANNOUNCED ||
	       trace2_dropped();
}

static void test_nothing_given(void)
{
	tap_str(process_told(give_nothing),
		BEGIN "start main main.c:2 t_abs:0.000000 argv:[]\n"
		      "cmd_path main main.c:3 path:\n"
		      "cmd_ancestry main main.c:4 ancestry:[]\n"
		      "cmd_mode main main.c:5 name:\n"
		      "alias main main.c:6 alias: argv:[]\n"
		      "def_param main main.c:7 scope:unknown param:\n"
		      "error main main.c:8\n"
		      "error main main.c:9\n"
		      "printf main main.c:10 t_abs:0.000000\n"
		      "region_enter main main.c:11 nesting:1\n"
		      "region_leave main main.c:12 t_rel:0.000000 nesting:1\n"
		      "region_enter main main.c:13 nesting:1 category:c "
		      "label:l\n"
		      "data main main.c:14 t_abs:0.000000 t_rel:0.000000 "
		      "nesting:2 category: key: value:\n"
		      "data_json main main.c:15 t_abs:0.000000 "
		      "t_rel:0.000000 nesting:2 category:c key:null value:\n"
		      "exec main main.c:16 exec_id:0 argv:[]\n",
		"calls take no text for none");
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

static void run_calls(void)
{
	tap_run(test_nothing_given, test_long_names, test_off);
}

/*
 * ---- A child's struct
 */

/*
 * Programs that were compiled with another version of trace2.h hold this
 * struct: no field may move, and the size may not change.
 */
static const size_t child_layout[][2] = {
	{ offsetof(struct trace2_child, child_class), 0 },
	{ offsetof(struct trace2_child, hook_name), 8 },
	{ offsetof(struct trace2_child, dir), 16 },
	{ offsetof(struct trace2_child, argv), 24 },
	{ offsetof(struct trace2_child, use_shell), 32 },
	{ offsetof(struct trace2_child, pid), 36 },
	{ offsetof(struct trace2_child, child_id_), 40 },
	{ offsetof(struct trace2_child, start_us_), 48 },
	{ offsetof(struct trace2_child, reserved_), 56 },
	{ sizeof(struct trace2_child), 120 },
};

static void test_child_layout(void)
{
	const char *name = "a child's fields stay where old programs have them";
	size_t moved = 0;

	if (sizeof(void *) != 8) {
		tap_skip(name, "the offsets are those of 64-bit machines");
		return;
	}
	for (size_t i = 0; i < sizeof(child_layout) / sizeof(*child_layout);
	     i++)
		moved += child_layout[i][0] != child_layout[i][1];
	tap_int((int)moved, 0, name);
}

/* A later version may give these bytes to the program: leave them alone. */
static int child_reserve(void)
{
	static const struct trace2_child init = TRACE2_CHILD_INIT;
	struct trace2_child child = init;
	uint64_t used = 0;

	begin_program();
	memset(child.reserved_, 0x5a, sizeof(child.reserved_));
	trace2_child_start_fl("main.c", 2, &child);
	trace2_child_ready_fl("main.c", 3, &child, "ready");
	trace2_child_exit_fl("main.c", 4, &child, 0);
	for (size_t i = 0; i < sizeof(init.reserved_) / 8; i++)
		used |= init.reserved_[i] |
			(child.reserved_[i] ^ 0x5a5a5a5a5a5a5a5aU);
	return used != 0;
}

static void test_child_reserve(void)
{
	tap_int(kit_in_child(child_reserve), 0,
		"a child's reserved fields begin as 0 and stay untouched");
}

/*
 * ---- Redact
 */

/* Lengths around the first room, and around what it grows to. */
static int redact_lengths(void)
{
	static const int cases[] = { 0,	   1,	 1022, 1023, 1024, 1025,
				     2046, 2047, 2048, 2049, 9000 };
	static char text[9001];

	memset(text, 'x', sizeof(text) - 1);
	begin_program();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		trace2_printf_fl("main.c", cases[i], "%.*s", cases[i], text);
	return trace2_dropped() != 0;
}

static int redact_wide(void)
{
	begin_program();
	trace2_printf_fl("main.c", 2, "%lc", (wint_t)0x7fffffff);
	return trace2_dropped() != 0;
}

static void test_messages(void)
{
	const char *log = process_told(redact_lengths);
	int good = 1, line, at;

	for (log = strchr(log, '\n') + 1; *log; log = strchr(log, '\n') + 1) {
		at = 0;
		sscanf(log, "printf main main.c:%d t_abs:0.000000 msg:%n",
		       &line, &at);
		good &= at && strspn(log + at, "x") == (size_t)line &&
			log[at + line] == '\n';
	}
	tap_ok(good, "a message is whole, however long");
	tap_str(process_told(redact_wide),
		BEGIN "printf main main.c:2 t_abs:0.000000 msg:%lc\n",
		"a message that can't be made is its format");
}

static char long_json[65536];

static int json_without_memory(void)
{
	begin_program();
	trace2_data_json_fl("main.c", 2, "c", 0, "k", "[\"http://u:s@h\"]");
	memory_fail_on = 1;
	memory_fail(1);
	trace2_data_json_fl("main.c", 3, "c", 0, "k", long_json);
	memory_fail_on = 0;
	memory_fail(0);
	return trace2_dropped() != 1;
}

static void test_json_without_memory(void)
{
	memset(long_json, 'x', sizeof(long_json) - 1);
	memcpy(long_json, "[\"http://u:s@h/", 15);
	memcpy(long_json + sizeof(long_json) - 3, "\"]", 2);
	tap_str(process_told(json_without_memory),
		BEGIN
		"data_json main main.c:2 t_abs:0.000000 t_rel:0.000000 "
		"nesting:1 category:c key:k value:[http://u:<REDACTED>@h]\n",
		"JSON without memory is dropped, and no secret is written");
}

/* Wherever memory fails first, the loss is counted. */
static int poor_life(void)
{
	int silent;

	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	silent = memory_calls >= memory_fail_at && !trace2_dropped();
	if (process_exit)
		process_exit(0);
	return silent;
}

static void test_poor_lives(void)
{
	int good = 1, i;

	for (i = 1; i < 40; i++) {
		process_prepare();
		memory_fail(i);
		good &= !kit_in_child(poor_life);
	}
	memory_fail(0);
	kit_stderr();
	tap_ok(good,
	       "a life that begins without memory goes on, and counts a loss");
}

static void run_redact(void)
{
	tap_run(test_messages, test_json_without_memory, test_poor_lives,
		test_child_layout, test_child_reserve);
}

int main(void)
{
	kit_start();
	tap_run(run_calls, run_redact);
	return kit_done();
}
