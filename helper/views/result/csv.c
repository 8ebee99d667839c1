#include "lib/text/cell.h"
#include "views/result/result.h"

/* Put a row, or NULL: the header. */
static void put_line(struct tr2_buf *out, const struct tr2_result *result,
		     enum tr2_table table, const struct tr2_result_row *row)
{
	const struct tr2_column *column = tr2_columns[table];

	tr2_buf_str(out, row ? tr2_table_names[table] : "table");
	for (; column->key; column++) {
		if (!tr2_result_has(result, column))
			continue;
		tr2_buf_byte(out, ',');
		if (!row)
			tr2_buf_str(out, column->key);
		else if (tr2_column_is_text(column))
			tr2_cell_csv(out, tr2_column_text(column, row));
		else
			tr2_buf_int(out, tr2_column_value(column, row->row));
	}
	tr2_buf_str(out, "\r\n");
}

/* Each table has its own header, which begins with "table". */
void tr2_result_csv(struct tr2_buf *out, const struct tr2_result *result)
{
	enum tr2_table table;
	uint32_t i, count;

	for (table = 0; table < TR2_TABLES; table++) {
		count = tr2_columns[table] ? tr2_result_shown(result, table)
					   : 0;
		if (count)
			put_line(out, result, table, NULL);
		for (i = 0; i < count; i++)
			put_line(out, result, table,
				 tr2_result_at(result, table, i));
	}
}
