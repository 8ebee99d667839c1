#include <inttypes.h>
#include <stdio.h>

#include "views/diff/compare.h"
#include "lib/text/cell.h"
#include "lib/text/foreign.h"
#include "lib/text/markdown.h"
#include "lib/text/text.h"

#define COLUMN 9 /* width of a number */

static const char *const heads[TR2_TABLES] = {
	[TR2_TABLE_COMMANDS] = "command",
	[TR2_TABLE_REGIONS] = "command: category / region",
	[TR2_TABLE_CHILDREN] = "command: class / child",
};

/* A table: where its rows go, and whether they are Markdown. */
struct diff_table {
	struct tr2_buf *out;
	bool markdown;
};

static void end_cell(const struct diff_table *table, size_t from)
{
	tr2_cell_align(table->out, from, COLUMN);
	if (table->markdown)
		tr2_buf_str(table->out, " |");
}

static void put_word(const struct diff_table *table, const char *word)
{
	const size_t from = table->out->len;

	tr2_buf_str(table->out, word);
	end_cell(table, from);
}

static void put_time(const struct diff_table *table,
		     const struct tr2_comparison_side *side, uint64_t us)
{
	const size_t from = table->out->len;

	if (side->count)
		tr2_cell_time(table->out, (int64_t)us);
	else
		tr2_buf_byte(table->out, '-');
	end_cell(table, from);
}

/* From here on a change is told as a factor, so that it fits its column. */
#define FACTOR_FROM 900.0 /* percent */

static void put_percent(const struct diff_table *table,
			const struct tr2_comparison *row)
{
	char text[32] = "from 0";
	double percent;

	if (!tr2_comparison_change(row, &percent))
		;
	else if (percent < FACTOR_FROM)
		snprintf(text, sizeof(text), "%+.1f%%", percent);
	else
		snprintf(text, sizeof(text), "%.4gx", 1 + percent / 100);
	put_word(table, text);
}

static void put_change(const struct diff_table *table,
		       const struct tr2_comparison *row)
{
	if (row->verdict == TR2_VERDICT_NEW ||
	    row->verdict == TR2_VERDICT_VANISHED)
		put_word(table, tr2_verdict_names[row->verdict]);
	else if (row->verdict == TR2_VERDICT_FEW || row->p <= TR2_COMPARE_ALPHA)
		put_percent(table, row);
	else
		put_word(table, "~");
}

/* Those that are certain, and that nothing was tested. */
static void put_verdict(const struct diff_table *table,
			const struct tr2_comparison *row)
{
	static const char *const words[TR2_VERDICT_COUNT] = {
		[TR2_VERDICT_SLOWER] = "slower",
		[TR2_VERDICT_FASTER] = "faster",
		[TR2_VERDICT_FEW] = "untested",
	};

	put_word(table, words[row->verdict] ? words[row->verdict] : "");
}

static void put_chance(const struct diff_table *table,
		       const struct tr2_comparison *row)
{
	char text[32] = "-";

	if (tr2_comparison_is_tested(row))
		snprintf(text, sizeof(text), row->p < 0.001 ? "<0.001" : "%.3f",
			 row->p);
	put_word(table, text);
}

static void put_count(const struct diff_table *table, uint64_t count)
{
	const size_t from = table->out->len;

	tr2_buf_uint(table->out, count);
	end_cell(table, from);
}

static void put_name(const struct diff_table *table, const char *before,
		     const char *name)
{
	tr2_buf_str(table->out, before);
	if (table->markdown)
		tr2_markdown_code(table->out, name);
	else
		tr2_foreign_line(table->out, *name ? name : "(none)",
				 strlen(*name ? name : "(none)"));
}

static void put_row(const struct diff_table *table,
		    const struct tr2_comparison *row)
{
	const struct tr2_comparison_side *a = &row->sides[TR2_SAMPLE_A];
	const struct tr2_comparison_side *b = &row->sides[TR2_SAMPLE_B];

	tr2_buf_str(table->out, table->markdown ? "|" : "");
	put_time(table, a, a->p50);
	put_time(table, b, b->p50);
	put_change(table, row);
	put_time(table, a, a->p99);
	put_time(table, b, b->p99);
	put_count(table, a->count);
	put_count(table, b->count);
	put_chance(table, row);
	put_verdict(table, row);
	put_name(table, table->markdown ? " " : "  ", row->command);
	if (row->table != TR2_TABLE_COMMANDS) {
		put_name(table, ": ", row->first);
		put_name(table, " / ", row->second);
	}
	tr2_buf_str(table->out, table->markdown ? " |\n" : "\n");
}

