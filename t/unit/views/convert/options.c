#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/*
 * The command line of `trace2 convert`. Most of what it refuses is in
 * t/commands/options.tsv.
 */
#include "views/convert/options.h"

#include "kit/command.h"

static struct tr2_convert_options options;

static int parse_options(int argc, char **argv)
{
	int code;

	(void)argc;
	memset(&options, 0xff, sizeof(options));
	code = tr2_convert_options_read(&options, argv);
	return code == TR2_CLI_GO_ON ? 0 : code;
}

static int parse_words(const char *words)
{
	char line[256];

	snprintf(line, sizeof(line), "convert %s", words);
	return kit_call(parse_options, line);
}

static void test_formats(void)
{
	parse_words("--to fxt in out");
	tap_int(options.target, TR2_TO_FXT, "fxt is a format");
	parse_words("--to chrome in out");
	tap_int(options.target, TR2_TO_CHROME, "chrome is a format");
	parse_words("--to json in out");
	tap_int(options.target, TR2_TO_CHROME, "json is Chrome's");
	parse_words("--to speedscope in out");
	tap_int(options.target, TR2_TO_SPEEDSCOPE, "speedscope is a format");
	parse_words("--to folded in out");
	tap_int(options.target, TR2_TO_FOLDED, "folded is a format");
	parse_words("--to otlp in out");
	tap_int(options.target, TR2_TO_OTLP, "otlp is a format");
	parse_words("--to folded in out.fxt");
	tap_int(options.target, TR2_TO_FOLDED,
		"a format is believed before the name of the output");
	parse_words("--to folded --to otlp in out");
	tap_int(options.target, TR2_TO_OTLP, "the last format counts");
}

static enum tr2_convert_target find_target_of(const char *name)
{
	char words[128];

	snprintf(words, sizeof(words), "in %s", name);
	return parse_words(words) ? TR2_TO_NOTHING : options.target;
}

static void test_names(void)
{
	tap_int(find_target_of("a.fxt"), TR2_TO_FXT, ".fxt means fxt");
	tap_int(find_target_of("a.json"), TR2_TO_CHROME, ".json means chrome");
	tap_int(find_target_of(".speedscope.json"), TR2_TO_SPEEDSCOPE,
		".speedscope.json means speedscope, also as a whole name");
	tap_int(find_target_of("a.speedscope.json"), TR2_TO_SPEEDSCOPE,
		".speedscope.json may end a longer name");
	tap_int(find_target_of("speedscope.json"), TR2_TO_CHROME,
		"speedscope.json without a dot before it means chrome");
	tap_int(find_target_of("a.speedscope.json.fxt"), TR2_TO_FXT,
		"only the end of a name counts");
	tap_int(find_target_of("a.folded"), TR2_TO_FOLDED,
		".folded means folded");
	tap_int(find_target_of("a.otlp"), TR2_TO_OTLP, ".otlp means otlp");
	tap_int(find_target_of("a.FXT"), TR2_TO_NOTHING,
		"an end in capitals means nothing");
	tap_str(kit_said[2],
		"trace2 convert: the output's name ends neither in .fxt nor "
		"in .json, .speedscope.json, .folded or .otlp; give --to "
		"FORMAT: a.FXT\nTry 'trace2 convert --help'.\n",
		"a name that means nothing is reported with those that do");
	tap_int(find_target_of("fxt"), TR2_TO_NOTHING,
		"a name without a dot means nothing");
	tap_int(find_target_of("-"), TR2_TO_NOTHING,
		"the name of standard output means no format");
}

static void test_paths(void)
{
	tap_int(parse_words("a b.fxt"), 0, "two names are enough");
	tap_str(options.in, "a", "the first name is the input");
	tap_str(options.out, "b.fxt", "the second name is the output");
	tap_int(parse_words("--to fxt - -"), 0,
		"input and output may be streams");
	tap_int(parse_words("a --to fxt b"), 0, "an option may follow a name");
	tap_str(options.out, "b", "an option between two names is no name");
	tap_int(parse_words("--to fxt -- --to b"), 0,
		"a name of convert may begin with a minus after --");
	tap_str(options.in, "--to",
		"the input may be called as an option after --");
}

/* Call with names that a line of words can't have. */
static int parse_names(const char *in, const char *out)
{
	char name[] = "convert", first[64], second[64];
	char *argv[] = { name, first, second, NULL };

	snprintf(first, sizeof(first), "%s", in);
	snprintf(second, sizeof(second), "%s", out);
	return tr2_convert_options_read(&options, argv);
}

static int parse_empty_input(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return parse_names("", "b.fxt");
}

static int parse_empty_output(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return parse_names("a", "");
}

static void test_empty_names(void)
{
	tap_int(kit_call(parse_empty_input, "convert"), EXIT_USAGE,
		"an empty name is no input");
	tap_str(kit_said[2],
		"trace2 convert: expected an input and an output; a name is "
		"empty\nTry 'trace2 convert --help'.\n",
		"a message tells that the name of the input is empty");
	tap_int(kit_call(parse_empty_output, "convert"), EXIT_USAGE,
		"an empty name is no output");
	tap_ok(strstr(kit_said[2], "; a name is empty\n") != NULL,
	       "a message tells that the name of the output is empty");
}

int main(void)
{
	test_formats();
	test_names();
	test_paths();
	test_empty_names();
	return tap_done();
}
