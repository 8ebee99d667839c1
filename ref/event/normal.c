/*
 * The NORMAL target: one readable line for each command-level event.
 * SPEC: chapter normal.*
 */
#include "event/format.h"

#include "base/buf.h"
#include "event/event.h"

#define PAYLOAD_COLUMN 50 /* SPEC: normal.column */

void tr2_normal_format(const struct tr2_event *event,
		       const struct tr2_format *format, struct tr2_buf *out)
{
	const struct tr2_event_info *info = &tr2_event_table[event->kind];
	size_t start = out->len;

	if (!info->normal)
		return;
	if (!format->brief) {
		tr2_text_clock(out, event, format->local);
		tr2_text_file_line(out, event);
		tr2_buf_byte(out, ' ');
		tr2_buf_pad(out, start + PAYLOAD_COLUMN);
	}
	info->normal(event, out);
	tr2_text_end_line(out, start);
}
