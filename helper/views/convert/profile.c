#include "views/convert/convert_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/*
 * A process without time is in no stack: its log has one event only, or it
 * went on while no span of its parent was open. The depth of what is in one is
 * known.
 */
static uint64_t count_timeless(const struct tr2_frames *frames)
{
	uint64_t count = 0;

	for (uint32_t i = 1; i < frames->frames.count; i++)
		count += tr2_frame_at(frames, i)->table == TR2_TABLE_COMMANDS &&
			 !tr2_frame_at(frames, i)->depth;
	return count;
}

bool tr2_profile_end(struct tr2_forest *forest)
{
	uint64_t timeless;

	tr2_forest_end(forest);
	tr2_frames_end(&forest->stacks);
	timeless = count_timeless(&forest->stacks);
	/* Stacks have the time of root processes, so nothing is lost. */
	if (timeless)
		fprintf(stderr,
			"trace2 convert: processes without time in any stack: "
			"%" PRIu64 "\n",
			timeless);
	return forest->stacks.pieces.count > 0;
}

static void put_frame_name(struct tr2_buf *out, const struct tr2_forest *forest,
			   uint32_t number)
{
	const struct tr2_stack_frame *frame =
		tr2_frame_at(&forest->stacks, number);
	size_t len, from;
	const char *text = tr2_rows_text(&forest->rows, frame->name[0], &len);

	if (frame->table == TR2_TABLE_CHILDREN)
		tr2_buf_str(out, "child ");
	from = out->len;
	tr2_foreign_line(out, text, len);
	if (frame->table != TR2_TABLE_COMMANDS) {
		tr2_buf_byte(out, '/');
		text = tr2_rows_text(&forest->rows, frame->name[1], &len);
		tr2_foreign_line(out, text, len);
	} else if (out->len == from) {
		tr2_buf_str(out, "(none)");
	}
}

struct folded { /* A stack. */
	const char *text;
	uint64_t us;
};

TR2_COMPARE(compare_folded, folded, TR2_BY_TEXT(text, 0));

/* Those around the frame come first; flamegraph.pl divides a line at `;`. */
static void put_folded(struct tr2_buf *out, const struct tr2_forest *forest,
		       uint32_t number)
{
	const struct tr2_stack_frame *frame =
		tr2_frame_at(&forest->stacks, number);
	size_t at;

	if (frame->depth > 1) {
		put_folded(out, forest, frame->parent);
		tr2_buf_byte(out, ';');
	}
	at = out->len;
	put_frame_name(out, forest, number);
	for (; at < out->len; at++)
		if (out->bytes[at] == ';')
			out->bytes[at] = ',';
}

/* Returns the time of each frame, by its number. */
static uint64_t *add_pieces(const struct tr2_frames *frames)
{
	uint64_t *sums = tr2_must_zeros(frames->frames.count * sizeof(*sums));
	const struct tr2_piece *piece = frames->pieces.items;

	for (uint32_t i = 0; i < frames->pieces.count; i++, piece++)
		sums[piece->frame] += (uint64_t)(piece->to - piece->from);
	return sums;
}

/* Those with the same text are one, in the order of their texts. */
static struct tr2_vec list_folded(const struct tr2_forest *forest,
				  struct tr2_rows *texts)
{
	uint64_t *sums = add_pieces(&forest->stacks);
	struct tr2_buf text = TR2_BUF_INIT;
	struct tr2_vec stacks = { 0 };
	struct folded *folded;
	uint32_t number;

	for (uint32_t i = 1; i < forest->stacks.frames.count; i++) {
		if (!sums[i])
			continue;
		put_folded(&text, forest, i);
		number = tr2_rows_take(texts, &text); /* not that of "", 0 */
		folded = tr2_vec_reach(&stacks, number - 1, sizeof(*folded));
		folded->text = tr2_rows_text(texts, number, NULL);
		folded->us += sums[i];
	}
	free(sums);
	tr2_vec_sort(&stacks, sizeof(*folded), compare_folded);
	return stacks;
}

