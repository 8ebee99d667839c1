#include "views/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/near.h"
#include "cli/options.h"
#include "lib/common/memory.h"
#include "model/window.h"
#include "views/flat/output.h"
#include "views/summary/intake.h"
#include "views/summary/options.h"
#include "views/table/event.h"
#include "table_usage.h"

struct table_options {
	enum tr2_flat_format format;
	unsigned kinds;	    /* bit k: kind k is wanted */
	const char *output; /* NULL: not given */
	const char *select; /* NULL: not given */
	struct tr2_window window;
	int64_t since, until, late; /* late is below 0 if it is not given */
	bool append;
};

#define OWN struct table_options

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

static const char *const formats[] = { "ndjson", "csv", "sqlite", NULL };

static const struct tr2_cli_option rows[] = {
	{ TABLE_OPTION_ROWS, TR2_CLI_LIST(add_rows),
	  .words = tr2_flat_kind_names },
	{ TABLE_OPTION_FORMAT, TR2_CLI_WORD(OWN, format, formats, 0) },
	{ TABLE_OPTION_SINCE,
	  TR2_CLI_SET_INT64(OWN, since, tr2_summary_set_time) },
	{ TABLE_OPTION_UNTIL,
	  TR2_CLI_SET_INT64(OWN, until, tr2_summary_set_time) },
	{ TABLE_OPTION_LATE, TR2_CLI_DURATION(OWN, late) },
	{ TABLE_OPTION_APPEND, TR2_CLI_FLAG(OWN, append) },
	{ TABLE_OPTION_SELECT, TR2_CLI_PATH(OWN, select) },
	{ TABLE_OPTION_OUTPUT, TR2_CLI_PATH(OWN, output) },
	{ .name = NULL },
};

