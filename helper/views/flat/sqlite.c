#include "views/flat/sqlite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/common/memory.h"

struct tr2_flat_database {
	sqlite3 *handle;
	sqlite3_stmt *inserts[TR2_FLAT_KIND_COUNT]; /* NULL: not wanted */
	unsigned kinds;
};

static const char *const types[] = { " TEXT", " INTEGER", " REAL" };

/* What is made when all rows are there. */
static const struct {
	unsigned kinds; /* that it needs */
	const char *statement;
} additions[] = {
#define BIT(kind) (1U << TR2_FLAT_KIND_##kind)
	{ BIT(PROCESSES),
	  "CREATE INDEX processes_session ON processes (session);"
	  "CREATE INDEX processes_command ON processes (command, day);"
	  "CREATE INDEX processes_repository ON processes (repository);"
	  "CREATE VIEW commands AS SELECT command, day, count(*) AS count,"
	  " sum(failed) AS failed, sum(wall_us) AS wall_us,"
	  " sum(self_us) AS self_us, max(wall_us) AS longest_us"
	  " FROM processes GROUP BY command, day" },
	{ BIT(REGIONS),
	  "CREATE INDEX regions_session ON regions (session);"
	  "CREATE INDEX regions_label ON regions (category, label);"
	  "CREATE VIEW region_totals AS SELECT category, label,"
	  " count(*) AS count, sum(wall_us) AS wall_us,"
	  " sum(self_us) AS self_us, max(wall_us) AS longest_us"
	  " FROM regions GROUP BY category, label" },
	{ BIT(DATA), "CREATE INDEX data_session ON data (session);"
		     "CREATE INDEX data_key ON data (category, key)" },
	{ BIT(ERRORS), "CREATE INDEX errors_session ON errors (session);"
		       "CREATE INDEX errors_fmt ON errors (fmt)" },
	{ BIT(EVENTS), "CREATE INDEX events_session ON events (session);"
		       "CREATE INDEX events_event ON events (event)" },
	{ BIT(CHILDREN), "CREATE INDEX children_session ON children (session);"
			 "CREATE INDEX children_class ON children"
			 " (child_class, code)" },
	{ BIT(PROCESSES) | BIT(DATA),
	  "CREATE VIEW data_commands AS SELECT p.sid AS root_sid,"
	  " p.command AS root_command, d.* FROM data d JOIN processes p"
	  " ON d.session = p.session AND (d.sid = p.sid OR"
	  " substr(d.sid, 1, length(p.sid) + 1) = p.sid || '/')" },
#undef BIT
};

static const char *run_statement(struct tr2_flat_database *database,
				 const char *statement)
{
	return sqlite3_exec(database->handle, statement, NULL, NULL, NULL)
		       ? sqlite3_errmsg(database->handle)
		       : NULL;
}

static void put_name(struct tr2_buf *out, const char *name, char quote)
{
	tr2_buf_byte(out, quote);
	for (; *name; name++) {
		if (*name == quote)
			tr2_buf_byte(out, quote);
		tr2_buf_byte(out, *name);
	}
	tr2_buf_byte(out, quote);
}

static const char *run_text(struct tr2_flat_database *database,
			    struct tr2_buf *text)
{
	const char *error;

	tr2_must_end(text);
	error = run_statement(database, text->bytes);
	tr2_buf_reset(text);
	return error;
}

static const char *create_table(struct tr2_flat_database *database,
				const struct tr2_flat_output *output, int kind)
{
	const struct tr2_flat_column *column = output->columns[kind];
	struct tr2_buf text = TR2_BUF_INIT;
	const char *error;
	size_t i;

	tr2_buf_str(&text, "CREATE TABLE ");
	tr2_buf_str(&text, tr2_flat_kind_names[kind]);
	for (i = 0; i < output->counts[kind]; i++, column++) {
		tr2_buf_str(&text, i ? ", " : " (");
		put_name(&text, column->name, '"');
		tr2_buf_str(&text, types[column->type]);
	}
	tr2_buf_byte(&text, ')');
	error = run_text(database, &text);
	tr2_buf_release(&text);
	return error;
}

