#include <stdlib.h>

#include "lib/common/memory.h"
#include "views/convert/profile.h"
#include "lib/text/foreign.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope {
	const struct tr2_profile *profile;
	struct tr2_buf *out;
	struct tr2_rows names; /* has only texts; number 0 is not a frame's */
	uint32_t *numbers;     /* of the name of each frame */
	struct tr2_vec stack;
};

/* Frames with the same name are one for speedscope. */
static void number_frames(struct speedscope *scope)
{
	uint32_t i, count = scope->profile->frames.frames.count;
	struct tr2_buf name = TR2_BUF_INIT;

	tr2_rows_begin(&scope->names);
	scope->numbers = tr2_must_zeros(count * sizeof(*scope->numbers));
	for (i = 1; i < count; i++) {
		tr2_buf_reset(&name);
		tr2_profile_frame(&name, scope->profile, i);
		if (name.failed)
			tr2_memory_out();
		scope->numbers[i] =
			tr2_rows_name(&scope->names, name.bytes, name.len) - 1;
	}
	tr2_buf_release(&name);
}

static void put_frames(struct speedscope *scope)
{
	uint32_t i;

	tr2_buf_str(scope->out, "\"shared\":{\"frames\":[");
	for (i = 1; i < scope->names.texts.count; i++) {
		tr2_buf_str(scope->out,
			    i > 1 ? ",\n{\"name\":" : "\n{\"name\":");
		tr2_foreign_json(scope->out,
				 tr2_rows_text(&scope->names, i, NULL));
		tr2_buf_byte(scope->out, '}');
	}
	tr2_buf_str(scope->out, "]},\n\"profiles\":[");
}

static void put_stack(struct speedscope *scope, uint32_t frame)
{
	const uint32_t *item;
	uint32_t i;

	tr2_profile_stack(&scope->profile->frames, frame, &scope->stack);
	item = scope->stack.items;
	for (i = 0; i < scope->stack.count; i++) {
		tr2_buf_byte(scope->out, i ? ',' : '[');
		tr2_buf_uint(scope->out, scope->numbers[item[i]]);
	}
	tr2_buf_byte(scope->out, ']');
}

static uint32_t find_root(const struct speedscope *scope,
			  const struct tr2_piece *piece)
{
	return tr2_frame_at(&scope->profile->frames, piece->frame)->root;
}

/* Returns the number of pieces that have the root of the first one. */
static uint32_t count_pieces(const struct speedscope *scope,
			     const struct tr2_piece *piece, uint32_t left)
{
	uint32_t root = find_root(scope, piece), count = 1;

	while (count < left && find_root(scope, piece + count) == root)
		count++;
	return count;
}

/* The time of a root: its pieces follow each other without a gap. */
static void put_profile(struct speedscope *scope, const struct tr2_piece *piece,
			uint32_t count)
{
	uint32_t root = find_root(scope, piece), i;

	tr2_buf_str(scope->out, "\n{\"type\":\"sampled\",\"name\":");
	tr2_foreign_json(scope->out,
			 tr2_rows_text(&scope->names, scope->numbers[root] + 1,
				       NULL));
	tr2_buf_str(scope->out, ",\"unit\":\"microseconds\",\"startValue\":0,"
				"\"endValue\":");
	tr2_buf_int(scope->out, piece[count - 1].to - piece->from);
	tr2_buf_str(scope->out, ",\n\"samples\":[");
	for (i = 0; i < count; i++) {
		if (i)
			tr2_buf_byte(scope->out, ',');
		put_stack(scope, piece[i].frame);
	}
	tr2_buf_str(scope->out, "],\n\"weights\":[");
	for (i = 0; i < count; i++) {
		if (i)
			tr2_buf_byte(scope->out, ',');
		tr2_buf_int(scope->out, piece[i].to - piece[i].from);
	}
	tr2_buf_str(scope->out, "]}");
}

void tr2_profile_speedscope(const struct tr2_profile *profile,
			    struct tr2_buf *out)
{
	struct speedscope scope = { .profile = profile, .out = out };
	const struct tr2_piece *piece = profile->frames.pieces.items;
	uint32_t left = profile->frames.pieces.count, count;

	number_frames(&scope);
	tr2_buf_str(out, "{\"$schema\":\"" SCHEMA "\",\n"
			 "\"exporter\":\"trace2 " TRACE2_VERSION "\",\n");
	put_frames(&scope);
	for (; left; left -= count, piece += count) {
		if (left < profile->frames.pieces.count)
			tr2_buf_byte(out, ',');
		count = count_pieces(&scope, piece, left);
		put_profile(&scope, piece, count);
	}
	tr2_buf_str(out, "]}\n");
	free(scope.numbers);
	tr2_vec_release(&scope.stack);
	tr2_rows_release(&scope.names);
}
