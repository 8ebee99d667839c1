#include "views/otlp/span.h"

#include <string.h>

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

static void put_buf(struct tr2_buf *out, const struct tr2_buf *text)
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
	put_buf(out, elements);
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

void tr2_otlp_put_span(struct tr2_buf *out, const struct tr2_otlp_span *span,
		       int64_t end)
{
	if (out->len)
		tr2_buf_byte(out, ',');
	put_ids(out, &span->ids);
	tr2_buf_str(out, ",\"name\":\"");
	put_buf(out, &span->name);
	tr2_buf_str(out, "\",\"kind\":");
	tr2_buf_int(out, span->kind);
	tr2_buf_str(out, ",\"startTimeUnixNano\":");
	tr2_otlp_put_time(out, span->start);
	tr2_buf_str(out, ",\"endTimeUnixNano\":");
	tr2_otlp_put_time(out, end > span->start ? end : span->start);
	put_list(out, "attributes", &span->attributes);
	put_list(out, "events", &span->events);
	if (span->crowded) {
		tr2_buf_str(out, ",\"droppedEventsCount\":");
		tr2_buf_uint(out, span->crowded);
	}
	if (span->failed) {
		tr2_buf_str(out, ",\"status\":{\"code\":2,\"message\":\"");
		put_buf(out, &span->failure);
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