static const char *prepare_insert(struct tr2_flat_database *database,
				  const struct tr2_flat_output *output,
				  int kind)
{
	struct tr2_buf text = TR2_BUF_INIT;
	int code;
	size_t i;

	tr2_buf_str(&text, "INSERT INTO ");
	tr2_buf_str(&text, tr2_flat_kind_names[kind]);
	for (i = 0; i < output->counts[kind]; i++)
		tr2_buf_str(&text, i ? ", ?" : " VALUES (?");
	tr2_buf_add(&text, ")", 2);
	tr2_must_hold(&text);
	code = sqlite3_prepare_v2(database->handle, text.bytes, -1,
				  &database->inserts[kind], NULL);
	tr2_buf_release(&text);
	return code ? sqlite3_errmsg(database->handle) : NULL;
}

static const char *begin_kind(struct tr2_flat_database *database,
			      const struct tr2_flat_output *output, int kind)
{
	const char *error = create_table(database, output, kind);

	return error ? error : prepare_insert(database, output, kind);
}

/* The file is not the result yet: no journal has to save it. */
const char *tr2_flat_database_open(struct tr2_flat_output *output)
{
	struct tr2_flat_database *database = tr2_must_zeros(sizeof(*database));
	const char *error = NULL;
	int kind;

	output->database = database;
	database->kinds = output->kinds;
	if (sqlite3_open_v2(output->whole.file.partial, &database->handle,
			    SQLITE_OPEN_READWRITE, NULL))
		return sqlite3_errmsg(database->handle);
	error = run_statement(database, "PRAGMA journal_mode = OFF;"
					"PRAGMA synchronous = OFF;"
					"PRAGMA locking_mode = EXCLUSIVE;"
					"BEGIN");
	for (kind = 0; kind < TR2_FLAT_KIND_COUNT && !error; kind++)
		if (output->kinds >> kind & 1)
			error = begin_kind(database, output, kind);
	return error;
}

static int bind_cell(sqlite3_stmt *insert, int column, enum tr2_flat_type type,
		     const struct tr2_flat_row *row)
{
	const struct tr2_flat_cell *cell =
		tr2_flat_cell_at(row, (size_t)column);
	int place = column + 1;

	if (!cell->present)
		return sqlite3_bind_null(insert, place);
	if (type == TR2_FLAT_TEXT)
		return sqlite3_bind_text64(insert, place,
					   tr2_flat_text(row, cell), cell->len,
					   SQLITE_STATIC, SQLITE_UTF8);
	if (type == TR2_FLAT_SECONDS)
		return sqlite3_bind_double(insert, place,
					   (double)cell->number / 1e6);
	return sqlite3_bind_int64(insert, place, cell->number);
}

const char *tr2_flat_database_put(struct tr2_flat_database *database,
				  const struct tr2_flat_column *columns,
				  const struct tr2_flat_row *row)
{
	sqlite3_stmt *insert = database->inserts[row->kind];
	int code = SQLITE_OK;
	uint32_t i;

	for (i = 0; i < row->cells.count && !code; i++)
		code = bind_cell(insert, (int)i, columns[i].type, row);
	if (!code && sqlite3_step(insert) != SQLITE_DONE)
		code = sqlite3_errcode(database->handle);
	sqlite3_reset(insert);
	return code ? sqlite3_errmsg(database->handle) : NULL;
}

const char *tr2_flat_database_finish(struct tr2_flat_database *database)
{
	const char *error = NULL;
	size_t i;

	for (i = 0; i < sizeof(additions) / sizeof(additions[0]) && !error; i++)
		if (!(additions[i].kinds & ~database->kinds))
			error = run_statement(database, additions[i].statement);
	return error ? error : run_statement(database, "COMMIT");
}

/* Run one that has a result: the number in its first column, or 0. */
static const char *run_query(sqlite3 *handle, struct tr2_buf *text,
			     int64_t *number)
{
	sqlite3_stmt *query = NULL;
	int code;

	tr2_must_end(text);
	*number = 0;
	code = sqlite3_prepare_v2(handle, text->bytes, -1, &query, NULL);
	tr2_buf_reset(text);
	if (!code)
		code = sqlite3_step(query);
	if (code == SQLITE_ROW)
		*number = sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	return code == SQLITE_ROW || code == SQLITE_DONE
		       ? NULL
		       : sqlite3_errmsg(handle);
}

