#include <stdio.h>

#include "views/diff/compare.h"
#include "lib/text/object.h"

#define VERSION 1

static void put_share(struct tr2_buf *out, const char *key, bool is_known,
		      double value)
{
	char text[32] = "null";

	if (is_known)
		snprintf(text, sizeof(text), "%.9g", value);
	tr2_object_key(out, key);
	tr2_buf_str(out, text);
}

static void put_side(struct tr2_buf *out, const char *key,
		     const struct tr2_comparison_side *side)
{
	tr2_object_open(out, key, '{');
	tr2_object_count(out, "count", side->count);
	if (side->count) {
		tr2_object_count(out, "p50_us", side->p50);
		tr2_object_count(out, "p99_us", side->p99);
	}
	tr2_buf_byte(out, '}');
}

static void put_row(struct tr2_buf *out, const struct tr2_comparison *row)
{
	bool is_child = row->table == TR2_TABLE_CHILDREN;
	bool is_tested = tr2_comparison_is_tested(row);
	double percent;
	bool has_change = tr2_comparison_change(row, &percent);

	tr2_buf_str(out, "\n\t\t{");
	tr2_object_text(out, "command", row->command);
	if (row->table != TR2_TABLE_COMMANDS) {
		tr2_object_text(out, is_child ? "class" : "category",
				row->first);
		tr2_object_text(out, is_child ? "child" : "label", row->second);
	}
	put_side(out, "a", &row->sides[TR2_SAMPLE_A]);
	put_side(out, "b", &row->sides[TR2_SAMPLE_B]);
	put_share(out, "change_percent", has_change, percent);
	put_share(out, "p", is_tested, row->p);
	put_share(out, "p_adjusted", is_tested, row->adjusted);
	tr2_object_text(out, "verdict", tr2_verdict_names[row->verdict]);
	tr2_buf_byte(out, '}');
}

static void put_table(struct tr2_buf *out, const struct tr2_compared *compared,
		      enum tr2_table table)
{
	const struct tr2_comparison *row;

	tr2_buf_str(out, ",\n\t\"");
	tr2_buf_str(out, tr2_table_names[table]);
	tr2_buf_str(out, "\":[");
	for (uint32_t i = 0; i < compared->rows.count; i++) {
		row = tr2_compared_at(compared, i);
		if (row->table != table)
			continue;
		tr2_object_next(out);
		put_row(out, row);
	}
	tr2_buf_byte(out, ']');
}

static void put_set(struct tr2_buf *out, const char *key,
		    const struct tr2_compared *compared,
		    enum tr2_sample_set set)
{
	const struct tr2_counts *counts = &compared->counts[set];

	tr2_object_open(out, key, '{');
	tr2_object_count(out, "roots", counts->roots);
	tr2_object_count(out, "processes", counts->processes);
	tr2_object_count(out, "unfinished", counts->unfinished);
	tr2_object_count(out, "cut", counts->cut);
	tr2_object_count(out, "unread", counts->unread);
	if (compared->failed[set] >= 0)
		tr2_object_number(out, "failed", compared->failed[set]);
	tr2_buf_byte(out, '}');
}

void tr2_compared_json(struct tr2_buf *out, const struct tr2_compared *compared)
{
	tr2_buf_byte(out, '{');
	tr2_object_count(out, "version", VERSION);
	put_set(out, "a", compared, TR2_SAMPLE_A);
	put_set(out, "b", compared, TR2_SAMPLE_B);
	tr2_object_count(out, "tested", compared->tested);
	tr2_object_open(out, "verdicts", '{');
	for (int verdict = 0; verdict < TR2_VERDICT_COUNT; verdict++)
		tr2_object_count(out, tr2_verdict_names[verdict],
				 compared->verdicts[verdict]);
	tr2_buf_byte(out, '}');
	put_table(out, compared, TR2_TABLE_COMMANDS);
	put_table(out, compared, TR2_TABLE_REGIONS);
	put_table(out, compared, TR2_TABLE_CHILDREN);
	tr2_buf_str(out, "\n}\n");
}
