/*
 * frame.h - the stacks of owners: which span was in which, for formats that
 * show stacks. A frame is a process, or a region or a kind of child inside
 * another frame.
 *
 * A piece is a time in which a frame was on top. Memory grows with the number
 * of pieces, thus with the log.
 */
#ifndef TR2_TOTALS_FRAME_H
#define TR2_TOTALS_FRAME_H

#include "model/totals/rows.h"

#define TR2_FRAME_NONE 0
#define TR2_FRAME_MOST ((UINT32_C(1) << 27) - 1)

/*
 * More spans of a process than this are not put into each other: the time of
 * those inside belongs to the last one. A stack is written for each piece, so
 * a log with very deep stacks would become very large.
 */
#define TR2_FRAME_DEPTH 250

struct tr2_stack_frame {
	uint32_t parent;      /* TR2_FRAME_NONE: it is a root */
	uint32_t depth, root; /* set at the end; a root has depth 1 */
	enum tr2_table table; /* commands, regions or children */
	uint32_t name[2];     /* numbers of texts; a process has one */
};

struct tr2_piece {
	int64_t from, to; /* in microseconds */
	uint32_t frame;
};

struct tr2_frames {
	struct tr2_vec frames; /* struct tr2_stack_frame; number 0 is none */
	struct tr2_map numbers;
	struct tr2_vec pieces; /* struct tr2_piece */
	uint64_t cut;	       /* spans that were too deep */
};

TR2_VEC_AT(tr2_frame_at, tr2_frames, frames, tr2_stack_frame);

void tr2_frames_begin(struct tr2_frames *frames);

/* Returns the frame of a new process, whose name and parent come later. */
uint32_t tr2_frames_add_process(struct tr2_frames *frames);

/* Returns the frame of a row inside another frame. */
uint32_t tr2_frames_enter(struct tr2_frames *frames,
			  const struct tr2_rows *rows, uint32_t parent,
			  uint32_t row);

/* The frame was on top then. */
void tr2_frames_give(struct tr2_frames *frames, uint32_t frame, int64_t from,
		     int64_t to);

/* There are no more pieces: put them in order of their root, then of time. */
void tr2_frames_end(struct tr2_frames *frames);

void tr2_frames_release(struct tr2_frames *frames);

#endif
