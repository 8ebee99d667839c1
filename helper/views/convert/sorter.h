/*
 * sorter.h - write Chrome's trace events, thread by thread.
 *
 * DevTools pairs begins and ends of slices with one stack for all threads. So
 * a slice of one thread must not begin inside a slice of another one in the
 * file; other readers accept any order. Events are held up to a limit that is
 * large enough for almost every log.
 */
#ifndef TR2_CONVERT_SORTER_H
#define TR2_CONVERT_SORTER_H

#include "lib/files/output.h"
#include "trace/chrome/chrome.h"
#include "lib/common/map.h"
#include "lib/common/vec.h"

struct tr2_sorter {
	struct tr2_output *output;
	struct tr2_chrome chrome;
	struct tr2_buf text;  /* of all lines, in the order of the input */
	struct tr2_vec lines; /* struct tr2_sorter_line */
	struct tr2_vec
		threads;      /* struct tr2_sorter_thread, in the same order */
	struct tr2_map known; /* hash of a thread to its place in threads */
};

void tr2_sorter_begin(struct tr2_sorter *sorter, struct tr2_output *output);
void tr2_sorter_put(struct tr2_sorter *sorter,
		    const struct trace_reader_record *record);
/* Write everything that is held, and complete the output. */
void tr2_sorter_end(struct tr2_sorter *sorter);
void tr2_sorter_release(struct tr2_sorter *sorter);

#endif
