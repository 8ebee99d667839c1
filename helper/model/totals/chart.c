#include "model/totals/chart.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"

#define SHARE_LEAST 5 /* a fifth of the root's time is worth a step */

static uint32_t add_node(struct tr2_chart *chart, uint32_t parent,
			 enum tr2_table table, const uint32_t *name)
{
	TR2_VEC_PUT(&chart->nodes, struct tr2_chart_node,
		    .link = { .table = table, .name = { name[0], name[1] } },
		    .parent = parent);
	return chart->nodes.count - 1;
}

void tr2_chart_begin(struct tr2_chart *chart, uint32_t name)
{
	tr2_map_release(&chart->numbers);
	chart->nodes.count = chart->pieces.count = 0;
	add_node(chart, 0, TR2_TABLE_COMMANDS, (uint32_t[]){ name, 0 });
}

/* Returns the node of this name in another one. */
static uint32_t enter_node(struct tr2_chart *chart, uint32_t parent,
			   const struct tr2_link *link)
{
	const uint32_t key[] = { parent, (uint32_t)link->table, link->name[0],
				 link->name[1] };
	struct tr2_map_slot *slot = tr2_map_enter(
		&chart->numbers, tr2_hash((const char *)key, sizeof(key)).a);

	if (!slot->value)
		slot->value = add_node(chart, parent, link->table, link->name);
	return (uint32_t)slot->value;
}

uint32_t tr2_chart_enter(struct tr2_chart *chart, uint32_t node, uint32_t name)
{
	const struct tr2_link link = { .table = TR2_TABLE_COMMANDS,
				       .name = { name, 0 } };

	node = enter_node(chart, node, &link);
	tr2_chart_at(chart, node)->count++;
	return node;
}

static struct tr2_map_slot *enter_stack(struct tr2_chart *chart, uint32_t base,
					uint32_t stack)
{
	const uint32_t key[] = { base, stack };

	return tr2_map_enter(&chart->numbers,
			     tr2_hash((const char *)key, sizeof(key)).a);
}

/* The stack has at most TR2_FRAME_DEPTH frames. */
uint32_t tr2_chart_find(struct tr2_chart *chart,
			const struct tr2_frames *stacks, uint32_t base,
			uint32_t stack)
{
	struct tr2_map_slot *slot;
	const struct tr2_stack_frame *frame;
	uint32_t parent, node;

	if (stack == TR2_FRAME_NONE)
		return base;
	slot = enter_stack(chart, base, stack);
	if (slot->value)
		return (uint32_t)slot->value;
	frame = tr2_frame_at(stacks, stack);
	parent = tr2_chart_find(chart, stacks, base, frame->parent);
	node = add_node(chart, parent, frame->table, frame->name);
	enter_stack(chart, base, stack)->value = node;
	return node;
}

void tr2_chart_give(struct tr2_chart *chart, const struct tr2_frames *stacks,
		    const struct tr2_map *times)
{
	const struct tr2_map_slot *slot = NULL;
	uint32_t node;

	while ((slot = tr2_map_next(times, slot))) {
		node = tr2_chart_find(chart, stacks, 0,
				      (uint32_t)(slot->hash - 1));
		tr2_chart_at(chart, node)->self += (int64_t)slot->value;
	}
}

/* A node has a larger number than that in which it is. */
void tr2_chart_merge(struct tr2_chart *into, const struct tr2_chart *from,
		     unsigned roots)
{
	uint32_t *places = tr2_must_zeros(from->nodes.count * sizeof(*places));
	const struct tr2_chart_node *node = from->nodes.items;
	const struct tr2_piece *piece = from->pieces.items;
	struct tr2_link *link;

	if (!into->nodes.count)
		tr2_chart_begin(into, 0);
	for (uint32_t i = 0; i < from->nodes.count; i++, node++) {
		places[i] = enter_node(into, i ? places[node->parent] : 0,
				       &node->link);
		link = tr2_chart_at(into, places[i]);
		link->self += node->link.self;
		link->count += i ? node->link.count : roots;
	}
	for (uint32_t i = 0; i < from->pieces.count; i++, piece++)
		TR2_VEC_PUT(&into->pieces, struct tr2_piece, piece->from,
			    piece->to, piece->root, places[piece->node]);
	free(places);
}

