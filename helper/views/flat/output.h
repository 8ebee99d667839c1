/*
 * output.h - where rows go: a file or standard output as text, or a database.
 * Nothing replaces an old file before tr2_flat_output_close().
 *
 * This room knows kinds of rows and their columns, and not how a row is made.
 *
 *	output.c    the columns of each kind of row, its values, and rows as NDJSON
 *		    and CSV
 *	sqlite.c    rows as a database with indexes and views, or added to the
 *		    one that is there
 */
#ifndef TR2_FLAT_OUTPUT_H
#define TR2_FLAT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "columns_rows.h"
#include "lib/common/vec.h"
#include "lib/whole/output.h"

/*
 * The kinds of rows and their columns. A column is in columns.tsv, in
 * trace2-table(1) with its meaning, and nowhere else; it is never renamed, and
 * new ones come after all others. It also tells who makes the row what to take
 * from the event, and from which key.
 *
 * A name that ends in _us is a time in microseconds. `time` is UTC in git's
 * form, `day` its date, `week` the Monday before or on that day.
 */

/* clang-format off */
/* Each kind: its name here, its word, and its columns. */
#define TR2_FLAT_KINDS(ROW) \
	ROW(PROCESSES, "processes") \
	ROW(REGIONS, "regions") \
	ROW(CHILDREN, "children") \
	ROW(DATA, "data") \
	ROW(ERRORS, "errors") \
	ROW(EVENTS, "events")
/* clang-format on */

#define TR2_FLAT_KIND_ENUM(kind, name) TR2_FLAT_KIND_##kind,
enum tr2_flat_kind { TR2_FLAT_KINDS(TR2_FLAT_KIND_ENUM) TR2_FLAT_KIND_COUNT };

#define TR2_FLAT_COLUMN_ENUM(kind, column, ...) TR2_FLAT_##kind##_##column,
#define TR2_FLAT_COLUMNS_OF(kind) \
	enum { COLUMNS_##kind(TR2_FLAT_COLUMN_ENUM) TR2_FLAT_##kind##_END }
TR2_FLAT_COLUMNS_OF(PROCESSES);
TR2_FLAT_COLUMNS_OF(REGIONS);
TR2_FLAT_COLUMNS_OF(DATA);
TR2_FLAT_COLUMNS_OF(ERRORS);
TR2_FLAT_COLUMNS_OF(EVENTS);
TR2_FLAT_COLUMNS_OF(CHILDREN);

enum tr2_flat_type {
	TR2_FLAT_TEXT,
	TR2_FLAT_INTEGER,
	TR2_FLAT_SECONDS /* a number with six decimals; kept in microseconds */
};

struct tr2_flat_column {
	const char *name;
	enum tr2_flat_type type;
};

extern const char *const tr2_flat_kind_names[TR2_FLAT_KIND_COUNT + 1];

/*
 * Returns the columns of a kind, and how many there are. --select adds more
 * to those of processes.
 */
const struct tr2_flat_column *tr2_flat_columns(enum tr2_flat_kind kind,
					       size_t *count);

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
 * output's name. Tables and columns that it lacks are added. Without `append`
 * they replace those of its tables that are ours; else the rows of processes
 * that it has are left out, and counted. All or nothing happens.
 */
const char *tr2_flat_database_add(struct tr2_flat_output *output);

/*
 * Returns why no database can get this name, or NULL: SQLite takes a journal
 * beside a file for the file's own, and would play it into the new one.
 */
const char *tr2_flat_database_find_journal(const char *target);

/* Close it, finished or not; `database` may be NULL. */
void tr2_flat_database_release(struct tr2_flat_database *database);

#endif
