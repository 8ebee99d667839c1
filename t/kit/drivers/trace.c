/* trace.c - the calls of Trace2; see calls.h. */
#define _POSIX_C_SOURCE 200809L
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(key) get_text(call, key)

/* A call whose values are these. */
#define CALL(function, ...)                                   \
	static void trace_##function(const struct call *call) \
	{                                                     \
		trace2_##function(__VA_ARGS__);               \
	}

CALL(cmd_start, get_list(call, "argv"))
CALL(cmd_ancestry, get_list(call, "ancestry"))
CALL(cmd_path, TEXT("path"))
CALL(cmd_mode, TEXT("name"))
CALL(cmd_name, TEXT("name"))
CALL(cmd_alias, TEXT("alias"), get_list(call, "argv"))
CALL(def_param, TEXT("param"), TEXT("value"))
CALL(cmd_set_config, TEXT("key"), TEXT("value"))
CALL(thread_start, TEXT("name"))
CALL(data_json, TEXT("category"), find_repo(call), TEXT("key"), TEXT("value"))
CALL(cmd_exit, (int)get_number(call, "code", 0))

static void end_thread(const struct call *call)
{
	(void)call;
	trace2_thread_exit();
}

static void enter_region(const struct call *call)
{
	const char *category = TEXT("category"), *label = TEXT("label");
	const int repo = find_repo(call);

	if (has_word(call, "msg"))
		trace2_region_enter_printf(category, label, repo, "%s",
					   TEXT("msg"));
	else
		trace2_region_enter(category, label, repo);
}

static void leave_region(const struct call *call)
{
	const char *category = TEXT("category"), *label = TEXT("label");
	const int repo = find_repo(call);

	if (has_word(call, "msg"))
		trace2_region_leave_printf(category, label, repo, "%s",
					   TEXT("msg"));
	else
		trace2_region_leave(category, label, repo);
}

static void trace_data(const struct call *call)
{
	const char *category = TEXT("category"), *key = TEXT("key");
	const int repo = find_repo(call);

	if (is_number(call, "value"))
		trace2_data_intmax(category, repo, key,
				   get_number(call, "value", 0));
	else
		trace2_data_string(category, repo, key, TEXT("value"));
}

static void trace_message(const struct call *call)
{
	const char *msg = TEXT("msg");

	if (!msg)
		trace2_printf(NULL);
	else if (!has_word(call, "file"))
		trace2_printf("%s", msg);
	else if (trace2_is_enabled())
		trace2_printf_fl(TEXT("file"), (int)get_number(call, "line", 0),
				 "%s", msg);
}

/* Returns where the message goes on after what it has for a conversion. */
static const char *cut_text(const char *at, const char *conversion, char **text)
{
	const char *end = strchr(at, conversion[2]);

	*text = copy_span((struct span){ at, end });
	return end;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* The library makes the message of the format, and of what it has for this. */
static void trace_error(const struct call *call)
{
	const char *fmt = TEXT("fmt"), *msg = TEXT("msg"), *rest = fmt;
	const char *string = fmt ? strstr(fmt, "%s") : NULL;
	const char *number = fmt ? strstr(fmt, "%d") : NULL;
	char *text = NULL;

	if (string) {
		msg = cut_text(msg + (string - fmt), string, &text);
		rest = string + 2;
	}
	if (number)
		msg += number - rest;
	if (string && number)
		trace2_cmd_error(fmt, text, atoi(msg));
	else if (number)
		trace2_cmd_error(fmt, atoi(msg));
	else
		trace2_cmd_error(fmt, text);
}

static void show_error(const struct call *call)
{
	trace_error(call);
	say_message("error: ", TEXT("msg"));
}

static void show_bug(const struct call *call)
{
	const char *msg = TEXT("msg");
	char prefix[128];

	trace2_cmd_error(msg, NULL);
	snprintf(prefix, sizeof(prefix), "BUG: %s:%d: ", PLACE);
	say_message(prefix, msg);
}
#pragma GCC diagnostic pop

static void define_repo(const struct call *call)
{
	const char *worktree = TEXT("worktree");

	set_number(call->scope, "repo",
		   trace2_def_repo(*worktree ? worktree : NULL));
}

/*
 * ---- Timers and counters
 */

static void start_timer(const struct call *call)
{
	trace2_timer_start(&find_total(call)->timer);
}

static void stop_timer(const struct call *call)
{
	trace2_timer_stop(&find_total(call)->timer);
}

static void run_timer(const struct call *call)
{
	start_timer(call);
	sleep_for((long)get_number(call, "ms", 0),
		  (long)get_number(call, "ns", 0));
	stop_timer(call);
}

static void add_counter(const struct call *call)
{
	trace2_counter_add(&find_total(call)->counter,
			   strtoull(TEXT("add"), NULL, 10));
}

const struct handler trace_handlers[] = {
	{ "start", trace_cmd_start },
	{ "cmd_ancestry", trace_cmd_ancestry },
	{ "cmd_path", trace_cmd_path },
	{ "cmd_mode", trace_cmd_mode },
	{ "cmd_name", trace_cmd_name },
	{ "alias", trace_cmd_alias },
	{ "def_param", trace_def_param },
	{ "set_config", trace_cmd_set_config },
	{ "def_repo", define_repo },
	{ "region_enter", enter_region },
	{ "region_leave", leave_region },
	{ "data", trace_data },
	{ "data_json", trace_data_json },
	{ "printf", trace_message },
	{ "error", show_error },
	{ "report_error", trace_error },
	{ "bug", show_bug },
	{ "thread_start", trace_thread_start },
	{ "thread_exit", end_thread },
	{ "timer_start", start_timer },
	{ "timer_stop", stop_timer },
	{ "time", run_timer },
	{ "counter", add_counter },
	{ "report_exit", trace_cmd_exit },
	{ NULL, NULL },
};
