/*
 * summary_kit.h - tables with the rows that a test adds, and what a format
 * makes of them.
 *
 *	begin_rows();
 *	add_row(TR2_TABLE_DATA, "index", "entries", SUMS(.count = 1));
 *	tap_str(write_rows(tr2_result_csv), "...", "...");
 *	end_rows();
 */
#ifndef UNIT_SUMMARY_SUMMARY_KIT_H
#define UNIT_SUMMARY_SUMMARY_KIT_H

#include "kit/validate.h"
#include "model/account/forest.h"
#include "base/buf.h"
#include "views/result/result.h"

static struct tr2_forest forest;
static struct tr2_result result;
static struct tr2_table_options limits; /* of the next result */
static struct tr2_buf written;

#define SUMS(...) ((struct tr2_sums){ __VA_ARGS__ })

static inline void begin_rows(void)
{
	tr2_forest_begin(&forest);
	limits = (struct tr2_table_options){ .top = 0 };
}

static inline void end_rows(void)
{
	tr2_forest_release(&forest);
}

static inline uint32_t name_number(const char *name)
{
	return tr2_rows_name(&forest.rows, name, strlen(name));
}

static inline uint32_t enter_row(enum tr2_table table, const char *first,
				 const char *second)
{
	uint32_t number = name_number(first);

	return tr2_rows_enter(&forest.rows, table, number, name_number(second));
}

/* Valid until the next row. */
static inline struct tr2_row *add_row(enum tr2_table table, const char *first,
				      const char *second, struct tr2_sums sums)
{
	struct tr2_row *row =
		tr2_rows_at(&forest.rows, enter_row(table, first, second));

	row->sums = sums;
	return row;
}

/* Valid until the next result is written. */
static inline const char *write_rows(tr2_result_fn *write)
{
	tr2_result_begin(&result, &forest);
	result.options = limits;
	written.len = 0;
	write(&written, &result);
	tr2_buf_byte(&written, '\0');
	tr2_result_release(&result);
	return written.bytes;
}

#endif
