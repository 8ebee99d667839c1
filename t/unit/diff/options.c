/* The command line of `trace2 diff`. */
#define _GNU_SOURCE /* mkdtemp() */

#include <getopt.h>

#include "kit/command.h"
#include "diff/compare.h"
#include "diff/options.h"

static struct tr2_diff_options options;

static int parse_again(int argc, char **argv)
{
	optind = 0;
	return tr2_diff_options_parse(&options, argc, argv);
}

/* Returns 0, or the exit status. */
static int parse_words(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "diff %s", words);
	return kit_call(parse_again, text);
}

static void test_defaults(void)
{
	tap_int(parse_words("a b"), 0, "diff needs no option");
	tap_ok(options.format == TR2_DIFF_TEXT && !options.command &&
		       !options.fails && options.percent == 0 &&
		       !options.help && options.top == 10,
	       "diff shows ten rows of text of all commands");
	tap_int(optind, 1, "the first path is after the options");
	tap_int(parse_words("--top 3 a b"), 0, "options are before paths");
	tap_int(optind, 3, "and the first path is after their values");
}

static void test_values(void)
{
	tap_int(parse_words("--command status --top 0 --format csv"), 0,
		"options of diff can be combined");
	tap_ok(!strcmp(options.command, "status") && options.top == 0 &&
		       options.format == TR2_DIFF_CSV,
	       "each option of diff keeps its value");
	parse_words("--format=json --top=12 -h");
	tap_ok(options.format == TR2_DIFF_JSON && options.top == 12 &&
		       options.help,
	       "values of diff may follow an equals sign");
	parse_words("--help");
	tap_ok(options.help, "diff has a long word for help");
	tap_int(parse_words("--format csv --format text"), 0,
		"a later format is taken");
	tap_int(options.format, TR2_DIFF_TEXT, "text is a format, too");
}

static void test_regression(void)
{
	tap_int(parse_words("--fail-on regression"), 0,
		"no percentage is needed");
	tap_ok(options.fails && options.percent == 0,
	       "without a percentage any growth fails");
	tap_int(parse_words("--fail-on regression=2.5"), 0,
		"a percentage may be broken");
	tap_ok(options.fails && options.percent == 2.5,
	       "a broken percentage is kept");
	tap_int(parse_words("--fail-on regression=1000000"), 0,
		"a growth by 10,000 times is allowed");
	tap_ok(options.percent == 1e6, "the largest percentage is kept");
	tap_int(parse_words("--fail-on regression=0.5"), 0,
		"a percentage may be less than one");
	tap_ok(options.percent == 0.5, "which is kept, too");
	parse_words("--fail-on regression=5 --fail-on regression");
	tap_ok(options.percent == 0, "the last percentage counts");
}

static void test_wrong_regressions(void)
{
	static const char *const wrong[] = { "x",
					     "regressio",
					     "regression=",
					     "regression=x",
					     "regression=-1",
					     "regression=+1",
					     "regression=5%",
					     "regression=.5",
					     "regression=1000000.5",
					     "regression=inf",
					     "regression=1e",
					     "regression=0x10",
					     "regression5",
					     "regressionx5",
					     "regression=1.2.3",
					     "regression=1,5" };
	char words[64], said[256];
	size_t i;
	int accepted = 0;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(words, sizeof(words), "--fail-on %s", wrong[i]);
		snprintf(said, sizeof(said),
			 "trace2 diff: --fail-on needs regression or "
			 "regression=PERCENT: %s\nTry 'trace2 diff --help'.\n",
			 wrong[i]);
		if (parse_words(words) == 2 && !strcmp(kit_said[2], said))
			continue;
		printf("# %s\n", wrong[i]);
		accepted++;
	}
	tap_int(accepted, 0, "a percentage is a plain decimal number");
}

static void test_wrong_values(void)
{
	static const char *const wrong[] = { "x", "-1", "+1", "1x", "/1" };
	char words[64];
	size_t i;
	int accepted = 0;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(words, sizeof(words), "--top %s", wrong[i]);
		accepted += parse_words(words) != 2;
	}
	tap_int(accepted, 0, "rows are counted by plain numbers");
	tap_str(kit_said[2],
		"trace2 diff: --top needs a number: /1\n"
		"Try 'trace2 diff --help'.\n",
		"a number of rows that is wrong is named");
	tap_int(parse_words("--top 9 --format jsn --top x"), 2,
		"the first mistake ends the command line of diff");
	tap_str(kit_said[2],
		"trace2 diff: unknown format 'jsn'; did you mean 'json'?\n",
		"a mistyped format of diff has a guess");
	tap_int(parse_words("--top"), 2, "--top has a value");
	tap_str(kit_said[2],
		"trace2 diff: an option needs a value: --top\n"
		"Try 'trace2 diff --help'.\n",
		"an option of diff whose value is missing is named");
	tap_int(parse_words("--tpo 5"), 2, "an option of diff may be unknown");
	tap_str(kit_said[2],
		"trace2 diff: unknown option '--tpo'; did you mean '--top'?\n",
		"a mistyped option of diff has a guess");
	tap_int(parse_words("-xh"), 2, "a letter may be unknown to diff");
	tap_ok(!options.help, "after an unknown letter no help is wanted");
}

int main(void)
{
	test_defaults();
	test_values();
	test_regression();
	test_wrong_regressions();
	test_wrong_values();
	return tap_done();
}
