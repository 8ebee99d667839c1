#include "views/flat/output.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "indexes_rows.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

#define BUSY_MS 10000 /* for others that write to the database */

struct tr2_flat_database {
	sqlite3 *handle;
	sqlite3_stmt *inserts[TR2_FLAT_KIND_COUNT]; /* NULL: not wanted */
	unsigned kinds;
};

static const char *const types[] = { " TEXT", " INTEGER", " REAL" };

/* What is made when all rows of two kinds are there. */
static const struct {
	unsigned kinds;
	const char *statement;
} additions[] = {
#define ADDITION(kind, other, statement) \
	{ 1U << TR2_FLAT_KIND_##kind | 1U << TR2_FLAT_KIND_##other, statement },
	INDEXES_ROWS(ADDITION)
};

static const char *run_statement(sqlite3 *handle, const char *statement)
{
	return sqlite3_exec(handle, statement, NULL, NULL, NULL)
		       ? sqlite3_errmsg(handle)
		       : NULL;
}

/* A text of sqlite3_mprintf() and the like. */
static char *hold_text(char *text)
{
	if (!text)
		tr2_memory_out();
	return text;
}

/* Returns names with something after each, separated by commas. */
static char *list_columns(const struct tr2_flat_column *column, size_t count,
			  bool with_types)
{
	sqlite3_str *text = sqlite3_str_new(NULL);

	for (size_t i = 0; i < count; i++, column++)
		sqlite3_str_appendf(text, "%s\"%w\"%s", i ? ", " : "",
				    column->name,
				    with_types ? types[column->type] : "");
	return hold_text(sqlite3_str_finish(text));
}

static const char *create_table(sqlite3 *handle,
				const struct tr2_flat_output *output, int kind)
{
	char *columns =
		list_columns(output->columns[kind], output->counts[kind], true);
	char *text = hold_text(
		sqlite3_mprintf("CREATE TABLE IF NOT EXISTS main.%s (%z)",
				tr2_flat_kind_names[kind], columns));
	const char *error = run_statement(handle, text);

	sqlite3_free(text);
	return error;
}

static const char *create_additions(sqlite3 *handle, unsigned kinds)
{
	const char *error = NULL;
	size_t i;

	for (i = 0; i < sizeof(additions) / sizeof(additions[0]) && !error; i++)
		if (!(additions[i].kinds & ~kinds))
			error = run_statement(handle, additions[i].statement);
	return error;
}

static const char *prepare_insert(struct tr2_flat_database *database,
				  const struct tr2_flat_output *output,
				  int kind)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	char *insert;
	int code;

	sqlite3_str_appendf(text, "INSERT INTO %s VALUES (?",
			    tr2_flat_kind_names[kind]);
	for (size_t i = 1; i < output->counts[kind]; i++)
		sqlite3_str_appendall(text, ", ?");
	sqlite3_str_appendall(text, ")");
	insert = hold_text(sqlite3_str_finish(text));
	code = sqlite3_prepare_v2(database->handle, insert, -1,
				  &database->inserts[kind], NULL);
	sqlite3_free(insert);
	return code ? sqlite3_errmsg(database->handle) : NULL;
}

static const char *begin_kind(struct tr2_flat_database *database,
			      const struct tr2_flat_output *output, int kind)
{
	const char *error = create_table(database->handle, output, kind);

	return error ? error : prepare_insert(database, output, kind);
}

/* SQLite has a meaning of its own for `file:...` and `:memory:`. */
static const char *guard_name(const char *name)
{
	return *name == ':' || !strncmp(name, "file:", 5) ? "./" : "";
}

static int open_database(const char *name, sqlite3 **handle)
{
	char *path = tr2_text_print("%s%s", guard_name(name), name);
	const int code =
		sqlite3_open_v2(path, handle, SQLITE_OPEN_READWRITE, NULL);

	free(path);
	return code;
}

/* The file is not the result yet: no journal has to save it. */
const char *tr2_flat_database_open(struct tr2_flat_output *output)
{
	struct tr2_flat_database *database = tr2_must_zeros(sizeof(*database));
	const char *error = NULL;

	output->database = database;
	database->kinds = output->kinds;
	if (open_database(output->whole.file.partial, &database->handle))
		return sqlite3_errmsg(database->handle);
	error = run_statement(database->handle,
			      "PRAGMA journal_mode = OFF;"
			      "PRAGMA synchronous = OFF;"
			      "PRAGMA locking_mode = EXCLUSIVE;"
			      "BEGIN");
	for (int kind = 0; kind < TR2_FLAT_KIND_COUNT && !error; kind++)
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

	for (uint32_t i = 0; i < row->cells.count && !code; i++)
		code = bind_cell(insert, (int)i, columns[i].type, row);
	if (!code && sqlite3_step(insert) != SQLITE_DONE)
		code = sqlite3_errcode(database->handle);
	sqlite3_reset(insert);
	return code ? sqlite3_errmsg(database->handle) : NULL;
}

const char *tr2_flat_database_finish(struct tr2_flat_database *database)
{
	const char *error = create_additions(database->handle, database->kinds);

	return error ? error : run_statement(database->handle, "COMMIT");
}

