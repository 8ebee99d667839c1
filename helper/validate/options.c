#include "validate/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/foreign_text.h"
#include "common/near.h"
#include "consumer/consumer.h"

/* C has strings of 4095 bytes. */
const char *const tr2_options_help[] = {
	"usage: trace2 validate [OPTION]... [FILE|DIR|-]...\n"
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
	"files below it, `-` for standard input, which is also read if nothing\n"
	"is named and it is no terminal. A file that is no Trace2 log is named\n"
	"and left out.\n"
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
	"  --max-per-rule N Show the first N findings of each rule, count the\n"
	"                   others; 0: show all. Default: 5 on a terminal, unless\n"
	"                   --format or --max-findings is given; else 0.\n"
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
	"\n",
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
	"                   good example. If ID is the beginning of several ids,\n"
	"                   up to a dot, list these rules.\n"
	"  -h, --help       Print this.\n"
	"\n"
	"Findings are sorted by name of file, line and column. Columns are\n"
	"bytes, the first is 1. Levels are error, warning and info; an event or\n"
	"a key that is in no schema is an info, and so is what a writer is known\n"
	"for and what has no end.\n"
	"\n"
	"Exit status: 0 no findings of the level of --fail-on or above, 1 such\n"
	"findings, 2 wrong usage, 3 something could not be read or there was no\n"
	"Trace2 log.\n",
	NULL
};

_Static_assert(TR2_EVT_MAX == 4, "the help names the EVENT versions");

int tr2_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("validate", what, value);
	fputs("Try 'trace2 validate --help'.\n", stderr);
	return EXIT_USAGE;
}

/* The value is none of these. */
static int refuse_word(const char *what, const char *word,
		       const char *const *words)
{
	tr2_near_complain("validate", what, word, words);
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
	return options->format
		       ? 0
		       : refuse_word("unknown format", text, tr2_format_names);
}

static int set_color(struct tr2_options *options, const char *text)
{
	static const char *const whens[] = { "auto", "always", "never", NULL };

	if (tr2_near_index(whens, text) < 0)
		return refuse_word("unknown value of --color", text, whens);
	if (strcmp(text, "auto"))
		options->color = !strcmp(text, "always");
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

static int set_max_per_rule(struct tr2_options *options, const char *text)
{
	return read_number(text, &options->max_per_rule)
		       ? 0
		       : tr2_options_refuse("not a number of findings", text);
}

static int refuse_rule(const char *prefix)
{
	tr2_foreign_complain("validate", "no rule's id begins with", prefix);
	fputs("'trace2 validate --list-rules' lists the rules.\n", stderr);
	return EXIT_USAGE;
}

static int add_prefixes(struct tr2_options *options, const char *text,
			bool select)
{
	char *unknown = tr2_selection_add(&options->selection, text, select);
	int rc;

	if (!unknown)
		return 0;
	rc = refuse_rule(unknown);
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
	const char *levels[TR2_LEVELS + 1] = { NULL };
	int level;

	memcpy(levels, tr2_level_names, sizeof(tr2_level_names));
	level = tr2_near_index(levels, text);
	if (level < 0)
		return refuse_word("unknown level", text, levels);
	options->fail_on = (enum tr2_level)level;
	return 0;
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
	const char *names[TR2_CONSUMERS_NAMES];
	char name[32];
	size_t len;
	unsigned named;

	tr2_consumers_list(names);

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		named = tr2_consumers_named(name);
		if (!named)
			return refuse_word("unknown program", name, names);
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
	size_t i;

	options->explain = tr2_rules_find(text);
	options->explain_prefix = options->explain ? NULL : text;
	for (i = 0; i < tr2_rules_count; i++)
		if (tr2_rules_is_prefix(text, tr2_rules[i].id))
			return 0;
	return refuse_rule(text);
}

static int set_help(struct tr2_options *options, const char *text)
{
	(void)text;
	options->help = true;
	return 0;
}

static const struct option known[] = {
	{ "format", required_argument, NULL, 0 },
	{ "color", required_argument, NULL, 0 },
	{ "max-findings", required_argument, NULL, 0 },
	{ "max-per-rule", required_argument, NULL, 0 },
	{ "statistics", no_argument, NULL, 0 },
	{ "jobs", required_argument, NULL, 0 },
	{ "follow", no_argument, NULL, 0 },
	{ "listen", required_argument, NULL, 0 },
	{ "select", required_argument, NULL, 0 },
	{ "ignore", required_argument, NULL, 0 },
	{ "fail-on", required_argument, NULL, 0 },
	{ "evt", required_argument, NULL, 0 },
	{ "for", required_argument, NULL, 0 },
	{ "strict", no_argument, NULL, 0 },
	{ "list-rules", no_argument, NULL, 0 },
	{ "explain", required_argument, NULL, 0 },
	{ "help", no_argument, NULL, 0 },
	{ NULL, 0, NULL, 0 },
};

/* In the same order. */
static int (*const setters[])(struct tr2_options *options, const char *text) = {
	set_format,	set_color,  set_max_findings, set_max_per_rule,
	set_statistics, set_jobs,   set_follow,	      set_listen,
	set_select,	set_ignore, set_fail_on,      set_evt,
	set_for,	set_strict, set_list_rules,   set_explain,
	set_help,
};

_Static_assert(sizeof(setters) / sizeof(setters[0]) + 1 ==
		       sizeof(known) / sizeof(known[0]),
	       "each option has its setter");

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

	tr2_near_complain_option("validate", optopt ? letter : argument, known);
	return EXIT_USAGE;
}

/*
 * A terminal shows five findings of a rule, where nothing else was asked
 * for: a defect of one writer comes as often as the writer runs.
 */
static void set_defaults(struct tr2_options *options)
{
	const bool terminal = isatty(STDOUT_FILENO);
	const bool asked = options->max_findings != ULONG_MAX;

	if (options->max_per_rule == ULONG_MAX)
		options->max_per_rule =
			terminal && !options->format && !asked ? 5 : 0;
	if (!options->format)
		options->format =
			tr2_format_find(terminal ? "full" : "concise");
}

int tr2_options_parse(struct tr2_options *options, int argc, char **argv)
{
	int option, row, rc = 0;

	*options = (struct tr2_options){ .max_findings = ULONG_MAX,
					 .max_per_rule = ULONG_MAX,
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
	set_defaults(options);
	return rc;
}

void tr2_options_release(struct tr2_options *options)
{
	tr2_selection_release(&options->selection);
}
