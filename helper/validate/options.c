#include "validate/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/near.h"
#include "rules/consumer/consumer.h"
#include "validate_usage.h"

#define OWN struct tr2_options

_Static_assert(TR2_EVT_MAX == 4, "the help names the EVENT versions");

/* The words of --for: after all programs and `all`, `document`. */
#define DOCUMENT (TR2_CONSUMERS_NAMES - 1)
static const char *programs[TR2_CONSUMERS_NAMES + 1];
static const char *const colors[] = { "auto", "always", "never", NULL };

static const char *set_format(void *into, char *text)
{
	OWN *options = into;

	options->format = tr2_format_find(text);
	return NULL;
}

static const char *set_color(void *into, char *text)
{
	OWN *options = into;

	if (strcmp(text, "auto") != 0)
		options->color = !strcmp(text, "always");
	return NULL;
}

static const char rule[] =
	"an id that --list-rules prints, or its beginning (SPEC.md's index "
	"also has ids that only the conformance kit checks)";

static const char *add_prefix(OWN *options, const char *prefix, bool select)
{
	return !prefix || tr2_selection_add(&options->selection, prefix, select)
		       ? NULL
		       : rule;
}

static const char *add_selected(void *into, char *prefix)
{
	return add_prefix(into, prefix, true);
}

static const char *add_ignored(void *into, char *prefix)
{
	return add_prefix(into, prefix, false);
}

static const char *set_listen(void *into, char *text)
{
	OWN *options = into;

	options->listen = true;
	return tr2_socket_parse(&options->socket, text)
		       ? NULL
		       : "af_unix:stream:PATH or af_unix:dgram:PATH";
}

static const char *set_class(void *into, char *text)
{
	OWN *options = into;

	options->selection.classes = 1U
				     << tr2_near_index(tr2_class_names, text);
	return NULL;
}

/* The source documents are no program: they excuse, and give no verdict. */
static const char *add_program(void *into, char *name)
{
	OWN *options = into;
	const int number = name ? tr2_near_index(programs, name) : -1;

	if (number == DOCUMENT)
		options->document = true;
	else if (number == TR2_READERS)
		options->programs = TR2_CONSUMERS_ALL;
	else if (number >= 0)
		options->programs |= 1U << number;
	return NULL;
}

static const char *set_explain(void *into, char *text)
{
	OWN *options = into;

	options->explain = tr2_rules_find(text);
	options->explain_prefix = options->explain ? NULL : text;
	return tr2_rules_have(text) ? NULL : rule;
}

