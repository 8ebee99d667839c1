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
	{ VALIDATE_OPTION_FORMAT, TR2_CLI_SET(set_format),
	  .words = tr2_format_names },
	{ VALIDATE_OPTION_COLOR, TR2_CLI_SET(set_color), .words = colors },
	{ VALIDATE_OPTION_MAX_FINDINGS,
	  TR2_CLI_NUMBER(OWN, max_findings, 0, ULONG_MAX) },
	{ VALIDATE_OPTION_MAX_PER_RULE,
	  TR2_CLI_NUMBER(OWN, max_per_rule, 0, ULONG_MAX) },
	{ VALIDATE_OPTION_STATISTICS, TR2_CLI_FLAG(OWN, statistics) },
	{ VALIDATE_OPTION_FOLLOW, TR2_CLI_FLAG(OWN, follow) },
	{ VALIDATE_OPTION_LISTEN, TR2_CLI_SET(set_listen) },
	{ VALIDATE_OPTION_SELECT, TR2_CLI_LIST(add_selected) },
	{ VALIDATE_OPTION_IGNORE, TR2_CLI_LIST(add_ignored) },
	{ VALIDATE_OPTION_FAIL_ON,
	  TR2_CLI_WORD(OWN, fail_on, tr2_level_names, 0) },
	{ VALIDATE_OPTION_EVT, TR2_CLI_NUMBER(OWN, evt, 1, TR2_EVT_MAX) },
	{ VALIDATE_OPTION_CLASS, TR2_CLI_SET(set_class),
	  .words = tr2_class_names },
	{ VALIDATE_OPTION_FOR, TR2_CLI_LIST(add_program),
	  .words = (const char *const *)programs },
	{ VALIDATE_OPTION_STRICT, TR2_CLI_FLAG(OWN, strict) },
	{ VALIDATE_OPTION_LIST_RULES, TR2_CLI_FLAG(OWN, list_rules) },
	{ VALIDATE_OPTION_EXPLAIN, TR2_CLI_SET(set_explain) },
	{ .name = NULL },
};

const struct tr2_cli tr2_validate_cli = {
	.name = "validate",
	.help = VALIDATE_HELP,
	.options = table,
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