/* An older version, or another --select, made the table. */
static const char *add_column(sqlite3 *handle, struct tr2_buf *text,
			      const char *table,
			      const struct tr2_flat_column *column)
{
	const char *error;
	int64_t there;

	tr2_buf_str(text, "SELECT 1 FROM pragma_table_info('");
	tr2_buf_str(text, table);
	tr2_buf_str(text, "', 'main') WHERE name = ");
	put_name(text, column->name, '\'');
	error = run_query(handle, text, &there);
	if (error || there)
		return error;
	tr2_buf_str(text, "ALTER TABLE main.");
	tr2_buf_str(text, table);
	tr2_buf_str(text, " ADD COLUMN ");
	put_name(text, column->name, '"');
	tr2_buf_str(text, types[column->type]);
	return run_query(handle, text, &there);
}

static void put_columns(struct tr2_buf *text,
			const struct tr2_flat_column *column, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		tr2_buf_str(text, i ? ", " : "");
		put_name(text, column[i].name, '"');
	}
}

static const char *append_kind(sqlite3 *handle, struct tr2_flat_output *output,
			       int kind, struct tr2_buf *text)
{
	const char *table = tr2_flat_kind_names[kind], *error = NULL;
	size_t count = output->counts[kind], i;
	int64_t rows;

	for (i = 0; i < count && !error; i++)
		error = add_column(handle, text, table,
				   &output->columns[kind][i]);
	if (error)
		return error;
	tr2_buf_str(text, "SELECT count(*) FROM day.");
	tr2_buf_str(text, table);
	error = run_query(handle, text, &rows);
	if (error)
		return error;
	output->left += rows;
	tr2_buf_str(text, "INSERT INTO main.");
	tr2_buf_str(text, table);
	tr2_buf_str(text, " (");
	put_columns(text, output->columns[kind], count);
	tr2_buf_str(text, ") SELECT ");
	put_columns(text, output->columns[kind], count);
	tr2_buf_str(text, " FROM day.");
	tr2_buf_str(text, table);
	tr2_buf_str(text, " AS new WHERE NOT EXISTS (SELECT 1 FROM main.");
	tr2_buf_str(text, table);
	tr2_buf_str(text, " AS old WHERE old.session = new.session"
			  " AND old.sid = new.sid)");
	error = run_query(handle, text, &rows);
	output->left -= error ? 0 : sqlite3_changes(handle);
	return error;
}

static const char *append_kinds(sqlite3 *handle, struct tr2_flat_output *output)
{
	struct tr2_buf text = TR2_BUF_INIT;
	const char *error = NULL;
	int64_t ignored;
	int kind;

	sqlite3_busy_timeout(handle, TR2_FLAT_BUSY_MS);
	tr2_buf_str(&text, "ATTACH ");
	put_name(&text, output->whole.file.partial, '\'');
	tr2_buf_str(&text, " AS day");
	error = run_query(handle, &text, &ignored);
	tr2_buf_str(&text, "BEGIN IMMEDIATE");
	if (!error)
		error = run_query(handle, &text, &ignored);
	for (kind = 0; kind < TR2_FLAT_KIND_COUNT && !error; kind++)
		if (output->kinds >> kind & 1)
			error = append_kind(handle, output, kind, &text);
	tr2_buf_reset(&text);
	tr2_buf_str(&text, "COMMIT");
	if (!error)
		error = run_query(handle, &text, &ignored);
	tr2_buf_release(&text);
	return error;
}

const char *tr2_flat_database_append(struct tr2_flat_output *output)
{
	static char why[200]; /* the handle's own is gone when it is closed */
	sqlite3 *handle = NULL;
	const char *error = NULL;

	if (sqlite3_open_v2(output->whole.name, &handle, SQLITE_OPEN_READWRITE,
			    NULL))
		error = sqlite3_errmsg(handle);
	else
		error = append_kinds(handle, output);
	if (error)
		snprintf(why, sizeof(why), "%s", error);
	sqlite3_close(handle);
	return error ? why : NULL;
}

void tr2_flat_database_release(struct tr2_flat_database *database)
{
	int kind;

	if (!database)
		return;
	for (kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		sqlite3_finalize(database->inserts[kind]);
	sqlite3_close(database->handle);
	free(database);
}
