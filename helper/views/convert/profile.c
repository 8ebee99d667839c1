#include "views/convert/convert_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

void tr2_profile_begin(struct tr2_profile *profile)
{
	profile->timeless = 0;
	tr2_forest_begin(&profile->forest);
	tr2_frames_begin(&profile->frames, true);
	profile->forest.frames = &profile->frames;
}

/* Mark the frames of all stacks, by number. */
static bool *mark_frames(const struct tr2_frames *frames)
{
	bool *has_time = tr2_must_zeros(frames->frames.count);
	const struct tr2_piece *piece = frames->pieces.items;
	uint32_t i, number;

	for (i = 0; i < frames->pieces.count; i++) {
		number = piece[i].frame;
		while (number != TR2_FRAME_NONE && !has_time[number]) {
			has_time[number] = true;
			number = tr2_frame_at(frames, number)->parent;
		}
	}
	return has_time;
}

/*
 * A process without time is in no stack: its log has one event only, or it
 * went on while no span of its parent was open.
 */
static uint64_t count_timeless(const struct tr2_frames *frames)
{
	bool *has_time = mark_frames(frames);
	uint64_t count = 0;
	uint32_t i;

	for (i = 1; i < frames->frames.count; i++)
		count += tr2_frame_at(frames, i)->table == TR2_TABLE_COMMANDS &&
			 !has_time[i];
	free(has_time);
	return count;
}

bool tr2_profile_end(struct tr2_profile *profile)
{
	tr2_forest_end(&profile->forest);
	tr2_frames_end(&profile->frames);
	profile->timeless = count_timeless(&profile->frames);
	/* Stacks have the time of root processes, so nothing is lost. */
	if (profile->timeless)
		fprintf(stderr,
			"trace2 convert: processes without time in any stack: "
			"%lu\n",
			(unsigned long)profile->timeless);
	return profile->frames.pieces.count > 0;
}

void tr2_profile_release(struct tr2_profile *profile)
{
	tr2_forest_release(&profile->forest);
	tr2_frames_release(&profile->frames);
}

static void put_frame_name(struct tr2_buf *out,
			   const struct tr2_profile *profile, uint32_t number)
{
	const struct tr2_stack_frame *frame =
		tr2_frame_at(&profile->frames, number);
	size_t len, from;
	const char *text =
		tr2_rows_text(&profile->forest.rows, frame->name[0], &len);

	if (frame->table == TR2_TABLE_CHILDREN)
		tr2_buf_str(out, "child ");
	from = out->len;
	tr2_foreign_line(out, text, len);
	if (frame->table != TR2_TABLE_COMMANDS) {
		tr2_buf_byte(out, '/');
		text = tr2_rows_text(&profile->forest.rows, frame->name[1],
				     &len);
		tr2_foreign_line(out, text, len);
	} else if (out->len == from) {
		tr2_buf_str(out, "(none)");
	}
}

struct folded { /* A line without its number; from here in the text. */
	size_t from, len;
	const char *text;
	uint64_t us;
};

static int compare_folded(const void *left, const void *right)
{
	const struct folded *a = left, *b = right;
	int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Those around the frame come first; flamegraph.pl divides a line at `;`. */
static void put_folded(struct tr2_buf *out, const struct tr2_profile *profile,
		       uint32_t number)
{
	const struct tr2_stack_frame *frame =
		tr2_frame_at(&profile->frames, number);
	size_t at;

	if (frame->depth > 1) {
		put_folded(out, profile, frame->parent);
		tr2_buf_byte(out, ';');
	}
	at = out->len;
	put_frame_name(out, profile, number);
	for (; at < out->len; at++)
		if (out->bytes[at] == ';')
			out->bytes[at] = ',';
}

/* Returns the time of each frame, by its number. */
static uint64_t *add_pieces(const struct tr2_frames *frames)
{
	uint64_t *sums = tr2_must_zeros(frames->frames.count * sizeof(*sums));
	const struct tr2_piece *piece = frames->pieces.items;
	uint32_t i;

	for (i = 0; i < frames->pieces.count; i++, piece++)
		sums[piece->frame] += (uint64_t)(piece->to - piece->from);
	return sums;
}

static struct tr2_vec list_folded(const struct tr2_profile *profile,
				  struct tr2_buf *text)
{
	uint64_t *sums = add_pieces(&profile->frames);
	struct tr2_vec lines = { 0 };
	struct folded *line;
	uint32_t i;

	for (i = 1; i < profile->frames.frames.count; i++) {
		if (!sums[i])
			continue;
		line = tr2_vec_add(&lines, sizeof(*line));
		line->from = text->len;
		line->us = sums[i];
		put_folded(text, profile, i);
		line->len = text->len - line->from;
	}
	tr2_must_hold(text);
	for (line = lines.items, i = 0; i < lines.count; i++)
		line[i].text = text->bytes + line[i].from;
	free(sums);
	return lines;
}

/* Lines with the same stack become one, in the order of their texts. */
void tr2_profile_folded(const struct tr2_profile *profile, struct tr2_buf *out)
{
	struct tr2_buf text = TR2_BUF_INIT;
	struct tr2_vec lines = list_folded(profile, &text);
	struct folded *line = lines.items;
	uint32_t i;

	tr2_vec_sort(&lines, sizeof(*line), compare_folded);
	for (i = 0; i < lines.count; i++) {
		if (i + 1 < lines.count &&
		    !compare_folded(&line[i], &line[i + 1])) {
			line[i + 1].us += line[i].us;
			continue;
		}
		tr2_buf_add(out, line[i].text, line[i].len);
		tr2_buf_byte(out, ' ');
		tr2_buf_uint(out, line[i].us);
		tr2_buf_byte(out, '\n');
	}
	tr2_vec_release(&lines);
	tr2_buf_release(&text);
}

struct speedscope {
	const struct tr2_profile *profile;
	struct tr2_buf *out;
	struct tr2_rows names; /* has only texts; number 0 is not a frame's */
	uint32_t *numbers;     /* of the name of each frame */
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
		put_frame_name(&name, scope->profile, i);
		tr2_must_hold(&name);
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

static void put_stack(struct speedscope *scope, uint32_t number)
{
	const struct tr2_stack_frame *frame =
		tr2_frame_at(&scope->profile->frames, number);

	if (frame->depth > 1) {
		put_stack(scope, frame->parent);
		tr2_buf_byte(scope->out, ',');
	}
	tr2_buf_uint(scope->out, scope->numbers[number]);
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
		tr2_buf_str(scope->out, i ? ",[" : "[");
		put_stack(scope, piece[i].frame);
		tr2_buf_byte(scope->out, ']');
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
	tr2_rows_release(&scope.names);
}
