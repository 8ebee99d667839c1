/* convert_part.h - what the files of the room share. */
#ifndef TR2_CONVERT_CONVERT_PART_H
#define TR2_CONVERT_CONVERT_PART_H

#include <stdbool.h>

#include "base/buf.h"
#include "lib/common/map.h"
#include "trace/reader.h"
#include "lib/whole/output.h"
#include "trace/chrome/chrome.h"
#include "lib/common/vec.h"
#include "read/fxt_log.h"
#include "model/account/forest.h"
#include "read/read.h"
#include "cli/options.h"
#include "views/convert/convert.h"

/*
 * Write an archive's records as packets of Perfetto's TrackEvent, a format of
 * Protocol Buffers (TracePacket, TrackDescriptor, TrackEvent).
 *
 * Each process and thread is a track, and so is each asynchronous span and each
 * series of a counter. Texts stand where they are used, so each packet means
 * something alone, and readers sort them by time. Memory grows with the number
 * of tracks. Zero it at first.
 */
struct tr2_perfetto {
	struct tr2_buf *out;
	struct tr2_buf packet, event, part; /* messages that are being made */
	struct tr2_map tracks;		    /* those that are described */
	unsigned long left_out;		    /* records without a form here */
};

void tr2_perfetto_put(struct tr2_perfetto *perfetto,
		      const struct trace_reader_record *record);

void tr2_perfetto_release(struct tr2_perfetto *perfetto);

/*
 * Write Chrome's trace events, thread by thread.
 *
 * DevTools pairs begins and ends of slices with one stack for all threads. So
 * a slice of one thread must not begin inside a slice of another one in the
 * file; other readers accept any order. Events are held up to a limit that is
 * large enough for almost every log.
 */
struct tr2_sorter {
	struct tr2_output *output;
	struct tr2_chrome chrome;
	struct tr2_buf text;  /* of all lines, in the order of the input */
	struct tr2_vec lines; /* struct tr2_sorter_line */
	struct tr2_map known; /* hash of a thread to its number */
};

void tr2_sorter_begin(struct tr2_sorter *sorter, struct tr2_output *output);
void tr2_sorter_put(struct tr2_sorter *sorter,
		    const struct trace_reader_record *record);
/* Write everything that is held, and complete the output. */
void tr2_sorter_end(struct tr2_sorter *sorter);
void tr2_sorter_release(struct tr2_sorter *sorter);

/*
 * What an archive holds between two times.
 *
 * A slice, a span or a flow that lies in the time in part stays whole, so that
 * what stays tells the truth about its length; all else stays if its moment
 * is inside. Names, threads and the like always stay, and the order does, so
 * each record means what it meant. Any file may have the first event, so memory
 * grows with all that is earlier than the end.
 */
struct tr2_cut {
	int64_t from, to;  /* microseconds after the earliest time */
	uint64_t begun[2]; /* that so far, in ns; of times with a date: [1] */
	bool has_any;	   /* something that has a time stays */
	struct tr2_buf bytes;
	struct tr2_vec pieces; /* struct tr2_cut_piece: of the bytes */
	struct tr2_map open;   /* of a thread or span, its last begin */
};

void tr2_cut_begin(struct tr2_cut *cut, int64_t from, int64_t to);

void tr2_cut_put(struct tr2_cut *cut, const struct trace_reader_record *record);

/* There are no more records: put those that stay. */
void tr2_cut_end(struct tr2_cut *cut, struct tr2_buf *out);

void tr2_cut_release(struct tr2_cut *cut);

/*
 * EVENT logs as stacks of owners, for viewers of profiles: folded
 * stacks for flamegraph.pl, and speedscope's JSON.
 *
 * Each microsecond belongs to one stack: the processes, regions and children
 * that were open, outermost first (see helper/model/account). So the numbers
 * add up to the time of the root processes.
 */
/* There are no more events: tell what no stack has. False: there is none. */
bool tr2_profile_end(struct tr2_forest *forest);

/*
 * A line for each stack: its frames with `;` between them, a blank and
 * microseconds.
 */
void tr2_profile_folded(const struct tr2_forest *forest, struct tr2_buf *out);

/* A profile for each root, with its stacks in the order of time. */
void tr2_profile_speedscope(const struct tr2_forest *forest,
			    struct tr2_buf *out);

/* The command line of `trace2 convert`. */

struct tr2_convert_options {
	enum tr2_convert_target target;
	const char *in, *out;
	int64_t from, to; /* microseconds; INT64_MAX: to the end */
};

static inline bool
tr2_convert_options_cut(const struct tr2_convert_options *options)
{
	return options->from || options->to != INT64_MAX;
}

extern const struct tr2_cli tr2_convert_cli;

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
int tr2_convert_options_read(struct tr2_convert_options *options, char **argv);

#endif
