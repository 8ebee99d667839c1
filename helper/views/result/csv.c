#include "lib/text/cell.h"
#include "views/result/result.h"

static void put_table(struct tr2_buf *out, const struct tr2_result *result,
		      enum tr2_table table)
{
	const struct tr2_column *column;
	const struct tr2_result_row *row;
	uint32_t i, count = tr2_result_shown(result, table);

	if (!count)
		return;
	tr2_buf_str(out, "table");
	for (column = tr2_columns[table]; column->key; column++)
		if (tr2_result_has(result, column)) {
			tr2_buf_byte(out, ',');
			tr2_buf_str(out, column->key);
		}
	tr2_buf_str(out, "\r\n");
	for (i = 0; i < count; i++) {
		row = tr2_result_at(result, table, i);
		tr2_buf_str(out, tr2_table_names[table]);
		for (column = tr2_columns[table]; column->key; column++) {
			if (!tr2_result_has(result, column))
				continue;
			tr2_buf_byte(out, ',');
			if (tr2_column_is_text(column))
				tr2_cell_csv(out, tr2_column_text(column, row));
			else
				tr2_buf_int(out,
					    tr2_column_value(column, row->row));
		}
		tr2_buf_str(out, "\r\n");
	}
}

/* Each table has its own header, which begins with "table". */
void tr2_result_csv(struct tr2_buf *out, const struct tr2_result *result)
{
	int table;

	for (table = 0; table < TR2_TABLES; table++)
		if (tr2_columns[table])
			put_table(out, result, (enum tr2_table)table);
}
