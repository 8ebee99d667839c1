/* Where rows go: texts and databases, which appear when they are whole. */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/command.h"
#include "kit/file.h"
#include "views/flat/output.h"

#include <sqlite3.h>
#include <sys/stat.h>

static const struct tr2_flat_column columns[] = {
	{ "a\"b", TR2_FLAT_TEXT },
	{ "n", TR2_FLAT_INTEGER },
	{ "s", TR2_FLAT_SECONDS },
};

static struct tr2_flat_output output;
static struct tr2_flat_row row;

/* All kinds have the same three columns here. */
static void set_output(enum tr2_flat_format format, unsigned kinds,
		       const char *name)
{
	int i;

	output = (struct tr2_flat_output){ .format = format, .kinds = kinds };
	for (i = 0; i < TR2_FLAT_KIND_COUNT; i++) {
		output.columns[i] = columns;
		output.counts[i] = 3;
	}
	tr2_output_begin(&output.whole, "table", name);
}

static void put_row(enum tr2_flat_kind kind, const char *word, int64_t number)
{
	tr2_flat_row_begin(&row, kind, 3);
	tr2_flat_set_text(&row, 0, word, word ? strlen(word) : 0);
	tr2_flat_set_number(&row, 1, number);
	tr2_flat_set_number(&row, 2, number * 500000);
	tr2_flat_output_put(&output, &row);
}

/* Returns the most bytes that waited while so many rows were put. */
static size_t put_many_rows(int count)
{
	size_t most = 0;

	while (count--) {
		put_row(TR2_FLAT_KIND_DATA, "a row like all others", count);
		if (output.whole.buf.len > most)
			most = output.whole.buf.len;
	}
	return most;
}

static int write_many(int argc, char **argv)
{
	size_t most;

	(void)argc;
	set_output(TR2_FLAT_NDJSON, 1U << TR2_FLAT_KIND_DATA, argv[0]);
	tr2_flat_output_open(&output);
	most = put_many_rows(50000);
	if (output.whole.failed && put_many_rows(50000))
		return 99;
	return (most > 1 << 20) + 2 * tr2_flat_output_close(&output);
}

static void test_many(void)
{
	struct stat status;

	tap_int(kit_call(write_many, "out"), 0,
		"a table of any length takes little memory");
	stat("out", &status);
	tap_ok(status.st_size > 2 << 20, "all its rows are written");
	tap_int(kit_call(write_many, "/dev/full"), -2,
		"after a failure no row is kept");
}

/* Returns the first column of all rows, each in a line. */
static const char *query_column(const char *name, const char *statement)
{
	static char shown[4096];
	sqlite3 *handle;
	sqlite3_stmt *read;
	const char *cell;

	shown[0] = '\0';
	if (sqlite3_open_v2(name, &handle, SQLITE_OPEN_READONLY, NULL) ||
	    sqlite3_prepare_v2(handle, statement, -1, &read, NULL))
		return sqlite3_errmsg(handle);
	while (sqlite3_step(read) == SQLITE_ROW) {
		cell = (const char *)sqlite3_column_text(read, 0);
		strcat(strcat(shown, cell ? cell : "NULL"), "\n");
	}
	sqlite3_finalize(read);
	sqlite3_close(handle);
	return shown;
}

static void test_database(void)
{
	set_output(TR2_FLAT_SQLITE, 1U << TR2_FLAT_KIND_ERRORS, "db");
	/* An index needs these names. */
	output.columns[TR2_FLAT_KIND_ERRORS] = (struct tr2_flat_column[]){
		{ "fmt", TR2_FLAT_TEXT },
		{ "session", TR2_FLAT_INTEGER },
		{ "a\"b", TR2_FLAT_SECONDS },
	};
	tap_int(tr2_flat_output_open(&output), 0,
		"rows are written to a database");
	put_row(TR2_FLAT_KIND_ERRORS, "x", INT64_MIN / 500000);
	put_row(TR2_FLAT_KIND_ERRORS, NULL, 3);
	tap_str(kit_text("db"), "",
		"a database is not there before it is whole");
	tap_int(tr2_flat_output_close(&output), 0, "then it is put in place");
	tap_str(query_column("db", "select sql from sqlite_master where type = "
				   "'table'"),
		"CREATE TABLE errors (\"fmt\" TEXT, \"session\" INTEGER, "
		"\"a\"\"b\" REAL)\n",
		"a table has the columns of its kind");
	tap_str(query_column("db",
			     "select typeof(fmt) || ' ' || fmt || ' ' || "
			     "typeof(session) || ' ' || session || ' ' || "
			     "typeof(\"a\"\"b\") from errors limit 1"),
		"text x integer -18446744073709 real\n",
		"each column has its type");
	tap_str(query_column("db",
			     "select \"a\"\"b\" from errors where fmt is null"),
		"1.5\n", "an empty cell is null, and seconds are a number");
	tap_str(query_column("db",
			     "select name from sqlite_master where type = "
			     "'index'"),
		"errors_session\nerrors_fmt\n", "a table has its indexes");
	tap_str(query_column("db", "pragma integrity_check"), "ok\n",
		"a database is whole");
}

