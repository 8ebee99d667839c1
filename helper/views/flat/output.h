/*
 * output.h - where rows go: a file or standard output as text, or a database.
 * Nothing replaces an old file before tr2_flat_output_close().
 *
 * This room knows kinds of rows and their columns, and not how a row is made.
 *
 *	column.h    the columns of each kind of row
 *	row.h	    the values of one row
 *	text.c	    rows as NDJSON and CSV
 *	sqlite.h    rows as a database with indexes and views
 */
#ifndef TR2_FLAT_OUTPUT_H
#define TR2_FLAT_OUTPUT_H

#include "base/buf.h"
#include "lib/files/output.h"
#include "views/flat/row.h"

/* Each format: its name here, and its word. */
/* clang-format off */
#define TR2_FLAT_FORMATS(ROW) \
	ROW(NDJSON, "ndjson") \
	ROW(CSV, "csv") \
	ROW(SQLITE, "sqlite")
/* clang-format on */

#define TR2_FLAT_FORMAT_ENUM(format, name) TR2_FLAT_##format,
enum tr2_flat_format { TR2_FLAT_FORMATS(TR2_FLAT_FORMAT_ENUM) };

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

/* text.c: rows as lines. */
void tr2_flat_put_header(struct tr2_buf *out,
			 const struct tr2_flat_column *columns, size_t count);
void tr2_flat_put_csv(struct tr2_buf *out,
		      const struct tr2_flat_column *columns,
		      const struct tr2_flat_row *row);
void tr2_flat_put_ndjson(struct tr2_buf *out,
			 const struct tr2_flat_column *columns,
			 const struct tr2_flat_row *row);

#endif
