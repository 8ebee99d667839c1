/* The command line of `trace2 table`. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */

#include "kit/command.h"
#include "table/options.h"

#include <getopt.h>

static struct tr2_flat_options options;

static int parse_again(int argc, char **argv)
{
	optind = 0;
	return tr2_table_options_parse(&options, argc, argv);
}

static int parse_words(const char *words)
{
	char text[256];

	memset(&options, 0x5a, sizeof(options));
	snprintf(text, sizeof(text), "table %s", words);
	return kit_call(parse_again, text);
}

#define BIT(kind) (1U << TR2_FLAT_KIND_##kind)

static void test_defaults(void)
{
	tap_int(parse_words("log"), 0, "options are not needed");
	tap_ok(options.format == TR2_FLAT_NDJSON &&
		       options.kinds == BIT(PROCESSES) && !options.output &&
		       !options.select && !options.help,
	       "without options processes are printed as NDJSON");
	tap_int(optind, 1, "the first word that is no option is a path");
	tap_int(parse_words(""), 0, "a command line may be empty");
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
		count += !parse_words(words) && options.kinds == kinds[i].kind;
	}
	tap_int((intmax_t)count, 5, "each kind of rows has a word");
	tap_ok(!parse_words("--rows data --rows errors") &&
		       options.kinds == BIT(ERRORS),
	       "the last --rows decides");
	tap_ok(!parse_words("-o a --format sqlite --rows=events,data,data") &&
		       options.kinds == (BIT(EVENTS) | BIT(DATA)),
	       "a database may have several kinds");
}

static void test_wrong_rows(void)
{
	tap_int(parse_words("--rows region"), 2,
		"another kind of rows is refused");
	tap_str(kit_said[2],
		"trace2 table: unknown rows 'region'; did you mean "
		"'regions'?\n",
		"the kind that is near is named");
	tap_int(parse_words("--rows data,x,y"), 2, "so is one among others");
	tap_str(kit_said[2],
		"trace2 table: unknown rows 'x' (processes, regions, data, "
		"errors, events)\n",
		"the first unknown kind is named");
	tap_int(parse_words("--rows data,"), 2, "a kind has a name");
	tap_int(parse_words("--rows data,errors"), 2,
		"a text has rows of one kind");
	tap_str(kit_said[2],
		"trace2 table: only --format sqlite takes several kinds of "
		"rows\nTry 'trace2 table --help'.\n",
		"what takes several kinds is named");
	tap_int(parse_words("--rows processes,regions --format csv -o a"), 2,
		"and so does CSV");
}

static void test_formats(void)
{
	tap_ok(!parse_words("--format ndjson") &&
		       options.format == TR2_FLAT_NDJSON,
	       "rows may be NDJSON");
	tap_ok(!parse_words("--format csv") && options.format == TR2_FLAT_CSV,
	       "rows may be CSV");
	tap_ok(!parse_words("--format sqlite -o a") &&
		       options.format == TR2_FLAT_SQLITE,
	       "rows may be a database");
	tap_int(parse_words("--format xml"), 2,
		"rows in another format are refused");
	tap_str(kit_said[2],
		"trace2 table: unknown format 'xml' (ndjson, csv, sqlite)\n",
		"the formats are named");
	tap_int(parse_words("--format sqlite"), 2, "a database needs a file");
	tap_str(kit_said[2],
		"trace2 table: --format sqlite needs --output FILE\n"
		"Try 'trace2 table --help'.\n",
		"the option that is missing is named");
	tap_int(parse_words("--format sqlite -o -"), 2,
		"standard output is no file for a database");
	tap_int(parse_words("--format csv -o -"), 0,
		"but it is one for a text");
}

static void test_files(void)
{
	tap_ok(!parse_words("-o a") && !strcmp(options.output, "a"),
	       "-o is the output");
	tap_ok(!parse_words("x --output=b") && !strcmp(options.output, "b"),
	       "an option of a table applies wherever it stands");
	tap_ok(!parse_words("--select f") && !strcmp(options.select, "f"),
	       "--select is a filter file");
	tap_int(parse_words("--select f --rows regions"), 2,
		"a filter file needs processes");
	tap_str(kit_said[2],
		"trace2 table: --select needs --rows processes\n"
		"Try 'trace2 table --help'.\n",
		"why a filter file is refused is told");
	tap_int(parse_words(
			"--select f --rows regions,processes --format sqlite "
			"-o a"),
		0, "a filter file may come with other rows, too");
}

static void test_unknown(void)
{
	tap_int(parse_words("--row"), 2,
		"an option that needs a value has one");
	tap_str(kit_said[2],
		"trace2 table: an option needs a value: --row\n"
		"Try 'trace2 table --help'.\n",
		"the option without a value is named");
	tap_int(parse_words("-o"), 2, "a short option may need a value, too");
	tap_int(parse_words("--outputs a"), 2, "an unknown option is refused");
	tap_str(kit_said[2],
		"trace2 table: unknown option '--outputs'; did you mean "
		"'--output'?\n",
		"the option that is near to it is named");
	tap_int(parse_words("-x --rows"), 2, "the first wrong option ends it");
	tap_str(kit_said[2],
		"trace2 table: unknown option '-x'\n"
		"Try 'trace2 table --help'.\n",
		"an unknown letter is named");
	tap_int(parse_words("--rows x --format y"), 2, "a wrong value ends it");
	tap_ok(!strstr(kit_said[2], "format"), "and is the only one reported");
}

static void test_help(void)
{
	tap_ok(!parse_words("--help") && options.help,
	       "--help asks for help with tables");
	tap_ok(!parse_words("-h") && options.help, "-h does, too");
	tap_int(parse_words("-h --format sqlite"), 0,
		"who asks for help need not choose well");
	tap_int(parse_words("-h --rows x"), 2, "but has to know the words");
}

int main(void)
{
	test_defaults();
	test_rows();
	test_wrong_rows();
	test_formats();
	test_files();
	test_unknown();
	test_help();
	return tap_done();
}
