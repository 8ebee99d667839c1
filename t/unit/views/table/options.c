#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/*
 * The command line of `trace2 table`. What it refuses is in
 * t/commands/options.tsv.
 */

#include "kit/command.h"
#include "views/table/options.h"

static struct tr2_flat_options options;

static int read_argv(int argc, char **argv)
{
	(void)argc;
	return tr2_table_options_read(&options, argv);
}

static bool is_read(const char *words)
{
	char text[256];

	memset(&options, 0x5a, sizeof(options));
	snprintf(text, sizeof(text), "table %s a", words);
	return kit_call(read_argv, text) == TR2_CLI_GO_ON;
}

#define BIT(kind) (1U << TR2_FLAT_KIND_##kind)

static void test_defaults(void)
{
	tap_ok(is_read(""), "options are not needed");
	tap_ok(options.format == TR2_FLAT_NDJSON &&
		       options.kinds == BIT(PROCESSES) && !options.output &&
		       !options.select,
	       "without options processes are printed as NDJSON");
}

static void test_rows(void)
{
	static const struct {
		const char *word;
		unsigned kind;
	} kinds[] = {
		{ "processes", BIT(PROCESSES) }, { "regions", BIT(REGIONS) },
		{ "data", BIT(DATA) },		 { "errors", BIT(ERRORS) },
		{ "events", BIT(EVENTS) },
	};
	char words[64];
	size_t i, count = 0;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(words, sizeof(words), "--rows %s", kinds[i].word);
		count += is_read(words) && options.kinds == kinds[i].kind;
	}
	tap_int((intmax_t)count, 5, "each kind of rows has a word");
	tap_ok(is_read("--rows data --rows errors") &&
		       options.kinds == BIT(ERRORS),
	       "the last --rows decides");
	tap_ok(is_read("-o a --format sqlite --rows=events,data,data") &&
		       options.kinds == (BIT(EVENTS) | BIT(DATA)),
	       "a database may have several kinds");
}

static void test_values(void)
{
	tap_ok(is_read("--format csv -o -") && options.format == TR2_FLAT_CSV,
	       "rows may be CSV on standard output");
	tap_ok(is_read("--format sqlite --output=b --select f "
		       "--rows regions,processes") &&
		       options.format == TR2_FLAT_SQLITE &&
		       !strcmp(options.output, "b") &&
		       !strcmp(options.select, "f"),
	       "a filter file may come with other rows, too");
	tap_ok(!is_read("--select f --rows regions --format sqlite -o a"),
	       "a filter file needs processes");
}

int main(void)
{
	test_defaults();
	test_rows();
	test_values();
	return tap_done();
}
