/*
 * test-tool - a program that makes every Trace2 call, so that tests can check
 * what the calls write.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "tool/commands/commands.h"
#include "tool/fake/host.h"
#include "tool/tool.h"
#include "tool/verbs/verbs.h"

#define AT(line) "test-tool.c", (line)

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv);
} commands[] = {
	{ "event-table", cmd_event_table },
	{ "gitconfig", cmd_gitconfig },
	{ "redact", cmd_redact },
	{ "settings", cmd_settings },
	{ "trace-events", cmd_trace_events },
	{ "trace2", cmd_trace2 },
};

_Noreturn static void die_usage(void)
{
	fprintf(stderr, "usage: test-tool <command> [args]\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(stderr, "  %s\n", commands[i].name);
	tool_exit(AT(20), 128);
}

static int run_command(int argc, const char **argv)
{
	if (argc < 2)
		die_usage();
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(commands[i].name, argv[1]))
			continue;
		TRACE(cmd_name, AT(10), commands[i].name);
		return commands[i].run(argc - 1, argv + 1);
	}
	tool_error(AT(11), "there is no tool named '%s'", argv[1]);
	die_usage();
}

int main(int argc, char **argv)
{
	const char **args = (const char **)argv;

	setlocale(LC_ALL, "");
	prepare_exit();
	fake_host_install(args[0]);
	fake_tick();
	trace2_initialize_clock();
	tool_start_late(argc, argv);
	trace2_set_program("test-tool-1.0");
	TRACE(initialize, AT(1));
	TRACE(cmd_start, AT(2), args);
	TRACE(collect_process_info, AT(3), TRACE2_PROCESS_INFO_STARTUP);
	tool_exit(AT(4), run_command(argc, args));
}
