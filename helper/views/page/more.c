/* What the page has of the summary: its chart, its words. */
#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "views/page/spans.h"
#include "views/result/result.h"
#include "views/summary/explain.h"

typedef int64_t node_column_fn(struct page_data *data,
			       const struct tr2_chart_node *node);

static int64_t find_parent(struct page_data *data,
			   const struct tr2_chart_node *node)
{
	(void)data;
	return node->parent;
}

static int64_t find_table(struct page_data *data,
			  const struct tr2_chart_node *node)
{
	(void)data;
	return node->link.table;
}

static int64_t find_first(struct page_data *data,
			  const struct tr2_chart_node *node)
{
	return tr2_page_place_text(data, node->link.name[0]);
}

static int64_t find_second(struct page_data *data,
			   const struct tr2_chart_node *node)
{
	return tr2_page_place_text(data, node->link.name[1]);
}

static int64_t find_count(struct page_data *data,
			  const struct tr2_chart_node *node)
{
	(void)data;
	return (int64_t)node->link.count;
}

static int64_t find_self(struct page_data *data,
			 const struct tr2_chart_node *node)
{
	(void)data;
	return node->link.self;
}

void tr2_page_put_flame(struct page_data *data, const struct tr2_forest *forest)
{
	static const struct {
		const char *name;
		node_column_fn *find;
	} columns[] = {
		{ "parent", find_parent }, { "table", find_table },
		{ "first", find_first },   { "second", find_second },
		{ "count", find_count },   { "self", find_self },
	};
	const struct tr2_vec none = { 0 };
	const struct tr2_vec *nodes = forest->chart ? &forest->chart->nodes
						    : &none;
	const struct tr2_chart_node *node = nodes->items;
	size_t column;
	uint32_t i;

	tr2_buf_str(data->out, ",\n\"flame\":{");
	for (column = 0; column < sizeof(columns) / sizeof(columns[0]);
	     column++) {
		tr2_page_open(data, columns[column].name);
		for (i = 0; i < nodes->count; i++)
			tr2_page_put_number(
				data, columns[column].find(data, &node[i]));
		tr2_page_close(data);
	}
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
	uint32_t i;

	tr2_buf_byte(data->out, '\n');
	tr2_page_open(data, "explained");
	for (i = 0; i * 3 < data->whats.count; i++) {
		found = explain_what(data,
				     (uint32_t *)data->whats.items + i * 3);
		if (!found)
			continue;
		tr2_page_put_number(data, i);
		tr2_foreign_json(data->out, found->text);
		tr2_buf_byte(data->out, ',');
		tr2_foreign_json(data->out, found->setting);
		tr2_buf_byte(data->out, ',');
	}
	tr2_page_close(data);
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

void tr2_page_put_lines(struct tr2_buf *out, const struct tr2_result *result)
{
	put_lines(out, ",\n\"failure\":", tr2_result_failure, result);
	put_lines(out, ",\n\"advice\":", tr2_advice_put, result);
}
