#include "flat/output.h"

#include <errno.h>
#include <unistd.h>

#include "common/memory.h"
#include "flat/sqlite.h"
#include "text/foreign.h"

#define MUCH ((size_t)256 << 10)

/* Reports only the first failure; after it nothing more is written. */
static void fail_output(struct tr2_flat_output *output, int error)
{
	if (!output->failed)
		tr2_whole_file_complain(&output->file, "table", output->name,
					error);
	output->failed = true;
}

static void check_database(struct tr2_flat_output *output, const char *error)
{
	if (!error || output->failed)
		return;
	fputs("trace2 table: ", stderr);
	tr2_foreign_print(stderr, output->name);
	fprintf(stderr, ": %s\n", error);
	output->failed = true;
}

static void flush_output(struct tr2_flat_output *output)
{
	const char *at = output->buf.bytes;
	size_t left = output->buf.len;
	ssize_t put;

	if (output->buf.failed)
		tr2_memory_out();
	while (left && !output->failed) {
		put = write(output->file.fd, at, left);
		if (put >= 0) {
			at += put;
			left -= (size_t)put;
		} else if (errno != EINTR) {
			fail_output(output, errno);
		}
	}
	tr2_buf_reset(&output->buf);
}

static void begin_rows(struct tr2_flat_output *output)
{
	int kind;

	if (output->format == TR2_FLAT_SQLITE && !output->file.partial)
		check_database(output,
			       "a database can only be written to a file");
	else if (output->format == TR2_FLAT_SQLITE)
		check_database(output, tr2_flat_database_open(output));
	for (kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		if (output->format == TR2_FLAT_CSV && output->kinds >> kind & 1)
			tr2_flat_put_header(&output->buf, output->columns[kind],
					    output->counts[kind]);
}

int tr2_flat_output_open(struct tr2_flat_output *output)
{
	int error = tr2_whole_file_open(&output->file, output->name, false);

	if (error)
		fail_output(output, error);
	else
		begin_rows(output);
	return output->failed ? -1 : 0;
}

void tr2_flat_output_put(struct tr2_flat_output *output,
			 const struct tr2_flat_row *row)
{
	const struct tr2_flat_column *columns = output->columns[row->kind];

	if (output->failed)
		return;
	if (output->format == TR2_FLAT_SQLITE)
		check_database(output, tr2_flat_database_put(output->database,
							     columns, row));
	else if (output->format == TR2_FLAT_CSV)
		tr2_flat_put_csv(&output->buf, columns, row);
	else
		tr2_flat_put_ndjson(&output->buf, columns, row);
	if (output->buf.len >= MUCH || output->buf.failed)
		flush_output(output);
}

int tr2_flat_output_close(struct tr2_flat_output *output)
{
	int error;

	flush_output(output);
	if (output->database && !output->failed)
		check_database(output,
			       tr2_flat_database_finish(output->database));
	tr2_flat_database_release(output->database);
	output->database = NULL;
	error = output->failed ? 0 : tr2_whole_file_commit(&output->file);
	if (error)
		fail_output(output, error);
	tr2_flat_output_drop(output);
	return output->failed ? -1 : 0;
}

void tr2_flat_output_drop(struct tr2_flat_output *output)
{
	tr2_flat_database_release(output->database);
	output->database = NULL;
	tr2_whole_file_drop(&output->file);
	tr2_buf_release(&output->buf);
}
