/* sqlite.h - rows as tables of one SQLite database. */
#ifndef TR2_FLAT_SQLITE_H
#define TR2_FLAT_SQLITE_H

#include "views/flat/output.h"

#define TR2_FLAT_BUSY_MS 10000 /* for others that write to the database */

struct sqlite3;

/*
 * Begin a database in the partial file of the output, which is empty. Returns
 * NULL, or what failed.
 */
const char *tr2_flat_database_open(struct tr2_flat_output *output);

const char *tr2_flat_database_put(struct tr2_flat_database *database,
				  const struct tr2_flat_column *columns,
				  const struct tr2_flat_row *row);

/* Add indexes and views, and finish the file. */
const char *tr2_flat_database_finish(struct tr2_flat_database *database);

/*
 * Add the rows of the finished database, which was closed, to the one of the
 * output's name, and count those that are left out, because it has their
 * processes. Columns that it lacks are added. All or nothing happens.
 */
const char *tr2_flat_database_append(struct tr2_flat_output *output);

/*
 * Lock the database that is to be replaced, after SQLite has done what the
 * journal of a killed program asks for. Returns NULL, or why the file can't be
 * replaced: others write to it, or have tables in it. `old` is the database;
 * the caller closes it when the new one is in place. NULL: there is none.
 */
const char *tr2_flat_database_settle(const char *target, struct sqlite3 **old);

/* Close it, finished or not; `database` may be NULL. */
void tr2_flat_database_release(struct tr2_flat_database *database);

#endif
