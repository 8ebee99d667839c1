#include "table/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "text/foreign.h"
#include "cli/near.h"
#include "validate/options.h"

const char *const tr2_table_help[] = {
	"usage: trace2 table [OPTION]... FILE|DIR|-...\n"
	"\n"
	"Turn EVENT logs into flat rows for SQLite, DuckDB, ClickHouse or pandas.\n"
	"\n"
	"A row of processes is a command, joined with all processes that it ran.\n"
	"Rows of regions, data, errors and events are single events, or an enter\n"
	"and its leave. trace2-table(1) explains all columns; their names, types\n"
	"and units never change.\n"
	"\n"
	"FILE may be compressed by gzip or zstd. DIR means all files below it,\n"
	"and - standard input. An option applies wherever it stands.\n",
	"\nOptions:\n"
	"  --rows KINDS       processes, regions, data, errors or events; for\n"
	"                     sqlite also several, separated by commas (default:\n"
	"                     processes)\n"
	"  --format FORMAT    ndjson, csv or sqlite (default: ndjson)\n"
	"  --select FILE      add columns for what a filter file of\n"
	"                     trace2receiver names\n"
	"  -o, --output FILE  write to FILE, which appears when it is complete\n"
	"                     (default: standard output)\n"
	"  -h, --help         print this help\n",
	"\n"
	"Exit status: 0 all events were read, 1 something was left out, 2 the\n"
	"command line or the filter file was wrong, 3 something could not be read\n"
	"or written, or there was no event.\n",
	NULL
};

int tr2_table_options_refuse(const char *what, const char *value)
{
	tr2_foreign_complain("table", what, value);
	fputs("Try 'trace2 table --help'.\n", stderr);
	return EXIT_USAGE;
}

static int add_kind(struct tr2_flat_options *options, const char *word)
{
	int kind = tr2_near_index(tr2_flat_kind_names, word);

	if (kind >= 0) {
		options->kinds |= 1U << kind;
		return 0;
	}
	tr2_near_complain("table", "unknown rows", word, tr2_flat_kind_names);
	return EXIT_USAGE;
}

static int take_rows(struct tr2_flat_options *options, const char *value)
{
	char *words = tr2_must_copy(value), *word = words, *comma;
	int code = 0;

	options->kinds = 0;
	for (; word && !code; word = comma) {
		comma = strchr(word, ',');
		if (comma)
			*comma++ = '\0';
		code = add_kind(options, word);
	}
	free(words);
	return code;
}

static int take_format(struct tr2_flat_options *options, const char *value)
{
#define FORMAT_NAME(format, name) name,
	static const char *const names[] = { TR2_FLAT_FORMATS(FORMAT_NAME)
						     NULL };
	int format = tr2_near_index(names, value);

	if (format >= 0) {
		options->format = (enum tr2_flat_format)format;
		return 0;
	}
	tr2_near_complain("table", "unknown format", value, names);
	return EXIT_USAGE;
}

static int take_select(struct tr2_flat_options *options, const char *value)
{
	options->select = value;
	return 0;
}

static int take_output(struct tr2_flat_options *options, const char *value)
{
	options->output = value;
	return 0;
}

static int take_help(struct tr2_flat_options *options, const char *value)
{
	(void)value;
	options->help = true;
	return 0;
}

/* Each option, and what it does. */
static const struct {
	struct option option;
	int (*take)(struct tr2_flat_options *options, const char *value);
} known[] = {
	{ { "rows", required_argument, NULL, 0 }, take_rows },
	{ { "format", required_argument, NULL, 0 }, take_format },
	{ { "select", required_argument, NULL, 0 }, take_select },
	{ { "output", required_argument, NULL, 'o' }, take_output },
	{ { "help", no_argument, NULL, 'h' }, take_help },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

static int take_option(struct tr2_flat_options *options, int option, int place,
		       char *argument, const struct option *all)
{
	size_t i;

	if (option == ':')
		return tr2_table_options_refuse("an option needs a value",
						argument);
	if (!option)
		return known[place].take(options, optarg);
	for (i = 0; i < KNOWN; i++)
		if (known[i].option.val == option)
			return known[i].take(options, optarg);
	tr2_near_complain_option("table", argument, all);
	return EXIT_USAGE;
}

static int check_choices(struct tr2_flat_options *options)
{
	if (options->format == TR2_FLAT_SQLITE &&
	    (!options->output || !strcmp(options->output, "-")))
		return tr2_table_options_refuse(
			"--format sqlite needs --output FILE", NULL);
	if (options->format != TR2_FLAT_SQLITE &&
	    options->kinds & (options->kinds - 1))
		return tr2_table_options_refuse(
			"only --format sqlite takes several kinds of rows",
			NULL);
	if (options->select &&
	    !(options->kinds & 1U << TR2_FLAT_KIND_PROCESSES))
		return tr2_table_options_refuse(
			"--select needs --rows processes", NULL);
	return 0;
}

int tr2_table_options_parse(struct tr2_flat_options *options, int argc,
			    char **argv)
{
	struct option all[KNOWN + 1] = { { NULL, 0, NULL, 0 } };
	int option, place = -1, code = 0;
	size_t i;

	*options = (struct tr2_flat_options){
		.kinds = 1U << TR2_FLAT_KIND_PROCESSES
	};
	for (i = 0; i < KNOWN; i++)
		all[i] = known[i].option;
	opterr = 0;
	while (!code &&
	       (option = getopt_long(argc, argv, ":ho:", all, &place)) >= 0)
		code = take_option(options, option, place, argv[optind - 1],
				   all);
	return code || options->help ? code : check_choices(options);
}
