/* A row, and its line in NDJSON and CSV. */
#include "kit/validate.h"

#include "views/flat/output.h"
#include "read/value.h"

static struct tr2_flat_row row;
static struct tr2_buf out;

/* Returns what was put since the last call. */
static const char *show_out(void)
{
	static char shown[4096];

	snprintf(shown, sizeof(shown), "%.*s", (int)out.len,
		 out.len ? out.bytes : "");
	tr2_buf_reset(&out);
	return shown;
}

static const char *show_cell(size_t column)
{
	const struct tr2_flat_cell *cell = tr2_flat_cell_at(&row, column);

	if (!cell->present)
		return NULL;
	tr2_buf_add(&out, tr2_flat_text(&row, cell), cell->len);
	return show_out();
}

static void test_row(void)
{
	size_t i, empty = 0;

	tr2_flat_row_begin(&row, TR2_FLAT_KIND_DATA, 5);
	tap_ok(row.kind == TR2_FLAT_KIND_DATA && row.cells.count == 5,
	       "a row has a kind and so many cells");
	tr2_flat_set_number(&row, 0, -7);
	tr2_flat_set_text(&row, 1, "abc", 3);
	tr2_flat_set_text(&row, 2, "", 0);
	tr2_flat_set_text(&row, 3, NULL, 0);
	tr2_flat_set_text(&row, 4, "de", 1);
	tap_ok(tr2_flat_cell_at(&row, 0)->present &&
		       tr2_flat_cell_at(&row, 0)->number == -7,
	       "a cell has a number");
	tap_str(show_cell(1), "abc", "a cell has a text");
	tap_str(show_cell(2), "", "an empty text is a text of a row");
	tap_str(show_cell(3), NULL, "no text leaves a cell empty");
	tap_str(show_cell(4), "d", "a text is as long as it is said to be");
	tap_str(tr2_flat_text(&row, tr2_flat_cell_at(&row, 1)), "abc",
		"a text ends with a NUL");
	tr2_flat_row_begin(&row, TR2_FLAT_KIND_ERRORS, 3);
	for (i = 0; i < 3; i++)
		empty += !tr2_flat_cell_at(&row, i)->present;
	tap_ok(row.kind == TR2_FLAT_KIND_ERRORS && row.cells.count == 3 &&
		       empty == 3,
	       "the next row is empty");
	tr2_flat_set_text(&row, 0, "x", 1);
	tap_str(show_cell(0), "x", "texts of the row before are gone");
	tap_int((intmax_t)row.texts.len, 2, "and so is their memory");
}

static void test_times(void)
{
	const int64_t thursday = tr2_time_read("2026-11-26T08:30:00.000007Z");

	tr2_flat_row_begin(&row, TR2_FLAT_KIND_PROCESSES, 5);
	tr2_flat_set_time(&row, 1, thursday);
	tap_str(show_cell(0), NULL, "a time leaves the cell before it");
	tap_str(show_cell(1), "2026-11-26T08:30:00.000007Z",
		"a time has the form of git");
	tap_str(show_cell(2), "2026-11-26", "the day is next to it");
	tap_str(show_cell(3), "2026-11-23", "and then the Monday before");
	tap_str(show_cell(4), NULL, "and nothing more");
	tr2_flat_set_time(&row, 1,
			  tr2_time_read("2026-11-23T00:00:00.000000Z"));
	tap_str(show_cell(3), "2026-11-23",
		"the week of a Monday begins on this day");
	tr2_flat_row_begin(&row, TR2_FLAT_KIND_EVENTS, 5);
	tr2_flat_set_time(&row, 1, thursday);
	tap_str(show_cell(2), "2026-11-26", "each kind of row has a day");
	tap_str(show_cell(3), NULL, "but only processes have a week");
	tr2_flat_row_begin(&row, TR2_FLAT_KIND_PROCESSES, 5);
	tr2_flat_set_time(&row, 1, 0);
	tap_ok(!show_cell(1) && !show_cell(2) && !show_cell(3),
	       "an unknown time leaves all of them empty");
}

int main(void)
{
	test_row();
	test_times();
	tr2_flat_row_release(&row);
	tr2_buf_release(&out);
	return tap_done();
}
