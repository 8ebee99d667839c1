/*
 * lives_calls.h - the public calls as commands of a life. A word that is not
 * given is NULL.
 */
#ifndef UNIT_PROCESS_LIVES_CALLS_H
#define UNIT_PROCESS_LIVES_CALLS_H

#pragma GCC diagnostic ignored "-Wformat-zero-length"

static struct trace2_timer life_timers[] = {
	{ "c", "timer", 1, 0 },
	{ "c", "shared", 0, 0 },
};
static struct trace2_counter life_counters[] = {
	{ "c", "counter", 1, 0 },
	{ "c", "sum", 0, 0 },
};
static struct trace2_child life_children[] = {
	TRACE2_CHILD_INIT,
	TRACE2_CHILD_INIT,
	TRACE2_CHILD_INIT,
};

static const char *text_or_null(const char *word)
{
	return *word ? word : NULL;
}

/* The words from here on; none is NULL. */
static const char *const *list_of(char **word)
{
	static const char *list[LIFE_WORDS];

	for (size_t i = 0; i < LIFE_WORDS - 8; i++)
		list[i] = text_or_null(word[i]);
	return *word[0] ? list : NULL;
}

static void call_begin(SCRIPT_NONE)
{
	life_line = 1;
	begin_program();
	life_exit = process_exit;
}

static void call_mode(char **word)
{
	trace2_cmd_mode_fl(PLACE, text_or_null(word[0]));
}

static void call_start(char **word)
{
	trace2_cmd_start_fl(PLACE, list_of(word));
}

static void call_name(char **word)
{
	trace2_cmd_name_fl(PLACE, text_or_null(word[0]));
}

static void call_path(char **word)
{
	trace2_cmd_path_fl(PLACE, text_or_null(word[0]));
}

static void call_ancestry(char **word)
{
	trace2_cmd_ancestry_fl(PLACE, list_of(word));
}

static void call_alias(char **word)
{
	trace2_cmd_alias_fl(PLACE, text_or_null(word[0]), list_of(word + 1));
}

static void call_param(char **word)
{
	trace2_def_param_fl(PLACE, text_or_null(word[0]),
			    text_or_null(word[1]));
}

/* Formats without a letter. */
static void call_empty(SCRIPT_NONE)
{
	trace2_cmd_error_fl(PLACE, "");
	trace2_region_enter_printf_fl(PLACE, "c", "l", 0, "");
}

/* `list config` or `list env`. */
static void call_list(char **word)
{
	if (!strcmp(word[0], "config"))
		trace2_cmd_list_config_fl(PLACE);
	else
		trace2_cmd_list_env_vars_fl(PLACE);
}

/* What has no command of its own here. */
static void call_others(SCRIPT_NONE)
{
	trace2_collect_process_info_fl(PLACE, TRACE2_PROCESS_INFO_STARTUP);
	trace2_cmd_set_config_fl(PLACE, "a.key", "value");
	trace2_exec_result_fl(PLACE, 0, 2);
	trace2_data_intmax_fl(PLACE, "c", 0, "key", 1);
	trace2_region_leave_printf_fl(PLACE, "c", "l", 0, "text");
}

static void call_error(char **word)
{
	if (*word[0])
		trace2_cmd_error_fl(PLACE, "%s", word[0]);
	else
		trace2_cmd_error_fl(PLACE, NULL);
}

static void call_printf(char **word)
{
	if (*word[0])
		trace2_printf_fl(PLACE, "%s", word[0]);
	else
		trace2_printf_fl(PLACE, NULL);
}

static void call_enter(char **word)
{
	trace2_region_enter_fl(PLACE, text_or_null(word[0]),
			       text_or_null(word[1]), 0);
}

static void call_leave(char **word)
{
	trace2_region_leave_fl(PLACE, text_or_null(word[0]),
			       text_or_null(word[1]), 0);
}

static void call_data(char **word)
{
	trace2_data_string_fl(PLACE, text_or_null(word[0]), 0,
			      text_or_null(word[1]), text_or_null(word[2]));
}

static void call_json(char **word)
{
	trace2_data_json_fl(PLACE, "c", 0, text_or_null(word[0]),
			    text_or_null(word[1]));
}

/* `repo /one 1`: with that number. */
static void call_repo(char **word)
{
	const int id = trace2_def_repo_fl(PLACE, text_or_null(word[0]));

	expect_that(id == (*word[1]   ? script_number(word[1], 0)
			   : *word[0] ? id
				      : TRACE2_REPO_UNANNOUNCED),
		    "the number");
}

/* `child-start 0`: the child with that number in the test. */
static struct trace2_child *find_child(const char *word)
{
	return &life_children[script_number(word, 0)];
}

static void call_child_start(char **word)
{
	trace2_child_start_fl(PLACE, find_child(word[0]));
}

static void call_child_exit(char **word)
{
	trace2_child_exit_fl(PLACE, find_child(word[0]),
			     (int)script_number(word[1], 0));
}

static void call_child_ready(char **word)
{
	trace2_child_ready_fl(PLACE, find_child(word[0]), "ready");
}

/* `exec 0 exe`: with that number. */
static void call_exec(char **word)
{
	const int id =
		trace2_exec_fl(PLACE, text_or_null(word[1]), list_of(word + 2));

	expect_that(id == script_number(word[0], 0), "the number");
}

static void call_thread_start(char **word)
{
	trace2_thread_start_fl(PLACE, text_or_null(word[0]));
}

static void call_thread_exit(SCRIPT_NONE)
{
	trace2_thread_exit_fl(PLACE);
}

/* `timer 100`: of that length; `timer 100 shared`: of all threads. */
static void call_timer(char **word)
{
	struct trace2_timer *timer = &life_timers[*word[1] != '\0'];

	trace2_timer_start(timer);
	pass_time((uint64_t)script_number(word[0], 0));
	trace2_timer_stop(timer);
}

static void call_counter(char **word)
{
	trace2_counter_add(&life_counters[*word[1] != '\0'],
			   (uint64_t)script_number(word[0], 1));
}

static void call_exit(char **word)
{
	const int code = (int)script_number(word[0], 0);

	expect_that(trace2_cmd_exit_fl(PLACE, code) == code, "the code");
}

static void call_signal(char **word)
{
	trace2_signal(find_signal(word[0]));
}

#endif