static void test_nul(void)
{
	set_output(TR2_FLAT_SQLITE, 1U << TR2_FLAT_KIND_EVENTS, "db");
	output.columns[TR2_FLAT_KIND_EVENTS] = (struct tr2_flat_column[]){
		{ "event", TR2_FLAT_TEXT },
		{ "session", TR2_FLAT_TEXT },
		{ "s", TR2_FLAT_TEXT },
	};
	tr2_flat_output_open(&output);
	tr2_flat_row_begin(&row, TR2_FLAT_KIND_EVENTS, 3);
	tr2_flat_set_text(&row, 0, "a\0b", 3);
	tr2_flat_set_text(&row, 1, "", 0);
	tr2_flat_output_put(&output, &row);
	tr2_flat_output_close(&output);
	tap_str(query_column("db",
			     "select hex(event) || typeof(session) || typeof(s)"
			     " from events"),
		"610062textnull\n", "a text may have a NUL, or be empty");
}

/* The columns that the room itself has. */
static void write_kinds(unsigned kinds)
{
	int i;

	set_output(TR2_FLAT_SQLITE, kinds, "db");
	for (i = 0; i < TR2_FLAT_KIND_COUNT; i++)
		output.columns[i] = tr2_flat_columns((enum tr2_flat_kind)i,
						     &output.counts[i]);
	tap_need(!tr2_flat_output_open(&output) &&
		 !tr2_flat_output_close(&output));
}

#define NAMES                                                                 \
	"select group_concat(name, ' ') from (select name from sqlite_master" \
	" where type = '%s' order by name)"

static const char *query_names(const char *type)
{
	char statement[256];

	snprintf(statement, sizeof(statement), NAMES, type);
	return query_column("db", statement);
}

static int write_to_stdout(int argc, char **argv)
{
	(void)argc;
	set_output(TR2_FLAT_SQLITE, 1U << TR2_FLAT_KIND_DATA, argv[0]);
	return tr2_flat_output_open(&output);
}

static int write_twice(int argc, char **argv)
{
	static const struct tr2_flat_column twice[] = {
		{ "x", TR2_FLAT_TEXT },
		{ "X", TR2_FLAT_TEXT },
		{ "y", TR2_FLAT_TEXT },
	};
	int rc;

	(void)argc;
	set_output(TR2_FLAT_SQLITE, 1U << TR2_FLAT_KIND_DATA, argv[0]);
	output.columns[TR2_FLAT_KIND_DATA] = twice;
	rc = tr2_flat_output_open(&output);
	put_row(TR2_FLAT_KIND_DATA, "x", 1);
	return 10 * rc + tr2_flat_output_close(&output);
}

/* Its index is on a column that is not there. */
static int write_unfinished(int argc, char **argv)
{
	(void)argc;
	set_output(TR2_FLAT_SQLITE, 1U << TR2_FLAT_KIND_DATA, argv[0]);
	if (tr2_flat_output_open(&output))
		return 1;
	put_row(TR2_FLAT_KIND_DATA, "x", 1);
	return tr2_flat_output_close(&output);
}

static void test_failures(void)
{
	tap_int(kit_call(write_to_stdout, "-"), -1,
		"a database is not printed");
	tap_str(kit_said[2],
		"trace2 table: -: a database can only be written to a file\n",
		"and why it can't be written is told");
	tr2_flat_output_drop(&output);
	unlink("db");
	tap_int(kit_call(write_twice, "db"), -11,
		"a table has no two columns of a name");
	tap_str(kit_said[2], "trace2 table: db: duplicate column name: X\n",
		"the first failure is reported, and no other");
	tap_int(access("db", F_OK), -1, "after a failure there is no file");
	tap_int(kit_call(write_unfinished, "db"), -1,
		"a database may fail at its end");
	tap_str(kit_said[2], "trace2 table: db: no such column: session\n",
		"which is reported, too");
	tap_int(access("db", F_OK), -1, "and then there is no file");
}

static void test_drop(void)
{
	write_kinds(1U << TR2_FLAT_KIND_DATA);
	set_output(TR2_FLAT_SQLITE, 1U << TR2_FLAT_KIND_REGIONS, "db");
	tap_int(tr2_flat_output_open(&output), 0, "a database is begun again");
	tr2_flat_output_drop(&output);
	tap_str(query_names("table"), "data\n",
		"what is not wanted leaves an old file as it is");
	tap_ok(!output.database, "and its database is closed");
	tr2_flat_output_drop(&output);
	tap_str(query_names("table"), "data\n", "it may be dropped again");
}

int main(void)
{
	char folder[] = "/tmp/flat-XXXXXX";

	tap_need(mkdtemp(folder) && !chdir(folder));
	tap_run(test_many, test_database, test_nul, test_failures, test_drop);
	tr2_flat_row_release(&row);
	unlink("out");
	unlink("db");
	tap_int(rmdir(folder), 0, "no other file is left");
	return tap_done();
}
