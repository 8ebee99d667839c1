#include "views/convert/convert_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

bool tr2_profile_end(struct tr2_forest *forest)
{
	tr2_forest_end(forest);
	/* Stacks have the time of root processes, so nothing is lost. */
	if (forest->timeless)
		fprintf(stderr,
			"trace2 convert: processes without time in any stack: "
			"%" PRIu64 "\n",
			forest->timeless);
	return forest->chart->pieces.count > 0;
}

static void put_frame_name(struct tr2_buf *out, const struct tr2_forest *forest,
			   uint32_t number)
{
	const struct tr2_link *frame = tr2_chart_at(forest->chart, number);
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
	const uint32_t parent =
		tr2_chart_node_at(forest->chart, number)->parent;
	size_t at;

	if (parent) {
		put_folded(out, forest, parent);
		tr2_buf_byte(out, ';');
	}
	at = out->len;
	put_frame_name(out, forest, number);
	for (; at < out->len; at++)
		if (out->bytes[at] == ';')
			out->bytes[at] = ',';
}

/* Those with the same text are one, in the order of their texts. */
static struct tr2_vec list_folded(const struct tr2_forest *forest,
				  struct tr2_rows *texts)
{
	const struct tr2_chart *chart = forest->chart;
	struct tr2_buf text = TR2_BUF_INIT;
	struct tr2_vec stacks = { 0 };
	struct folded *folded;
	uint32_t number;

	for (uint32_t i = 1; i < chart->nodes.count; i++) {
		if (tr2_chart_at(chart, i)->self <= 0)
			continue;
		put_folded(&text, forest, i);
		number = tr2_rows_take(texts, &text); /* not that of "", 0 */
		folded = tr2_vec_reach(&stacks, number - 1, sizeof(*folded));
		folded->text = tr2_rows_text(texts, number, NULL);
		folded->us += (uint64_t)tr2_chart_at(chart, i)->self;
	}
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
	uint32_t count = scope->forest->chart->nodes.count;
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
	const uint32_t parent =
		tr2_chart_node_at(scope->forest->chart, number)->parent;

	if (parent) {
		put_stack(scope, parent);
		tr2_buf_byte(scope->out, ',');
	}
	tr2_buf_uint(scope->out, scope->numbers[number]);
}

/* Returns the node of the root. */
static uint32_t find_root(const struct speedscope *scope, uint32_t node)
{
	const struct tr2_chart *chart = scope->forest->chart;

	while (tr2_chart_node_at(chart, node)->parent)
		node = tr2_chart_node_at(chart, node)->parent;
	return node;
}

/* Returns the number of pieces that have the root of the first one. */
static uint32_t count_pieces(const struct tr2_piece *piece, uint32_t left)
{
	uint32_t count = 1;

	while (count < left && piece[count].root == piece->root)
		count++;
	return count;
}

/* The time of a root: its pieces follow each other without a gap. */
static void put_profile(struct speedscope *scope, const struct tr2_piece *piece,
			uint32_t count)
{
	uint32_t root = find_root(scope, piece->node);

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
		put_stack(scope, piece[i].node);
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
	const struct tr2_piece *piece = forest->chart->pieces.items;
	uint32_t left = forest->chart->pieces.count, count;

	number_frames(&scope);
	tr2_buf_str(out, "{\"$schema\":\"" SCHEMA "\",\n"
			 "\"exporter\":\"trace2 " TRACE2_VERSION "\",\n");
	put_frames(&scope);
	for (; left; left -= count, piece += count) {
		if (left < forest->chart->pieces.count)
			tr2_buf_byte(out, ',');
		count = count_pieces(piece, left);
		put_profile(&scope, piece, count);
	}
	tr2_buf_str(out, "]}\n");
	free(scope.numbers);
	tr2_rows_release(&scope.names);
}
