#include <string.h>

#include "base/json.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"
#include "views/otlp/process.h"

void tr2_otlp_put_id(struct tr2_buf *out, const unsigned char *id, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	tr2_buf_byte(out, '"');
	for (; count; count--, id++) {
		tr2_buf_byte(out, digits[*id >> 4]);
		tr2_buf_byte(out, digits[*id & 15]);
	}
	tr2_buf_byte(out, '"');
}

void tr2_otlp_put_all(struct tr2_buf *out, const struct tr2_buf *text)
{
	if (text->len)
		tr2_buf_add(out, text->bytes, text->len);
	out->failed |= text->failed;
}

static void put_list(struct tr2_buf *out, const char *name,
		     const struct tr2_buf *elements)
{
	if (!elements->len)
		return;
	tr2_buf_str(out, ",\"");
	tr2_buf_str(out, name);
	tr2_buf_str(out, "\":[");
	tr2_otlp_put_all(out, elements);
	tr2_buf_byte(out, ']');
}

static void put_ids(struct tr2_buf *out, const struct tr2_otlp_ids *ids)
{
	tr2_buf_str(out, "{\"traceId\":");
	tr2_otlp_put_id(out, ids->trace, sizeof(ids->trace));
	tr2_buf_str(out, ",\"spanId\":");
	tr2_otlp_put_id(out, ids->span, sizeof(ids->span));
	if (!ids->has_parent)
		return;
	tr2_buf_str(out, ",\"parentSpanId\":");
	tr2_otlp_put_id(out, ids->parent, sizeof(ids->parent));
}

/* As many nanoseconds fit in the 64 bits of OTLP: until the year 2554. */
#define US_MOST ((int64_t)(UINT64_MAX / 1000))

/* Put microseconds since 1970 as nanoseconds in quotes. */
static void put_time(struct tr2_buf *out, int64_t us)
{
	if (us > US_MOST)
		us = US_MOST;
	tr2_buf_byte(out, '"');
	tr2_buf_int(out, us > 0 ? us : 0);
	tr2_buf_str(out, us > 0 ? "000\"" : "\"");
}

void tr2_otlp_put_span(struct tr2_buf *out, const struct tr2_otlp_span *span,
		       int64_t end)
{
	if (out->len)
		tr2_buf_byte(out, ',');
	put_ids(out, &span->ids);
	tr2_buf_str(out, ",\"name\":\"");
	if (span->name.len)
		tr2_json_escape(out, span->name.bytes, span->name.len);
	out->failed |= span->name.failed;
	tr2_buf_str(out, "\",\"kind\":");
	tr2_buf_int(out, span->kind);
	tr2_buf_str(out, ",\"startTimeUnixNano\":");
	put_time(out, span->start);
	tr2_buf_str(out, ",\"endTimeUnixNano\":");
	put_time(out, end > span->start ? end : span->start);
	put_list(out, "attributes", &span->attributes);
	put_list(out, "events", &span->events);
	if (span->crowded) {
		tr2_buf_str(out, ",\"droppedEventsCount\":");
		tr2_buf_uint(out, span->crowded);
	}
	if (span->failed) {
		tr2_buf_str(out, ",\"status\":{\"code\":2,\"message\":\"");
		tr2_otlp_put_all(out, &span->failure);
		tr2_buf_str(out, "\"}");
	}
	tr2_buf_byte(out, '}');
}

void tr2_otlp_span_release(struct tr2_otlp_span *span)
{
	tr2_buf_release(&span->name);
	tr2_buf_release(&span->attributes);
	tr2_buf_release(&span->events);
	tr2_buf_release(&span->failure);
}

/* Begin an element of a list of attributes. A key may have a NUL. */
static void begin_element(struct tr2_buf *out, const char *key, size_t len)
{
	tr2_buf_str(out, out->len ? ",{\"key\":\"" : "{\"key\":\"");
	tr2_json_escape(out, key, len);
	tr2_buf_str(out, "\",\"value\":");
}

