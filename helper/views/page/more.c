/* What the page has of the summary: its chart, its words. */

#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/object.h"
#include "views/page/spans.h"
#include "views/result/result.h"
#include "views/summary/summary.h"

void tr2_page_put_flame(struct page_data *data, const struct tr2_forest *forest)
{
	const struct tr2_chart_node *node = forest->chart->nodes.items;

	tr2_object_open(data->out, "flame", '[');
	for (uint32_t i = 0; i < forest->chart->nodes.count; i++, node++) {
		tr2_page_put_number(data, (int32_t)node->parent);
		tr2_page_put_number(data, node->link.table);
		tr2_page_put_text(data, node->link.name[0]);
		tr2_page_put_text(data, node->link.name[1]);
		tr2_page_put_number(data, (int64_t)node->link.count);
		tr2_page_put_number(data, node->link.self);
	}
	tr2_buf_byte(data->out, ']');
}

static const struct tr2_explained *explain_what(const struct page_data *data,
						const uint32_t *what)
{
	const uint32_t *used = data->used.items;

	if (what[0] != TR2_PAGE_REGION)
		return NULL;
	return tr2_explain_find(
		tr2_rows_text(data->spans->texts, used[what[1]], NULL),
		tr2_rows_text(data->spans->texts, used[what[2]], NULL));
}

/* For each kind of span that is known: its place, and two texts. */
void tr2_page_put_explained(struct page_data *data)
{
	const struct tr2_explained *found;

	tr2_buf_byte(data->out, '\n');
	tr2_object_open(data->out, "explained", '[');
	for (uint32_t i = 0; i * 3 < data->whats.count; i++) {
		found = explain_what(data,
				     (uint32_t *)data->whats.items + i * 3);
		if (!found)
			continue;
		tr2_page_put_number(data, i);
		tr2_object_next(data->out);
		tr2_foreign_json(data->out, found->text);
		tr2_object_next(data->out);
		tr2_foreign_json(data->out, found->setting);
	}
	tr2_buf_byte(data->out, ']');
}

static void put_lines(struct tr2_buf *out, const char *key, tr2_result_fn *put,
		      const struct tr2_result *result)
{
	struct tr2_buf lines = TR2_BUF_INIT;

	put(&lines, result);
	tr2_must_end(&lines);
	tr2_buf_str(out, key);
	tr2_foreign_json(out, lines.bytes);
	tr2_buf_release(&lines);
}

static void put_crowds(struct tr2_buf *out, const struct tr2_result *result)
{
	tr2_contention_put(out, result->forest);
}

void tr2_page_put_lines(struct tr2_buf *out, const struct tr2_result *result)
{
	put_lines(out, ",\n\"failure\":", tr2_result_failure, result);
	put_lines(out, ",\n\"stuck\":", tr2_result_stuck, result);
	put_lines(out, ",\n\"advice\":", tr2_advice_put, result);
	put_lines(out, ",\n\"crowds\":", put_crowds, result);
}
