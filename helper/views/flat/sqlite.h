/* sqlite.h - rows as tables of one SQLite database. */
#ifndef TR2_FLAT_SQLITE_H
#define TR2_FLAT_SQLITE_H

#include "views/flat/output.h"

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

/* Close it, finished or not; `database` may be NULL. */
void tr2_flat_database_release(struct tr2_flat_database *database);

#endif
