/* process.h - a process while its events come. */
#ifndef TR2_OTLP_PROCESS_H
#define TR2_OTLP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/common/vec.h"
#include "views/otlp/otlp.h"

/*
 * The ids of traces and spans. Those of processes are the ones that
 * trace2receiver gives them, so that spans of both join:
 *
 *	trace	bytes 0 to 15 of SHA-256 of the SID's first component
 *	span	bytes 16 to 23 of SHA-256 of its last component
 *	parent	the span of the component before
 *
 * Where a component repeats the one before it, as in SIDs of git-repo, the
 * process would be its own parent: both are one span here. A component that
 * repeats an earlier one has the span of the whole SID up to it.
 */

#define TR2_OTLP_TRACE 16
#define TR2_OTLP_SPAN 8

struct tr2_otlp_ids {
	unsigned char trace[TR2_OTLP_TRACE], span[TR2_OTLP_SPAN];
	unsigned char parent[TR2_OTLP_SPAN];
	bool has_parent;
	bool joined; /* a TRACEPARENT gave them */
};

/* The id of the span with this number in the process. */
void tr2_otlp_inner_id(unsigned char *span, const char *sid, size_t len,
		       uint64_t number);

/* A span while it is open, and its JSON. */

enum tr2_otlp_kind { TR2_OTLP_INTERNAL = 1, TR2_OTLP_SERVER = 2 };

struct tr2_otlp_span {
	struct tr2_otlp_ids ids;
	enum tr2_otlp_kind kind;
	bool failed;
	uint64_t crowded; /* events beyond the limit */
	int64_t start;	  /* when it is put */
	struct tr2_buf name;
	struct tr2_buf attributes; /* elements of JSON arrays */
	struct tr2_buf events;
	struct tr2_buf failure; /* inside of a JSON string */
};

void tr2_otlp_put_id(struct tr2_buf *out, const unsigned char *id,
		     size_t count);

/* Put the span, with a comma before it if it is not the first one. */
void tr2_otlp_put_span(struct tr2_buf *out, const struct tr2_otlp_span *span,
		       int64_t end);
void tr2_otlp_span_release(struct tr2_otlp_span *span);

/* Put the whole text, which lacks what `failed` says. */
void tr2_otlp_put_all(struct tr2_buf *out, const struct tr2_buf *text);

/* put.c: elements of a list of attributes, with the commas between them. */
void tr2_otlp_put_text(struct tr2_buf *out, const char *key, const char *text,
		       size_t len);
void tr2_otlp_put_digits(struct tr2_buf *out, const char *key, int64_t value);
void tr2_otlp_put_integer(struct tr2_buf *out, const char *key, int64_t value);
void tr2_otlp_put_pair(struct tr2_buf *out, const struct tr2_record *record,
		       const struct tr2_value *name,
		       const struct tr2_value *value);

/*
 * The value of a key of the event, if it is there: a text, an integer, another
 * number, a list of texts, or JSON as text.
 */
void tr2_otlp_put_value(struct tr2_buf *out, const char *name,
			struct tr2_record *record, enum tr2_key key);

struct tr2_otlp_field { /* The attribute that a key becomes. */
	enum tr2_key key;
	const char *name;
};

/* The values of those that the event has. */
void tr2_otlp_put_values(struct tr2_buf *out, struct tr2_record *record,
			 const struct tr2_otlp_field *field, size_t count);

/* An event of a span, with its values. */
void tr2_otlp_put_event(struct tr2_buf *out, struct tr2_record *record,
			int64_t time);

/*
 * Put a timer or counter as an attribute:
 * "trace2.process.timers.CATEGORY.NAME", or "trace2.thread.timers.THREAD" and
 * the same. Of one name, which gets among `names`, the first one counts.
 */
void tr2_otlp_put_total(struct tr2_buf *out, struct tr2_record *record,
			struct tr2_map *names);

/* What the process is called. */
struct tr2_otlp_name {
	struct tr2_buf exe, verb, mode;
};

/* What an event that comes again replaces, as one attribute each. */
enum tr2_otlp_latest {
	TR2_OTLP_VERSION,
	TR2_OTLP_ARGV,
	TR2_OTLP_HIERARCHY,
	TR2_OTLP_ANCESTRY,
	TR2_OTLP_RESOURCE, /* those from here on are of the resource */
	TR2_OTLP_SERVICE_VERSION = TR2_OTLP_RESOURCE,
	TR2_OTLP_ARGUMENTS,
	TR2_OTLP_ATTRIBUTES, /* that collect added */
	TR2_OTLP_LATEST
};

struct tr2_otlp_process {
	struct tr2_life life;
	struct tr2_otlp_place first; /* of its first event */
	struct tr2_otlp_span span;
	struct tr2_buf sid, done; /* spans that have ended */
	uint64_t done_count;
	uint64_t events; /* that no span was put of yet */
	struct tr2_buf latest[TR2_OTLP_LATEST];
	struct tr2_map totals; /* names of those that came */
	struct tr2_otlp_name name;
	bool has_service;    /* the attributes name it */
	struct tr2_vec open; /* struct tr2_otlp_span, by the span's place */
};

struct tr2_otlp_step { /* One event. */
	struct tr2_otlp *otlp;
	struct tr2_otlp_process *process;
	struct tr2_record *record;
	const struct tr2_moment *moment;
};

static inline struct tr2_otlp_span *
tr2_otlp_span_at(struct tr2_otlp_process *process, uint32_t place)
{
	return (struct tr2_otlp_span *)process->open.items + place;
}

/* The span has ended, so long after its begin. */
void tr2_otlp_end_span(struct tr2_otlp_process *process,
		       struct tr2_otlp_span *span, int64_t begin,
		       int64_t length);

/*
 * The process has this TRACEPARENT, and so have the spans that are open. One
 * that comes after a span has ended is too late.
 */
void tr2_otlp_join_trace(struct tr2_otlp_process *process, const char *text,
			 size_t len);

/* Put the spans that have ended, if there are any. The process goes on. */
void tr2_otlp_put_part(struct tr2_otlp *otlp, struct tr2_otlp_process *process);

/* Members of the view: a process begins, and is put with its spans. */
void tr2_otlp_begin_process(void *otlp, struct tr2_life *life, const char *sid,
			    size_t len);
bool tr2_otlp_end_process(void *otlp, struct tr2_life *life);
void tr2_otlp_release_process(struct tr2_life *life);

/* event.c */
/* Its exit code; it failed, if that is not 0. */
void tr2_otlp_keep_code(struct tr2_otlp_span *span, const char *name,
			int64_t code);
/* It failed: how, and a number or NULL are its message and its error.type. */
void tr2_otlp_fail(struct tr2_otlp_span *span, const char *how,
		   const int64_t *number);
extern const struct tr2_walk_view tr2_otlp_view;

#endif
