/*
 * sorter.h - Chrome's trace events, those of a thread one after another.
 *
 * DevTools pairs the ends of slices over all threads by one stack, so that
 * a slice of one must not begin inside of one of another. Others do not
 * care. Only so much is held that the order is that of almost every log.
 */
#ifndef TR2_CONVERT_SORTER_H
#define TR2_CONVERT_SORTER_H

#include "convert/output.h"
#include "trace/agent/chrome.h"
#include "common/map.h"

struct tr2_sorter {
	struct tr2_output *output;
	struct tr2_chrome chrome;
	struct tr2_buf text; /* of all lines, as they came */
	struct tr2_sorter_line *lines;
	struct tr2_sorter_thread *threads; /* as they came */
	size_t lines_count, lines_room;
	size_t threads_count, threads_room;
	struct tr2_map known; /* which of them is which */
};

void tr2_sorter_begin(struct tr2_sorter *sorter, struct tr2_output *output);
void tr2_sorter_put(struct tr2_sorter *sorter,
		    const struct trace_reader_record *record);
/* Everything is in the output, and that is complete. */
void tr2_sorter_end(struct tr2_sorter *sorter);
void tr2_sorter_release(struct tr2_sorter *sorter);

#endif
