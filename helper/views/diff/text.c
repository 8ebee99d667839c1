#include <stdio.h>

#include "views/diff/compare.h"
#include "lib/text/cell.h"
#include "lib/text/foreign.h"

#define COLUMN 9 /* width of a number */

static const char *const titles[TR2_TABLES] = {
	[TR2_TABLE_COMMANDS] = "Commands",
	[TR2_TABLE_REGIONS] = "Regions",
	[TR2_TABLE_CHILDREN] = "Children",
};

static const char *const heads[TR2_TABLES] = {
	[TR2_TABLE_COMMANDS] = "command",
	[TR2_TABLE_REGIONS] = "command: category / region",
	[TR2_TABLE_CHILDREN] = "command: class / child",
};

static void put_word(struct tr2_buf *out, const char *word)
{
	size_t from = out->len;

	tr2_buf_str(out, word);
	tr2_cell_align(out, from, COLUMN);
}

static void put_time(struct tr2_buf *out,
		     const struct tr2_comparison_side *side, uint64_t us)
{
	size_t from = out->len;

	if (side->count)
		tr2_cell_time(out, (int64_t)us);
	else
		tr2_buf_byte(out, '-');
	tr2_cell_align(out, from, COLUMN);
}

/* From here on a change is told as a factor, so that it fits its column. */
#define FACTOR_FROM 900.0 /* percent */

static void put_percent(struct tr2_buf *out, const struct tr2_comparison *row)
{
	char text[32] = "from 0";
	double percent;

	if (!tr2_comparison_change(row, &percent))
		;
	else if (percent < FACTOR_FROM)
		snprintf(text, sizeof(text), "%+.1f%%", percent);
	else
		snprintf(text, sizeof(text), "%.4gx", 1 + percent / 100);
	put_word(out, text);
}

static void put_change(struct tr2_buf *out, const struct tr2_comparison *row)
{
	if (row->verdict == TR2_VERDICT_NEW ||
	    row->verdict == TR2_VERDICT_VANISHED)
		put_word(out, tr2_verdict_names[row->verdict]);
	else if (row->verdict == TR2_VERDICT_FEW || row->p <= TR2_COMPARE_ALPHA)
		put_percent(out, row);
	else
		put_word(out, "~");
}

/* Those that are certain, and that nothing was tested. */
static void put_verdict(struct tr2_buf *out, const struct tr2_comparison *row)
{
	static const char *const words[TR2_VERDICT_COUNT] = {
		[TR2_VERDICT_SLOWER] = "slower",
		[TR2_VERDICT_FASTER] = "faster",
		[TR2_VERDICT_FEW] = "untested",
	};

	put_word(out, words[row->verdict] ? words[row->verdict] : "");
}

static void put_chance(struct tr2_buf *out, const struct tr2_comparison *row)
{
	char text[32] = "-";

	if (tr2_comparison_is_tested(row))
		snprintf(text, sizeof(text), row->p < 0.001 ? "<0.001" : "%.3f",
			 row->p);
	put_word(out, text);
}

static void put_count(struct tr2_buf *out, uint64_t count)
{
	size_t from = out->len;

	tr2_buf_uint(out, count);
	tr2_cell_align(out, from, COLUMN);
}

static void put_name(struct tr2_buf *out, const char *before, const char *name)
{
	tr2_buf_str(out, before);
	tr2_foreign_line(out, *name ? name : "(none)",
			 strlen(*name ? name : "(none)"));
}

static void put_row(struct tr2_buf *out, const struct tr2_comparison *row)
{
	const struct tr2_comparison_side *a = &row->sides[TR2_SAMPLE_A];
	const struct tr2_comparison_side *b = &row->sides[TR2_SAMPLE_B];

	put_time(out, a, a->p50);
	put_time(out, b, b->p50);
	put_change(out, row);
	put_time(out, a, a->p99);
	put_time(out, b, b->p99);
	put_count(out, a->count);
	put_count(out, b->count);
	put_chance(out, row);
	put_verdict(out, row);
	put_name(out, "  ", row->command);
	if (row->table != TR2_TABLE_COMMANDS) {
		put_name(out, ": ", row->first);
		put_name(out, " / ", row->second);
	}
	tr2_buf_byte(out, '\n');
}

