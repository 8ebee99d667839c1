#include "views/table/options.h"

#include <string.h>

#include "cli/near.h"
#include "views/summary/options.h"

#define OWN struct tr2_flat_options

static const char *add_rows(void *into, char *word)
{
	OWN *options = into;

	if (word)
		options->kinds |= 1U
				  << tr2_near_index(tr2_flat_kind_names, word);
	else
		options->kinds = 0;
	return NULL;
}

#define FORMAT_NAME(format, name) name,
static const char *const formats[] = { TR2_FLAT_FORMATS(FORMAT_NAME) NULL };

static const struct tr2_cli_option table[] = {
	{ "rows", "KINDS", TR2_CLI_LIST(add_rows), .words = tr2_flat_kind_names,
	  .help = "the kind of rows: processes, regions, children, data, "
		  "errors or events; for sqlite also several, separated by commas "
		  "(default: processes)" },
	{ "format", "FORMAT", TR2_CLI_WORD(OWN, format, formats, 0),
	  .help = "the format to write: ndjson, csv or sqlite (default: what "
		  "the name of the output ends in, .csv, .db or .sqlite; else "
		  "ndjson)" },
	{ "since", "TIME", TR2_CLI_SET_INT64(OWN, since, tr2_summary_set_time),
	  .help = "with --late: only commands that began then or later, as "
		  "for 'trace2 summary'" },
	{ "until", "TIME", TR2_CLI_SET_INT64(OWN, until, tr2_summary_set_time),
	  .help = "with --late: only commands that began before (default: a "
		  "day after --since)" },
	{ "late", "TIME", TR2_CLI_DURATION(OWN, late),
	  .help = "take whole sessions, with what they ran up to this time "
		  "after the window, such as 2d" },
	{ "append", NULL, TR2_CLI_FLAG(OWN, append),
	  .help = "add the rows to the database FILE, but for those of "
		  "processes that it has" },
	{ "select", "FILE", TR2_CLI_PATH(OWN, select),
	  .help = "add columns for what a filter file of trace2receiver "
		  "names" },
	{ "output", "FILE", TR2_CLI_PATH(OWN, output), .letter = 'o',
	  .help = "write to FILE, which appears when it is complete (default: "
		  "standard output)" },
	{ .name = NULL },
};

const struct tr2_cli tr2_table_cli = {
	.name = "table",
	.about =
		"usage: trace2 table [OPTION]... FILE|DIR|-...\n"
		"\n"
		"Turn logs into flat rows for SQLite, DuckDB, ClickHouse or pandas.\n"
		"\n"
		"A row of processes is a command, joined with all processes that it ran.\n"
		"A row of regions is an enter with its leave, one of children a start with\n"
		"its end; rows of data, errors and events are single events.\n"
		"trace2-table(1) explains all columns; their names, types and units never\n"
		"change.\n"
		"\n"
		"FILE may be compressed by gzip or zstd. DIR means all files below it,\n"
		"and - standard input. An option applies wherever it stands.\n",
	.options = table,
	.notes =
		"Exit status: 0 all events were read, 1 something was left out, 2 the\n"
		"command line or the filter file was wrong, 3 something could not be read\n"
		"or written, or there was no event.\n",
	.least = 1,
	.wants = "a log",
};

/* No format was given. */
#define UNKNOWN ((enum tr2_flat_format)(TR2_FLAT_SQLITE + 1))

static enum tr2_flat_format find_format(const char *output)
{
	const char *end = output ? strrchr(output, '.') : NULL;

	if (end && !strcmp(end, ".csv"))
		return TR2_FLAT_CSV;
	if (end && (!strcmp(end, ".db") || !strcmp(end, ".sqlite")))
		return TR2_FLAT_SQLITE;
	return TR2_FLAT_NDJSON;
}

/* Returns what is wrong, or NULL. */
static const char *check_window(struct tr2_flat_options *options)
{
	if (options->since && options->late < 0)
		return "--since needs --late";
	return tr2_summary_set_window(&options->window, options->since,
				      options->until, options->late);
}

static const char *check_format(const struct tr2_flat_options *options)
{
	const bool is_file = options->output && strcmp(options->output, "-");

	if (options->format == TR2_FLAT_SQLITE)
		return is_file ? NULL : "--format sqlite needs --output FILE";
	if (options->kinds & (options->kinds - 1))
		return "only --format sqlite takes several kinds of rows";
	return options->append ? "--append needs a database: -o FILE.db" : NULL;
}

static int check_choices(struct tr2_flat_options *options)
{
	const char *wrong = check_format(options);

	if (!wrong && options->select &&
	    !(options->kinds & 1U << TR2_FLAT_KIND_PROCESSES))
		wrong = "--select needs --rows processes";
	if (!wrong)
		wrong = check_window(options);
	return wrong ? tr2_cli_refuse(&tr2_table_cli, wrong, NULL)
		     : TR2_CLI_GO_ON;
}

int tr2_table_options_read(struct tr2_flat_options *options, char **argv)
{
	int code;

	*options = (struct tr2_flat_options){
		.format = UNKNOWN,
		.late = -1,
		.kinds = 1U << TR2_FLAT_KIND_PROCESSES
	};
	code = tr2_cli_read(&tr2_table_cli, options, argv);
	if (options->format == UNKNOWN)
		options->format = find_format(options->output);
	return code == TR2_CLI_GO_ON ? check_choices(options) : code;
}
