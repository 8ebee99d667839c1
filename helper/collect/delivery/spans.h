/*
 * spans.h - lines of the journal to bodies of POSTs. A process becomes spans
 * when it ends, so until then the journal has to keep its events: the place
 * of an output that posts is the first event of the oldest process that is
 * still open. To hold the journal for ever is impossible, so after `wait` a
 * process is let go: its spans that have ended are posted, and the others
 * when they end; a restart of the service in between loses what it began
 * with.
 *
 * Limits: a process that was let go and is idle for 24 times `wait` counts as
 * ended, and so does the oldest one if there are more than 10,000. When the
 * events of a span have 64 KiB, the others are only counted.
 */
#ifndef TR2_DELIVERY_SPANS_H
#define TR2_DELIVERY_SPANS_H

#include <stdbool.h>

#include "views/otlp/otlp.h"
#include "read/events.h"
#include "lib/common/vec.h"

struct tr2_spans {
	struct tr2_events events;
	struct tr2_otlp otlp; /* `now` of a place is in ns */
	struct tr2_buf line;  /* the begin of a line that is not complete */
	struct tr2_buf body;  /* a TracesData, or nothing */
	uint64_t since;	      /* when the body began, in ns */
	uint64_t at, number;  /* bytes and lines of the journal before `line` */
	uint64_t wait;	      /* ns */
	uint64_t rest;	      /* ns */
	uint64_t before;      /* spans of bodies before this one, */
	uint64_t events_before; /* and their events */
	uint64_t foreign;	/* lines that are no event */
	bool is_event;		/* is the present line one? */
};

/* Begin at this place of the journal. It must not move until its release. */
void tr2_spans_begin(struct tr2_spans *spans, struct tr2_otlp_place place,
		     uint64_t wait);
void tr2_spans_release(struct tr2_spans *spans);

/*
 * A process that has ended may go on: a daemon writes on soon after the process
 * that started it has ended. So it becomes spans when it has rested this long;
 * 0, which is the default: at once.
 */
void tr2_spans_set_rest(struct tr2_spans *spans, uint64_t rest);

/*
 * Read bytes, of which the first is at this place; TR2_TOKENS_PADDING bytes
 * follow. If some are missing before it, lines were removed.
 */
void tr2_spans_read(struct tr2_spans *spans, uint64_t at, uint64_t line,
		    const char *bytes, size_t len);

/*
 * Let processes go that have waited for too long, or whose first event is
 * before this place, because the journal does not have it any more.
 */
void tr2_spans_let_go(struct tr2_spans *spans, uint64_t first);

/* Returns how many spans the body has. */
uint64_t tr2_spans_count(const struct tr2_spans *spans);

/* Returns how many lines so far are in no span. */
uint64_t tr2_spans_count_outside(const struct tr2_spans *spans);

/* The body was posted: begin the next one. */
void tr2_spans_drop_body(struct tr2_spans *spans);

/* Where to read again after a restart, if no body is left. */
struct tr2_otlp_place tr2_spans_find_done(const struct tr2_spans *spans);

#endif
