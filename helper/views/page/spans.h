/*
 * spans.h - the processes, threads and spans of EVENT logs, with their times.
 *
 * A span is a region, a child or the life of a thread. A program that takes the
 * place of a process by exec is a child, too, as in the tables. A mark is a
 * `data` or an `error` event. Times are microseconds: of processes in the scale
 * of tr2_record_time(), of all else since the begin of their process.
 */
#ifndef TR2_PAGE_SPANS_H
#define TR2_PAGE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/account/forest.h"
#include "model/totals/rows.h"
#include "lib/common/map.h"
#include "read/record.h"
#include "base/buf.h"
#include "views/result/result.h"

#define TR2_PAGE_NONE UINT32_MAX

enum tr2_page_kind { TR2_PAGE_REGION, TR2_PAGE_CHILD, TR2_PAGE_THREAD };

struct tr2_page_place { /* Of a span: the number of its thread, and there. */
	uint32_t thread, at;
};

struct tr2_page_process {
	struct tr2_vec open;  /* struct tr2_page_place: by place of the model */
	struct tr2_vec calls; /* the same: its children, as they began */
	uint32_t sid, argv;   /* numbers of texts */
	/* When there are no more events: */
	struct tr2_process_names names;
	int64_t base, now;    /* its begin and its end */
	int64_t code, signal; /* -1 and 0: none */
	bool ended, timed;
	uint32_t caller;	    /* its parent, or TR2_PAGE_NONE */
	struct tr2_page_place span; /* in which it ran, if `runs_in_span` */
	bool runs_in_span;
};

struct tr2_page_thread {
	uint32_t process, name;
	uint32_t life;	/* the place of its open span, or TR2_PAGE_NONE */
	uint32_t first; /* in the end: the spans of all threads before it */
	struct tr2_vec spans, marks; /* in the order in which they began */
};

struct tr2_page_span {
	int64_t start, length;
	uint32_t first, second; /* category and label; class and command */
	uint32_t note;		/* the region's message, or the child's argv */
	int32_t code;		/* of a child; 0: also if it is not known */
	uint8_t kind;
	bool unclosed;
	bool ends_last; /* where its process does */
};

struct tr2_page_mark {
	int64_t time;
	uint32_t category, key, value;
};

struct tr2_page_spans {		/* Zero it at first, and set the texts. */
	struct tr2_rows *texts; /* where texts get their numbers */
	struct tr2_vec processes, threads;
	struct tr2_vec ended; /* uint32_t: processes, by number in the tree */
	struct tr2_map by_thread; /* number + 1 */
	int64_t first;		  /* begin of all timed processes; 0: none is */
};

void tr2_page_spans_release(struct tr2_page_spans *spans);

/* The spans as a view of a forest; they are its taker. */
extern const struct tr2_forest_view tr2_page_view;

TR2_VEC_AT(tr2_page_process_at, tr2_page_spans, processes, tr2_page_process);

TR2_VEC_AT(tr2_page_thread_at, tr2_page_spans, threads, tr2_page_thread);

TR2_VEC_AT(tr2_page_span_at, tr2_page_thread, spans, tr2_page_span);

/*
 * What the page shows, as one JSON object.
 *
 * It is compact: numbers instead of objects, each text once, and times as
 * differences to the one before, or in a thread to the begin of its process.
 * script/1-record.js reads it; a browser needs no more.
 *
 *	origin	milliseconds since 1970, at which all other times begin
 *	wall	when the last process ends
 *	texts	each different text; number 0 is ""
 *	whats	[kind, first, second] of spans; kind is that above
 *	keys	[category, key] of marks
 *	processes, threads, spans, marks, flame  so many numbers of each, which
 *		script/1-record.js names; a thread has how many spans and marks
 *		are its own, and `flame` the nodes of stacks of owners, of which
 *		the first one is around all roots
 *	few	[span, text, code, whether its end is missing] of some
 *	explained  [number of a what, what git does, settings]
 *	summary	what `trace2 summary --format json` prints
 *	failure, advice  lines of text
 *	findings	what `trace2 validate --format json` has, and how many
 */

/* Put all but the closing brace. The spans have ended. */
void tr2_page_data_put(struct tr2_buf *out, const struct tr2_page_spans *spans,
		       const struct tr2_result *result);

/* What data.c and more.c share: a page's data while it is put. */

struct page_data {
	struct tr2_buf *out;
	const struct tr2_page_spans *spans;
	uint32_t *places;    /* of texts on the page; 0: it is not there yet */
	struct tr2_vec used; /* uint32_t: numbers of texts, by place */
	struct tr2_map kinds;
	struct tr2_vec whats; /* uint32_t: three for each kind of span, */
	struct tr2_vec keys;  /* two for each kind of mark */
};

/* Put an element of an array. */
void tr2_page_put_number(struct page_data *data, int64_t value);

/* The same: the place of a text, which the page gets. */
void tr2_page_put_text(struct page_data *data, uint32_t number);

/* more.c: what the flame graph shows, */
void tr2_page_put_flame(struct page_data *data,
			const struct tr2_forest *forest);

/* what git does in its regions, */
void tr2_page_put_explained(struct page_data *data);

/* and what summary says in words. */
void tr2_page_put_lines(struct tr2_buf *out, const struct tr2_result *result);

#endif
