#include <string.h>

#include "base/json.h"
#include "views/flat/output.h"
#include "lib/text/foreign.h"

/*
 * A field that is fit for a terminal and a spreadsheet: what one may obey is
 * `?`, as in every text that a command prints. Lines and tabs are a field's
 * own.
 */
static void put_quoted(struct tr2_buf *out, const char *text, size_t len)
{
	size_t at = 0;

	tr2_buf_byte(out, '"');
	while (at < len) {
		if (memchr("\n\r\t", text[at], 3)) {
			tr2_buf_byte(out, text[at++]);
			continue;
		}
		if (text[at] == '"')
			tr2_buf_byte(out, '"');
		at += tr2_foreign_character(out, text, len, at);
	}
	tr2_buf_byte(out, '"');
}

void tr2_flat_put_header(struct tr2_buf *out,
			 const struct tr2_flat_column *columns, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i)
			tr2_buf_byte(out, ',');
		put_quoted(out, columns[i].name, strlen(columns[i].name));
	}
	tr2_buf_byte(out, '\n');
}

static void put_number(struct tr2_buf *out, enum tr2_flat_type type,
		       int64_t number)
{
	if (type == TR2_FLAT_SECONDS)
		tr2_buf_seconds(out, (uint64_t)number);
	else
		tr2_buf_int(out, number);
}

void tr2_flat_put_csv(struct tr2_buf *out,
		      const struct tr2_flat_column *columns,
		      const struct tr2_flat_row *row)
{
	const struct tr2_flat_cell *cell = row->cells.items;
	uint32_t i;

	for (i = 0; i < row->cells.count; i++, cell++) {
		if (i)
			tr2_buf_byte(out, ',');
		if (!cell->present)
			continue;
		if (columns[i].type == TR2_FLAT_TEXT)
			put_quoted(out, tr2_flat_text(row, cell), cell->len);
		else
			put_number(out, columns[i].type, cell->number);
	}
	tr2_buf_byte(out, '\n');
}

void tr2_flat_put_ndjson(struct tr2_buf *out,
			 const struct tr2_flat_column *columns,
			 const struct tr2_flat_row *row)
{
	const struct tr2_flat_cell *cell = row->cells.items;
	const size_t start = out->len;
	uint32_t i;

	for (i = 0; i < row->cells.count; i++, cell++) {
		tr2_buf_byte(out, i ? ',' : '{');
		tr2_json_string(out, columns[i].name);
		tr2_buf_byte(out, ':');
		if (!cell->present) {
			tr2_buf_str(out, "null");
		} else if (columns[i].type == TR2_FLAT_TEXT) {
			tr2_buf_byte(out, '"');
			tr2_json_escape(out, tr2_flat_text(row, cell),
					cell->len);
			tr2_buf_byte(out, '"');
		} else {
			put_number(out, columns[i].type, cell->number);
		}
	}
	tr2_foreign_json_from(out, start);
	tr2_buf_str(out, "}\n");
}