void tr2_profile_folded(const struct tr2_forest *forest, struct tr2_buf *out)
{
	struct tr2_rows texts;
	struct tr2_vec stacks;
	const struct folded *folded;

	tr2_rows_begin(&texts);
	stacks = list_folded(forest, &texts);
	folded = stacks.items;
	for (uint32_t i = 0; i < stacks.count; i++, folded++)
		tr2_text_put(out, "%s %" PRIu64 "\n", folded->text, folded->us);
	tr2_vec_release(&stacks);
	tr2_rows_release(&texts);
}

struct speedscope {
	const struct tr2_forest *forest;
	struct tr2_buf *out;
	struct tr2_rows names; /* has only texts; number 0 is not a frame's */
	uint32_t *numbers;     /* of the name of each frame */
};

/* Frames with the same name are one for speedscope. */
static void number_frames(struct speedscope *scope)
{
	uint32_t count = scope->forest->stacks.frames.count;
	struct tr2_buf name = TR2_BUF_INIT;

	tr2_rows_begin(&scope->names);
	scope->numbers = tr2_must_zeros(count * sizeof(*scope->numbers));
	for (uint32_t i = 1; i < count; i++) {
		tr2_buf_reset(&name);
		put_frame_name(&name, scope->forest, i);
		tr2_must_hold(&name);
		scope->numbers[i] =
			tr2_rows_name(&scope->names, name.bytes, name.len) - 1;
	}
	tr2_buf_release(&name);
}

static void put_frames(struct speedscope *scope)
{
	tr2_buf_str(scope->out, "\"shared\":{\"frames\":[");
	for (uint32_t i = 1; i < scope->names.texts.count; i++) {
		tr2_buf_str(scope->out,
			    i > 1 ? ",\n{\"name\":" : "\n{\"name\":");
		tr2_foreign_json(scope->out,
				 tr2_rows_text(&scope->names, i, NULL));
		tr2_buf_byte(scope->out, '}');
	}
	tr2_buf_str(scope->out, "]},\n\"profiles\":[");
}

static void put_stack(struct speedscope *scope, uint32_t number)
{
	const struct tr2_stack_frame *frame =
		tr2_frame_at(&scope->forest->stacks, number);

	if (frame->depth > 1) {
		put_stack(scope, frame->parent);
		tr2_buf_byte(scope->out, ',');
	}
	tr2_buf_uint(scope->out, scope->numbers[number]);
}

static uint32_t find_root(const struct speedscope *scope,
			  const struct tr2_piece *piece)
{
	return tr2_frame_at(&scope->forest->stacks, piece->frame)->root;
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
	uint32_t root = find_root(scope, piece);

	tr2_buf_str(scope->out, "\n{\"type\":\"sampled\",\"name\":");
	tr2_foreign_json(scope->out,
			 tr2_rows_text(&scope->names, scope->numbers[root] + 1,
				       NULL));
	tr2_buf_str(scope->out, ",\"unit\":\"microseconds\",\"startValue\":0,"
				"\"endValue\":");
	tr2_buf_int(scope->out, piece[count - 1].to - piece->from);
	tr2_buf_str(scope->out, ",\n\"samples\":[");
	for (uint32_t i = 0; i < count; i++) {
		tr2_buf_str(scope->out, i ? ",[" : "[");
		put_stack(scope, piece[i].frame);
		tr2_buf_byte(scope->out, ']');
	}
	tr2_buf_str(scope->out, "],\n\"weights\":[");
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			tr2_buf_byte(scope->out, ',');
		tr2_buf_int(scope->out, piece[i].to - piece[i].from);
	}
	tr2_buf_str(scope->out, "]}");
}

void tr2_profile_speedscope(const struct tr2_forest *forest,
			    struct tr2_buf *out)
{
	struct speedscope scope = { .forest = forest, .out = out };
	const struct tr2_piece *piece = forest->stacks.pieces.items;
	uint32_t left = forest->stacks.pieces.count, count;

	number_frames(&scope);
	tr2_buf_str(out, "{\"$schema\":\"" SCHEMA "\",\n"
			 "\"exporter\":\"trace2 " TRACE2_VERSION "\",\n");
	put_frames(&scope);
	for (; left; left -= count, piece += count) {
		if (left < forest->stacks.pieces.count)
			tr2_buf_byte(out, ',');
		count = count_pieces(&scope, piece, left);
		put_profile(&scope, piece, count);
	}
	tr2_buf_str(out, "]}\n");
	free(scope.numbers);
	tr2_rows_release(&scope.names);
}
