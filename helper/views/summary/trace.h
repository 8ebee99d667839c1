/*
 * trace.h - traces by name: archives of the FXT format, and files of Chrome's
 * trace events, of any program. They have spans and no commands, so they are
 * summed up on their own.
 *
 * A span of a thread owns the time in which no span inside it is open; one that
 * is asynchronous owns none, because it runs beside the threads. Memory grows
 * with the number of spans.
 */
#ifndef TR2_SUMMARY_TRACE_H
#define TR2_SUMMARY_TRACE_H

#include "lib/common/map.h"
#include "views/archive/writer.h"
#include "views/result/result.h"
#include "views/symbols/functions.h"

struct tr2_trace_intake { /* Zero it at first. */
	struct tr2_trace_counts counts;
	struct tr2_rows *rows; /* get the sums */
	struct tr2_functions functions;
	struct tr2_chrome_log chrome;
	struct tr2_vec spans; /* struct trace_span */
	struct tr2_map known; /* processes, threads */
	struct tr2_map open;  /* the last open span of each, + 1 */
	uint64_t first, last; /* times in ns */
};

void tr2_trace_take(struct tr2_trace_intake *trace,
		    const struct trace_reader_record *record);

/* There are no more files: sum up. False: there was no event. */
bool tr2_trace_end(struct tr2_trace_intake *trace);

void tr2_trace_release(struct tr2_trace_intake *trace);

#endif
