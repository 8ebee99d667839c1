/*
 * all_calls.c - each call of trace2.h once, as a C and as a C++ program
 * makes them. Compiled with and without TRACE2_DISABLE; never run.
 */
#include <trace2.h>
#include <trace2-json.h>
#include <trace2-target.h>

TRACE2_TIMER(a_timer, "category", "timer", 1);
TRACE2_COUNTER(a_counter, "category", "counter", 0);

void process_calls(char **argv);
void child_calls(const char **argv);
void region_calls(int repo);
void message_calls(const char *fmt, ...) TRACE2_PRINTF_(1, 2);

void process_calls(char **argv)
{
	static const char *const names[] = { "sh", "init", NULL };

	trace2_initialize_clock();
	trace2_set_program("1.0");
	trace2_leave_signals();
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
	trace2_cmd_ancestry(names);
	trace2_cmd_path("/bin/true");
	trace2_cmd_name("name");
	trace2_cmd_mode("mode");
	trace2_cmd_alias("alias", argv);
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
	trace2_cmd_set_config("key", NULL);
	trace2_def_param("param", "value");
}

void child_calls(const char **argv)
{
	struct trace2_child child = TRACE2_CHILD_INIT;
	int exec_id;

	child.argv = argv;
	trace2_child_start(&child);
	trace2_child_ready(&child, "ready");
	trace2_child_exit(&child, 0);
	exec_id = trace2_exec("exe", argv);
	trace2_exec_result(exec_id, 2);
}

void region_calls(int repo)
{
	trace2_thread_start("base");
	trace2_region_enter("category", "label", repo);
	trace2_region_enter_printf("category", "label", repo, "%d", 1);
	trace2_data_string("category", repo, "key", "value");
	trace2_data_intmax("category", repo, "key", INTMAX_MIN);
	trace2_data_json("category", repo, "key", "{}");
	trace2_timer_start(a_timer);
	trace2_timer_stop(a_timer);
	trace2_counter_add(a_counter, 1);
	trace2_region_leave_printf("category", "label", repo, "done");
	trace2_region_leave("category", "label", repo);
	trace2_thread_exit();
}

void message_calls(const char *fmt, ...)
{
	static struct trace2_key key = TRACE2_KEY_INIT("GIT_TRACE_X", "x");
	va_list ap;

	va_start(ap, fmt);
	trace2_cmd_error("%s", "message");
	trace2_cmd_error_va(fmt, ap);
	trace2_printf("%s", "message");
	trace2_printf_va(fmt, ap);
	trace2_printf_key_va(&key, fmt, ap);
	trace2_printf_key(&key, "%s", "message");
	if (trace2_key_is_on(&key))
		trace2_printf("%s", "on");
	trace2_region_enter_printf_va("category", "label", TRACE2_REPO_NONE,
				      fmt, ap);
	trace2_region_leave_printf_va("category", "label",
				      TRACE2_REPO_UNANNOUNCED, fmt, ap);
	va_end(ap);
}

static void json_calls(void)
{
	struct trace2_json json = TRACE2_JSON_INIT;

	trace2_json_begin_object(&json, NULL);
	trace2_json_string(&json, "string", "value");
	trace2_json_int(&json, "int", 1);
	trace2_json_bool(&json, "bool", 1);
	trace2_json_null(&json, "null");
	trace2_json_double(&json, "double", 0.5, 1);
	trace2_json_value(&json, "value", "{}");
	trace2_json_begin_array(&json, "array");
	trace2_json_end(&json);
	trace2_data_json("category", TRACE2_REPO_NONE, "key",
			 trace2_json_text(&json));
	if (trace2_json_is_complete(&json))
		trace2_json_release(&json);
}

#ifdef TRACE2_DISABLE
#define take_event NULL
#else
static int take_event(void *data, const struct trace2_event *event)
{
	struct trace2_field field;

	(void)data;
	return trace2_event_field(event, 0, &field) &&
	       trace2_event_line(event, TRACE2_PERF);
}
#endif

static int target_calls(void)
{
	static struct trace2_target target;

	target.event = take_event;
	return trace2_add_target(&target, NULL);
}

int main(int argc, char **argv)
{
	int off;

	(void)argc;
	json_calls();
	if (target_calls())
		return 1;
	process_calls(argv);
	child_calls((const char **)argv);
	region_calls(trace2_def_repo("/worktree"));
	message_calls("%s", trace2_session_id());
	trace2_signal(15);
	off = !trace2_is_enabled() && !trace2_dropped();
	return trace2_cmd_exit(off);
}
