#include "summary/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "text/foreign.h"
#include "cli/near.h"
#include "json/match.h"
#include "rules/value.h"
#include "validate/options.h"

#define SECOND INT64_C(1000000)

const char *const tr2_summary_help[] = {
	"usage: trace2 summary [OPTION]... FILE|DIR|-...\n"
	"       trace2 summary --merge [OPTION]... STATE...\n"
	"\n"
	"Show where the time went in EVENT logs: which commands, regions and\n"
	"children took it, and what would save it.\n"
	"\n"
	"Every microsecond of a command has one owner: the innermost region or\n"
	"child that was open on its main thread, or the command itself. This is\n"
	"\"self\"; all self times add up to the time of the commands. \"total\" is\n"
	"the time from begin to end, with everything inside.\n"
	"\n"
	"FILE may be compressed by gzip or zstd. DIR means all files below it,\n"
	"and - standard input. An option applies wherever it stands.\n",
	"\nOptions:\n"
	"  --by KEY           one more table, by command, mode, repository, caller,\n"
	"                     version, host or hour\n"
	"  --command NAME     only commands of this name, and what they ran\n"
	"  --since TIME       only commands that began then or later: 2026-11-23,\n"
	"                     2026-11-23T08:30:00 (UTC), or 90min, 12h, 7d ago\n"
	"  --slower-than TIME only commands that took at least so long: 500ms, 2s\n"
	"  --top N            rows of each table; 0: all (default: 10 for text,\n"
	"                     0 for the other formats)\n"
	"  --percentiles      p50, p90 and p99 also of regions and children\n"
	"  --format FORMAT    text, json, csv, or state: everything that is known,\n"
	"                     for --merge (default: text)\n"
	"  --merge            the inputs are states; their sum is the summary of\n"
	"                     all their logs\n"
	"  -h, --help         print this help\n",
	"\n"
	"Quantiles are exact within 1 %.\n"
	"\n"
	"Exit status: 0 all events were read, 1 something was left out, 2 the\n"
	"command line was wrong, 3 something could not be read or written, or\n"
	"there was no event.\n",
	NULL
};

int tr2_summary_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("summary", what, value);
	fputs("Try 'trace2 summary --help'.\n", stderr);
	return EXIT_USAGE;
}

/* Read a number and a unit: 1.5s. False: it is none. */
static bool read_duration(const char *text, int64_t *us)
{
	static const struct {
		const char *name;
		int64_t us;
	} units[] = { { "us", 1 },
		      { "ms", 1000 },
		      { "s", SECOND },
		      { "min", 60 * SECOND },
		      { "h", 3600 * SECOND },
		      { "d", 86400 * SECOND } };
	char *end;
	double value;
	size_t i;

	if (*text < '0' || *text > '9')
		return false;
	value = strtod(text, &end);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name) &&
		    value * (double)units[i].us < 1e18) {
			*us = (int64_t)(value * (double)units[i].us + 0.5);
			return true;
		}
	return false;
}

/* The present time as git writes it. */
static void print_now(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(text, size, "%Y-%m-%dT%H:%M:%S.000000Z", &tm);
}

/* Complete a date, or a date and a time, to the form of `time`. */
static bool complete_time(char *text, size_t size, const char *given)
{
	static const char form[] = "0000-00-00T00:00:00.000000Z";
	size_t len = strlen(given);

	if (len && given[len - 1] == 'Z')
		len--;
	if (len < sizeof("2026-11-23") - 1 || len >= sizeof(form) - 1 ||
	    size < sizeof(form))
		return false;
	memcpy(text, form, sizeof(form));
	memcpy(text, given, len);
	return tr2_match_time(text, sizeof(form) - 1);
}

