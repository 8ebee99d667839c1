/* span.h - a span while it is open, and its JSON. */
#ifndef TR2_OTLP_SPAN_H
#define TR2_OTLP_SPAN_H

#include "lib/common/map.h"
#include "views/otlp/ids.h"
#include "read/record.h"

enum tr2_otlp_kind { TR2_OTLP_INTERNAL = 1, TR2_OTLP_SERVER = 2 };

struct tr2_otlp_span {
	struct tr2_otlp_ids ids;
	enum tr2_otlp_kind kind;
	bool failed;
	uint64_t crowded;	   /* events beyond the limit */
	int64_t start;		   /* when it is put */
	struct tr2_buf name;	   /* inside of a JSON string */
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

/* put.c: elements of a list of attributes, with the commas between them. */
void tr2_otlp_put_text(struct tr2_buf *out, const char *key, const char *text,
		       size_t len);
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

/* An event of a span, with its values. */
void tr2_otlp_put_event(struct tr2_buf *out, struct tr2_record *record,
			int64_t time);

/*
 * Append the name of a timer or counter as an attribute:
 * "trace2.process.timers.CATEGORY.NAME", or "trace2.thread.timers.THREAD" and
 * the same. A name that is among those of the process already gets a number,
 * so that all differ.
 */
void tr2_otlp_name_total(struct tr2_buf *name, struct tr2_record *record,
			 struct tr2_map *names);

/* Put it under this name. */
void tr2_otlp_put_total(struct tr2_buf *out, struct tr2_record *record,
			const struct tr2_buf *name);

/* Put microseconds since 1970 as nanoseconds in quotes. */
void tr2_otlp_put_time(struct tr2_buf *out, int64_t us);

#endif
