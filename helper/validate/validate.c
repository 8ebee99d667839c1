#include "validate/validate.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "validate/inputs.h"
#include "validate/log.h"

enum { EXIT_CLEAN = 0, EXIT_ERRORS = 1, EXIT_USAGE = 2, EXIT_INPUT = 3 };

static const char help[] =
	"usage: trace2 validate [OPTION]... FILE|DIR|-...\n"
	"\n"
	"Check Trace2 EVENT logs: that every line is one event, that every\n"
	"event has the keys and values of its EVENT version, and that the\n"
	"events of each process, thread and region fit together.\n"
	"\n"
	"FILE may be compressed by gzip or zstd. DIR stands for all regular\n"
	"files below it, `-` for standard input. A file that is no EVENT log is\n"
	"named and left out.\n"
	"\n"
	"Options:\n"
	"  --format FORMAT  concise: a line for each finding,\n"
	"                       FILE:LINE:COLUMN: LEVEL[ID]: MESSAGE\n"
	"                   full: the same, and the line with the place marked\n"
	"                   json: one JSON object, {\"findings\":[...],\n"
	"                       \"summary\":{...}}\n"
	"                   jsonl: a JSON object for each finding, and last\n"
	"                       {\"summary\":{...}}\n"
	"                   Without it, full on a terminal, else concise.\n"
	"  --evt N          Check against EVENT version N, 1 to 4, whatever the\n"
	"                   logs declare. Without it, each session is checked\n"
	"                   against the version that it declares, or else 4.\n"
	"  --strict         Errors and warnings that a writer is known for keep\n"
	"                   their level. Without it they are infos.\n"
	"  -h, --help       Print this.\n"
	"\n"
	"Columns are bytes, the first is 1. Levels are error, warning and info;\n"
	"an event or a key that is in no schema is an info, and so is what a\n"
	"writer is known for and what has no end.\n"
	"\n"
	"Exit status: 0 no errors, 1 errors, 2 wrong usage, 3 something could\n"
	"not be read or there was no EVENT log.\n";

_Static_assert(TR2_EVT_MAX == 4, "the help names the EVENT versions");

struct options {
	const struct tr2_format *format;
	unsigned evt;
	bool strict;
	bool help;
};

static int usage_error(const char *what, const char *value)
{
	fprintf(stderr,
		"trace2 validate: %s%s%s\n"
		"Try 'trace2 validate --help'.\n",
		what, value ? ": " : "", value ? value : "");
	return EXIT_USAGE;
}

static int parse_evt(const char *text, unsigned *evt)
{
	if (strlen(text) != 1 || *text < '1' || *text > '0' + TR2_EVT_MAX)
		return usage_error("not an EVENT version", text);
	*evt = (unsigned)(*text - '0');
	return 0;
}

static int parse_format(const char *text, const struct tr2_format **format)
{
	*format = tr2_format_find(text);
	return *format ? 0 : usage_error("unknown format", text);
}

static int parse_options(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "evt", required_argument, NULL, 'e' },
		{ "strict", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option, rc = 0;

	opterr = 0;
	while (!rc &&
	       (option = getopt_long(argc, argv, ":h", known, NULL)) >= 0)
		switch (option) {
		case 'f':
			rc = parse_format(optarg, &options->format);
			break;
		case 'e':
			rc = parse_evt(optarg, &options->evt);
			break;
		case 's':
			options->strict = true;
			break;
		case 'h':
			options->help = true;
			break;
		case ':':
			rc = usage_error("option needs a value",
					 argv[optind - 1]);
			break;
		default:
			rc = usage_error("unknown option", argv[optind - 1]);
		}
	return rc;
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void check_input(void *context, const char *name, int fd)
{
	tr2_log_check(context, name, fd);
}

static int exit_code(const struct tr2_totals *totals)
{
	if (totals->files == totals->other_files) {
		fputs("trace2 validate: there is no EVENT log\n", stderr);
		return EXIT_INPUT;
	}
	if (totals->unreadable_files)
		return EXIT_INPUT;
	return totals->findings[TR2_ERROR] ? EXIT_ERRORS : EXIT_CLEAN;
}

static int validate(char **paths, const struct options *options)
{
	struct tr2_totals totals = { 0 };
	struct tr2_report report = { .format = options->format,
				     .out = stdout,
				     .totals = &totals,
				     .buf = TR2_BUF_INIT };
	struct tr2_log_reader reader = { .lines = TR2_LINES_INIT };
	uint64_t start = now_us();

	tr2_checker_init(&reader.checker, &report);
	reader.checker.evt = options->evt;
	reader.checker.strict = options->strict;
	tr2_report_begin(&report);
	for (; *paths; paths++)
		tr2_inputs_visit(*paths, check_input, &reader);
	tr2_checker_end(&reader.checker);
	totals.processes = reader.checker.sids.count;
	totals.microseconds = now_us() - start;
	tr2_checker_release(&reader.checker);
	tr2_lines_release(&reader.lines);
	if (tr2_report_end(&report)) {
		perror("trace2 validate: standard output");
		return EXIT_INPUT;
	}
	return exit_code(&totals);
}

int tr2_validate_main(int argc, char **argv)
{
	struct options options = { NULL, 0, false, false };
	int rc = parse_options(argc, argv, &options);

	if (rc)
		return rc;
	if (options.help) {
		fputs(help, stdout);
		return EXIT_CLEAN;
	}
	if (optind == argc)
		return usage_error("nothing to check", NULL);
	if (!options.format)
		options.format = tr2_format_find(
			isatty(STDOUT_FILENO) ? "full" : "concise");
	return validate(argv + optind, &options);
}
