#include "views/result/result.h"

#include <string.h>

#include "lib/text/cell.h"
#include "lib/text/foreign.h"
#include "lib/text/markdown.h"

/* So much of the wall time is worth a change, and so much time. */
#define SHARE_LEAST 5	 /* a fifth */
#define TIME_LEAST 50000 /* microseconds */

struct writing {
	struct tr2_buf *out;
	int64_t wall;
	bool markdown;
};

static int64_t least_of(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* What runs side by side may add up to more than the time that it took. */
void tr2_tips_tell(const struct tr2_result *result, tr2_tip_fn *tell,
		   void *context)
{
	const int64_t wall = tr2_result_wall(result);
	const struct tr2_result_row *row;
	struct tr2_tip tip;
	uint32_t i;

	for (i = 0; i < result->tables[TR2_TABLE_PROOFS].count; i++) {
		row = tr2_result_at(result, TR2_TABLE_PROOFS, i);
		tip = (struct tr2_tip){
			.advice = tr2_advice_find(row->first),
			.what = row->second,
			.count = row->row->sums.count,
			.time = least_of(tr2_sums_self(&row->row->sums), wall),
			.saves =
				least_of(tr2_sums_total(&row->row->sums), wall),
		};
		if (tip.advice && tip.time >= TIME_LEAST &&
		    tip.time >= wall / SHARE_LEAST)
			tell(context, &tip);
	}
}

static void put_tip(void *context, const struct tr2_tip *tip)
{
	const struct writing *writing = context;
	struct tr2_buf *out = writing->out;

	tr2_buf_str(out, writing->markdown ? "- " : "advice: ");
	if (tip->count > 1) {
		tr2_buf_uint(out, tip->count);
		tr2_buf_str(out, " \xc3\x97 ");
	}
	if (writing->markdown)
		tr2_markdown_code(out, tip->what);
	else
		tr2_foreign_line(out, tip->what, strlen(tip->what));
	tr2_buf_str(out, " took ");
	tr2_cell_time(out, tip->time);
	tr2_buf_str(out, ", ");
	tr2_cell_share(out, tip->time, writing->wall);
	tr2_buf_str(out, " of the time: ");
	tr2_buf_str(out, tip->advice->text);
	if (tip->saves) {
		tr2_buf_str(out, "; saves about ");
		tr2_cell_time(out, tip->saves);
		tr2_buf_str(out, " of ");
		tr2_cell_time(out, writing->wall);
	}
	if (tip->advice->unless) {
		tr2_buf_str(out, tip->saves ? "; " : "; but ");
		tr2_buf_str(out, tip->advice->unless);
	}
	tr2_buf_byte(out, '\n');
}

void tr2_advice_put(struct tr2_buf *out, const struct tr2_result *result)
{
	struct writing writing = { out, tr2_result_wall(result),
				   result->options.markdown };

	tr2_tips_tell(result, put_tip, &writing);
}
