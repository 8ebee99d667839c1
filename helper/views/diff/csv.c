#include <stdio.h>

#include "views/diff/compare.h"
#include "lib/text/cell.h"

/* A field is empty if there is no value. */
static void put_count(struct tr2_buf *out, bool is_known, uint64_t value)
{
	tr2_buf_byte(out, ',');
	if (is_known)
		tr2_buf_uint(out, value);
}

static void put_number(struct tr2_buf *out, bool is_known, double value)
{
	char text[32] = "";

	if (is_known)
		snprintf(text, sizeof(text), "%.9g", value);
	tr2_buf_byte(out, ',');
	tr2_buf_str(out, text);
}

static void put_side(struct tr2_buf *out,
		     const struct tr2_comparison_side *side)
{
	put_count(out, true, side->count);
	put_count(out, side->count > 0, side->p50);
	put_count(out, side->count > 0, side->p99);
}

static void put_row(struct tr2_buf *out, const struct tr2_comparison *row)
{
	bool is_tested = tr2_comparison_is_tested(row);
	double percent;
	bool has_change = tr2_comparison_change(row, &percent);

	tr2_buf_str(out, tr2_table_names[row->table]);
	put_side(out, &row->sides[TR2_SAMPLE_A]);
	put_side(out, &row->sides[TR2_SAMPLE_B]);
	put_number(out, has_change, percent);
	put_number(out, is_tested, row->p);
	put_number(out, is_tested, row->adjusted);
	tr2_buf_byte(out, ',');
	tr2_buf_str(out, tr2_verdict_names[row->verdict]);
	tr2_buf_byte(out, ',');
	tr2_cell_csv(out, row->command);
	tr2_buf_byte(out, ',');
	tr2_cell_csv(out, row->first);
	tr2_buf_byte(out, ',');
	tr2_cell_csv(out, row->second);
	tr2_buf_str(out, "\r\n");
}

void tr2_compared_csv(struct tr2_buf *out, const struct tr2_compared *compared)
{
	tr2_buf_str(out, "table,count_a,p50_a_us,p99_a_us,count_b,p50_b_us,"
			 "p99_b_us,change_percent,p,p_adjusted,verdict,"
			 "command,first,second\r\n");
	for (uint32_t i = 0; i < compared->rows.count; i++)
		put_row(out, tr2_compared_at(compared, i));
}
