#include "views/flat/row.h"

#include "lib/common/memory.h"
#include "read/calendar.h"
#include "read/value.h"

#define DATE 10 /* bytes: 2026-11-23 */

void tr2_flat_row_begin(struct tr2_flat_row *row, enum tr2_flat_kind kind,
			size_t count)
{
	row->kind = kind;
	row->cells.count = 0;
	tr2_buf_reset(&row->texts);
	while (row->cells.count < count)
		tr2_vec_renew(&row->cells, row->cells.count,
			      sizeof(struct tr2_flat_cell));
}

void tr2_flat_set_text(struct tr2_flat_row *row, size_t column,
		       const char *text, size_t len)
{
	struct tr2_flat_cell *cell = tr2_flat_cell_at(row, column);

	if (!text)
		return;
	*cell = (struct tr2_flat_cell){ .present = true,
					.number = (int64_t)row->texts.len,
					.len = len };
	tr2_buf_add(&row->texts, text, len);
	tr2_buf_byte(&row->texts, '\0'); /* an empty text has a place, too */
	if (row->texts.failed)
		tr2_memory_out();
}

void tr2_flat_set_sid(struct tr2_flat_row *row, size_t column, const char *sid,
		      size_t len)
{
	const char *slash = memchr(sid, '/', len);

	tr2_flat_set_text(row, column, sid, len);
	tr2_flat_set_text(row, column + 1, sid,
			  slash ? (size_t)(slash - sid) : len);
}

void tr2_flat_set_number(struct tr2_flat_row *row, size_t column,
			 int64_t number)
{
	*tr2_flat_cell_at(row, column) =
		(struct tr2_flat_cell){ .present = true, .number = number };
}

void tr2_flat_set_time(struct tr2_flat_row *row, size_t column, int64_t time)
{
	char bytes[40];
	struct tr2_buf text = TR2_BUF_FIXED(bytes);

	if (!tr2_time_has_date(time))
		return;
	tr2_calendar_put_time(&text, time);
	tr2_flat_set_text(row, column, bytes, text.len);
	tr2_flat_set_text(row, column + 1, bytes, DATE);
	if (row->kind != TR2_FLAT_KIND_PROCESSES)
		return;
	tr2_buf_reset(&text);
	tr2_calendar_put_date(&text, tr2_calendar_monday(time));
	tr2_flat_set_text(row, column + 2, bytes, text.len);
}

void tr2_flat_row_release(struct tr2_flat_row *row)
{
	tr2_vec_release(&row->cells);
	tr2_buf_release(&row->texts);
}