static const struct tr2_cli table_cli = {
	.name = "table",
	.help = TABLE_HELP,
	.options = rows,
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
static const char *check_window(struct table_options *options)
{
	if (options->since && options->late < 0)
		return "--since needs --late";
	return tr2_summary_set_window(&options->window, options->since,
				      options->until, options->late);
}

static const char *check_format(const struct table_options *options)
{
	const bool is_file = options->output && strcmp(options->output, "-");

	if (options->format == TR2_FLAT_SQLITE)
		return is_file ? NULL : "--format sqlite needs --output FILE";
	if (options->kinds & (options->kinds - 1))
		return "only --format sqlite takes several kinds of rows";
	return options->append ? "--append needs a database: -o FILE.db" : NULL;
}

static int check_choices(struct table_options *options)
{
	const char *wrong = check_format(options);

	if (!wrong && options->select &&
	    !(options->kinds & 1U << TR2_FLAT_KIND_PROCESSES))
		wrong = "--select needs --rows processes";
	if (!wrong)
		wrong = check_window(options);
	return wrong ? tr2_cli_refuse(&table_cli, wrong, NULL) : TR2_CLI_GO_ON;
}

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
static int read_options(struct table_options *options, char **argv)
{
	int code;

	*options =
		(struct table_options){ .format = UNKNOWN,
					.late = -1,
					.kinds = 1U
						 << TR2_FLAT_KIND_PROCESSES };
	code = tr2_cli_read(&table_cli, options, argv);
	if (options->format == UNKNOWN)
		options->format = find_format(options->output);
	return code == TR2_CLI_GO_ON ? check_choices(options) : code;
}

struct table { /* A run of the command. */
	struct table_options options;
	struct tr2_select select;
	struct tr2_flat_output output;
	struct tr2_flat_maker maker;
	struct tr2_reader reader;
	bool refused; /* reading on would overwrite a log */
};

static void choose_columns(struct table *table)
{
	struct tr2_flat_output *output = &table->output;

	for (int kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		output->columns[kind] = tr2_flat_columns(
			(enum tr2_flat_kind)kind, &output->counts[kind]);
	output->columns[TR2_FLAT_KIND_PROCESSES] = table->select.columns.items;
	output->counts[TR2_FLAT_KIND_PROCESSES] = table->select.columns.count;
}

static int open_output(struct table *table)
{
	const struct table_options *options = &table->options;

	table->output = (struct tr2_flat_output){
		.format = options->format,
		.kinds = options->kinds,
		.append = options->append,
	};
	tr2_output_begin(&table->output.whole, "table",
			 options->output ? options->output : "-");
	choose_columns(table);
	return tr2_flat_output_open(&table->output) ? EXIT_INPUT : EXIT_CLEAN;
}

/* May the file be read? Not a log that the output would replace. */
static bool is_input(void *owner, const char *name, int fd)
{
	struct table *table = owner;
	const struct tr2_output *output = &table->output.whole;

	(void)name;
	if (tr2_output_would_replace_fd(output->name, fd) && !table->refused) {
		tr2_cli_refuse(&table_cli, "would overwrite what it reads",
			       output->name);
		table->refused = true;
	}
	return fd < 0 || !table->refused;
}

static void begin_rows(struct table *table)
{
	tr2_flat_maker_begin(&table->maker, &table->output, &table->select);
	table->maker.forest.window = table->options.window;
	tr2_intake_begin(&table->reader, "table", &table->maker.forest);
	table->reader.owner = table;
	table->reader.wants = is_input;
}

/* A day without a command adds nothing to a database. */
static bool is_empty(const struct table *table)
{
	const struct tr2_forest *forest = &table->maker.forest;

	return !forest->counts.processes &&
	       !(table->output.append && forest->window.seen);
}

/* Were all events taken? */
static int judge_rows(const struct table *table)
{
	return table->maker.forest.counts.unread || table->reader.broken ||
			       table->reader.skipped || table->select.ignored ||
			       table->output.left
		       ? EXIT_FINDINGS
		       : EXIT_CLEAN;
}

/* Without any event an old file stays as it is. */
static int finish_rows(struct table *table)
{
	struct tr2_reader *reader = &table->reader;
	struct tr2_forest *forest = &table->maker.forest;

	tr2_intake_end(reader, forest);
	if (tr2_flat_maker_end(&table->maker) && !table->output.whole.failed) {
		tr2_cli_refuse(&table_cli,
			       "cannot read back what went to a temporary file",
			       NULL);
		table->output.whole.failed = true;
	}
	if (table->refused)
		return EXIT_USAGE;
	if (is_empty(table)) {
		tr2_intake_complain(reader, forest, NULL);
		return EXIT_INPUT;
	}
	if (tr2_flat_output_close(&table->output) || reader->unreadable)
		return EXIT_INPUT;
	if (table->output.left)
		fprintf(stderr,
			"trace2 table: %" PRId64 " rows of processes that the "
			"database has already were left out\n",
			table->output.left);
	return judge_rows(table);
}

static int write_rows(struct table *table, char **paths)
{
	int code = open_output(table);

	if (!code) {
		begin_rows(table);
		for (; *paths && !table->output.whole.failed; paths++)
			tr2_reader_visit(&table->reader, *paths);
		code = finish_rows(table);
		tr2_reader_release(&table->reader);
		tr2_flat_maker_release(&table->maker);
	}
	tr2_flat_output_drop(&table->output);
	return code;
}

static int run_table(struct table *table, char **paths)
{
	const struct table_options *options = &table->options;
	int code;

	if (tr2_output_would_replace_file(options->output, options->select))
		return tr2_cli_refuse(&table_cli,
				      "would overwrite what it reads",
				      options->output);
	code = tr2_select_read(&table->select, options->select);
	if (!code)
		code = write_rows(table, paths);
	tr2_select_release(&table->select);
	return code;
}

int tr2_table_main(char **argv)
{
	struct table *table = tr2_must_zeros(sizeof(*table));
	int code = read_options(&table->options, argv);

	if (code == TR2_CLI_GO_ON)
		code = run_table(table, argv + 1);
	free(table);
	return code;
}
