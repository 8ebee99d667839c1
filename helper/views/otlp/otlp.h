/*
 * otlp.h - the room that turns EVENT logs into spans of OpenTelemetry. Give
 * it events with tr2_otlp_event(), and it gives back a text for each process:
 * one ResourceSpans of OTLP/JSON. A TracesData, which may be a line of a file
 * or the body of a POST to /v1/traces, is a list of them:
 *
 *	TR2_OTLP_HEAD  ResourceSpans  [ ","  ResourceSpans ]...  TR2_OTLP_TAIL
 *
 *	otlp.c    when a process is put, as a whole or in parts
 *	event.c   an event to its process; process.c: to a TracesData, with ids
 *	put.c     spans, their attributes and events as JSON
 *
 * A process, a region and a child are spans; errors, data and printf are
 * events of the innermost region that is open on their thread, or of the
 * process; timers and counters are attributes of the process.
 *
 * A log that ends puts each process once. For logs without an end the caller
 * names the place of each event, and lets processes go that are open for long:
 * their spans that have ended are put before the process ends. Those of the
 * walk that are aside were let go; the others are held. It ends with the walk.
 *
 * Memory depends on the processes that are open. The room knows records
 * (helper/rules) and no file, option or socket.
 */
#ifndef TR2_OTLP_OTLP_H
#define TR2_OTLP_OTLP_H

#include "model/walk.h"

#define TR2_OTLP_HEAD "{\"resourceSpans\":["
#define TR2_OTLP_TAIL "]}"

/* Takes a ResourceSpans, valid until it returns. */
typedef void tr2_otlp_fn(void *context, const char *json, size_t len);

/* Where and when the caller got an event; only he knows the units. */
struct tr2_otlp_place {
	uint64_t at, line;
	uint64_t now;
};

struct tr2_otlp {
	struct tr2_walk walk;
	tr2_otlp_fn *put;
	void *context;
	size_t part_most; /* bytes of ended spans to put at once, or 0 */
	/*
	 * When the events of a span have so many bytes of JSON, the others are
	 * only counted. 0: no limit.
	 */
	size_t events_most;
	struct tr2_otlp_place place; /* of the present event */
	uint64_t spans;		     /* that were put, */
	uint64_t events;	     /* of which they were made, */
	uint64_t crowded;	     /* beyond that limit, */
	uint64_t foreign;	     /* and without a SID or a name */
};

void tr2_otlp_begin(struct tr2_otlp *otlp, tr2_otlp_fn *put, void *context);

/* A tr2_events_fn, for struct tr2_otlp. */
void tr2_otlp_event(void *otlp, struct tr2_record *record);

/* The place of the first event of the oldest process that is held, or NULL. */
const struct tr2_otlp_place *tr2_otlp_find_held(const struct tr2_otlp *otlp);

/* Let the oldest process that is held go: put its spans that have ended. */
void tr2_otlp_let_go(struct tr2_otlp *otlp);

/*
 * Put the processes that were let go and have had no event since `before` (a
 * `now`), as if they had ended there. Of the others, `most` may stay.
 */
void tr2_otlp_put_idle(struct tr2_otlp *otlp, uint64_t before, size_t most);

/* Put the processes that have ended and have had no event since `before`. */
void tr2_otlp_put_ended(struct tr2_otlp *otlp, uint64_t before);

#endif
