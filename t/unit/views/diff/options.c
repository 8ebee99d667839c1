/*
 * The command line of `trace2 diff`. Most of what it refuses is in
 * t/commands/options.tsv.
 */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/command.h"
#include "views/diff/compare.h"
#include "views/diff/options.h"

static struct tr2_diff_options options;

static int read_argv(int argc, char **argv)
{
	(void)argc;
	return tr2_diff_options_read(&options, argv);
}

static bool is_read(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "diff %s a b", words);
	return kit_call(read_argv, text) == TR2_CLI_GO_ON;
}

static void test_defaults(void)
{
	tap_ok(is_read(""), "diff needs no option");
	tap_ok(options.format == TR2_DIFF_TEXT && !options.command &&
		       !options.fails && options.percent == 0 &&
		       options.top == 10,
	       "diff shows ten rows of text of all commands");
}

static void test_values(void)
{
	tap_ok(is_read("--command status --top 0 --format csv"),
	       "options of diff can be combined");
	tap_ok(!strcmp(options.command, "status") && options.top == 0 &&
		       options.format == TR2_DIFF_CSV,
	       "each option of diff keeps its value");
}

static void test_regression(void)
{
	tap_ok(is_read("--fail-on regression"), "no percentage is needed");
	tap_ok(options.fails && options.percent == 0,
	       "without a percentage any growth fails");
	tap_ok(is_read("--fail-on regression=2.5"),
	       "a percentage may be broken");
	tap_ok(options.fails && options.percent == 2.5,
	       "a broken percentage is kept");
	tap_ok(is_read("--fail-on regression=1000000"),
	       "a growth by 10,000 times is allowed");
	tap_ok(options.percent == 1e6, "the largest percentage is kept");
	tap_ok(is_read("--fail-on regression=0.5"),
	       "a percentage may be less than one");
	tap_ok(options.percent == 0.5, "which is kept, too");
	is_read("--fail-on regression=5 --fail-on regression");
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
	char words[64];
	size_t i;
	int accepted = 0;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(words, sizeof(words), "--fail-on %s", wrong[i]);
		if (!is_read(words))
			continue;
		printf("# %s\n", wrong[i]);
		accepted++;
	}
	tap_int(accepted, 0, "a percentage is a plain decimal number");
}

int main(void)
{
	test_defaults();
	test_values();
	test_regression();
	test_wrong_regressions();
	return tap_done();
}
