#include "views/expect/options.h"

#include <string.h>

#define OWN struct tr2_expect_options

#define FORMAT_NAME(format, name) name,
static const char *const formats[] = { TR2_EXPECT_FORMATS(FORMAT_NAME) NULL };

/* git's own limit, where GIT_TRACE2_EVENT_NESTING is not set. */
#define NESTING 2

static const struct tr2_cli_option table[] = {
	{ "file", "FILE", TR2_CLI_PATH(OWN, file), .letter = 'f',
	  .help = "read assertions from FILE, one a line; a line that begins "
		  "with # is a comment" },
	{ "format", "FORMAT", TR2_CLI_WORD(OWN, format, formats, 0),
	  .help = "the format to write: text, tap, junit or markdown (default: "
		  "text)" },
	{ "list", NULL, TR2_CLI_FLAG(OWN, list),
	  .help = "print assertions that hold for the logs, to start from" },
	{ "nesting", "N", TR2_CLI_NUMBER(OWN, nesting, 1, 1000000),
	  .help = "GIT_TRACE2_EVENT_NESTING of the program that wrote the logs "
		  "(default: 2)" },
	{ "output", "FILE", TR2_CLI_PATH(OWN, output), .letter = 'o',
	  .help = "write to FILE, which appears when it is complete (default: "
		  "standard output)" },
	{ "whole", NULL, TR2_CLI_FLAG(OWN, whole),
	  .help = "take a process without an end, such as one that was killed, "
		  "as it is" },
	{ .name = NULL },
};

const struct tr2_cli tr2_expect_cli = {
	.name = "expect",
	.about =
		"usage: trace2 expect [OPTION]... FILE|DIR|-... -- ASSERTION...\n"
		"   or: trace2 expect --list FILE|DIR|-...\n"
		"\n"
		"Check that logs show what they must. Each ASSERTION is one argument:\n"
		"\n"
		"  'region index/preload'             it was entered\n"
		"  'no region fsm_client/*'           none of these was\n"
		"  'data status/count/changed = 0'    with = != < <= > >= or like PATTERN\n"
		"  \"child 'git maintenance *' never\"  also: once, or count <= 2\n"
		"  'child class hook count <= 1'      hook, editor, pager, ...\n"
		"  'every child_exit * = 0'           the exit codes of children\n"
		"  'command fetch once'               a git command that ran\n"
		"  'error never'                      or: error '*not a git repo*'\n"
		"  'exit 0'                           of each command, or: in fetch\n"
		"  'time region index/* < 20ms'       or of a child or command\n"
		"  'time share region checkout/* < 50%'\n"
		"\n"
		"trace2-expect(1) has all kinds. A log that is cut or limited proves what\n"
		"it shows, and not what it lacks.\n",
	.options = table,
	.notes =
		"Exit status: 0 all hold, 1 one does not, 2 the command line or an\n"
		"assertion was wrong, 3 there is no event, or the logs cannot decide.\n",
	.least = 1,
	.wants = "a log",
};

static int check_choices(const struct tr2_expect_options *options,
			 char **assertions)
{
	const char *wrong = NULL;

	if (options->list && (options->file || *assertions))
		wrong = "--list takes no assertions";
	else if (!options->list && !options->file && !*assertions)
		wrong = "there is no assertion; they follow `--`, or stand in "
			"--file";
	return wrong ? tr2_cli_refuse(&tr2_expect_cli, wrong, NULL)
		     : TR2_CLI_GO_ON;
}

/* Cut the arguments at `--`. Returns those after it. */
static char **cut_words(char **argv)
{
	while (*argv && strcmp(*argv, "--"))
		argv++;
	if (!*argv)
		return argv;
	*argv = NULL;
	return argv + 1;
}

int tr2_expect_options_read(struct tr2_expect_options *options, char **argv,
			    char ***assertions)
{
	int code;

	*options = (struct tr2_expect_options){ .nesting = NESTING };
	*assertions = cut_words(argv);
	code = tr2_cli_read(&tr2_expect_cli, options, argv);
	return code == TR2_CLI_GO_ON ? check_choices(options, *assertions)
				     : code;
}
