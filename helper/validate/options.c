#include "validate/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/foreign_text.h"
#include "consumer/consumer.h"

const char tr2_options_help[] =
	"usage: trace2 validate [OPTION]... FILE|DIR|-...\n"
	"       trace2 validate [OPTION]... --listen af_unix:TYPE:PATH\n"
	"       trace2 validate --list-rules | --explain ID\n"
	"\n"
	"Check Trace2 logs. EVENT: that every line is one event, that every\n"
	"event has the keys and values of its EVENT version, and that the\n"
	"events of each process, thread and region fit together. NORMAL and\n"
	"PERF, told by what they hold: columns, payloads and quoting, and in\n"
	"PERF regions and times. Archives of the FXT format: every record.\n"
	"\n"
	"FILE may be compressed by gzip or zstd. DIR stands for all regular\n"
	"files below it, `-` for standard input. A file that is no Trace2 log\n"
	"is named and left out.\n"
	"\n"
	"Output:\n"
	"  --format FORMAT  concise: a line for each finding,\n"
	"                       FILE:LINE:COLUMN: LEVEL[ID]: MESSAGE\n"
	"                   full: the same, the line with the place marked, and\n"
	"                       where SPEC.md says so\n"
	"                   json: one JSON object, {\"findings\":[...],\n"
	"                       \"summary\":{...}}\n"
	"                   jsonl: a JSON object for each finding, and last\n"
	"                       {\"summary\":{...}}\n"
	"                   sarif: SARIF 2.1.0\n"
	"                   github: commands of a GitHub workflow, which shows\n"
	"                       them beside the file\n"
	"                   Without it, full on a terminal, else concise.\n"
	"  --color WHEN     auto, always or never. Without it, auto: on a\n"
	"                   terminal, unless NO_COLOR is set.\n"
	"  --max-findings N Show the first N findings, count the others.\n"
	"  --statistics     Tell how many findings each rule and each writer has,\n"
	"                   and for how many rules the logs hold an occasion.\n"
	"  --jobs N         Work with N threads, 1 to 64; what is said is the same.\n"
	"                   Without it, one for each processor, and one alone\n"
	"                   where there is little to do.\n"
	"  --follow         Read one FILE as it grows, as `tail -F` does, also when\n"
	"                   another takes its place; give findings as they come,\n"
	"                   and the totals on SIGINT or SIGTERM.\n"
	"  --listen af_unix:stream:PATH, af_unix:dgram:PATH\n"
	"                   Make a socket, and check what programs write to it as\n"
	"                   it comes, many at once, without making them wait;\n"
	"                   give the totals on SIGINT or SIGTERM.\n"
	"\n"
	"Rules:\n"
	"  --select PREFIX  Only findings whose id is PREFIX or begins with it,\n"
	"                   up to a dot. May be a list with commas, and be given\n"
	"                   more than once.\n"
	"  --ignore PREFIX  None of these. The longest prefix counts, of equal\n"
	"                   ones the last.\n"
	"  --fail-on LEVEL  error, warning or info: the lowest level that makes\n"
	"                   the exit status 1. Without it, error.\n"
	"  --evt N          Check against EVENT version N, 1 to 4, whatever the\n"
	"                   logs declare. Without it, each session is checked\n"
	"                   against the version that it declares, or else 4.\n"
	"  --for PROGRAM    Say what a program that reads EVENT logs makes of each\n"
	"                   log: accepted, degraded (it loses a part of it) or\n"
	"                   rejected, and by which line. trace2receiver, gitaly,\n"
	"                   flamechart, git-ai, or all. May be a list.\n"
	"  --strict         Errors and warnings that a writer is known for keep\n"
	"                   their level. Without it they are infos.\n"
	"  --list-rules     List the rules: id, level and sentence, with tabs.\n"
	"  --explain ID     Say what the rule demands and why, with a bad and a\n"
	"                   good example.\n"
	"  -h, --help       Print this.\n"
	"\n"
	"Findings are sorted by name of file, line and column. Columns are\n"
	"bytes, the first is 1. Levels are error, warning and info; an event or\n"
	"a key that is in no schema is an info, and so is what a writer is known\n"
	"for and what has no end.\n"
	"\n"
	"Exit status: 0 no findings of the level of --fail-on or above, 1 such\n"
	"findings, 2 wrong usage, 3 something could not be read or there was no\n"
	"Trace2 log.\n";

_Static_assert(TR2_EVT_MAX == 4, "the help names the EVENT versions");

int tr2_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("validate", what, value);
	fputs("Try 'trace2 validate --help'.\n", stderr);
	return EXIT_USAGE;
}

static int set_evt(struct tr2_options *options, const char *text)
{
	if (strlen(text) != 1 || *text < '1' || *text > '0' + TR2_EVT_MAX)
		return tr2_options_refuse("not an EVENT version", text);
	options->evt = (unsigned)(*text - '0');
	return 0;
}

static int set_format(struct tr2_options *options, const char *text)
{
	options->format = tr2_format_find(text);
	return options->format ? 0 : tr2_options_refuse("unknown format", text);
}

static int set_color(struct tr2_options *options, const char *text)
{
	if (!strcmp(text, "always"))
		options->color = true;
	else if (!strcmp(text, "never"))
		options->color = false;
	else if (strcmp(text, "auto"))
		return tr2_options_refuse("not auto, always or never", text);
	return 0;
}

/* No sign, and no blanks. */
static bool read_number(const char *text, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	return *text >= '0' && !*end && !errno;
}

static int set_jobs(struct tr2_options *options, const char *text)
{
	unsigned long jobs;

	if (!read_number(text, &jobs) || !jobs || jobs > TR2_JOBS_MAX)
		return tr2_options_refuse("not a number of jobs", text);
	options->jobs = (unsigned)jobs;
	return 0;
}

