#include "views/flat/output.h"

#include <stdio.h>

#include "views/flat/sqlite.h"
#include "lib/text/foreign.h"

static void check_database(struct tr2_flat_output *output, const char *error)
{
	if (!error || output->whole.failed)
		return;
	fputs("trace2 table: ", stderr);
	tr2_foreign_print(stderr, output->whole.name);
	fprintf(stderr, ": %s\n", error);
	output->whole.failed = true;
}

static void begin_rows(struct tr2_flat_output *output)
{
	int kind;

	if (output->format == TR2_FLAT_SQLITE && !output->whole.file.partial)
		check_database(output,
			       "a database can only be written to a file");
	else if (output->format == TR2_FLAT_SQLITE)
		check_database(output, tr2_flat_database_open(output));
	for (kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		if (output->format == TR2_FLAT_CSV && output->kinds >> kind & 1)
			tr2_flat_put_header(&output->whole.buf,
					    output->columns[kind],
					    output->counts[kind]);
}

int tr2_flat_output_open(struct tr2_flat_output *output)
{
	tr2_output_open(&output->whole);
	if (!output->whole.failed)
		begin_rows(output);
	return output->whole.failed ? -1 : 0;
}

void tr2_flat_output_put(struct tr2_flat_output *output,
			 const struct tr2_flat_row *row)
{
	const struct tr2_flat_column *columns = output->columns[row->kind];

	if (output->whole.failed)
		return;
	if (output->format == TR2_FLAT_SQLITE)
		check_database(output, tr2_flat_database_put(output->database,
							     columns, row));
	else if (output->format == TR2_FLAT_CSV)
		tr2_flat_put_csv(&output->whole.buf, columns, row);
	else
		tr2_flat_put_ndjson(&output->whole.buf, columns, row);
	tr2_output_step(&output->whole);
}

int tr2_flat_output_close(struct tr2_flat_output *output)
{
	int made;

	if (output->database && !output->whole.failed)
		check_database(output,
			       tr2_flat_database_finish(output->database));
	tr2_flat_database_release(output->database);
	output->database = NULL;
	if (!output->append || output->whole.failed)
		return tr2_output_close(&output->whole);
	made = tr2_output_close_new(&output->whole);
	if (made <= 0)
		return made;
	check_database(output, tr2_flat_database_append(output));
	tr2_output_drop(&output->whole);
	return output->whole.failed ? -1 : 0;
}

void tr2_flat_output_drop(struct tr2_flat_output *output)
{
	tr2_flat_database_release(output->database);
	output->database = NULL;
	tr2_output_drop(&output->whole);
}