static void put_heads(const struct diff_table *table, enum tr2_table kind)
{
	static const char *const words[] = { "p50 A", "p50 B", "change",
					     "p99 A", "p99 B", "n A",
					     "n B",   "p",     "verdict" };
	struct tr2_buf *out = table->out;
	size_t from;

	tr2_buf_str(out, table->markdown ? "\n### " : "\n");
	tr2_buf_str(out, tr2_table_titles[kind]);
	tr2_buf_str(out, table->markdown ? "\n\n" : "\n");
	from = out->len;
	tr2_buf_str(out, table->markdown ? "|" : "");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_word(table, words[i]);
	tr2_buf_str(out, table->markdown ? " " : "  ");
	tr2_buf_str(out, heads[kind]);
	tr2_buf_str(out, table->markdown ? " |\n" : "\n");
	if (table->markdown)
		tr2_markdown_rule(out, from);
}

static void put_table(const struct diff_table *table,
		      const struct tr2_compared *compared, enum tr2_table kind)
{
	const struct tr2_comparison *row;
	unsigned long found = 0;

	for (uint32_t i = 0; i < compared->rows.count; i++) {
		row = tr2_compared_at(compared, i);
		if (row->table != kind)
			continue;
		if (!found++)
			put_heads(table, kind);
		if (!compared->top || found <= compared->top)
			put_row(table, row);
	}
	if (!compared->top || found <= compared->top)
		return;
	tr2_buf_str(table->out, table->markdown ? "\n" : "  ");
	tr2_text_put(table->out, "... and %lu more; --top 0 shows all\n",
		     found - compared->top);
}

static void put_set(struct tr2_buf *out, const char *name,
		    const struct tr2_compared *compared,
		    enum tr2_sample_set set)
{
	const struct tr2_counts *counts = &compared->counts[set];

	tr2_text_put(out, "%s: %" PRIu64 " command%s, %" PRIu64 " process%s",
		     name, counts->roots, counts->roots == 1 ? "" : "s",
		     counts->processes, counts->processes == 1 ? "" : "es");
	if (compared->failed[set] > 0)
		tr2_text_put(out, "; %" PRId64 " command%s failed",
			     compared->failed[set],
			     compared->failed[set] == 1 ? "" : "s");
	tr2_buf_byte(out, '\n');
}

static void put_verdicts(struct tr2_buf *out,
			 const struct tr2_compared *compared)
{
	for (int verdict = 0; verdict < TR2_VERDICT_UNCLEAR; verdict++)
		tr2_text_put(out, "%" PRIu32 " %s%s ",
			     compared->verdicts[verdict],
			     tr2_verdict_names[verdict],
			     verdict == TR2_VERDICT_VANISHED ? ";" : ",");
	tr2_text_put(out, "%" PRIu32 " row%s tested\n", compared->tested,
		     compared->tested == 1 ? " was" : "s were");
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

static void put_compared(const struct diff_table *table,
			 const struct tr2_compared *compared)
{
	size_t from = table->out->len;

	put_set(table->out, "A", compared, TR2_SAMPLE_A);
	put_set(table->out, "B", compared, TR2_SAMPLE_B);
	put_verdicts(table->out, compared);
	if (table->markdown)
		tr2_markdown_block(table->out, from);
	for (int kind = 0; kind < TR2_TABLES; kind++)
		put_table(table, compared, (enum tr2_table)kind);
	from = table->out->len;
	put_notes(table->out, compared);
	if (table->markdown)
		tr2_markdown_block(table->out, from);
}

void tr2_compared_text(struct tr2_buf *out, const struct tr2_compared *compared)
{
	put_compared(&(struct diff_table){ out, false }, compared);
}

void tr2_compared_markdown(struct tr2_buf *out,
			   const struct tr2_compared *compared)
{
	put_compared(&(struct diff_table){ out, true }, compared);
	tr2_markdown_fit(out, TR2_MARKDOWN_MOST);
}
