/*
 * The EVENT target: one JSON object for each line, written by a loop over the
 * event table.
 * SPEC: chapters event.*, json.*, brief.*, nesting.*
 */
#include "event/format.h"

#include <string.h>

#include "trace2.h"
#include "base/buf.h"
#include "event/event.h"
#include "base/json.h"

static void add_strings(struct tr2_buf *out, const char *const *strings)
{
	const char *const *string;

	tr2_buf_byte(out, '[');
	for (string = strings; *string; string++) {
		if (string != strings)
			tr2_buf_byte(out, ',');
		tr2_json_string(out, *string);
	}
	tr2_buf_byte(out, ']');
}

static void add_value(struct tr2_buf *out, const struct tr2_event *event,
		      const struct tr2_field *field)
{
	switch (field->type) {
	case TR2_FIELD_STRING:
		tr2_json_string(out,
				TR2_EVENT_MEMBER(event, field, char *const));
		return;
	case TR2_FIELD_STRINGS:
		add_strings(out,
			    TR2_EVENT_MEMBER(event, field, char *const *const));
		return;
	case TR2_FIELD_INT:
		tr2_buf_int(out, TR2_EVENT_MEMBER(event, field, int));
		return;
	case TR2_FIELD_INT64:
		tr2_buf_int(out, TR2_EVENT_MEMBER(event, field, int64_t));
		return;
	case TR2_FIELD_UINT64:
		tr2_buf_uint(out, TR2_EVENT_MEMBER(event, field, uint64_t));
		return;
	case TR2_FIELD_BOOL:
		tr2_buf_str(out, TR2_EVENT_MEMBER(event, field, int) ? "true"
								     : "false");
		return;
	case TR2_FIELD_SECONDS_US:
		tr2_buf_seconds(out, TR2_EVENT_MEMBER(event, field, uint64_t));
		return;
	case TR2_FIELD_SECONDS_NS:
		tr2_buf_seconds(out, (TR2_EVENT_MEMBER(event, field, uint64_t) +
				      500) / 1000);
		return;
	case TR2_FIELD_JSON:
		break;
	}
	tr2_buf_str(out, TR2_EVENT_MEMBER(event, field, char *const));
}

/* SPEC: event.common.time */
static void add_time(struct tr2_buf *out, const struct tr2_event *event,
		     struct tr2_second *utc)
{
	static const char label[] = "\",\"time\":\"";
	const size_t label_len = sizeof(label) - 1;
	const size_t len = label_len + sizeof(utc->text) + 7;
	char *at;

	tr2_second_set(utc, event->wall_us / 1000000u);
	at = tr2_buf_take(out, len);
	if (!at)
		return;
	memcpy(at, label, label_len);
	memcpy(at + label_len, utc->text, sizeof(utc->text));
	at[len - 1] = 'Z';
	tr2_put_digits(at + len - 1, (unsigned)(event->wall_us % 1000000u), 6);
}

static void add_common(struct tr2_buf *out, const struct tr2_event *event,
		       const struct tr2_format *format)
{
	const struct tr2_event_info *info = &tr2_event_table[event->kind];

	tr2_buf_add(out, info->head, info->head_len);
	tr2_buf_add(out, event->origin->sid_json, event->origin->sid_json_len);
	tr2_buf_str(out, "\",\"thread\":\"");
	tr2_buf_add(out, event->origin->thread_json,
		    event->origin->thread_json_len);
	if (tr2_event_json_needs_wall(event, format))
		add_time(out, event, format->utc);
	tr2_buf_byte(out, '"');
	/* SPEC: event.common.file */
	if (!format->brief && event->file && *event->file) {
		tr2_buf_str(out, ",\"file\":");
		tr2_json_string(out, event->file);
		tr2_buf_str(out, ",\"line\":");
		tr2_buf_int(out, event->line);
	}
	if (event->repo != TRACE2_REPO_NONE) {
		tr2_buf_str(out, ",\"repo\":");
		tr2_buf_int(out, event->repo < 0 ? 0 : event->repo);
	}
}

void tr2_event_json_format(const struct tr2_event *event,
			   const struct tr2_format *format, struct tr2_buf *out)
{
	const struct tr2_event_info *info = &tr2_event_table[event->kind];
	const struct tr2_field *field;

	/* SPEC: nesting.limit */
	if (info->flags & TR2_FILTER_NESTING &&
	    event->nesting > format->nesting_limit)
		return;
	add_common(out, event, format);
	for (field = info->fields; field->key; field++) {
		if (tr2_event_lacks(event, field))
			continue;
		tr2_buf_add(out, field->text, field->text_len);
		add_value(out, event, field);
	}
	tr2_buf_add(out, "}\n", 2);
}

/* SPEC: brief.event-time */
int tr2_event_json_needs_wall(const struct tr2_event *event,
			      const struct tr2_format *format)
{
	return !format->brief ||
	       tr2_event_table[event->kind].flags & TR2_KEEP_BRIEF_TIME;
}