static void put_string(struct tr2_buf *out, const char *text, size_t len)
{
	tr2_buf_str(out, "{\"stringValue\":\"");
	tr2_json_escape(out, text, len);
	tr2_buf_str(out, "\"}");
}

static void put_integer(struct tr2_buf *out, int64_t value)
{
	tr2_buf_str(out, "{\"intValue\":\"");
	tr2_buf_int(out, value);
	tr2_buf_str(out, "\"}");
}

void tr2_otlp_put_text(struct tr2_buf *out, const char *key, const char *text,
		       size_t len)
{
	begin_element(out, key, strlen(key));
	put_string(out, text, len);
	tr2_buf_byte(out, '}');
}

void tr2_otlp_put_digits(struct tr2_buf *out, const char *key, int64_t value)
{
	begin_element(out, key, strlen(key));
	tr2_buf_str(out, "{\"stringValue\":\"");
	tr2_buf_int(out, value);
	tr2_buf_str(out, "\"}}");
}

void tr2_otlp_put_integer(struct tr2_buf *out, const char *key, int64_t value)
{
	begin_element(out, key, strlen(key));
	put_integer(out, value);
	tr2_buf_byte(out, '}');
}

static void put_strings(struct tr2_buf *out, struct tr2_record *record,
			const struct tr2_value *list)
{
	struct tr2_parse *parse = &record->parse;
	struct tr2_value element;
	size_t token = list->token + 1, len;
	const char *text;

	tr2_buf_str(out, "{\"arrayValue\":{\"values\":[");
	while (tr2_parse_byte(parse, token) != ']') {
		token = tr2_parse_value(parse, token, &element);
		text = tr2_parse_text(parse, &element, &record->scratch, &len);
		put_string(out, text, len);
		if (tr2_parse_byte(parse, token) != ',')
			break;
		tr2_buf_byte(out, ',');
		token++;
	}
	tr2_buf_str(out, "]}}");
}

/* A number with a fraction is one of JSON as it is. */
static void put_raw(struct tr2_buf *out, const struct tr2_record *record,
		    const struct tr2_value *value)
{
	const char *text = record->parse.text + value->start;
	size_t len = value->end - value->start;

	if (value->kind != TR2_FRACTION) {
		put_string(out, text, len);
		return;
	}
	tr2_buf_str(out, "{\"doubleValue\":");
	tr2_buf_add(out, text, len);
	tr2_buf_byte(out, '}');
}

/* Put what belongs to the element that was begun. */
static void put_any(struct tr2_buf *out, struct tr2_record *record,
		    enum tr2_key key)
{
	const struct tr2_value *value = &record->value[key];
	const char *text;
	int64_t number;
	size_t len;

	text = tr2_record_text(record, key, &len);
	if (text)
		put_string(out, text, len);
	else if (value->kind == TR2_STRINGS)
		put_strings(out, record, value);
	else if (value->kind == TR2_INTEGER &&
		 tr2_record_integer(record, key, &number))
		put_integer(out, number);
	else
		put_raw(out, record, value);
	tr2_buf_byte(out, '}');
}

void tr2_otlp_put_value(struct tr2_buf *out, const char *name,
			struct tr2_record *record, enum tr2_key key)
{
	if (!tr2_record_has(record, key))
		return;
	begin_element(out, name, strlen(name));
	put_any(out, record, key);
}

/* Both are JSON strings, which OTLP takes as they are. */
void tr2_otlp_put_pair(struct tr2_buf *out, const struct tr2_record *record,
		       const struct tr2_value *name,
		       const struct tr2_value *value)
{
	const char *text = record->parse.text;

	tr2_buf_str(out, out->len ? ",{\"key\":" : "{\"key\":");
	tr2_buf_add(out, text + name->start, name->end - name->start);
	tr2_buf_str(out, ",\"value\":{\"stringValue\":");
	tr2_buf_add(out, text + value->start, value->end - value->start);
	tr2_buf_str(out, "}}");
}