static const struct tr2_cli_option table[] = {
	TR2_CLI_HEADING("Output"),
	{ "format", "FORMAT", TR2_CLI_SET(set_format),
	  .words = tr2_format_names,
	  .help = "how to print findings (default: full on a terminal, "
		  "otherwise concise):\n"
		  "concise: one line for each finding,\n"
		  "    FILE:LINE:COLUMN: LEVEL[ID]: MESSAGE\n"
		  "full: also the line with the place marked, and the place in "
		  "SPEC.md\n"
		  "json: one JSON object, {\"findings\":[...], "
		  "\"summary\":{...}}\n"
		  "jsonl: a JSON object for each finding, and a last one, "
		  "{\"summary\":{...}}\n"
		  "sarif: SARIF 2.1.0\n"
		  "github: commands of a GitHub workflow, which shows each "
		  "finding next to its file\n"
		  "markdown: a list for a comment of GitHub" },
	{ "color", "WHEN", TR2_CLI_SET(set_color), .words = colors,
	  .help = "when to print in color: auto, always or never (default: "
		  "auto, which uses colors on a terminal unless NO_COLOR is "
		  "set)" },
	{ "max-findings", "N", TR2_CLI_NUMBER(OWN, max_findings, 0, ULONG_MAX),
	  .help = "show the first N findings and only count the others" },
	{ "max-per-rule", "N", TR2_CLI_NUMBER(OWN, max_per_rule, 0, ULONG_MAX),
	  .help = "show the first N findings of each rule and only count the "
		  "others; 0 shows all (default: 5 on a terminal if neither "
		  "--format nor --max-findings is given, else 0)" },
	{ "statistics", NULL, TR2_CLI_FLAG(OWN, statistics),
	  .help = "report how many findings each rule and each writer has, and "
		  "how many rules the logs exercised" },
	{ "follow", NULL, TR2_CLI_FLAG(OWN, follow),
	  .help = "read one FILE while it grows, as `tail -F` does, even if "
		  "another file replaces it. Print findings at once, and "
		  "totals on SIGINT or SIGTERM" },
	{ "listen", "af_unix:TYPE:PATH", TR2_CLI_SET(set_listen),
	  .help = "make a socket of the type stream or dgram and check what "
		  "programs write to it. Many programs can write at once; they "
		  "do not wait. Print findings and totals as with --follow" },
	TR2_CLI_HEADING("Rules"),
	{ "select", "PREFIX", TR2_CLI_LIST(add_selected),
	  .help = "show only findings whose id is PREFIX or begins with PREFIX "
		  "and a dot. May be a list with commas, and be given more "
		  "than once" },
	{ "ignore", "PREFIX", TR2_CLI_LIST(add_ignored),
	  .help = "leave out such findings. If several prefixes match, the "
		  "longest decides; of equally long ones, the last" },
	{ "fail-on", "LEVEL", TR2_CLI_WORD(OWN, fail_on, tr2_level_names, 0),
	  .help = "the lowest level that makes the exit status 1: error, "
		  "warning or info (default: error)" },
	{ "evt", "N", TR2_CLI_NUMBER(OWN, evt, 1, TR2_EVT_MAX),
	  .help = "check against EVENT version N, 1 to 4, even if the logs "
		  "declare another (default: the version that each session "
		  "declares, or 4 if it declares none)" },
	{ "class", "CLASS", TR2_CLI_SET(set_class), .words = tr2_class_names,
	  .help = "hold the writers of the logs to this class of SPEC.md: min, "
		  "full or git. Check only the rules that bind it, among them "
		  "how a line is written: order of keys, white space, escapes "
		  "and digits" },
	{ "for", "PROGRAM", TR2_CLI_LIST(add_program),
	  .words = (const char *const *)programs,
	  .help = "report what a program that reads EVENT logs makes of each: "
		  "it accepts the log, degrades it (loses a part) or rejects "
		  "it, and because of which line. PROGRAM: trace2receiver, "
		  "gitaly, flamechart, git-ai, or all; or a list of them\n"
		  "With `document`, findings that an error in Trace2's source "
		  "documents explains are infos that name it" },
	{ "strict", NULL, TR2_CLI_FLAG(OWN, strict),
	  .help = "report known deviations of a writer as errors and warnings "
		  "(default: as infos)" },
	{ "list-rules", NULL, TR2_CLI_FLAG(OWN, list_rules),
	  .help = "list id, level and sentence of each rule; with --class, of "
		  "those that bind it" },
	{ "explain", "ID", TR2_CLI_SET(set_explain),
	  .help = "explain the rule, with a bad and a good example. If ID is "
		  "the beginning of several ids, up to a dot, list these "
		  "rules" },
	{ .name = NULL },
};

const struct tr2_cli tr2_validate_cli = {
	.name = "validate",
	.about = VALIDATE_ABOUT,
	.options = table,
	.notes = VALIDATE_NOTES,
};

/* The meaning of `auto`. See no-color.org. */
static bool wants_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if ((no_color && *no_color) || (term && !strcmp(term, "dumb")))
		return false;
	return isatty(STDOUT_FILENO);
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

int tr2_options_read(struct tr2_options *options, char **argv)
{
	int code;

	*options = (struct tr2_options){ .max_findings = ULONG_MAX,
					 .max_per_rule = ULONG_MAX,
					 .color = wants_color() };
	tr2_consumers_list(programs);
	programs[DOCUMENT] = "document";
	code = tr2_cli_read(&tr2_validate_cli, options, argv);
	set_defaults(options);
	return code;
}

void tr2_options_release(struct tr2_options *options)
{
	tr2_vec_release(&options->selection.words);
}
