/*
 * The database that an output replaces. SQLite takes a journal beside a file
 * for the file's own, and would play it into the new one.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/text/text.h"
#include "views/flat/output.h"

static const char foreign_tables[] =
	"SELECT name FROM sqlite_master WHERE type = 'table' AND"
	" name NOT GLOB 'sqlite_*' AND name NOT IN"
	" ('processes', 'regions', 'data', 'errors', 'events', 'children')";

/* Has the file of this name any bytes? */
static bool has_bytes(const char *name)
{
	struct stat st;

	return !stat(name, &st) && st.st_size;
}

/* Is there a journal, though SQLite has nothing to do for the database? */
static const char *find_journal(const char *target)
{
	static const char *const endings[] = { "-journal", "-wal" };
	static char why[128];
	bool found = false;
	char *name;
	size_t i;

	for (i = 0; i < sizeof(endings) / sizeof(*endings) && !found; i++) {
		name = tr2_text_print("%s%s", target, endings[i]);
		found = has_bytes(name);
		free(name);
	}
	if (found)
		snprintf(why, sizeof(why),
			 "the file of this name with %s is of another "
			 "database, and would spoil the new one; move it away",
			 endings[i - 1]);
	return found ? why : NULL;
}

static int note_row(void *found, int count, char **values, char **names)
{
	(void)count;
	(void)values;
	(void)names;
	*(bool *)found = true;
	return 0;
}

/* Returns SQLite's error for what it does. */
static int settle_database(sqlite3 *old, bool *is_foreign)
{
	int code =
		sqlite3_exec(old, foreign_tables, note_row, is_foreign, NULL);

	if (code || *is_foreign)
		return code;
	code = sqlite3_exec(old, "PRAGMA journal_mode = DELETE", NULL, NULL,
			    NULL);
	return code ? code
		    : sqlite3_exec(old, "BEGIN IMMEDIATE", NULL, NULL, NULL);
}

const char *tr2_flat_database_settle(const char *target, sqlite3 **old)
{
	bool is_foreign = false;
	int code;

	*old = NULL;
	if (!has_bytes(target))
		return find_journal(target);
	code = tr2_flat_database_open_file(target, old);
	if (!code) {
		sqlite3_busy_timeout(*old, TR2_FLAT_BUSY_MS);
		code = settle_database(*old, &is_foreign);
	}
	if (is_foreign)
		return "is a database with tables that are not ours; expected "
		       "one of 'trace2 table', or a new name";
	/* Any other file is replaced as by each command. */
	return code && code != SQLITE_NOTADB ? sqlite3_errmsg(*old)
					     : find_journal(target);
}
