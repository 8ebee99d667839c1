#include "views/result/result.h"

#include <string.h>

/*
 * By their first column, if it is a time, or else by how many there are. What
 * is not shown as a table saves something.
 */
static int64_t find_cost(const struct tr2_row *row)
{
	const struct tr2_column *column = tr2_columns[row->table];

	if (!column)
		return tr2_sums_total(&row->sums);
	return column->is_time ? tr2_column_value(column, row)
			       : (int64_t)row->sums.count;
}

/* The names decide at last, so the order never depends on the input's. */
TR2_COMPARE(compare_rows, tr2_result_row,
	    TR2_BY_LAST(cost,
			TR2_THEN(tr2_sums_total(&b->row->sums),
				 tr2_sums_total(&a->row->sums),
				 TR2_BY_TEXT(first, TR2_BY_TEXT(second, 0)))));

static void add_row(struct tr2_result *result, const struct tr2_row *row)
{
	const struct tr2_rows *rows = &result->forest->rows;
	struct tr2_result_row *added;

	/* A region of another thread may have begun, but not ended. */
	if (!row->sums.count && !row->sums.self && !row->sums.threads)
		return;
	added = tr2_vec_add(&result->tables[row->table], sizeof(*added));
	added->row = row;
	added->first = tr2_rows_text(rows, row->name[0], NULL);
	added->second = tr2_rows_text(rows, row->name[1], NULL);
	added->cost = find_cost(row);
}

void tr2_result_begin(struct tr2_result *result,
		      const struct tr2_forest *forest)
{
	memset(result, 0, sizeof(*result));
	result->forest = forest;
	for (uint32_t i = 0; i < forest->rows.rows.count; i++)
		add_row(result, tr2_rows_at(&forest->rows, i));
	for (int table = 0; table < TR2_TABLES; table++)
		tr2_vec_sort(&result->tables[table],
			     sizeof(struct tr2_result_row), compare_rows);
}

uint32_t tr2_result_shown(const struct tr2_result *result, enum tr2_table table)
{
	unsigned long top = result->options.top;
	uint32_t count = result->tables[table].count;

	return top && top < count ? (uint32_t)top : count;
}

int64_t tr2_result_self(const struct tr2_result *result)
{
	static const enum tr2_table owners[] = { TR2_TABLE_COMMANDS,
						 TR2_TABLE_REGIONS,
						 TR2_TABLE_CHILDREN };
	const struct tr2_sums *sums;
	int64_t self = 0, over = 0;
	uint32_t at;

	for (uint32_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
		for (at = 0; at < result->tables[owners[i]].count; at++) {
			sums = &tr2_result_at(result, owners[i], at)->row->sums;
			tr2_sum_add(&self, &over, sums->self);
			over += sums->self_over;
		}
	return tr2_sum_read(self, over);
}

void tr2_result_release(struct tr2_result *result)
{
	for (int table = 0; table < TR2_TABLES; table++)
		tr2_vec_release(&result->tables[table]);
}
