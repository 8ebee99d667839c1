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

/* Close it, finished or not; `database` may be NULL. */
void tr2_flat_database_release(struct tr2_flat_database *database);

#endif
