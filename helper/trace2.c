/*
 * trace2 - the command that people run on logs and traces. Subcommands have
 * directories here; this file only finds them.
 */
#include <stdio.h>
#include <string.h>

#include "convert/convert.h"
#include "convert/dump.h"
#include "record/record.h"
#include "validate/validate.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *purpose;
} commands[] = {
	{ "validate", tr2_validate_main,
	  "check that logs are what they should be" },
	{ "convert", tr2_convert_main, "turn logs into traces for viewers" },
	{ "dump", tr2_dump_main, "show archives of the FXT format as text" },
	{ "record", tr2_record_main, "trace programs while they run" },
	{ "manager", tr2_manager_main, "let programs be traced from outside" },
	{ "list-providers", tr2_list_providers_main,
	  "list programs that can be traced" },
	{ "list-categories", tr2_list_categories_main,
	  "list what they can be asked for" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int help(FILE *out, int code)
{
	size_t i;

	fputs("usage: trace2 COMMAND [ARGUMENT]...\n"
	      "\n"
	      "Commands:\n",
	      out);
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-15s  %s\n", commands[i].name,
			commands[i].purpose);
	fputs("\n"
	      "'trace2 COMMAND --help' tells more about one of them.\n"
	      "'trace2 --version' prints the version.\n",
	      out);
	return code;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return help(stderr, 2);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(stdout, 0);
	if (!strcmp(argv[1], "--version")) {
		puts("trace2 " TRACE2_VERSION);
		return 0;
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "trace2: unknown command: %s\n", argv[1]);
	return help(stderr, 2);
}
