/*
 * The command line of `trace2 validate`. What it refuses is in
 * t/commands/options.tsv.
 */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */

#include "kit/validate.h"

#include <limits.h>

#include "kit/command.h"
#include "rules/consumer/consumer.h"
#include "validate/options.h"

/*
 * The options in a short form: the format, everything that differs from the
 * default, and after a colon the paths.
 */
static char told[512];

static void tell_word(const char *word)
{
	if (*word)
		strcat(strcat(told, told[0] ? " " : ""), word);
}

static void tell_numbers(const struct tr2_options *options)
{
	const struct {
		const char *word;
		unsigned long number, usual;
	} rows[] = {
		{ "max", options->max_findings, ULONG_MAX },
		{ "evt", options->evt, 0 },
		{ "fail-on", options->fail_on, TR2_ERROR },
		{ "programs", options->programs, 0 },
	};
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "%s %lu", rows[i].word,
			 rows[i].number);
		tell_word(rows[i].number == rows[i].usual ? "" : text);
	}
}

static void tell_words(const struct tr2_options *options)
{
	const struct {
		const char *word;
		bool told;
	} rows[] = {
		{ "color", options->color },
		{ "statistics", options->statistics },
		{ "follow", options->follow },
		{ "listen", options->listen },
		{ options->socket.address.sun_path, options->listen },
		{ "strict", options->strict },
		{ "list", options->list_rules },
		{ options->explain ? options->explain->id : "", true },
		{ "without",
		  !tr2_selection_has(&options->selection, "input.empty") },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tell_word(rows[i].told ? rows[i].word : "");
}

static void tell_options(const struct tr2_options *options, char **paths)
{
	told[0] = '\0';
	tell_word(options->format->name);
	tell_numbers(options);
	tell_words(options);
	for (tell_word(*paths ? ":" : ""); *paths; paths++)
		tell_word(*paths);
}

static int parse_options(int argc, char **argv)
{
	struct tr2_options options;
	int rc;

	(void)argc;
	rc = tr2_options_read(&options, argv);
	tell_options(&options, argv + 1);
	tr2_options_release(&options);
	return rc;
}

static int call_command(const char *words)
{
	char text[256];

	snprintf(text, sizeof(text), "validate %s", words);
	return kit_call(parse_options, text);
}

static void test_taken(void)
{
	static const char *const rows[][2] = {
		{ "a --strict -", "concise strict : a -" },
		{ "--strict -- --strict", "concise strict : --strict" },
		{ "--format full", "full" },
		{ "--format=sarif --format json", "json" },
		{ "--color always", "concise color" },
		{ "--color always --color never", "concise" },
		{ "--color always --color auto", "concise color" },
		{ "--max-findings 0", "concise max 0" },
		{ "--max-findings 19", "concise max 19" },
		{ "--statistics", "concise statistics" },
		{ "--follow a", "concise follow : a" },
		{ "--listen af_unix:stream:s", "concise listen s" },
		{ "--listen af_unix:dgram:s/t", "concise listen s/t" },
		{ "--select input", "concise" },
		{ "--select stream", "concise without" },
		{ "--ignore input", "concise without" },
		{ "--ignore stream,input.empty", "concise without" },
		{ "--ignore stream", "concise" },
		{ "--fail-on error", "concise" },
		{ "--fail-on warning", "concise fail-on 1" },
		{ "--fail-on info", "concise fail-on 2" },
		{ "--evt 1", "concise evt 1" },
		{ "--evt 4", "concise evt 4" },
		{ "--for gitaly", "concise programs 2" },
		{ "--for git-ai,trace2receiver", "concise programs 9" },
		{ "--for flamechart --for gitaly", "concise programs 6" },
		{ "--for all", "concise programs 15" },
		{ "--list-rules", "concise list" },
		{ "--explain input.empty", "concise input.empty" },
	};
	char name[80];
	size_t i;
	int rc;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rc = call_command(rows[i][0]);
		snprintf(name, sizeof(name), "taken: %s", rows[i][0]);
		tap_str(rc != TR2_CLI_GO_ON ? kit_said[2] : told, rows[i][1],
			name);
	}
}

/* What it is without options: on a terminal of that kind. */
static const char *on_terminal(const char *term, const char *no_color)
{
	unsetenv("TERM");
	unsetenv("NO_COLOR");
	if (term)
		setenv("TERM", term, 1);
	if (no_color)
		setenv("NO_COLOR", no_color, 1);
	kit_on_terminal[1] = 1;
	call_command("");
	kit_on_terminal[1] = 0;
	return told;
}

static void test_terminal(void)
{
	call_command("");
	tap_str(told, "concise", "without a terminal each finding is a line");
	tap_str(on_terminal(NULL, NULL), "full color",
		"a terminal gets it in full, with colours");
	tap_str(on_terminal("xterm", ""), "full color",
		"a wish that is empty is none");
	tap_str(on_terminal("xterm", "0"), "full",
		"who wants no colours gets none");
	tap_str(on_terminal("dumb", NULL), "full",
		"a terminal that has no colours gets none");
}

int main(void)
{
	test_taken();
	test_terminal();
	return tap_done();
}
