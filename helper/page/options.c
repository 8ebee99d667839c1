#include "page/options.h"

#include <getopt.h>
#include <stdio.h>

#include "text/foreign.h"
#include "cli/near.h"
#include "validate/options.h"

const char tr2_page_help[] =
	"usage: trace2 report -o OUT.html LOG...\n"
	"\n"
	"Write a page that shows where the time of EVENT logs went: the tables\n"
	"of 'trace2 summary', a timeline of processes, threads and regions, the\n"
	"tree of processes, and what 'trace2 validate' finds. The page is one\n"
	"file, which a browser opens from disk. It loads nothing.\n"
	"\n"
	"A LOG is a file, which may be compressed by gzip or zstd, a directory,\n"
	"which means all files below it, or - for standard input.\n"
	"\n"
	"Options:\n"
	"  -o, --output FILE  the page; - is standard output\n"
	"  -h, --help         print this help\n"
	"\n"
	"Exit status: 0 the page was written, 1 it was, but some lines were not\n"
	"events, 2 the command line was wrong, 3 something could not be read or\n"
	"written, or there was no event.\n";

static const struct option known[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

int tr2_page_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("report", what, value);
	fputs("Try 'trace2 report --help'.\n", stderr);
	return EXIT_USAGE;
}

int tr2_page_options_parse(struct tr2_page_options *options, int argc,
			   char **argv)
{
	int option;

	*options = (struct tr2_page_options){ .output = NULL };
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":o:h", known, NULL)) >= 0) {
		if (option == 'o') {
			options->output = optarg;
		} else if (option == 'h') {
			options->help = true;
		} else if (option == ':') {
			return tr2_page_options_refuse(
				"an option needs a value", argv[optind - 1]);
		} else {
			tr2_near_complain_option("report", argv[optind - 1],
						 known);
			return EXIT_USAGE;
		}
	}
	return 0;
}
