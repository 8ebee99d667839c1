/* row.h - one row: a cell for each column of its kind. */
#ifndef TR2_FLAT_ROW_H
#define TR2_FLAT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
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

static inline struct tr2_flat_cell *
tr2_flat_cell_at(const struct tr2_flat_row *row, size_t column)
{
	return (struct tr2_flat_cell *)row->cells.items + column;
}

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

#endif
