#include "views/flat/output.h"

#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "read/value.h"

#define KIND_NAME(kind, name) name,
const char *const tr2_flat_kind_names[TR2_FLAT_KIND_COUNT + 1] = {
	TR2_FLAT_KINDS(KIND_NAME) NULL
};

#define COLUMN(kind, column, name, type, take, key) { name, TR2_FLAT_##type },
#define COLUMNS(kind)                                                \
	[TR2_FLAT_KIND_##kind] = { (const struct tr2_flat_column[]){ \
					   COLUMNS_##kind(COLUMN) }, \
				   TR2_FLAT_##kind##_END }
static const struct {
	const struct tr2_flat_column *columns;
	size_t count;
} kinds[TR2_FLAT_KIND_COUNT] = { COLUMNS(PROCESSES), COLUMNS(REGIONS),
				 COLUMNS(DATA),	     COLUMNS(ERRORS),
				 COLUMNS(EVENTS),    COLUMNS(CHILDREN) };

const struct tr2_flat_column *tr2_flat_columns(enum tr2_flat_kind kind,
					       size_t *count)
{
	*count = kinds[kind].count;
	return kinds[kind].columns;
}

#define DATE 10 /* bytes: 2026-11-23 */

void tr2_flat_row_begin(struct tr2_flat_row *row, enum tr2_flat_kind kind,
			size_t count)
{
	row->kind = kind;
	row->cells.count = 0;
	tr2_buf_reset(&row->texts);
	while (row->cells.count < count)
		tr2_vec_renew(&row->cells, row->cells.count,
			      sizeof(struct tr2_flat_cell));
}

void tr2_flat_set_text(struct tr2_flat_row *row, size_t column,
		       const char *text, size_t len)
{
	struct tr2_flat_cell *cell = tr2_flat_cell_at(row, column);

	if (!text)
		return;
	*cell = (struct tr2_flat_cell){ .present = true,
					.number = (int64_t)row->texts.len,
					.len = len };
	tr2_buf_add(&row->texts, text, len);
	tr2_must_end(&row->texts); /* an empty text has a place, too */
}

void tr2_flat_set_sid(struct tr2_flat_row *row, size_t column, const char *sid,
		      size_t len)
{
	const char *slash = memchr(sid, '/', len);

	tr2_flat_set_text(row, column, sid, len);
	tr2_flat_set_text(row, column + 1, sid,
			  slash ? (size_t)(slash - sid) : len);
}

void tr2_flat_set_number(struct tr2_flat_row *row, size_t column,
			 int64_t number)
{
	*tr2_flat_cell_at(row, column) =
		(struct tr2_flat_cell){ .present = true, .number = number };
}

void tr2_flat_set_time(struct tr2_flat_row *row, size_t column, int64_t time)
{
	char bytes[40];
	struct tr2_buf text = TR2_BUF_FIXED(bytes);

	if (!tr2_time_has_date(time))
		return;
	tr2_calendar_put_time(&text, time);
	tr2_flat_set_text(row, column, bytes, text.len);
	tr2_flat_set_text(row, column + 1, bytes, DATE);
	if (row->kind != TR2_FLAT_KIND_PROCESSES)
		return;
	tr2_buf_reset(&text);
	tr2_calendar_put_date(&text, tr2_calendar_monday(time));
	tr2_flat_set_text(row, column + 2, bytes, text.len);
}

void tr2_flat_row_release(struct tr2_flat_row *row)
{
	tr2_vec_release(&row->cells);
	tr2_buf_release(&row->texts);
}

/*
 * A field that is fit for a terminal and a spreadsheet: what one may obey is
 * `?`, as in every text that a command prints. Lines and tabs are a field's
 * own.
 */
static void put_quoted(struct tr2_buf *out, const char *text, size_t len)
{
	size_t at = 0;

	tr2_buf_byte(out, '"');
	while (at < len) {
		if (memchr("\n\r\t", text[at], 3)) {
			tr2_buf_byte(out, text[at++]);
			continue;
		}
		if (text[at] == '"')
			tr2_buf_byte(out, '"');
		at += tr2_foreign_character(out, text, len, at);
	}
	tr2_buf_byte(out, '"');
}

static void put_header(struct tr2_buf *out,
		       const struct tr2_flat_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			tr2_buf_byte(out, ',');
		put_quoted(out, columns[i].name, strlen(columns[i].name));
	}
	tr2_buf_byte(out, '\n');
}

