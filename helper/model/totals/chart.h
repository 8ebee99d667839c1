/*
 * chart.h - who owns the time of one root: a node for each place in the stack
 * of spans and processes, where all that have the same name at the same place
 * are one. From it comes the chain: in each node the one that owns most, with
 * what is inside it.
 *
 * A stack is that of a process alone (struct tr2_frames without processes),
 * so there are few of them, however many processes there are. Only the root
 * that is the slowest so far has a chart, or all have one together.
 *
 * A piece is a time in which a node was on top, for formats that show stacks.
 * Memory grows with the number of pieces, thus with the log.
 */
#ifndef TR2_TOTALS_CHART_H
#define TR2_TOTALS_CHART_H

#include <stdint.h>

#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "model/totals/frame.h"
#include "model/totals/rows.h"

struct tr2_link { /* All of one name at one place. Times in microseconds. */
	enum tr2_table table; /* commands (a process), regions or children */
	uint32_t name[2];     /* numbers of texts; a process has one */
	uint64_t count;	      /* of children or processes; 0: unknown */
	int64_t self, total;
};

struct tr2_chart_node {
	struct tr2_link link;
	uint32_t parent;   /* 0 is the root process */
	uint32_t heaviest; /* of the nodes inside it; 0: there are none */
};

struct tr2_piece {
	int64_t from, to; /* in microseconds */
	uint32_t root;	  /* they count as they begin */
	uint32_t node;
};

struct tr2_chart {	       /* An empty one is all zero. */
	struct tr2_vec nodes;  /* struct tr2_chart_node */
	struct tr2_vec pieces; /* struct tr2_piece, where they are wanted */
	struct tr2_map numbers;
};

/* A new root, of this name; its node is 0. */
void tr2_chart_begin(struct tr2_chart *chart, uint32_t name);

/* Returns the node of a process that ran in this one. */
uint32_t tr2_chart_enter(struct tr2_chart *chart, uint32_t node, uint32_t name);

/* Returns the node of a stack of the process whose node is `base`. */
uint32_t tr2_chart_find(struct tr2_chart *chart,
			const struct tr2_frames *stacks, uint32_t base,
			uint32_t stack);

/* Each of these stacks of the root owns so much more: stack + 1 to time. */
void tr2_chart_give(struct tr2_chart *chart, const struct tr2_frames *stacks,
		    const struct tr2_map *times);

TR2_VEC_AT(tr2_chart_node_at, tr2_chart, nodes, tr2_chart_node);

static inline struct tr2_link *tr2_chart_at(const struct tr2_chart *chart,
					    uint32_t node)
{
	return &tr2_chart_node_at(chart, node)->link;
}

/*
 * Add the nodes of a chart to one of several: those of the same name at the
 * same place are one, and node 0 is around all roots. `roots`: how many of
 * them this is.
 */
void tr2_chart_merge(struct tr2_chart *into, const struct tr2_chart *from,
		     unsigned roots);

/* There are no more pieces: put them in order of their root, then of time. */
void tr2_chart_end(struct tr2_chart *chart);

/*
 * Add the steps of the chain (struct tr2_link), without the root. It ends
 * where a node itself owns more than any inside it, unless one has a fifth of
 * the root's time.
 */
void tr2_chart_trace(struct tr2_chart *chart, const struct tr2_rows *rows,
		     struct tr2_vec *chain);

void tr2_chart_release(struct tr2_chart *chart);

#endif
