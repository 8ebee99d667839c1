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

static void put_name(struct tr2_buf *out, const struct tr2_result *result,
		     uint32_t number)
{
	tr2_buf_byte(out, ',');
	tr2_cell_csv(out, tr2_rows_text(&result->forest->rows, number, NULL));
}

/* What the first line of text says. */
static void put_failure(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_failure *failure = &result->forest->failure;

	if (!failure->count || tr2_forest_is_filtered(result->forest))
		return;
	tr2_buf_str(out, "table,commands,code,signal,last,message,class,child"
			 "\r\nfailure,");
	tr2_buf_uint(out, failure->count);
	tr2_buf_byte(out, ',');
	if (failure->has_code)
		tr2_buf_int(out, failure->code);
	tr2_buf_byte(out, ',');
	if (failure->signal)
		tr2_buf_int(out, failure->signal);
	put_name(out, result, failure->name);
	tr2_buf_byte(out, ',');
	tr2_cell_csv(out, failure->message.bytes);
	put_name(out, result, failure->child[0]);
	put_name(out, result, failure->child[1]);
	tr2_buf_str(out, "\r\n");
}

static void put_stuck(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_row *row = tr2_forest_stuck(result->forest);

	if (!row)
		return;
	tr2_buf_str(out, "table,name,in,first,second\r\nstuck");
	put_name(out, result, result->forest->stuck.name);
	tr2_buf_byte(out, ',');
	tr2_buf_str(out, tr2_table_names[row->table]);
	put_name(out, result, row->name[0]);
	put_name(out, result, row->name[1]);
	tr2_buf_str(out, "\r\n");
}

/* Each table has its own header, which begins with "table". */
void tr2_result_csv(struct tr2_buf *out, const struct tr2_result *result)
{
	uint32_t count;

	put_failure(out, result);
	put_stuck(out, result);
	for (enum tr2_table table = 0; table < TR2_TABLES; table++) {
		count = tr2_columns[table] ? tr2_result_shown(result, table)
					   : 0;
		if (count)
			put_line(out, result, table, NULL);
		for (uint32_t i = 0; i < count; i++)
			put_line(out, result, table,
				 tr2_result_at(result, table, i));
	}
}
