/*
 * frame.h - the stacks of a process alone: which span was in which. A frame is
 * a region or a kind of child, inside another frame or, at the bottom, in the
 * process.
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
	uint32_t parent;      /* TR2_FRAME_NONE: it is in the process itself */
	enum tr2_table table; /* regions or children */
	uint32_t name[2];     /* numbers of texts */
};

struct tr2_frames {
	struct tr2_vec frames; /* struct tr2_stack_frame; number 0 is none */
	struct tr2_map numbers;
	uint64_t cut; /* spans that were too deep */
};

TR2_VEC_AT(tr2_frame_at, tr2_frames, frames, tr2_stack_frame);

void tr2_frames_begin(struct tr2_frames *frames);

/* Returns the frame of a row inside another frame. */
uint32_t tr2_frames_enter(struct tr2_frames *frames,
			  const struct tr2_rows *rows, uint32_t parent,
			  uint32_t row);

void tr2_frames_release(struct tr2_frames *frames);

#endif
