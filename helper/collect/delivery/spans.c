#include "collect/delivery/spans.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "read/json/tokens.h"

#define SIDS_MOST ((size_t)100000) /* that have ended, and are known */
#define GONE_MOST ((size_t)10000)
#define PART_MOST ((size_t)512 << 10)
#define EVENTS_MOST ((size_t)64 << 10)
#define IDLE 24 /* times `wait` */

/* Append to the body, which is complete each time. A tr2_otlp_fn. */
static void put_resource(void *context, const char *json, size_t len)
{
	struct tr2_spans *spans = context;
	struct tr2_buf *body = &spans->body;

	if (body->len) {
		body->len -= strlen(TR2_OTLP_TAIL);
		tr2_buf_byte(body, ',');
	} else {
		tr2_buf_str(body, TR2_OTLP_HEAD);
		spans->since = tr2_clock_now();
	}
	tr2_buf_add(body, json, len);
	tr2_buf_str(body, TR2_OTLP_TAIL);
	tr2_must_hold(body);
}

/* A tr2_events_fn. */
static void take_record(void *context, struct tr2_record *record)
{
	struct tr2_spans *spans = context;

	spans->is_event = true;
	tr2_otlp_event(&spans->otlp, record);
}

void tr2_spans_begin(struct tr2_spans *spans, struct tr2_otlp_place place,
		     uint64_t wait)
{
	*spans = (struct tr2_spans){ .at = place.at,
				     .number = place.line,
				     .wait = wait };
	spans->events.take = take_record;
	spans->events.taker = spans;
	tr2_otlp_begin(&spans->otlp, put_resource, spans);
	spans->otlp.walk.sids_most = SIDS_MOST;
	spans->otlp.part_most = PART_MOST;
	spans->otlp.events_most = EVENTS_MOST;
}

void tr2_spans_set_rest(struct tr2_spans *spans, uint64_t rest)
{
	spans->rest = rest;
	spans->otlp.walk.rest_most = rest ? TR2_REST_MOST : 0;
}

void tr2_spans_release(struct tr2_spans *spans)
{
	tr2_events_release(&spans->events);
	tr2_walk_release(&spans->otlp.walk);
	tr2_buf_release(&spans->line);
	tr2_buf_release(&spans->body);
}

static void read_line(struct tr2_spans *spans, const char *text, size_t len)
{
	const struct tr2_line line = {
		.text = text, .len = len, .number = 2, .ended = true
	};

	spans->otlp.place = (struct tr2_otlp_place){
		.at = spans->at,
		.line = spans->number,
		.now = tr2_clock_now(),
	};
	/* Lines of several programs alternate: one says nothing of the next. */
	tr2_events_begin_log(&spans->events);
	spans->is_event = false;
	tr2_events_line(&spans->events, &line);
	spans->foreign += !spans->is_event;
	spans->at += len + 1;
	spans->number++;
}

/* Keep the begin of a line, or its end, which completes it. */
static void keep_part(struct tr2_spans *spans, const char *bytes, size_t len,
		      bool ended)
{
	struct tr2_buf *line = &spans->line;

	tr2_buf_add(line, bytes, len);
	if (ended) {
		tr2_buf_fill(line, '\0', TR2_TOKENS_PADDING);
		line->len -= line->failed ? 0 : TR2_TOKENS_PADDING;
	}
	tr2_must_hold(line);
	if (!ended)
		return;
	read_line(spans, line->bytes, line->len);
	if (line->room > PART_MOST)
		tr2_buf_release(line);
	tr2_buf_reset(line);
}

void tr2_spans_read(struct tr2_spans *spans, uint64_t at, uint64_t number,
		    const char *bytes, size_t len)
{
	const char *end = bytes + len, *lf;

	if (at != spans->at + spans->line.len) { /* lines are missing */
		tr2_buf_reset(&spans->line);
		spans->at = at;
		spans->number = number;
	}
	for (; bytes < end; bytes = lf + 1) {
		lf = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!lf || spans->line.len)
			keep_part(spans, bytes,
				  (size_t)((lf ? lf : end) - bytes), lf);
		else
			read_line(spans, bytes, (size_t)(lf - bytes));
		if (!lf)
			break;
	}
}

void tr2_spans_let_go(struct tr2_spans *spans, uint64_t first)
{
	const struct tr2_otlp_place *held;
	uint64_t now = tr2_clock_now(), idle = IDLE * spans->wait;

	while ((held = tr2_otlp_find_held(&spans->otlp)) &&
	       (held->at < first || now - held->now > spans->wait))
		tr2_otlp_let_go(&spans->otlp);
	tr2_otlp_put_ended(&spans->otlp,
			   now > spans->rest ? now - spans->rest : 0);
	tr2_otlp_put_idle(&spans->otlp, now > idle ? now - idle : 0, GONE_MOST);
}

uint64_t tr2_spans_count(const struct tr2_spans *spans)
{
	return spans->otlp.spans - spans->before;
}

uint64_t tr2_spans_count_outside(const struct tr2_spans *spans)
{
	return spans->foreign + spans->otlp.foreign + spans->otlp.walk.late +
	       spans->otlp.crowded;
}

void tr2_spans_drop_body(struct tr2_spans *spans)
{
	spans->before = spans->otlp.spans;
	spans->events_before = spans->otlp.events;
	if (spans->body.room > 4 * PART_MOST)
		tr2_buf_release(&spans->body);
	tr2_buf_reset(&spans->body);
}

struct tr2_otlp_place tr2_spans_find_done(const struct tr2_spans *spans)
{
	const struct tr2_otlp_place *held = tr2_otlp_find_held(&spans->otlp);

	if (held)
		return *held;
	return (struct tr2_otlp_place){ .at = spans->at,
					.line = spans->number };
}
