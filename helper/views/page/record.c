#include "views/page/record.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "model/account/event.h"
#include "validate/verdict.h"
#include "views/page/asset.h"
#include "views/page/data.h"
#include "views/page/page.h"
#include "views/result/result.h"

/* A tr2_events_fn. */
static void take_event(void *context, struct tr2_record *event)
{
	struct tr2_page_record *record = context;

	tr2_page_spans_take(&record->spans, event);
	tr2_summary_event(&record->forest, event);
}

static bool begin_log(void *owner, enum tr2_log_format format)
{
	struct tr2_page_record *record = owner;

	record->judged = format == TR2_LOG_EVENT;
	if (record->judged)
		tr2_verdict_begin_log(record->verdict, record->reader.name);
	return true;
}

static void judge_line(void *owner, const struct tr2_line *line)
{
	struct tr2_page_record *record = owner;

	if (record->judged)
		tr2_verdict_line(record->verdict, line);
}

void tr2_page_record_begin(struct tr2_page_record *record, const char *command)
{
	memset(record, 0, sizeof(*record));
	tr2_forest_begin(&record->forest);
	record->forest.chart = &record->chart;
	tr2_page_spans_begin(&record->spans, &record->forest.rows);
	record->verdict = tr2_verdict_begin();
	tr2_intake_begin(&record->reader, command, &record->forest);
	record->reader.take = take_event;
	record->reader.taker = record->reader.owner = record;
	record->reader.begin = begin_log;
	record->reader.line = judge_line;
}

void tr2_page_record_put(struct tr2_page_record *record, struct tr2_buf *out)
{
	struct tr2_buf data = TR2_BUF_INIT;
	struct tr2_result result;

	tr2_page_spans_end(&record->spans);
	tr2_result_begin(&result, &record->forest);
	tr2_page_data_put(&data, &record->spans, &result);
	tr2_result_release(&result);
	tr2_buf_str(&data, ",\n\"findings\":");
	tr2_verdict_end(record->verdict, &data);
	tr2_buf_str(&data, "}\n");
	if (data.failed)
		tr2_memory_out();
	tr2_buf_add(out, data.bytes, data.len);
	tr2_buf_release(&data);
}

void tr2_page_record_release(struct tr2_page_record *record)
{
	tr2_reader_release(&record->reader);
	tr2_verdict_release(record->verdict);
	tr2_page_spans_release(&record->spans);
	tr2_forest_release(&record->forest);
	tr2_chart_release(&record->chart);
}

/* `<` is in strings only, where \u003c means the same. */
static void put_escaped(struct tr2_buf *out, const char *text, size_t len)
{
	const char *found;
	size_t plain;

	while (len) {
		found = memchr(text, '<', len);
		plain = found ? (size_t)(found - text) : len;
		tr2_buf_add(out, text, plain);
		if (found)
			tr2_buf_str(out, "\\u003c");
		text += plain + (found != NULL);
		len -= plain + (found != NULL);
	}
}

void tr2_page_put(struct tr2_buf *out, const struct tr2_buf *data)
{
	tr2_buf_add(out, tr2_page_head, tr2_page_head_len);
	put_escaped(out, data->bytes, data->len);
	tr2_buf_add(out, tr2_page_tail, tr2_page_tail_len);
	if (data->failed || out->failed)
		tr2_memory_out();
}

static void put_set(struct tr2_buf *data, const char *key, const char *path,
		    const char *command)
{
	struct tr2_page_record *record = tr2_must_zeros(sizeof(*record));

	tr2_page_record_begin(record, "diff");
	record->forest.filter.command = command;
	tr2_reader_visit(&record->reader, path);
	tr2_intake_end(&record->reader, &record->forest);
	tr2_buf_str(data, key);
	tr2_page_record_put(record, data);
	tr2_page_record_release(record);
	free(record);
}

void tr2_page_compare(struct tr2_buf *out, const struct tr2_buf *compared,
		      char *const *paths, const char *command)
{
	struct tr2_buf data = TR2_BUF_INIT;

	tr2_buf_str(&data, "{\"compare\":");
	tr2_buf_add(&data, compared->bytes, compared->len);
	put_set(&data, ",\"before\":", paths[0], command);
	put_set(&data, ",\"after\":", paths[1], command);
	tr2_buf_byte(&data, '}');
	tr2_page_put(out, &data);
	tr2_buf_release(&data);
}
