/*
 * driver.c - a driver for the installed libtrace2, as a stranger would write
 * it: a function for each call of t/kit/contract.tsv, and none for a verb.
 *
 *	cc -DCONTRACT='"t/kit/contract.tsv"' -o driver t/kit/drivers/driver.c \
 *		t/kit/drivers/{blocks,calls,children,host,objects,own,values}.c \
 *		$(pkg-config --cflags --libs libtrace2)
 */
#define _GNU_SOURCE
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void exit_traced(int code)
{
	exit(trace2_cmd_exit(code));
}

static void show_message(const char *prefix, const char *message)
{
	char *text = strdup(message), *at;

	for (at = text; *at; at++)
		if ((*at > 0 && *at < ' ' && *at != '\t' && *at != '\n') ||
		    *at == 0x7f)
			*at = '?';
	dprintf(2, "%s%s\n", prefix, text);
}

void fail_verb(struct span word, const struct scope *scope)
{
	const char *message = expand_text(word, scope);

	trace2_cmd_error("%s", message);
	show_message("fatal: ", message);
	exit_traced(128);
}

void report_error(const char *fmt, const char *first, const char *second)
{
	char *message;

	trace2_cmd_error(fmt, first, second);
	if (asprintf(&message, fmt, first, second) > 0)
		show_message("error: ", message);
}

/* The calls of Trace2 */

#define TEXT(key) get_text(call, key)

static void enter_region(const struct call *call)
{
	const char *category = TEXT("category"), *label = TEXT("label");
	int repo = find_repo(call);

	if (has_word(call, "msg"))
		trace2_region_enter_printf(category, label, repo, "%s",
					   TEXT("msg"));
	else
		trace2_region_enter(category, label, repo);
}

static void leave_region(const struct call *call)
{
	const char *category = TEXT("category"), *label = TEXT("label");
	int repo = find_repo(call);

	if (has_word(call, "msg"))
		trace2_region_leave_printf(category, label, repo, "%s",
					   TEXT("msg"));
	else
		trace2_region_leave(category, label, repo);
}

static void write_data(const struct call *call)
{
	const char *category = TEXT("category"), *key = TEXT("key");
	int repo = find_repo(call);

	if (is_number(call, "value"))
		trace2_data_intmax(category, repo, key, atol(TEXT("value")));
	else
		trace2_data_string(category, repo, key, TEXT("value"));
}

static void write_json(const struct call *call)
{
	trace2_data_json(TEXT("category"), find_repo(call), TEXT("key"),
			 TEXT("value"));
}

static void write_message(const struct call *call)
{
	const char *msg = TEXT("msg"), *file = TEXT("file");
	int line = (int)get_number(call, "line", 1);

	if (!has_word(call, "file"))
		file = "driver.c";
	if (trace2_is_enabled() && msg)
		trace2_printf_fl(file, line, "%s", msg);
	else if (trace2_is_enabled())
		trace2_printf_fl(file, line, NULL);
}

/* A format with two arguments has a message of two words. */
static void write_error(const struct call *call)
{
	const char *fmt = TEXT("fmt"), *msg = TEXT("msg");

	if (fmt && !strcmp(fmt, "%s %d"))
		trace2_cmd_error("%s %d", strndup(msg, strcspn(msg, " ")),
				 atoi(strchr(msg, ' ')));
	else
		trace2_cmd_error(fmt, msg);
}

static void show_error(const struct call *call)
{
	write_error(call);
	show_message("error: ", TEXT("msg"));
}

static void show_bug(const struct call *call)
{
	trace2_cmd_error(TEXT("msg"), NULL);
	show_message("BUG: driver.c:1: ", TEXT("msg"));
}

static void define_repo(const struct call *call)
{
	const char *worktree = TEXT("worktree");

	set_number(call->scope, "repo",
		   trace2_def_repo(*worktree ? worktree : NULL));
}

#define CALL(function, ...)                                \
	static void do_##function(const struct call *call) \
	{                                                  \
		trace2_##function(__VA_ARGS__);            \
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

static void end_thread(const struct call *call)
{
	(void)call;
	trace2_thread_exit();
}

static void list_parameters(const struct call *call)
{
	(void)call;
	trace2_cmd_list_config();
	trace2_cmd_list_env_vars();
}

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
	sleep_for(get_number(call, "ms", 0), get_number(call, "ns", 0));
	stop_timer(call);
}

static void add_counter(const struct call *call)
{
	trace2_counter_add(&find_total(call)->counter,
			   strtoull(TEXT("add"), NULL, 10));
}

const struct handler trace_handlers[] = {
	{ "region_enter", enter_region },
	{ "region_leave", leave_region },
	{ "data", write_data },
	{ "data_json", write_json },
	{ "printf", write_message },
	{ "error", show_error },
	{ "report_error", write_error },
	{ "bug", show_bug },
	{ "def_repo", define_repo },
	{ "start", do_cmd_start },
	{ "cmd_ancestry", do_cmd_ancestry },
	{ "cmd_path", do_cmd_path },
	{ "cmd_mode", do_cmd_mode },
	{ "cmd_name", do_cmd_name },
	{ "alias", do_cmd_alias },
	{ "def_param", do_def_param },
	{ "set_config", do_cmd_set_config },
	{ "list_parameters", list_parameters },
	{ "thread_start", do_thread_start },
	{ "thread_exit", end_thread },
	{ "timer_start", start_timer },
	{ "timer_stop", stop_timer },
	{ "time", run_timer },
	{ "counter", add_counter },
	{ NULL, NULL },
};

struct span open_contract(void)
{
	struct span file = { NULL, NULL };
	size_t size = 0;
	char *text = NULL;
	FILE *stream = fopen(CONTRACT, "r");

	if (!stream || getdelim(&text, &size, '\0', stream) < 0) {
		perror(CONTRACT);
		exit(2);
	}
	fclose(stream);
	file.at = text;
	file.end = text + strlen(text);
	return file;
}

static int print_usage(void)
{
	struct span file = open_contract();
	struct verb verb;

	fprintf(stderr, "usage:\n");
	while (read_verb(&file, &verb))
		fprintf(stderr, "\ttest-tool trace2 %s %s\n",
			copy_span(verb.name), copy_span(verb.arguments));
	return 129;
}

int main(int argc, char **argv)
{
	struct verb verb;

	if (argc < 3 || strcmp(argv[1], "trace2") || !find_verb(argv[2], &verb))
		return print_usage();
	prepare_exit();
	trace2_initialize_clock();
	if (argc > 3 && !strcmp(argv[2], "late_start"))
		sleep_for(atol(argv[3]), 0);
	if (!strcmp(argv[2], "596reentrant"))
		prepare_inside();
	trace2_set_program("example-1.0");
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
	trace2_cmd_name("trace2");
	perform_verb(argv[2], (const char **)argv + 3, NULL);
	return trace2_cmd_exit(0);
}
