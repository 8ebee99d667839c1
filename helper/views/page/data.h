/*
 * data.h - what the page shows, as one JSON object.
 *
 * It is compact: columns instead of objects, each text once, and times as
 * differences to the one before. script/1-record.js reads it; a browser needs no more.
 *
 *	origin	milliseconds since 1970, at which all other times begin
 *	wall	when the last process ends
 *	texts	each different text; number 0 is ""
 *	whats	[kind, first, second] of spans; kind is that of spans.h
 *	keys	[category, key] of marks
 *	processes, threads  columns
 *	spans, marks  columns; `counts` has the number of each thread's
 *	flame	nodes of stacks of owners; the first one is around all roots
 *	explained  [number of a what, what git does, settings]
 *	summary	what `trace2 summary --format json` prints
 *	failure, advice  lines of text
 *	findings	what `trace2 validate --format json` has, and how many
 */
#ifndef TR2_PAGE_DATA_H
#define TR2_PAGE_DATA_H

#include "base/buf.h"
#include "views/page/spans.h"

struct tr2_result;

/* Put all but the closing brace. The spans have ended. */
void tr2_page_data_put(struct tr2_buf *out, const struct tr2_page_spans *spans,
		       const struct tr2_result *result);

#endif
