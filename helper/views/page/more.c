/* What the page has of the summary: its chart, its words. */
#include <stddef.h>

#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/object.h"
#include "views/page/spans.h"
#include "views/result/result.h"
#include "views/summary/summary.h"

void tr2_page_put_flame(struct page_data *data, const struct tr2_forest *forest)
{
	static const struct page_column columns[] = {
#define NODE(name, member, kind) \
	{ name, PAGE_##kind, offsetof(struct tr2_chart_node, member), NULL }
		NODE("parent", parent, INT32),
		NODE("table", link.table, INT32),
		NODE("first", link.name[0], TEXT),
		NODE("second", link.name[1], TEXT),
		NODE("count", link.count, INT64),
		NODE("self", link.self, INT64),
		{ .name = NULL },
	};
	const struct tr2_vec none = { 0 };

	tr2_page_put_columns(data, ",\n\"flame\":{",
			     forest->chart ? &forest->chart->nodes : &none,
			     sizeof(struct tr2_chart_node), columns);
	tr2_buf_byte(data->out, '}');
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
