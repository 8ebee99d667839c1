/* every_calls.h - every public call, with arguments that ask much of it. */
#ifndef UNIT_PROCESS_EVERY_CALLS_H
#define UNIT_PROCESS_EVERY_CALLS_H

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "kit/own_heap.h"
#include "trace2.h"
#include "trace2-json.h"

TRACE2_TIMER(every_timer, "c", "timer", 1);
TRACE2_COUNTER(every_counter, "c", "counter", 1);

static const char *const every_argv[] = {
	"git", "https://user:pass@host/x?access_token=1", NULL
};

static void call_printf(void)
{
	trace2_printf("text");
}

static void call_queries(void)
{
	(void)trace2_session_id();
	(void)trace2_dropped();
	(void)trace2_is_enabled();
}

static void call_region(void)
{
	trace2_region_enter("c", "l", 0);
	trace2_region_leave("c", "l", 0);
}

/* And more leaves than there are regions. */
static void call_region_printf(void)
{
	trace2_region_enter_printf("c", "m", 0, "%s", every_argv[1]);
	trace2_region_leave_printf("c", "m", 0, "%f", 1e300);
	trace2_region_leave("c", "l", 0);
	trace2_region_leave("c", "l", 0);
}

static void call_data(void)
{
	trace2_data_intmax("c", 0, "k", 1);
	trace2_data_string("c", 0, "k", every_argv[1]);
}

static void call_json(void)
{
	trace2_data_json("c", 0, "k",
			 "{\"a\":[1,2,{\"b\":\"https://user:p@h/\"}]}");
}

static void call_repeated_json(void)
{
	static char text[20000];
	size_t at = 0;

	text[at++] = '{';
	for (int i = 0; i < 500; i++)
		at += (size_t)sprintf(text + at, "%s\"k%d\":1", i ? "," : "",
				      i);
	text[at++] = '}';
	trace2_data_json("c", 0, "k", text);
}

static void call_deep_json(void)
{
	char deep[1023];

	memset(deep, '[', 511);
	memset(deep + 511, ']', 511);
	deep[1022] = '\0';
	trace2_data_json("c", 0, "k", deep);
}

static void call_repo(void)
{
	trace2_def_repo("/a/b");
}

static void call_name(void)
{
	trace2_cmd_name("name");
}

static void call_counter(void)
{
	trace2_counter_add(every_counter, 1);
}

static void call_timer(void)
{
	trace2_timer_start(every_timer);
	trace2_timer_stop(every_timer);
}

static void call_child(void)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.argv = every_argv;
	trace2_child_start(&child);
	trace2_child_ready(&child, "ready");
	trace2_child_exit(&child, 0);
}

static void call_exec(void)
{
	trace2_exec_result(trace2_exec("git", every_argv), 1);
}

static void call_numbers(void)
{
	trace2_printf("%s %d %f %.300f %ls", "a", 1, 3.5, 1e300, L"wide");
}

/* A message that no buffer has room for yet. */
static void call_long_printf(void)
{
	trace2_printf("%s%05000d https://user:pass@host/", every_argv[1], 1);
}

static void call_lists(void)
{
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
}

static void call_params(void)
{
	trace2_cmd_path("/x");
	trace2_cmd_mode("m");
	trace2_cmd_alias("a", every_argv);
	trace2_def_param("p", every_argv[1]);
	trace2_cmd_set_config("remote.a.url", every_argv[1]);
}

static void call_ancestry(void)
{
	trace2_cmd_ancestry(every_argv);
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
}

static void call_error(void)
{
	trace2_cmd_error("a %s", every_argv[1]);
}

static void call_start(void)
{
	trace2_cmd_start(every_argv);
}

static void call_thread(void)
{
	trace2_thread_start("worker");
	call_timer();
	trace2_thread_exit();
}

static void call_key(void)
{
	static struct trace2_key key = TRACE2_KEY_INIT("TRACE_KEY", "key");

	trace2_printf_key(&key, "%s %f", every_argv[1], 1e300);
}

static void call_initialize(void)
{
	trace2_initialize_clock();
	trace2_initialize();
}

static void call_cmd_exit(void)
{
	(void)trace2_cmd_exit(1);
}

static void call_signal(void)
{
	trace2_signal(SIGTERM);
}

static const struct every_call {
	const char *name;
	void (*make)(void);
} every_call[] = {
	{ "printf", call_printf },
	{ "session_id, dropped, is_enabled", call_queries },
	{ "region", call_region },
	{ "region_printf", call_region_printf },
	{ "data", call_data },
	{ "data_json", call_json },
	{ "def_repo", call_repo },
	{ "cmd_name", call_name },
	{ "counter", call_counter },
	{ "timer", call_timer },
	{ "child_start", call_child },
	{ "exec", call_exec },
	{ "printf of numbers", call_numbers },
	{ "printf of 5000 bytes", call_long_printf },
	{ "cmd_list_config", call_lists },
	{ "cmd_path, mode, alias, def_param, set_config", call_params },
	{ "cmd_ancestry, collect_process_info", call_ancestry },
	{ "cmd_error", call_error },
	{ "cmd_start", call_start },
	{ "thread", call_thread },
	{ "printf_key", call_key },
	{ "initialize", call_initialize },
	{ "data_json of many keys", call_repeated_json },
	{ "data_json of 511 levels", call_deep_json },
	{ "cmd_exit", call_cmd_exit },
	{ "signal", call_signal },
};

enum {
	CALLS = sizeof(every_call) / sizeof(*every_call),
	EVERY = CALLS -
		4, /* without the slow ones and those that end a process */
};

/* All of them; this one is the first, which finds nothing prepared. */
static inline void make_every_call(int first)
{
	for (int i = 0; i < EVERY; i++)
		every_call[(first + i) % EVERY].make();
}

#endif