TR2_COMPARE(compare_pieces, tr2_piece, TR2_BY(root, TR2_BY(from, 0)));

/* Pieces of one node that touch each other become one. */
void tr2_chart_end(struct tr2_chart *chart)
{
	struct tr2_piece *piece = chart->pieces.items, *last = NULL;
	uint32_t kept = 0;

	tr2_vec_sort(&chart->pieces, sizeof(*piece), compare_pieces);
	for (uint32_t i = 0; i < chart->pieces.count; i++) {
		if (piece[i].from >= piece[i].to)
			continue;
		if (last && last->root == piece[i].root &&
		    last->node == piece[i].node && last->to == piece[i].from) {
			last->to = piece[i].to;
			continue;
		}
		last = &piece[kept++];
		*last = piece[i];
	}
	chart->pieces.count = kept;
}

/* The names decide at last, so that the order of the input does not. */
static bool is_heavier(const struct tr2_rows *rows, const struct tr2_link *one,
		       const struct tr2_link *other)
{
	int order = 0;

	if (one->total != other->total)
		return one->total > other->total;
	for (int i = 0; !order && i < 2; i++)
		order = strcmp(tr2_rows_text(rows, one->name[i], NULL),
			       tr2_rows_text(rows, other->name[i], NULL));
	return order < 0;
}

/* A node has a larger number than that in which it is. */
static void add_up(struct tr2_chart *chart, const struct tr2_rows *rows)
{
	struct tr2_chart_node *node, *parent;

	for (uint32_t i = chart->nodes.count; i-- > 0;) {
		node = tr2_chart_node_at(chart, i);
		node->link.total += node->link.self;
		if (!i)
			break;
		parent = tr2_chart_node_at(chart, node->parent);
		parent->link.total += node->link.total;
		if (!parent->heaviest ||
		    is_heavier(rows, &node->link,
			       tr2_chart_at(chart, parent->heaviest)))
			parent->heaviest = i;
	}
}

/* "git fetch", or "git-upload-pack", and its process "fetch#mode" are one. */
static bool is_same(const struct tr2_rows *rows, const struct tr2_link *child,
		    const struct tr2_link *process)
{
	const char *outer = tr2_rows_text(rows, child->name[1], NULL);
	const char *inner = tr2_rows_text(rows, process->name[0], NULL);
	size_t len = strcspn(inner, "#");

	if (child->table != TR2_TABLE_CHILDREN)
		return false;
	if (!strncmp(outer, "git", 3) && (outer[3] == ' ' || outer[3] == '-') &&
	    strncmp(inner, "git", 3) != 0)
		outer += 4;
	return !strncmp(outer, inner, len) &&
	       (!outer[len] || outer[len] == ',');
}

static bool is_worth(const struct tr2_chart *chart, uint32_t node,
		     uint32_t inner)
{
	int64_t total = tr2_chart_at(chart, inner)->total;

	return total > 0 &&
	       (total > tr2_chart_at(chart, node)->self ||
		total >= tr2_chart_at(chart, 0)->total / SHARE_LEAST);
}

void tr2_chart_trace(struct tr2_chart *chart, const struct tr2_rows *rows,
		     struct tr2_vec *chain)
{
	uint32_t node = 0, inner;

	add_up(chart, rows);
	for (; (inner = tr2_chart_node_at(chart, node)->heaviest) != 0 &&
	       is_worth(chart, node, inner);
	     node = inner) {
		if (is_same(rows, tr2_chart_at(chart, node),
			    tr2_chart_at(chart, inner)))
			continue;
		TR2_VEC_COPY(chain, struct tr2_link,
			     *tr2_chart_at(chart, inner));
	}
}

void tr2_chart_release(struct tr2_chart *chart)
{
	tr2_vec_release(&chart->nodes);
	tr2_vec_release(&chart->pieces);
	tr2_map_release(&chart->numbers);
}
