#include "convert/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "text/foreign.h"
#include "cli/near.h"
#include "validate/options.h"

const char tr2_convert_help[] =
	"usage: trace2 convert [--to FORMAT] IN OUT\n"
	"\n"
	"Turn Trace2 EVENT logs of any writer into a trace that viewers can open.\n"
	"FORMAT is one of these:\n"
	"\n"
	"  fxt         an archive of the FXT format\n"
	"  chrome      Chrome's JSON; IN may also be an archive\n"
	"  speedscope  speedscope's JSON\n"
	"  folded      folded stacks for flamegraph.pl, with microseconds\n"
	"  otlp        spans of OpenTelemetry: OTLP/JSON, a TracesData in each line\n"
	"\n"
	"IN is a file, which may be compressed by gzip or zstd, a directory, which\n"
	"means all files below it, or `-` for standard input. OUT is a file or `-`.\n"
	"--to is optional if the name of OUT ends in .fxt, .json (chrome),\n"
	".speedscope.json, .folded or .otlp.\n"
	"\n"
	"In fxt and chrome, each process of a log becomes a process that is named\n"
	"after its command. A slice shows its life; the slice has the real pid and\n"
	"the SID as arguments. Threads and regions become slices, and children\n"
	"become spans and flows. Timers and counters become counters, and all\n"
	"other events become instants.\n"
	"\n"
	"In speedscope and folded, each microsecond of a command belongs to one\n"
	"stack of processes, regions and children, as in `trace2 summary`.\n"
	"\n"
	"In otlp, processes, regions and children are spans; errors, data and printf\n"
	"events are their events; timers and counters are attributes.\n"
	"\n"
	"Lines that are not events are left out and reported on standard error.\n"
	"\n"
	"OUT is replaced when the result is complete and on disk. It does not\n"
	"change if there is nothing to convert or something cannot be written.\n"
	"\n"
	"Exit status: 0 everything was converted, 1 something was left out or cut,\n"
	"2 the command line was wrong, 3 something could not be read or written, or\n"
	"there was nothing to convert.\n";

/*
 * The words for the targets. `json` is the end of a name, and another word for
 * `chrome`.
 */
/* clang-format off */
#define TARGETS(ROW) \
	ROW("fxt", TR2_TO_FXT) \
	ROW("chrome", TR2_TO_CHROME) \
	ROW("json", TR2_TO_CHROME) \
	ROW("speedscope", TR2_TO_SPEEDSCOPE) \
	ROW("folded", TR2_TO_FOLDED) \
	ROW("otlp", TR2_TO_OTLP)
/* clang-format on */

#define PUT_WORD(word, number) word,
#define PUT_NUMBER(word, number) number,

static const char *const targets[] = { TARGETS(PUT_WORD) NULL };

int tr2_convert_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("convert", what, value);
	fputs("Try 'trace2 convert --help'.\n", stderr);
	return EXIT_USAGE;
}

static enum tr2_convert_target find_target(const char *word)
{
	static const enum tr2_convert_target numbers[] = { TARGETS(
		PUT_NUMBER) };
	const int place = tr2_near_index(targets, word);

	return place < 0 ? TR2_TO_NOTHING : numbers[place];
}

/* The target that the end of a file's name stands for. */
static enum tr2_convert_target find_target_of_name(const char *name)
{
	static const char end[] = ".speedscope.json";
	const char *dot = strrchr(name, '.');
	size_t len = strlen(name);

	if (len >= sizeof(end) - 1 &&
	    !strcmp(name + len - sizeof(end) + 1, end))
		return TR2_TO_SPEEDSCOPE;
	return dot ? find_target(dot + 1) : TR2_TO_NOTHING;
}

static const struct option known[] = {
	{ "to", required_argument, NULL, 't' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* 0, or EXIT_USAGE after a message. */
static int take_option(struct tr2_convert_options *options, int option,
		       const char *argument)
{
	if (option == ':')
		return tr2_convert_options_refuse(
			"--to needs a value: fxt, chrome, speedscope, "
			"folded or otlp",
			NULL);
	if (option == 'h') {
		options->help = true;
	} else if (option != 't') {
		tr2_near_complain_option("convert", argument, known);
		return EXIT_USAGE;
	} else if (!(options->target = find_target(optarg))) {
		tr2_near_complain("convert", "unknown format", optarg, targets);
		return EXIT_USAGE;
	}
	return 0;
}

int tr2_convert_options_parse(struct tr2_convert_options *options, int argc,
			      char **argv)
{
	int option, code = 0;

	memset(options, 0, sizeof(*options));
	opterr = 0;
	while (!code && !options->help &&
	       (option = getopt_long(argc, argv, ":h", known, NULL)) >= 0)
		code = take_option(options, option, argv[optind - 1]);
	if (code || options->help)
		return code;
	if (argc - optind != 2)
		return tr2_convert_options_refuse(
			"expected an input and an output", NULL);
	options->in = argv[optind];
	options->out = argv[optind + 1];
	if (!*options->in || !*options->out)
		return tr2_convert_options_refuse(
			"expected an input and an output; a name is empty",
			NULL);
	if (!options->target)
		options->target = find_target_of_name(options->out);
	if (!options->target)
		return tr2_convert_options_refuse(
			"the output's name ends neither in .fxt nor in .json, "
			".speedscope.json, .folded or .otlp; give --to FORMAT",
			options->out);
	return 0;
}
