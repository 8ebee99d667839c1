/* spans_kit.h - lines of the journal to spans, event by event. */
#ifndef UNIT_DELIVERY_SPANS_KIT_H
#define UNIT_DELIVERY_SPANS_KIT_H

#include "kit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/delivery/spans.h"
#include "read/json/tokens.h"
#include "kit/directory.h"

#define LINE                                                    \
	"{\"event\":\"%s\",\"sid\":\"%s\",\"code\":0,\"time\":" \
	"\"2026-11-16T10:00:00.000000Z\"}\n"

#define tap_count(got, want, name) \
	tap_int((intmax_t)(got), (intmax_t)(want), name)

static struct tr2_spans spans;
static char text[1 << 16];

static inline void begin_spans(uint64_t wait)
{
	struct tr2_otlp_place place = { .at = 100, .line = 7 };

	unlink("./name.posted");
	tap_need(!tr2_spans_begin(&spans, place, wait, ".", "name"));
}

static inline void end_spans(void)
{
	tr2_spans_release(&spans);
	unlink("./name.posted");
}

/* Read an event, in pieces of so many bytes. Returns its length. */
static inline size_t read_event(const char *event, const char *sid,
				size_t piece)
{
	size_t len = (size_t)snprintf(text, sizeof(text), LINE, event, sid);
	size_t done, part;

	for (done = 0; done < len; done += part) {
		part = len - done < piece ? len - done : piece;
		tr2_spans_read(&spans, spans.at + spans.line.len, spans.number,
			       text + done, part);
	}
	return len;
}

static inline size_t count_body(void)
{
	size_t count = tr2_spans_count(&spans);

	tr2_spans_drop_body(&spans, tr2_spans_find_done(&spans).at);
	return count;
}

#endif
