#include "views/diff/options.h"

#include <stdlib.h>
#include <string.h>

#define TOP_OF_TEXT 10
#define OWN struct tr2_diff_options

/* Read a plain decimal number; strtod() alone also accepts 0x10 and 1e5. */
static bool read_percent(const char *text, double *percent)
{
	char *end;

	if (*text < '0' || *text > '9' || text[strspn(text, "0123456789.")])
		return false;
	*percent = strtod(text, &end);
	return !*end && *percent <= 1e6;
}

static const char *set_fail_on(void *into, char *value)
{
	static const char word[] = "regression";
	const size_t len = strlen(word);
	OWN *options = into;

	options->fails = true;
	options->percent = 0;
	if (!strcmp(value, word))
		return NULL;
	if (!strncmp(value, word, len) && value[len] == '=' &&
	    read_percent(value + len + 1, &options->percent))
		return NULL;
	return "regression or regression=PERCENT";
}

#define FORMAT_NAME(format, name, function) name,
static const char *const formats[] = { TR2_DIFF_FORMATS(FORMAT_NAME) NULL };

static const struct tr2_cli_option table[] = {
	{ "command", "NAME", TR2_CLI_TEXT(OWN, command),
	  .help = "only commands of this name, and what they ran" },
	{ "fail-on", "regression[=PERCENT]", TR2_CLI_SET(set_fail_on),
	  .offers = "regression",
	  .help = "exit with 1 if a row is slower and its median grew by more "
		  "than this (default: 0)" },
	{ "least", "TIME", TR2_CLI_DURATION(OWN, least),
	  .help = "the growth that --fail-on looks at, as 5ms (default: 1 % "
		  "of the command)" },
	{ "top", "N", TR2_CLI_NUMBER(OWN, top, 0, ULONG_MAX),
	  .help = "rows of each table of text and markdown; 0: all "
		  "(default: 10)" },
	{ "format", "FORMAT", TR2_CLI_WORD(OWN, format, formats, 0),
	  .help = "how to print the tables: text, json, csv, markdown or html, "
		  "which is a page (default: text)" },
	{ .name = NULL },
};

const struct tr2_cli tr2_diff_cli = {
	.name = "diff",
	.about =
		"usage: trace2 diff [OPTION]... A B\n"
		"\n"
		"Compare two sets of logs: which commands, regions and children\n"
		"became slower or faster from A to B?\n"
		"\n"
		"A and B are each a file, which may be compressed by gzip or zstd, a\n"
		"directory, which means all files below it, or - for standard input.\n"
		"\n"
		"A value is the time of one process: all of it, or its time in a region\n"
		"or for a kind of child. The values of A and B are compared by the test\n"
		"of Mann and Whitney. Its p-value is the chance that two equal sets\n"
		"differ at least so much. `~` means that p is more than 0.05. Because\n"
		"many rows are compared, a row is called slower or faster only if p is at\n"
		"most 0.05 after Holm's correction.\n",
	.options = table,
	.notes =
		"Exit status: 0 the sets were compared, 1 --fail-on found a regression,\n"
		"2 the command line was wrong, 3 something could not be read or written,\n"
		"a set has no event, or there was nothing to compare, or with --fail-on\n"
		"to test.\n",
	.least = 2,
	.most = 2,
	.wants = "two sets of logs",
};

int tr2_diff_options_read(struct tr2_diff_options *options, char **argv)
{
	int code;

	*options = (struct tr2_diff_options){ .top = TOP_OF_TEXT };
	code = tr2_cli_read(&tr2_diff_cli, options, argv);
	if (code != TR2_CLI_GO_ON || options->format != TR2_DIFF_HTML ||
	    (strcmp(argv[1], "-") != 0 && strcmp(argv[2], "-") != 0))
		return code;
	return tr2_cli_refuse(&tr2_diff_cli,
			      "a page is made of logs that can be read twice; "
			      "expected files or directories with --format "
			      "html",
			      "-");
}