static void put_number(struct tr2_buf *out, enum tr2_flat_type type,
		       int64_t number)
{
	if (type == TR2_FLAT_SECONDS)
		tr2_buf_seconds(out, (uint64_t)number);
	else
		tr2_buf_int(out, number);
}

static void put_csv(struct tr2_buf *out, const struct tr2_flat_column *columns,
		    const struct tr2_flat_row *row)
{
	const struct tr2_flat_cell *cell = row->cells.items;

	for (uint32_t i = 0; i < row->cells.count; i++, cell++) {
		if (i)
			tr2_buf_byte(out, ',');
		if (!cell->present)
			continue;
		if (columns[i].type == TR2_FLAT_TEXT)
			put_quoted(out, tr2_flat_text(row, cell), cell->len);
		else
			put_number(out, columns[i].type, cell->number);
	}
	tr2_buf_byte(out, '\n');
}

static void put_ndjson(struct tr2_buf *out,
		       const struct tr2_flat_column *columns,
		       const struct tr2_flat_row *row)
{
	const struct tr2_flat_cell *cell = row->cells.items;
	const size_t start = out->len;

	for (uint32_t i = 0; i < row->cells.count; i++, cell++) {
		tr2_buf_byte(out, i ? ',' : '{');
		tr2_json_string(out, columns[i].name);
		tr2_buf_byte(out, ':');
		if (!cell->present) {
			tr2_buf_str(out, "null");
		} else if (columns[i].type == TR2_FLAT_TEXT) {
			tr2_buf_byte(out, '"');
			tr2_json_escape(out, tr2_flat_text(row, cell),
					cell->len);
			tr2_buf_byte(out, '"');
		} else {
			put_number(out, columns[i].type, cell->number);
		}
	}
	tr2_foreign_json_from(out, start);
	tr2_buf_str(out, "}\n");
}

static void check_database(struct tr2_flat_output *output, const char *error)
{
	if (!error || output->whole.failed)
		return;
	tr2_foreign_blame("table", output->whole.name, error);
	output->whole.failed = true;
}

static void begin_rows(struct tr2_flat_output *output)
{
	if (output->format == TR2_FLAT_SQLITE && !output->whole.file.partial)
		check_database(output,
			       "a database can only be written to a file");
	else if (output->format == TR2_FLAT_SQLITE)
		check_database(output, tr2_flat_database_open(output));
	for (int kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		if (output->format == TR2_FLAT_CSV && output->kinds >> kind & 1)
			put_header(&output->whole.buf, output->columns[kind],
				   output->counts[kind]);
}

/* Opening a FIFO would wait for a reader before this can be told. */
static void check_file(struct tr2_flat_output *output)
{
	struct stat st;

	if (output->format == TR2_FLAT_SQLITE &&
	    !stat(output->whole.name, &st) && S_ISFIFO(st.st_mode))
		check_database(output,
			       "a database can only be written to a file");
}

int tr2_flat_output_open(struct tr2_flat_output *output)
{
	check_file(output);
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
		put_csv(&output->whole.buf, columns, row);
	else
		put_ndjson(&output->whole.buf, columns, row);
	tr2_output_step(&output->whole);
}

/*
 * Put the database in place, or its rows into the one that is there: SQLite
 * knows who else has it open, and what a killed program left in its journal.
 */
static int put_database(struct tr2_flat_output *output)
{
	struct tr2_output *whole = &output->whole;
	struct stat st = { 0 };
	const bool is_there = !stat(whole->file.target, &st);
	int made = 1;

	if (!st.st_size)
		check_database(output, tr2_flat_database_find_journal(
					       whole->file.target));
	if (is_there && !st.st_size)
		made = tr2_output_close(whole);
	else if (!is_there && !whole->failed)
		made = tr2_output_close_new(whole);
	if (made <= 0)
		return made;
	if (!whole->failed)
		check_database(output, tr2_flat_database_add(output));
	tr2_output_drop(whole);
	return whole->failed ? -1 : 0;
}

int tr2_flat_output_close(struct tr2_flat_output *output)
{
	if (!output->database || output->whole.failed)
		return tr2_output_close(&output->whole);
	check_database(output, tr2_flat_database_finish(output->database));
	tr2_flat_database_release(output->database);
	output->database = NULL;
	return put_database(output);
}

void tr2_flat_output_drop(struct tr2_flat_output *output)
{
	tr2_flat_database_release(output->database);
	output->database = NULL;
	tr2_output_drop(&output->whole);
}