static int set_max_findings(struct tr2_options *options, const char *text)
{
	return read_number(text, &options->max_findings)
		       ? 0
		       : tr2_options_refuse("not a number of findings", text);
}

static int add_prefixes(struct tr2_options *options, const char *text,
			bool select)
{
	char *unknown = tr2_selection_add(&options->selection, text, select);
	int rc;

	if (!unknown)
		return 0;
	rc = tr2_options_refuse("begins the id of no rule", unknown);
	free(unknown);
	return rc;
}

static int set_select(struct tr2_options *options, const char *text)
{
	return add_prefixes(options, text, true);
}

static int set_ignore(struct tr2_options *options, const char *text)
{
	return add_prefixes(options, text, false);
}

static int set_fail_on(struct tr2_options *options, const char *text)
{
	int level;

	for (level = 0; level < TR2_LEVELS; level++)
		if (!strcmp(text, tr2_level_names[level])) {
			options->fail_on = (enum tr2_level)level;
			return 0;
		}
	return tr2_options_refuse("not error, warning or info", text);
}

static int set_statistics(struct tr2_options *options, const char *text)
{
	(void)text;
	options->statistics = true;
	return 0;
}

static int set_follow(struct tr2_options *options, const char *text)
{
	(void)text;
	options->follow = true;
	return 0;
}

static int set_listen(struct tr2_options *options, const char *text)
{
	options->listen = true;
	return tr2_socket_parse(&options->socket, text)
		       ? 0
		       : tr2_options_refuse("not af_unix:stream:PATH or "
					    "af_unix:dgram:PATH",
					    text);
}

static int set_for(struct tr2_options *options, const char *text)
{
	char name[32];
	size_t len;
	unsigned named;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		named = tr2_consumers_named(name);
		if (!named)
			return tr2_options_refuse("no such program", name);
		options->programs |= named;
		if (!text[len])
			return 0;
	}
}

static int set_strict(struct tr2_options *options, const char *text)
{
	(void)text;
	options->strict = true;
	return 0;
}

static int set_list_rules(struct tr2_options *options, const char *text)
{
	(void)text;
	options->list_rules = true;
	return 0;
}

static int set_explain(struct tr2_options *options, const char *text)
{
	options->explain = tr2_rules_find(text);
	return options->explain ? 0 : tr2_options_refuse("no such rule", text);
}

static int set_help(struct tr2_options *options, const char *text)
{
	(void)text;
	options->help = true;
	return 0;
}

/* Each option after the function that sets it. */
/* clang-format off */
#define OPTIONS(ROW) \
	ROW(set_format, { "format", required_argument, NULL, 0 }) \
	ROW(set_color, { "color", required_argument, NULL, 0 }) \
	ROW(set_max_findings, { "max-findings", required_argument, NULL, 0 }) \
	ROW(set_statistics, { "statistics", no_argument, NULL, 0 }) \
	ROW(set_jobs, { "jobs", required_argument, NULL, 0 }) \
	ROW(set_follow, { "follow", no_argument, NULL, 0 }) \
	ROW(set_listen, { "listen", required_argument, NULL, 0 }) \
	ROW(set_select, { "select", required_argument, NULL, 0 }) \
	ROW(set_ignore, { "ignore", required_argument, NULL, 0 }) \
	ROW(set_fail_on, { "fail-on", required_argument, NULL, 0 }) \
	ROW(set_evt, { "evt", required_argument, NULL, 0 }) \
	ROW(set_for, { "for", required_argument, NULL, 0 }) \
	ROW(set_strict, { "strict", no_argument, NULL, 0 }) \
	ROW(set_list_rules, { "list-rules", no_argument, NULL, 0 }) \
	ROW(set_explain, { "explain", required_argument, NULL, 0 }) \
	ROW(set_help, { "help", no_argument, NULL, 0 })

#define PUT_SETTER(setter, ...) setter,
#define PUT_OPTION(setter, ...) __VA_ARGS__,

static int (*const setters[])(struct tr2_options *options, const char *text) = {
	OPTIONS(PUT_SETTER)
};

static const struct option known[] = {
	OPTIONS(PUT_OPTION)
	{ NULL, 0, NULL, 0 },
};
/* clang-format on */

/* What `auto` means. See no-color.org. */
static bool wants_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if ((no_color && *no_color) || (term && !strcmp(term, "dumb")))
		return false;
	return isatty(STDOUT_FILENO);
}

/* A letter may be one of several in an argument that is not over yet. */
static int refuse_option(char *argument)
{
	char letter[] = { '-', (char)optopt, '\0' };

	return tr2_options_refuse("unknown option", optopt ? letter : argument);
}

int tr2_options_parse(struct tr2_options *options, int argc, char **argv)
{
	int option, row, rc = 0;

	*options = (struct tr2_options){ .max_findings = ULONG_MAX,
					 .color = wants_color() };
	while (!rc &&
	       (option = getopt_long(argc, argv, ":h", known, &row)) >= 0)
		switch (option) {
		case 0:
			rc = setters[row](options, optarg);
			break;
		case 'h':
			rc = set_help(options, NULL);
			break;
		case ':':
			rc = tr2_options_refuse("option needs a value",
						argv[optind - 1]);
			break;
		default:
			rc = refuse_option(argv[optind - 1]);
		}
	if (!options->format)
		options->format = tr2_format_find(
			isatty(STDOUT_FILENO) ? "full" : "concise");
	return rc;
}

void tr2_options_release(struct tr2_options *options)
{
	tr2_selection_release(&options->selection);
}
