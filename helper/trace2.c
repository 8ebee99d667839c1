/*
 * trace2 - the command that people run on logs and traces. Each subcommand
 * has a room of its own; this file only finds it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/collect.h"
#include "views/convert/convert.h"
#include "views/diff/diff.h"
#include "doctor/doctor.h"
#include "views/dump/dump.h"
#include "views/expect/expect.h"
#include "views/page/page.h"
#include "lib/common/system.h"
#include "lib/files/ready.h"
#include "lib/files/stack.h"
#include "cli/options.h"
#include "cli/near.h"
#include "record/record.h"
#include "redact/redact.h"
#include "views/shard/shard.h"
#include "views/summary/summary.h"
#include "views/table/table.h"
#include "validate/validate.h"

static const struct subcommand {
	const char *name;
	int (*run)(char **argv);
	int unwritten; /* the exit status if standard output failed */
	const char *purpose;
} commands[] = {
	{ "validate", tr2_validate_main, 3,
	  "check that logs conform to the specification" },
	{ "summary", tr2_summary_main, 3, "show where the time went" },
	{ "report", tr2_page_main, 3,
	  "write a page that shows where the time went" },
	{ "diff", tr2_diff_main, 3,
	  "compare two sets of logs: what became slower" },
	{ "table", tr2_table_main, 3, "turn logs into flat rows for SQL" },
	{ "expect", tr2_expect_main, 3, "check that logs show what they must" },
	{ "shard", tr2_shard_main, 3,
	  "divide logs into parts, to summarize each" },
	{ "redact", tr2_redact_main, 3,
	  "filter logs, so that they can be shared" },
	{ "convert", tr2_convert_main, 3,
	  "turn logs into traces that viewers can open" },
	{ "dump", tr2_dump_main, 3, "show archives of the FXT format as text" },
	{ "record", tr2_record_main, 1, "trace programs while they run" },
	/* What follows needs sockets or processes. */
	{ "doctor", tr2_doctor_main, 3, "check that tracing is on and works" },
	{ "collect", tr2_collect_main, 3,
	  "pass events on from programs to files and other readers" },
	{ "trace", tr2_trace_main, 1,
	  "run a program and write its events to files" },
	{ "manager", tr2_manager_main, 1,
	  "run the trace manager, to trace running programs" },
	{ "list-providers", tr2_list_providers_main, 1,
	  "list programs that can be traced" },
	{ "list-categories", tr2_list_categories_main, 1,
	  "list the categories that these programs can record" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int print_help(FILE *out, int code)
{
	fputs("usage: trace2 COMMAND [ARGUMENT]...\n"
	      "\n"
	      "Commands:\n",
	      out);
	for (size_t i = 0; i < COMMANDS; i++) {
		if (!TR2_HAS_SYSTEM && commands[i].run == tr2_doctor_main)
			break;
		fprintf(out, "  %-15s  %s\n", commands[i].name,
			commands[i].purpose);
	}
	fputs("\n"
	      "'trace2 help COMMAND' explains one of them.\n"
	      "'trace2 version' prints the version.\n",
	      out);
	return code;
}

static void note_limit(int signo)
{
	(void)signo;
}

/*
 * Beyond a limit on the size of files a write then fails, and the command can
 * clean up. This is a handler, because a recorded program does not inherit a
 * handler, but would inherit SIG_IGN.
 */
static void survive_limit(void)
{
	struct sigaction action = { .sa_handler = note_limit }, old;

	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}

/*
 * If a standard stream is closed, the next file that is opened gets its number,
 * and messages would go into that file. What holds the number instead can't
 * be read or written, as if it were closed, and programs that are started do
 * not inherit it.
 */
static void hold_closed_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null",
				   (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) |
					   O_CLOEXEC);
}

/*
 * Writing what a command printed may fail only now. The command may have
 * reported a failure itself, with the same exit status.
 */
static int end_output(const char *name, int code, int unwritten)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return code;
	if (code != unwritten)
		fprintf(stderr, "trace2%s%s: standard output: %s\n",
			*name ? " " : "", name,
			errno ? strerror(errno) : "write error");
	return code ? code : unwritten;
}

static int run_command(const struct subcommand *command, char **argv)
{
	if (!tr2_stack_is_enough())
		return command->unwritten;
	return end_output(command->name, command->run(argv),
			  command->unwritten);
}

static const struct subcommand *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static int refuse_command(const char *word)
{
	const char *names[COMMANDS + 1] = { NULL };

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	tr2_near_complain("", "unknown command", word, names);
	return 2;
}

/* `trace2 help COMMAND` is `trace2 COMMAND --help`. */
static int explain_command(const char *name)
{
	const struct subcommand *command = find_command(name);
	char word[32], option[] = "--help", *argv[] = { word, option, NULL };

	if (!command)
		return refuse_command(name);
	snprintf(word, sizeof(word), "%s", name);
	return run_command(command, argv);
}

/* The word, or the option of that name. */
static bool is_either(const char *word, const char *name)
{
	return !strcmp(word, name) ||
	       (!strncmp(word, "--", 2) && !strcmp(word + 2, name));
}

int main(int argc, char **argv)
{
	const struct subcommand *command;

	hold_closed_streams();
	survive_limit();
	tr2_ready_adopt_streams();
	if (argc && strchr(argv[0], '/'))
		tr2_cli_program = argv[0];
	if (argc < 2)
		return print_help(stderr, 2);
	if (!strcmp(argv[1], "help") && argc > 2)
		return explain_command(argv[2]);
	if (!strcmp(argv[1], "-h") || is_either(argv[1], "help"))
		return end_output("", print_help(stdout, 0), 3);
	if (is_either(argv[1], "version")) {
		puts("trace2 " TRACE2_VERSION);
		return end_output("", 0, 3);
	}
	command = find_command(argv[1]);
	return command ? run_command(command, argv + 1)
		       : refuse_command(argv[1]);
}
