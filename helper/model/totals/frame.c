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

void tr2_frames_release(struct tr2_frames *frames)
{
	tr2_vec_release(&frames->frames);
	tr2_map_release(&frames->numbers);
}
