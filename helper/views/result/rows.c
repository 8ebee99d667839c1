#include "views/result/result.h"

#include <string.h>

#include "lib/text/cell.h"
#include "lib/text/foreign.h"
#include "lib/text/markdown.h"
#include "lib/text/text.h"

#define COLUMN 9      /* width of a number */
#define NAME_LEAST 10 /* columns of names that are cut, with two before */

void tr2_rows_put_percent(struct tr2_buf *out, int64_t part, int64_t whole)
{
	size_t from = out->len;

	tr2_cell_share(out, part, whole);
	tr2_cell_align(out, from, 7);
}

/* Put what separates parts in Markdown, or in plain text. */
static void put_mark(struct tr2_buf *out, const struct tr2_result *result,
		     const char *markdown, const char *plain)
{
	tr2_buf_str(out, result->options.markdown ? markdown : plain);
}

/* How many columns does the text take? One for each character. */
static size_t count_columns(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t at = 0; at < len; at += tr2_text_step(text + at, len - at))
		columns++;
	return columns;
}

/*
 * Cut the line, which has names from `at` on, where it is full. Where there is
 * room for hardly a name, or no limit (0), it is whole.
 */
static void cut_line(struct tr2_buf *out, size_t line, size_t at,
		     size_t columns)
{
	const size_t used = count_columns(out->bytes + line, at - line);

	if (columns < used + NAME_LEAST ||
	    used + count_columns(out->bytes + at, out->len - at) <= columns)
		return;
	for (columns -= used + strlen("..."); columns; columns--)
		at += tr2_text_step(out->bytes + at, out->len - at);
	out->len = at;
	tr2_buf_str(out, "...");
}

/* Put a name; without a row, the head. */
static void put_name(struct tr2_buf *out, const struct tr2_result *result,
		     const struct tr2_column *column,
		     const struct tr2_result_row *row)
{
	const char *text = row ? tr2_column_text(column, row) : column->head;

	if (!*text)
		text = "(none)";
	put_mark(out, result, " ",
		 column->field == TR2_FIELD_SECOND ? " / " : "  ");
	if (!row)
		tr2_buf_str(out, text);
	else if (result->options.markdown)
		tr2_markdown_code(out, text);
	else
		tr2_foreign_line(out, text, strlen(text));
}

static void put_number(struct tr2_buf *out, const struct tr2_column *column,
		       const struct tr2_result_row *row)
{
	size_t from = out->len;

	if (!row)
		tr2_buf_str(out, column->head);
	else if (column->is_time)
		tr2_cell_time(out, tr2_column_value(column, row->row));
	else
		tr2_buf_int(out, tr2_column_value(column, row->row));
	tr2_cell_align(out, from, COLUMN);
}

static void put_share(struct tr2_buf *out, const struct tr2_result *result,
		      const struct tr2_column *column,
		      const struct tr2_result_row *row)
{
	if (row)
		tr2_rows_put_percent(out, tr2_column_value(column, row->row),
				     result->trace ? result->trace->self
						   : tr2_result_wall(result));
	else
		tr2_buf_str(out, "      %");
	put_mark(out, result, " |", "");
}

/* Put a row, or NULL: the heads. */
static void put_line(struct tr2_buf *out, const struct tr2_result *result,
		     enum tr2_table table, const struct tr2_result_row *row)
{
	const struct tr2_column *column = tr2_columns[table];
	const size_t line = out->len;
	size_t names = line;

	put_mark(out, result, "|", "");
	for (; column->key; column++) {
		if (!tr2_result_has(result, column))
			continue;
		if (column->field == TR2_FIELD_FIRST)
			names = out->len;
		if (tr2_column_is_text(column))
			put_name(out, result, column, row);
		else
			put_number(out, column, row);
		put_mark(out, result, " |", "");
		if (column->field == TR2_FIELD_SELF)
			put_share(out, result, column, row);
	}
	if (row && !result->options.markdown)
		cut_line(out, line, names, result->options.columns);
	tr2_buf_byte(out, '\n');
	if (!row && result->options.markdown)
		tr2_markdown_rule(out, line);
}

void tr2_rows_put_title(struct tr2_buf *out, const struct tr2_result *result,
			const char *before, const char *title)
{
	put_mark(out, result, "\n### ", "\n");
	tr2_buf_str(out, before);
	tr2_buf_str(out, title);
	put_mark(out, result, "\n\n", "\n");
}

void tr2_rows_put(struct tr2_buf *out, const struct tr2_result *result,
		  enum tr2_table table)
{
	uint32_t shown = tr2_result_shown(result, table);
	uint32_t left = result->tables[table].count - shown;

	if (!shown)
		return;
	if (table == TR2_TABLE_GROUPS)
		tr2_rows_put_title(out, result, "By ",
				   tr2_by_names[result->forest->by]);
	else
		tr2_rows_put_title(out, result, "", tr2_table_titles[table]);
	put_line(out, result, table, NULL);
	for (uint32_t i = 0; i < shown; i++)
		put_line(out, result, table, tr2_result_at(result, table, i));
	if (left) {
		put_mark(out, result, "\n... and ", "  ... and ");
		tr2_buf_uint(out, left);
		tr2_buf_str(out, " more; --top 0 shows all\n");
	}
}
