#include "views/page/options.h"

#define OWN struct tr2_page_options

static const struct tr2_cli_option table[] = {
	{ "output", "FILE", TR2_CLI_PATH(OWN, output), .letter = 'o',
	  .help = "the page; - is standard output" },
	{ .name = NULL },
};

const struct tr2_cli tr2_page_cli = {
	.name = "report",
	.about =
		"usage: trace2 report -o OUT.html LOG...\n"
		"\n"
		"Write a page that shows where the time of logs went: the tables\n"
		"of 'trace2 summary', a timeline of processes, threads and regions, the\n"
		"tree of processes, and what 'trace2 validate' finds. The page is one\n"
		"file, which a browser opens from disk. It loads nothing.\n"
		"\n"
		"A LOG is a file, which may be compressed by gzip or zstd, a directory,\n"
		"which means all files below it, or - for standard input.\n",
	.options = table,
	.notes =
		"Exit status: 0 the page was written, 1 it was, but some lines were not\n"
		"events, 2 the command line was wrong, 3 something could not be read or\n"
		"written, or there was no event.\n",
	.least = 1,
	.wants = "a log",
};

int tr2_page_options_read(struct tr2_page_options *options, char **argv)
{
	int code;

	*options = (struct tr2_page_options){ .output = NULL };
	code = tr2_cli_read(&tr2_page_cli, options, argv);
	if (code != TR2_CLI_GO_ON || options->output)
		return code;
	return tr2_cli_refuse(&tr2_page_cli,
			      "expected --output with the name of the page",
			      NULL);
}
