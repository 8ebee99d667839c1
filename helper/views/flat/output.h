/*
 * output.h - where rows go: a file or standard output as text, or a database.
 * Nothing replaces an old file before tr2_flat_output_close().
 *
 * This room knows kinds of rows and their columns, and not how a row is made.
 *
 *	column.h    the columns of each kind of row
 *	output.c    the values of a row, and rows as NDJSON and CSV
 *	sqlite.c    rows as a database with indexes and views
 */
#ifndef TR2_FLAT_OUTPUT_H
#define TR2_FLAT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
#include "lib/files/output.h"
#include "views/flat/column.h"

struct tr2_flat_cell {
	bool present;	/* false: the cell is empty (NULL) */
	int64_t number; /* of a TEXT column: where its text begins */
	size_t len;
};

struct tr2_flat_row { /* An empty one is all zero. */
	enum tr2_flat_kind kind;
	struct tr2_vec cells; /* struct tr2_flat_cell */
	struct tr2_buf texts;
};

/* Begin a row of this many cells, all empty. */
void tr2_flat_row_begin(struct tr2_flat_row *row, enum tr2_flat_kind kind,
			size_t count);

TR2_VEC_AT(tr2_flat_cell_at, tr2_flat_row, cells, tr2_flat_cell);

static inline const char *tr2_flat_text(const struct tr2_flat_row *row,
					const struct tr2_flat_cell *cell)
{
	return row->texts.bytes + cell->number;
}

/* Copy the text into the cell; NULL leaves it empty. */
void tr2_flat_set_text(struct tr2_flat_row *row, size_t column,
		       const char *text, size_t len);

/* Set a SID, and in the next column its session: the first part. */
void tr2_flat_set_sid(struct tr2_flat_row *row, size_t column, const char *sid,
		      size_t len);
void tr2_flat_set_number(struct tr2_flat_row *row, size_t column,
			 int64_t number);

/*
 * Set `time` and, in the next columns, `day` and the `week` of processes,
 * of a time on the scale of tr2_record_time(); 0 leaves them empty.
 */
void tr2_flat_set_time(struct tr2_flat_row *row, size_t column, int64_t time);

void tr2_flat_row_release(struct tr2_flat_row *row);

enum tr2_flat_format { TR2_FLAT_NDJSON, TR2_FLAT_CSV, TR2_FLAT_SQLITE };

struct tr2_flat_database;

struct tr2_flat_output {
	enum tr2_flat_format format;
	struct tr2_output whole; /* tr2_output_begin() was called */
	struct tr2_flat_database *database;
	/* Columns of each kind; those of --select are among them. */
	const struct tr2_flat_column *columns[TR2_FLAT_KIND_COUNT];
	size_t counts[TR2_FLAT_KIND_COUNT];
	unsigned kinds; /* bit k: kind k is wanted */
	bool append;	/* to the database of this name, if there is one */
	int64_t left;	/* rows that it had, in the end */
};

/*
 * Open the output, and begin the tables of the kinds. Everything else is set.
 * 0, or -1 after a report.
 */
int tr2_flat_output_open(struct tr2_flat_output *output);

/* Write a row of a kind that is wanted; after a failure it is dropped. */
void tr2_flat_output_put(struct tr2_flat_output *output,
			 const struct tr2_flat_row *row);

/* Put the complete file in place. 0, or -1 after a report. */
int tr2_flat_output_close(struct tr2_flat_output *output);

/* The result is not wanted: an old file stays as it is. */
void tr2_flat_output_drop(struct tr2_flat_output *output);

/* Rows as tables of one SQLite database. */

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
