/* trace.c - the result of traces, which have spans and no commands. */
#include <inttypes.h>

#include "lib/text/cell.h"
#include "lib/text/markdown.h"
#include "lib/text/object.h"
#include "lib/text/text.h"
#include "views/result/result.h"

#define VERSION 1

static const enum tr2_table tables[] = { TR2_TABLE_SPANS, TR2_TABLE_CATEGORIES,
					 TR2_TABLE_POINTS };

static void put_notes(struct tr2_buf *out,
		      const struct tr2_trace_counts *counts)
{
	tr2_buf_byte(out, '\n');
	tr2_cell_note(out, counts->unended, "spans without an end",
		      "they end with the last event");
	tr2_cell_note(out, counts->unbegun, "ends of spans without a begin",
		      "they are left out");
	tr2_cell_note(out, counts->left_out,
		      "events of phases that have no sum", "they are left out");
}

void tr2_result_trace_text(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_trace_counts *counts = result->trace;
	size_t from;

	tr2_text_put(out,
		     "%" PRIu64 " event%s of %" PRIu64 " process%s and %" PRIu64
		     " thread%s in ",
		     counts->events, counts->events == 1 ? "" : "s",
		     counts->processes, counts->processes == 1 ? "" : "es",
		     counts->threads, counts->threads == 1 ? "" : "s");
	tr2_cell_time(out, counts->elapsed);
	tr2_buf_str(out, ".\n");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		tr2_rows_put(out, result, tables[i]);
	from = out->len;
	put_notes(out, counts);
	if (result->options.markdown) {
		tr2_markdown_block(out, from);
		tr2_markdown_fit(out, TR2_MARKDOWN_MOST);
	}
}

void tr2_result_trace_json(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_trace_counts *counts = result->trace;

	tr2_buf_byte(out, '{');
	tr2_object_number(out, "version", VERSION);
	tr2_object_count(out, "events", counts->events);
	tr2_object_count(out, "processes", counts->processes);
	tr2_object_count(out, "threads", counts->threads);
	tr2_object_number(out, "elapsed_us", counts->elapsed);
	tr2_object_number(out, "self_us", counts->self);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		tr2_result_json_table(out, result, tables[i]);
	tr2_buf_str(out, ",\n\t\"gaps\":{");
	tr2_object_count(out, "unended", counts->unended);
	tr2_object_count(out, "unbegun", counts->unbegun);
	tr2_object_count(out, "left_out", counts->left_out);
	tr2_buf_str(out, "}\n}\n");
}
