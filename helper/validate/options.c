#include "validate/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/foreign.h"
#include "cli/near.h"
#include "consumer/consumer.h"

static const char document[] = "document"; /* of --for */

/* C has strings of 4095 bytes. */
const char *const tr2_options_help[] = {
	"usage: trace2 validate [OPTION]... [FILE|DIR|-]...\n"
	"       trace2 validate [OPTION]... --listen af_unix:TYPE:PATH\n"
	"       trace2 validate --list-rules | --explain ID\n"
	"\n"
	"Check Trace2 logs. EVENT logs: every line is one event with the keys and\n"
	"values of its EVENT version, and the events of each process, thread and\n"
	"region fit together. NORMAL and PERF logs, which are recognised by their\n"
	"content: columns, payloads and quoting; in PERF logs also regions and\n"
	"times. Archives of the FXT format: every record.\n"
	"\n"
	"FILE may be compressed by gzip or zstd. DIR means all regular files below\n"
	"it, `-` means standard input, which is also read if no FILE is given and\n"
	"it is not a terminal. A file that is not a Trace2 log is reported and\n"
	"skipped.\n"
	"\n"
	"Output:\n"
	"  --format FORMAT  concise: one line for each finding,\n"
	"                       FILE:LINE:COLUMN: LEVEL[ID]: MESSAGE\n"
	"                   full: also the line with the place marked, and the\n"
	"                       place in SPEC.md\n"
	"                   json: one JSON object, {\"findings\":[...],\n"
	"                       \"summary\":{...}}\n"
	"                   jsonl: a JSON object for each finding, and a last one,\n"
	"                       {\"summary\":{...}}\n"
	"                   sarif: SARIF 2.1.0\n"
	"                   github: commands of a GitHub workflow, which shows\n"
	"                       each finding next to its file\n"
	"                   Default: full on a terminal, otherwise concise.\n"
	"  --color WHEN     auto, always or never. Default: auto, which uses colours\n"
	"                   on a terminal unless NO_COLOR is set.\n"
	"  --max-findings N Show the first N findings and only count the others.\n"
	"  --max-per-rule N Show the first N findings of each rule and only count\n"
	"                   the others; 0 shows all. Default: 5 on a terminal if\n"
	"                   neither --format nor --max-findings is given, else 0.\n"
	"  --statistics     Report how many findings each rule and each writer has,\n"
	"                   and how many rules the logs exercised.\n"
	"  --jobs N         Work with N threads, 1 to 64; the findings are the same.\n"
	"                   Default: one for each processor, or one for small input.\n"
	"  --follow         Read one FILE while it grows, as `tail -F` does, even if\n"
	"                   another file replaces it. Print findings at once, and\n"
	"                   totals on SIGINT or SIGTERM.\n"
	"  --listen af_unix:stream:PATH, af_unix:dgram:PATH\n"
	"                   Create a socket and check what programs write to it.\n"
	"                   Many programs can write at once; they do not wait.\n"
	"                   Print findings and totals as with --follow.\n"
	"\n",
	"Rules:\n"
	"  --select PREFIX  Show only findings whose id is PREFIX or begins with\n"
	"                   PREFIX and a dot. May be a list with commas, and be\n"
	"                   given more than once.\n"
	"  --ignore PREFIX  Leave out such findings. If several prefixes match, the\n"
	"                   longest decides; of equally long ones, the last.\n"
	"  --fail-on LEVEL  error, warning or info: the lowest level that makes\n"
	"                   the exit status 1. Default: error.\n"
	"  --evt N          Check against EVENT version N, 1 to 4, even if the logs\n"
	"                   declare another. Default: the version that each\n"
	"                   session declares, or 4 if it declares none.\n"
	"  --class CLASS    Hold the writers of the logs to this class of SPEC.md:\n"
	"                   min, full or git. Check only the rules that bind it,\n"
	"                   among them how a line is written: order of keys,\n"
	"                   white space, escapes and digits.\n"
	"  --for PROGRAM    Report whether a program that reads EVENT logs accepts\n"
	"                   each log, degrades it (loses a part) or rejects it, and\n"
	"                   because of which line. PROGRAM: trace2receiver, gitaly,\n"
	"                   flamechart, git-ai, or all; or a list of them.\n"
	"                   With `document`, findings that an error in Trace2's\n"
	"                   source documents explains are infos that name it.\n"
	"  --strict         Report known deviations of a writer as errors and\n"
	"                   warnings. Default: report them as infos.\n"
	"  --list-rules     List id, level and sentence of each rule.\n"
	"  --explain ID     Explain the rule, with a bad and a good example.\n"
	"                   If ID is the beginning of several ids, up to a dot,\n"
	"                   list these rules.\n"
	"  -h, --help       Print this help.\n"
	"\n"
	"Findings are sorted by file name, line and column. Columns count bytes\n"
	"from 1. Levels are error, warning and info. Unknown events and keys, known\n"
	"deviations of a writer, and unfinished processes are infos.\n"
	"\n"
	"Exit status: 0 no finding has the level of --fail-on or a higher one, 1 at\n"
	"least one finding has, 2 the command line was wrong, 3 something could not\n"
	"be read or there was no Trace2 log.\n",
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

/* Accepts neither a sign nor blanks. */
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
	fputs("'trace2 validate --list-rules' lists the rules. SPEC.md's index\n"
	      "also has the requirements that only the conformance kit checks.\n",
	      stderr);
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

static int set_class(struct tr2_options *options, const char *text)
{
	int class = tr2_near_index(tr2_class_names, text);

	if (class < 0)
		return refuse_word("unknown class", text, tr2_class_names);
	options->selection.classes = 1U << class;
	return 0;
}

static int refuse_reader(const char *name)
{
	const char *names[TR2_CONSUMERS_NAMES + 1] = { NULL };

	tr2_consumers_list(names);
	names[TR2_CONSUMERS_NAMES - 1] = document;
	return refuse_word("unknown program", name, names);
}

/* The source documents are no program: they excuse, and give no verdict. */
static int set_for(struct tr2_options *options, const char *text)
{
	char name[32];
	size_t len;
	unsigned named;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		named = tr2_consumers_named(name);
		if (!strcmp(name, document))
			options->document = true;
		else if (!named)
			return refuse_reader(name);
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

/* Each option after the function that sets it. */
/* clang-format off */
#define OPTIONS(ROW) \
	ROW(set_format, { "format", required_argument, NULL, 0 }) \
	ROW(set_color, { "color", required_argument, NULL, 0 }) \
	ROW(set_max_findings, { "max-findings", required_argument, NULL, 0 }) \
	ROW(set_max_per_rule, { "max-per-rule", required_argument, NULL, 0 }) \
	ROW(set_statistics, { "statistics", no_argument, NULL, 0 }) \
	ROW(set_jobs, { "jobs", required_argument, NULL, 0 }) \
	ROW(set_follow, { "follow", no_argument, NULL, 0 }) \
	ROW(set_listen, { "listen", required_argument, NULL, 0 }) \
	ROW(set_select, { "select", required_argument, NULL, 0 }) \
	ROW(set_ignore, { "ignore", required_argument, NULL, 0 }) \
	ROW(set_fail_on, { "fail-on", required_argument, NULL, 0 }) \
	ROW(set_evt, { "evt", required_argument, NULL, 0 }) \
	ROW(set_class, { "class", required_argument, NULL, 0 }) \
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

/* The meaning of `auto`. See no-color.org. */
static bool wants_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if ((no_color && *no_color) || (term && !strcmp(term, "dumb")))
		return false;
	return isatty(STDOUT_FILENO);
}

static int refuse_option(const char *argument)
{
	tr2_near_complain_option("validate", argument, known);
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