/*
 * Run a text, which is freed, that has a result: the number in its first column,
 * or 0.
 */
static const char *run_query(sqlite3 *handle, char *text, int64_t *number)
{
	sqlite3_stmt *query = NULL;
	int code;

	*number = 0;
	code = sqlite3_prepare_v2(handle, hold_text(text), -1, &query, NULL);
	sqlite3_free(text);
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
static const char *add_column(sqlite3 *handle, const char *table,
			      const struct tr2_flat_column *column)
{
	const char *error;
	int64_t there;

	error = run_query(
		handle,
		sqlite3_mprintf("SELECT 1 FROM pragma_table_info(%Q, 'main') "
				"WHERE name = %Q",
				table, column->name),
		&there);
	if (error || there)
		return error;
	return run_query(handle,
			 sqlite3_mprintf("ALTER TABLE main.%s ADD COLUMN "
					 "\"%w\"%s",
					 table, column->name,
					 types[column->type]),
			 &there);
}

/* Returns the statement that copies the rows of processes that are new. */
static char *make_copy(const struct tr2_flat_output *output, int kind)
{
	const char *table = tr2_flat_kind_names[kind];
	char *columns = list_columns(output->columns[kind],
				     output->counts[kind], false);

	return sqlite3_mprintf(
		"INSERT INTO main.%s (%s) SELECT %z FROM day.%s AS new "
		"WHERE NOT EXISTS (SELECT 1 FROM main.%s AS old "
		"WHERE old.session = new.session AND old.sid = new.sid)",
		table, columns, columns, table, table);
}

static const char *append_kind(sqlite3 *handle, struct tr2_flat_output *output,
			       int kind)
{
	const char *table = tr2_flat_kind_names[kind];
	const char *error = create_table(handle, output, kind);
	int64_t rows;

	for (size_t i = 0; i < output->counts[kind] && !error; i++)
		error = add_column(handle, table, &output->columns[kind][i]);
	if (!error)
		error = run_query(handle,
				  sqlite3_mprintf("SELECT count(*) FROM day.%s",
						  table),
				  &rows);
	if (error)
		return error;
	output->left += rows;
	error = run_query(handle, make_copy(output, kind), &rows);
	output->left -= error ? 0 : sqlite3_changes(handle);
	return error;
}

/* What a database of ours has; the rest of it is somebody else's. */
static const char drop_all[] = "DROP VIEW IF EXISTS main.commands;"
			       "DROP VIEW IF EXISTS main.region_totals;"
			       "DROP VIEW IF EXISTS main.data_commands;"
			       "DROP TABLE IF EXISTS main.processes;"
			       "DROP TABLE IF EXISTS main.regions;"
			       "DROP TABLE IF EXISTS main.children;"
			       "DROP TABLE IF EXISTS main.data;"
			       "DROP TABLE IF EXISTS main.errors;"
			       "DROP TABLE IF EXISTS main.events;";

/* With a journal the day would have a part in that of the database. */
static const char *add_kinds(sqlite3 *handle, struct tr2_flat_output *output)
{
	const char *const partial = output->whole.file.partial;
	char *begin = hold_text(sqlite3_mprintf(
		"ATTACH '%s%q' AS day; PRAGMA day.journal_mode = OFF;"
		"BEGIN IMMEDIATE; %s",
		guard_name(partial), partial, output->append ? "" : drop_all));
	const char *error;

	sqlite3_busy_timeout(handle, BUSY_MS);
	error = run_statement(handle, begin);
	sqlite3_free(begin);
	for (int kind = 0; kind < TR2_FLAT_KIND_COUNT && !error; kind++)
		if (output->kinds >> kind & 1)
			error = append_kind(handle, output, kind);
	if (!error)
		error = create_additions(handle, output->kinds);
	return error ? error : run_statement(handle, "COMMIT");
}

const char *tr2_flat_database_add(struct tr2_flat_output *output)
{
	static char why[200]; /* the handle's own is gone when it is closed */
	sqlite3 *handle = NULL;
	const char *error = NULL;

	if (open_database(output->whole.name, &handle))
		error = sqlite3_errmsg(handle);
	else
		error = add_kinds(handle, output);
	if (error)
		snprintf(why, sizeof(why), "%s", error);
	sqlite3_close(handle);
	return error ? why : NULL;
}

void tr2_flat_database_release(struct tr2_flat_database *database)
{
	if (!database)
		return;
	for (int kind = 0; kind < TR2_FLAT_KIND_COUNT; kind++)
		sqlite3_finalize(database->inserts[kind]);
	sqlite3_close(database->handle);
	free(database);
}

const char *tr2_flat_database_find_journal(const char *target)
{
	static const char *const endings[] = { "-journal", "-wal" };
	static char why[128];
	struct stat st;
	bool found = false;
	char *name;
	size_t i;

	for (i = 0; i < sizeof(endings) / sizeof(*endings) && !found; i++) {
		name = tr2_text_print("%s%s", target, endings[i]);
		found = !stat(name, &st) && st.st_size;
		free(name);
	}
	if (found)
		snprintf(why, sizeof(why),
			 "the file of this name with %s is of another "
			 "database, and would spoil the new one; move it away",
			 endings[i - 1]);
	return found ? why : NULL;
}
