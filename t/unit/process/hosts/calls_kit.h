/*
 * calls_kit.h - every public call, each with arguments that ask much of it.
 */
#ifndef UNIT_PROCESS_HOSTS_CALLS_KIT_H
#define UNIT_PROCESS_HOSTS_CALLS_KIT_H

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "kit/own_heap.h"
#include "trace2.h"
#include "trace2-json.h"

TRACE2_TIMER(own_timer, "c", "timer", 1);
TRACE2_COUNTER(own_counter, "c", "counter", 1);

static const char *const words[] = { "git",
				     "https://user:pass@host/x?access_token=1",
				     NULL };

static void start_command(void)
{
	trace2_cmd_start(words);
}

static void say_short(void)
{
	trace2_printf("x");
}

static void say_numbers(void)
{
	trace2_printf("%s %d %f %.300f %ls", "a", 1, 3.5, 1e300, L"wide");
}

static void say_much(void)
{
	trace2_printf("%s%05000d https://user:pass@host/", words[1], 1);
}

static void report_error(void)
{
	trace2_cmd_error("a %s", words[1]);
}

static void name_parts(void)
{
	trace2_cmd_path("/x");
	trace2_cmd_mode("m");
	trace2_cmd_alias("a", words);
	trace2_cmd_ancestry(words);
	trace2_def_param("p", words[1]);
	trace2_cmd_set_config("remote.a.url", words[1]);
}

static void find_ancestors(void)
{
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
}

static void name_command(void)
{
	trace2_cmd_name("x");
}

static void list_all(void)
{
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
}

static void name_repository(void)
{
	trace2_def_repo("/a/b");
}

static void run_child(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = words;
	trace2_child_start(&child);
	trace2_child_ready(&child, "ready");
	trace2_child_exit(&child, 0);
	trace2_exec_result(trace2_exec("git", words), 1);
}

static void run_region(void)
{
	trace2_region_enter("c", "l", 0);
	trace2_region_enter_printf("c", "m", 0, "%s", words[1]);
	trace2_data_string("c", 0, "k", words[1]);
	trace2_data_intmax("c", 0, "k", 1);
	trace2_region_leave_printf("c", "m", 0, "%f", 1e300);
	trace2_region_leave("c", "l", 0);
	trace2_region_leave("c", "l", 0);
	trace2_region_leave("c", "l", 0);
}

static void run_metrics(void)
{
	trace2_thread_start("worker");
	trace2_timer_start(own_timer);
	trace2_timer_stop(own_timer);
	trace2_counter_add(own_counter, 1);
	trace2_thread_exit();
}

static void write_json(void)
{
	trace2_data_json("c", 0, "k",
			 "{\"a\":[1,2,{\"b\":\"https://user:p@h/\"}]}");
}

static void write_repeated_json(void)
{
	static char text[20000];
	size_t at = 0;
	int i;

	text[at++] = '{';
	for (i = 0; i < 500; i++)
		at += (size_t)sprintf(text + at, "%s\"k%d\":1", i ? "," : "",
				      i);
	text[at++] = '}';
	trace2_data_json("c", 0, "k", text);
}

static void write_deep_json(void)
{
	char deep[1023];

	memset(deep, '[', 511);
	memset(deep + 511, ']', 511);
	deep[1022] = '\0';
	trace2_data_json("c", 0, "k", deep);
}

static void use_key(void)
{
	static struct trace2_key key = TRACE2_KEY_INIT("TRACE_KEY", "key");

	trace2_printf_key(&key, "%s %f", words[1], 1e300);
}

static void ask_session(void)
{
	(void)trace2_session_id();
	(void)trace2_dropped();
}

static void exit_command(void)
{
	(void)trace2_cmd_exit(1);
}

static void write_signal(void)
{
	trace2_signal(SIGTERM);
}

static const struct call {
	const char *name;
	void (*make)(void);
} calls[] = {
	{ "cmd_start", start_command },
	{ "printf", say_short },
	{ "printf of numbers", say_numbers },
	{ "printf of 5000 bytes", say_much },
	{ "cmd_error", report_error },
	{ "cmd_path, mode, alias, ancestry, def_param", name_parts },
	{ "collect_process_info", find_ancestors },
	{ "cmd_name", name_command },
	{ "cmd_list_config", list_all },
	{ "def_repo", name_repository },
	{ "child_start, exec", run_child },
	{ "region, data", run_region },
	{ "thread, timer, counter", run_metrics },
	{ "data_json", write_json },
	{ "data_json of many keys", write_repeated_json },
	{ "data_json of 511 levels", write_deep_json },
	{ "printf_key", use_key },
	{ "session_id", ask_session },
	{ "cmd_exit", exit_command },
	{ "signal", write_signal },
};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

#endif