static void put_heads(struct tr2_buf *out, enum tr2_table table)
{
	static const char *const words[] = { "p50 A", "p50 B", "change",
					     "p99 A", "p99 B", "n A",
					     "n B",   "p",     "verdict" };
	size_t i;

	tr2_buf_byte(out, '\n');
	tr2_buf_str(out, titles[table]);
	tr2_buf_byte(out, '\n');
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_word(out, words[i]);
	tr2_buf_str(out, "  ");
	tr2_buf_str(out, heads[table]);
	tr2_buf_byte(out, '\n');
}

static void put_table(struct tr2_buf *out, const struct tr2_compared *compared,
		      enum tr2_table table)
{
	const struct tr2_comparison *row;
	unsigned long found = 0;
	uint32_t i;

	for (i = 0; i < compared->rows.count; i++) {
		row = tr2_compared_at(compared, i);
		if (row->table != table)
			continue;
		if (!found++)
			put_heads(out, table);
		if (!compared->top || found <= compared->top)
			put_row(out, row);
	}
	if (!compared->top || found <= compared->top)
		return;
	tr2_buf_str(out, "  ... and ");
	tr2_buf_uint(out, found - compared->top);
	tr2_buf_str(out, " more; --top 0 shows all\n");
}

static void put_set(struct tr2_buf *out, const char *name,
		    const struct tr2_counts *counts)
{
	tr2_buf_str(out, name);
	tr2_buf_uint(out, counts->roots);
	tr2_buf_str(out, counts->roots == 1 ? " command, " : " commands, ");
	tr2_buf_uint(out, counts->processes);
	tr2_buf_str(out,
		    counts->processes == 1 ? " process\n" : " processes\n");
}

static void put_verdicts(struct tr2_buf *out,
			 const struct tr2_compared *compared)
{
	int verdict;

	for (verdict = 0; verdict < TR2_VERDICT_UNCLEAR; verdict++) {
		tr2_buf_uint(out, compared->verdicts[verdict]);
		tr2_buf_byte(out, ' ');
		tr2_buf_str(out, tr2_verdict_names[verdict]);
		tr2_buf_str(out, verdict == TR2_VERDICT_VANISHED ? "; " : ", ");
	}
	tr2_buf_uint(out, compared->tested);
	tr2_buf_str(out, compared->tested == 1 ? " row was tested\n"
					       : " rows were tested\n");
}

static void put_notes(struct tr2_buf *out, const struct tr2_compared *compared)
{
	const struct tr2_counts *a = &compared->counts[TR2_SAMPLE_A];
	const struct tr2_counts *b = &compared->counts[TR2_SAMPLE_B];

	tr2_buf_byte(out, '\n');
	tr2_cell_note(out, compared->verdicts[TR2_VERDICT_FEW],
		      "rows with too few values",
		      "record each set at least 4 times, better 30 times");
	tr2_cell_note(out, a->unfinished + b->unfinished,
		      "processes without an end in the log",
		      "they are left out");
	tr2_cell_note(out, a->unread + b->unread, "lines with errors",
		      "'trace2 validate' shows them");
	tr2_cell_note(out, a->cut + b->cut,
		      "processes whose parent is in no log", NULL);
}

void tr2_compared_text(struct tr2_buf *out, const struct tr2_compared *compared)
{
	int table;

	put_set(out, "A: ", &compared->counts[TR2_SAMPLE_A]);
	put_set(out, "B: ", &compared->counts[TR2_SAMPLE_B]);
	put_verdicts(out, compared);
	for (table = 0; table < TR2_TABLES; table++)
		put_table(out, compared, (enum tr2_table)table);
	put_notes(out, compared);
}
