#include "views/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/common/memory.h"
#include "views/summary/intake.h"
#include "views/table/event.h"
#include "views/table/options.h"

struct table { /* A run of the command. */
	struct tr2_flat_options options;
	struct tr2_select select;
	struct tr2_flat_output output;
	struct tr2_flat_maker maker;
	struct tr2_reader reader;
	bool refused; /* reading on would overwrite a log */
};

static void choose_columns(struct table *table)
{
	struct tr2_flat_output *output = &table->output;
	int kind;

	for (kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		output->columns[kind] = tr2_flat_columns(
			(enum tr2_flat_kind)kind, &output->counts[kind]);
	output->columns[TR2_FLAT_KIND_PROCESSES] = table->select.columns.items;
	output->counts[TR2_FLAT_KIND_PROCESSES] = table->select.columns.count;
}

static int open_output(struct table *table)
{
	const struct tr2_flat_options *options = &table->options;

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

/*
 * May the file be read? Not the one that we write, whose rows may look like
 * events, nor a log that it would replace.
 */
static bool is_input(void *owner, const char *name, int fd)
{
	struct table *table = owner;
	const struct tr2_output *output = &table->output.whole;
	struct stat in;

	(void)name;
	if (fd < 0 || fstat(fd, &in))
		return true;
	if (tr2_output_would_replace(output->name, &in) && !table->refused) {
		tr2_cli_refuse(&tr2_table_cli, "would overwrite what it reads",
			       output->name);
		table->refused = true;
	}
	return !table->refused && !tr2_output_writes(output, &in);
}

static void begin_rows(struct table *table)
{
	tr2_flat_maker_begin(&table->maker, &table->output, &table->select);
	table->maker.forest.window = table->options.window;
	tr2_intake_begin(&table->reader, "table", &table->maker.forest);
	table->reader.take = tr2_flat_event;
	table->reader.taker = &table->maker;
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
		tr2_cli_refuse(&tr2_table_cli,
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
	int code = tr2_select_read(&table->select, table->options.select);

	if (!code)
		code = write_rows(table, paths);
	tr2_select_release(&table->select);
	return code;
}

int tr2_table_main(int argc, char **argv)
{
	struct table *table = tr2_must_zeros(sizeof(*table));
	int code = tr2_table_options_read(&table->options, argv);

	(void)argc;
	if (code == TR2_CLI_GO_ON)
		code = run_table(table, argv + 1);
	free(table);
	return code;
}
