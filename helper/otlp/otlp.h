/*
 * otlp.h - the room that turns EVENT logs into spans of OpenTelemetry. Give
 * it events with tr2_otlp_event(), and it gives back a text for each process:
 * one TracesData of OTLP/JSON without a line end, which may be a line of a
 * file or the body of a POST to /v1/traces.
 *
 *	otlp.c    events to the process that they belong to
 *	event.c   an event to its process; process.c: to a TracesData
 *	span.c    a span while it is open, and its JSON
 *	put.c     attributes and events of spans as JSON
 *	ids.c     trace and span ids
 *
 * A process, a region and a child are spans; errors, data and printf are
 * events of the innermost region that is open on their thread, or of the
 * process; timers and counters are attributes of the process.
 *
 * Memory depends on the processes that are open. The room knows records
 * (helper/rules) and no file, option or socket.
 */
#ifndef TR2_OTLP_OTLP_H
#define TR2_OTLP_OTLP_H

#include "common/map.h"
#include "rules/record.h"

/* Takes a TracesData, valid until it returns. */
typedef void tr2_otlp_fn(void *context, const char *json, size_t len);

struct tr2_otlp {
	tr2_otlp_fn *put;
	void *context;
	struct tr2_map processes; /* from the hash of a SID; 1: it has ended */
	uint64_t begun;		  /* processes, */
	uint64_t late;		  /* and events after the end of theirs */
};

void tr2_otlp_begin(struct tr2_otlp *otlp, tr2_otlp_fn *put, void *context);

/* A tr2_checker_fn, for struct tr2_otlp. */
void tr2_otlp_event(void *otlp, struct tr2_record *record);

/* There are no more events: put the processes that have no end. */
void tr2_otlp_end(struct tr2_otlp *otlp);

void tr2_otlp_release(struct tr2_otlp *otlp);

#endif