void tr2_otlp_put_values(struct tr2_buf *out, struct tr2_record *record,
			 const struct tr2_otlp_field *field, size_t count)
{
	for (; count; count--, field++)
		tr2_otlp_put_value(out, field->name, record, field->key);
}

/* The values of events. */
static const struct tr2_otlp_field values[] = {
	{ TR2_KEY_CATEGORY, "trace2.category" },
	{ TR2_KEY_KEY, "trace2.key" },
	{ TR2_KEY_VALUE, "trace2.value" },
	{ TR2_KEY_FMT, "trace2.format" },
	{ TR2_KEY_MSG, "trace2.message" },
	{ TR2_KEY_THREAD, "thread.name" },
	{ TR2_KEY_FILE, "code.file.path" },
	{ TR2_KEY_LINE, "code.line.number" },
};

void tr2_otlp_put_event(struct tr2_buf *out, struct tr2_record *record,
			int64_t time)
{
	struct tr2_buf list = TR2_BUF_INIT;
	const char *text;
	size_t len;

	text = tr2_record_text(record, TR2_KEY_EVENT, &len);
	tr2_buf_str(out,
		    out->len ? ",{\"timeUnixNano\":" : "{\"timeUnixNano\":");
	put_time(out, time);
	tr2_buf_str(out, ",\"name\":\"");
	tr2_json_escape(out, text ? text : "", text ? len : 0);
	tr2_buf_byte(out, '"');
	tr2_otlp_put_values(&list, record, values,
			    sizeof(values) / sizeof(values[0]));
	put_list(out, "attributes", &list);
	tr2_buf_byte(out, '}');
	out->failed |= list.failed;
	tr2_buf_release(&list);
}

static void add_part(struct tr2_buf *name, struct tr2_record *record,
		     enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	tr2_buf_byte(name, '.');
	if (text)
		tr2_buf_add(name, text, len);
}

static void put_name(struct tr2_buf *name, struct tr2_record *record)
{
	bool is_timer = record->is == TR2_IS_TIMER ||
			record->is == TR2_IS_TH_TIMER;
	bool is_thread = record->is == TR2_IS_TH_TIMER ||
			 record->is == TR2_IS_TH_COUNTER;

	tr2_buf_str(name, is_thread ? "trace2.thread." : "trace2.process.");
	tr2_buf_str(name, is_timer ? "timers" : "counters");
	if (is_thread)
		add_part(name, record, TR2_KEY_THREAD);
	add_part(name, record, TR2_KEY_CATEGORY);
	add_part(name, record, TR2_KEY_NAME);
}

static void put_timer(struct tr2_buf *out, struct tr2_record *record)
{
	struct tr2_buf list = TR2_BUF_INIT;

	tr2_otlp_put_value(&list, "intervals", record, TR2_KEY_INTERVALS);
	tr2_otlp_put_value(&list, "t_total", record, TR2_KEY_T_TOTAL);
	tr2_otlp_put_value(&list, "t_min", record, TR2_KEY_T_MIN);
	tr2_otlp_put_value(&list, "t_max", record, TR2_KEY_T_MAX);
	tr2_buf_str(out, "{\"kvlistValue\":{\"values\":[");
	tr2_otlp_put_all(out, &list);
	tr2_buf_str(out, "]}}}");
	tr2_buf_release(&list);
}

void tr2_otlp_put_total(struct tr2_buf *out, struct tr2_record *record,
			struct tr2_map *names)
{
	struct tr2_buf name = TR2_BUF_INIT;

	put_name(&name, record);
	tr2_must_hold(&name);
	if (tr2_map_add(names, tr2_hash(name.bytes, name.len).a)) {
		begin_element(out, name.bytes, name.len);
		if (tr2_record_has(record, TR2_KEY_COUNT))
			put_any(out, record, TR2_KEY_COUNT);
		else
			put_timer(out, record);
	}
	tr2_buf_release(&name);
}