static int take_since(struct tr2_summary_options *options, const char *value)
{
	char text[64];
	int64_t ago = 0;

	if (read_duration(value, &ago))
		print_now(text, sizeof(text));
	else if (!complete_time(text, sizeof(text), value))
		return tr2_summary_options_refuse(
			"--since needs a time such as 2026-11-23 or 12h",
			value);
	options->filter.since = tr2_time_read(text) - ago;
	return 0;
}

static int take_slower(struct tr2_summary_options *options, const char *value)
{
	if (read_duration(value, &options->filter.slower_than))
		return 0;
	return tr2_summary_options_refuse(
		"--slower-than needs a duration such as 500ms or 2s", value);
}

static int take_command(struct tr2_summary_options *options, const char *value)
{
	options->filter.command = value;
	return 0;
}

static int take_top(struct tr2_summary_options *options, const char *value)
{
	char *end;

	options->top = strtol(value, &end, 10);
	if (*value < '0' || *value > '9' || *end)
		return tr2_summary_options_refuse("--top needs a number",
						  value);
	return 0;
}

static int take_by(struct tr2_summary_options *options, const char *value)
{
	int by = tr2_near_index(tr2_by_names, value);

	if (by > TR2_BY_NOTHING) {
		options->by = (enum tr2_by)by;
		return 0;
	}
	tr2_near_complain("summary", "unknown key", value, tr2_by_names + 1);
	return EXIT_USAGE;
}

static int take_format(struct tr2_summary_options *options, const char *value)
{
#define FORMAT_NAME(format, name, function) name,
	static const char *const names[] = { TR2_SUMMARY_FORMATS(FORMAT_NAME)
						     NULL };
	int format = tr2_near_index(names, value);

	if (format >= 0) {
		options->format = (enum tr2_summary_format)format;
		return 0;
	}
	tr2_near_complain("summary", "unknown format", value, names);
	return EXIT_USAGE;
}

static int take_percentiles(struct tr2_summary_options *options,
			    const char *value)
{
	(void)value;
	options->percentiles = true;
	return 0;
}

static int take_merge(struct tr2_summary_options *options, const char *value)
{
	(void)value;
	options->merge = true;
	return 0;
}

static int take_help(struct tr2_summary_options *options, const char *value)
{
	(void)value;
	options->help = true;
	return 0;
}

/* Each option, and what it does. */
static const struct {
	struct option option;
	int (*take)(struct tr2_summary_options *options, const char *value);
} known[] = {
	{ { "by", required_argument, NULL, 0 }, take_by },
	{ { "command", required_argument, NULL, 0 }, take_command },
	{ { "since", required_argument, NULL, 0 }, take_since },
	{ { "slower-than", required_argument, NULL, 0 }, take_slower },
	{ { "top", required_argument, NULL, 0 }, take_top },
	{ { "percentiles", no_argument, NULL, 0 }, take_percentiles },
	{ { "format", required_argument, NULL, 0 }, take_format },
	{ { "merge", no_argument, NULL, 0 }, take_merge },
	{ { "help", no_argument, NULL, 0 }, take_help },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

static int refuse_option(int option, char *argument,
			 const struct option *options)
{
	if (option == ':')
		return tr2_summary_options_refuse("an option needs a value",
						  argument);
	tr2_near_complain_option("summary", argument, options);
	return EXIT_USAGE;
}

static bool has_choice(const struct tr2_summary_options *options)
{
	const struct tr2_filter *filter = &options->filter;

	return options->by || options->percentiles || filter->command ||
	       filter->since || filter->slower_than;
}

int tr2_summary_options_parse(struct tr2_summary_options *options, int argc,
			      char **argv)
{
	struct option all[KNOWN + 1] = { { NULL, 0, NULL, 0 } };
	int option, place = -1, code = 0;
	size_t i;

	*options = (struct tr2_summary_options){ .top = -1 };
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
	if (!code && options->merge && has_choice(options))
		code = tr2_summary_options_refuse(
			"--merge uses the options of the states; it has no "
			"--by, --command, --since, --slower-than or "
			"--percentiles",
			NULL);
	return code;
}
