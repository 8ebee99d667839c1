#include "event/payload.h"

#include <string.h>

#include "base/buf.h"
#include "base/quote.h"

void tr2_payload_number(struct tr2_buf *out, const char *label, int64_t number)
{
	tr2_buf_str(out, label);
	tr2_buf_int(out, number);
}

void tr2_payload_name(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->name);
	if (!event->hierarchy)
		return;
	tr2_buf_str(out, " (");
	tr2_buf_str(out, event->hierarchy);
	tr2_buf_byte(out, ')');
}

/* The exe is not quoted, but its argv is. SPEC: quote.where */
void tr2_payload_exec(const struct tr2_event *event, struct tr2_buf *out)
{
	if (event->exe) {
		tr2_buf_str(out, event->exe);
		if (*event->argv)
			tr2_buf_byte(out, ' ');
	}
	tr2_quote_words(out, event->argv);
}

void tr2_payload_result(const struct tr2_event *event, struct tr2_buf *out)
{
	char text[256] = "";

	tr2_payload_number(out, "code:", event->code);
	if (event->code <= 0)
		return;
	strerror_r(event->code, text, sizeof(text)); /* `Unknown error N` */
	tr2_buf_str(out, " err:");
	tr2_buf_str(out, text);
}

static void add_interval(struct tr2_buf *out, const char *label, uint64_t ns)
{
	tr2_buf_str(out, label);
	tr2_buf_seconds(out, (ns + 500) / 1000);
}

void tr2_payload_intervals(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, " intervals:");
	tr2_buf_uint(out, event->intervals);
	add_interval(out, " total:", event->t_total);
	add_interval(out, " min:", event->t_min);
	add_interval(out, " max:", event->t_max);
}
