/*
 * cut.h - what an archive holds between two times.
 *
 * A slice, a span or a flow that lies in the time in part stays whole, so that
 * what stays tells the truth about its length; all else stays if its moment
 * is inside. Names, threads and the like always stay, and the order does, so
 * each record means what it meant. Memory grows with what stays and with what
 * began before.
 */
#ifndef TR2_CONVERT_CUT_H
#define TR2_CONVERT_CUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "read/fxt_log.h"

struct tr2_cut {
	int64_t from, to; /* microseconds after the first time */
	bool has_begun;	  /* there was a time, */
	uint64_t begun;	  /* in ns */
	bool has_any;	  /* something that has a time stays */
	struct tr2_buf bytes;
	struct tr2_vec pieces; /* struct tr2_cut_piece: of the bytes */
	struct tr2_map open;   /* of a thread or span, its last begin */
};

void tr2_cut_put(struct tr2_cut *cut, const struct trace_reader_record *record);

/* There are no more records: put those that stay. */
void tr2_cut_end(struct tr2_cut *cut, struct tr2_buf *out);

void tr2_cut_release(struct tr2_cut *cut);

#endif
