#include "model/totals/frame.h"

#include <string.h>

#include "lib/common/hash.h"

static uint32_t add_frame(struct tr2_frames *frames)
{
	tr2_vec_renew(&frames->frames, frames->frames.count,
		      sizeof(struct tr2_stack_frame));
	return frames->frames.count - 1;
}

void tr2_frames_begin(struct tr2_frames *frames)
{
	memset(frames, 0, sizeof(*frames));
	add_frame(frames);
}

uint32_t tr2_frames_add_process(struct tr2_frames *frames)
{
	uint32_t number = add_frame(frames);

	tr2_frame_at(frames, number)->table = TR2_TABLE_COMMANDS;
	return number;
}

uint32_t tr2_frames_enter(struct tr2_frames *frames,
			  const struct tr2_rows *rows, uint32_t parent,
			  uint32_t row)
{
	const uint32_t key[] = { parent, row };
	const struct tr2_row *from = tr2_rows_at(rows, row);
	struct tr2_map_slot *slot = tr2_map_enter(
		&frames->numbers, tr2_hash((const char *)key, sizeof(key)).a);
	struct tr2_stack_frame *frame;

	if (!slot->value) {
		slot->value = add_frame(frames);
		frame = tr2_frame_at(frames, (uint32_t)slot->value);
		frame->parent = parent;
		frame->table = from->table;
		memcpy(frame->name, from->name, sizeof(frame->name));
	}
	return (uint32_t)slot->value;
}

void tr2_frames_give(struct tr2_frames *frames, uint32_t frame, int64_t from,
		     int64_t to)
{
	TR2_VEC_PUT(&frames->pieces, struct tr2_piece, from, to, frame);
}

/* By frame, and then by time. */
TR2_COMPARE(compare_frames, tr2_piece, TR2_BY(frame, TR2_BY(from, 0)));

/* Pieces of one frame that touch each other become one. */
static void join_pieces(struct tr2_vec *pieces)
{
	struct tr2_piece *piece = pieces->items;
	uint32_t kept = 0;

	tr2_vec_sort(pieces, sizeof(*piece), compare_frames);
	for (uint32_t i = 0; i < pieces->count; i++)
		if (kept && piece[kept - 1].frame == piece[i].frame &&
		    piece[kept - 1].to == piece[i].from)
			piece[kept - 1].to = piece[i].to;
		else
			piece[kept++] = piece[i];
	pieces->count = kept;
}

/*
 * Find the depth of a frame and its root. A process may have a smaller number
 * than its parent, so first go up to a frame that is known, then down again;
 * meanwhile `root` has the way back.
 */
static void place_frame(struct tr2_frames *frames, uint32_t number)
{
	uint32_t below = TR2_FRAME_NONE, next, depth = 0, root = number;
	struct tr2_stack_frame *frame;

	for (; number && !tr2_frame_at(frames, number)->depth; number = next) {
		frame = tr2_frame_at(frames, number);
		next = frame->parent;
		frame->root = below;
		below = root = number;
	}
	if (number) {
		depth = tr2_frame_at(frames, number)->depth;
		root = tr2_frame_at(frames, number)->root;
	}
	for (; below; below = next) {
		frame = tr2_frame_at(frames, below);
		next = frame->root;
		frame->depth = ++depth;
		frame->root = root;
	}
}

struct placed_piece { /* With what they are sorted by. */
	struct tr2_piece piece;
	uint32_t root;
};

TR2_COMPARE(compare_placed, placed_piece, TR2_BY(root, TR2_BY(piece.from, 0)));

void tr2_frames_end(struct tr2_frames *frames)
{
	struct tr2_piece *piece = frames->pieces.items;
	struct tr2_vec list = { 0 };
	const struct placed_piece *placed;

	join_pieces(&frames->pieces);
	for (uint32_t i = 0; i < frames->pieces.count; i++) {
		place_frame(frames, piece[i].frame);
		if (piece[i].from < piece[i].to)
			TR2_VEC_PUT(&list, struct placed_piece, piece[i],
				    tr2_frame_at(frames, piece[i].frame)->root);
	}
	tr2_vec_sort(&list, sizeof(*placed), compare_placed);
	placed = list.items;
	for (uint32_t i = 0; i < list.count; i++)
		piece[i] = placed[i].piece;
	frames->pieces.count = list.count;
	tr2_vec_release(&list);
}

void tr2_frames_release(struct tr2_frames *frames)
{
	tr2_vec_release(&frames->frames);
	tr2_vec_release(&frames->pieces);
	tr2_map_release(&frames->numbers);
}
