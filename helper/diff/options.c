#include "diff/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "text/foreign.h"
#include "cli/near.h"
#include "validate/options.h"

#define TOP_OF_TEXT 10

const char *const tr2_diff_help[] = {
	"usage: trace2 diff [OPTION]... A B\n"
	"\n"
	"Compare two sets of EVENT logs: which commands, regions and children\n"
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
	"\nOptions:\n"
	"  --command NAME     only commands of this name, and what they ran\n"
	"  --fail-on regression[=PERCENT]\n"
	"                     exit with 1 if a row is slower and its median grew\n"
	"                     by more than this (default: 0)\n"
	"  --top N            rows of each table of text; 0: all (default: 10)\n"
	"  --format FORMAT    text, json or csv (default: text)\n"
	"  -h, --help         print this help\n",
	"\n"
	"Exit status: 0 the sets were compared, 1 --fail-on found a regression,\n"
	"2 the command line was wrong, 3 something could not be read or written,\n"
	"or a set has no event.\n",
	NULL
};

int tr2_diff_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("diff", what, value);
	fputs("Try 'trace2 diff --help'.\n", stderr);
	return EXIT_USAGE;
}

static int take_command(struct tr2_diff_options *options, const char *value)
{
	options->command = value;
	return 0;
}

/* Read a plain decimal number; strtod() alone also accepts 0x10 and 1e5. */
static bool read_percent(const char *text, double *percent)
{
	char *end;

	if (*text < '0' || *text > '9' || text[strspn(text, "0123456789.")])
		return false;
	*percent = strtod(text, &end);
	return !*end && *percent <= 1e6;
}

static int take_fail_on(struct tr2_diff_options *options, const char *value)
{
	static const char word[] = "regression";
	const size_t len = strlen(word);

	options->fails = true;
	options->percent = 0;
	if (!strcmp(value, word))
		return 0;
	if (!strncmp(value, word, len) && value[len] == '=' &&
	    read_percent(value + len + 1, &options->percent))
		return 0;
	return tr2_diff_options_refuse(
		"--fail-on needs regression or regression=PERCENT", value);
}

static int take_top(struct tr2_diff_options *options, const char *value)
{
	char *end;

	options->top = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end)
		return tr2_diff_options_refuse("--top needs a number", value);
	return 0;
}

static int take_format(struct tr2_diff_options *options, const char *value)
{
#define FORMAT_NAME(format, name, function) name,
	static const char *const names[] = { TR2_DIFF_FORMATS(FORMAT_NAME)
						     NULL };
	int format = tr2_near_index(names, value);

	if (format >= 0) {
		options->format = (enum tr2_diff_format)format;
		return 0;
	}
	tr2_near_complain("diff", "unknown format", value, names);
	return EXIT_USAGE;
}

static int take_help(struct tr2_diff_options *options, const char *value)
{
	(void)value;
	options->help = true;
	return 0;
}

/* Each option, and what it does. */
static const struct {
	struct option option;
	int (*take)(struct tr2_diff_options *options, const char *value);
} known[] = {
	{ { "command", required_argument, NULL, 0 }, take_command },
	{ { "fail-on", required_argument, NULL, 0 }, take_fail_on },
	{ { "top", required_argument, NULL, 0 }, take_top },
	{ { "format", required_argument, NULL, 0 }, take_format },
	{ { "help", no_argument, NULL, 'h' }, take_help },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

static int refuse_option(int option, char *argument,
			 const struct option *options)
{
	if (option == ':')
		return tr2_diff_options_refuse("an option needs a value",
					       argument);
	tr2_near_complain_option("diff", argument, options);
	return EXIT_USAGE;
}

int tr2_diff_options_parse(struct tr2_diff_options *options, int argc,
			   char **argv)
{
	struct option all[KNOWN + 1] = { { NULL, 0, NULL, 0 } };
	int option, place = -1, code = 0;
	size_t i;

	*options = (struct tr2_diff_options){ .top = TOP_OF_TEXT };
	for (i = 0; i < KNOWN; i++)
		all[i] = known[i].option;
	opterr = 0;
	while (!code &&
	       (option = getopt_long(argc, argv, ":h", all, &place)) >= 0) {
		if (option == 'h')
			code = take_help(options, NULL);
		else if (option)
			code = refuse_option(option, argv[optind - 1], all);
		else
			code = known[place].take(options, optarg);
	}
	return code;
}
