#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/capped.h"
#include "common/memory.h"
#include "account/event.h"
#include "account/name.h"
#include "account/forest_part.h"

#define SHIFT_MOST (INT64_MAX / 2) /* so that times can be shifted, too */

/* The part of a span's time that its child's process has taken over. */
struct cover {
	int64_t length;
	int64_t phases[TR2_PHASES];
};

static void add_task(struct tr2_forest *forest, const struct tr2_task *task)
{
	struct tr2_task *added = tr2_vec_add(&forest->tasks, sizeof(*added));

	*added = *task;
}

/* Then there is no process whose log could come. */
static bool has_not_run(const struct tr2_child_span *span)
{
	return span->unstarted || (span->is_exec && span->end != INT64_MAX);
}

void tr2_task_settle_span(struct tr2_forest *forest,
			  struct tr2_summary_process *process, uint32_t place,
			  bool accepted)
{
	struct tr2_child_span *span = tr2_child_span_at(process, place);
	struct tr2_task task = {
		.process = span->is_exec && span->end == INT64_MAX
				   ? process->heir
				   : tr2_wait_find(forest, process, span),
		.intervals = span->intervals,
		.row = tr2_local_at(process, span->local)->row,
		.link = span->link,
		.generation = span->generation,
		.start = span->start,
		.frame = span->frame,
		.shift = process->shift,
		.accepted = accepted,
	};

	span->intervals = (struct tr2_vec){ 0 };
	if (task.process) {
		tr2_wait_remove(forest, process, task.process);
		add_task(forest, &task);
	} else if (has_not_run(span)) {
		tr2_vec_release(&task.intervals);
	} else {
		tr2_await_add(forest, process->key, span, &task);
	}
}

/* Returns the span of the program that took its place, or NULL. */
static struct tr2_child_span *
find_exec(const struct tr2_summary_process *process)
{
	struct tr2_child_span *span = process->children.items;
	uint32_t i;

	for (i = process->children.count; i; i--)
		if (span[i - 1].is_exec && span[i - 1].end == INT64_MAX)
			return &span[i - 1];
	return NULL;
}

/*
 * A process that executed another program ends where that one ends; it may
 * have executed a third one.
 */
static void find_end(struct tr2_forest *forest,
		     struct tr2_summary_process *process)
{
	struct tr2_summary_process *next = process, **added;
	struct tr2_vec chain = { 0 };
	uint32_t i;

	if (!process->timeline.is_replaced)
		return;
	for (; next; next = next->heir) {
		added = tr2_vec_add(&chain, sizeof(*added));
		*added = next;
		if (next->timeline.replaced_until)
			break; /* it was reached from another one */
		tr2_wait_find_heir(next);
	}
	added = chain.items;
	for (i = chain.count - 1; i; i--)
		tr2_timeline_end_with(&added[i - 1]->timeline,
				      &added[i]->timeline);
	tr2_summary_close_spans(forest, process);
	tr2_vec_release(&chain);
}

static void give_segment(struct tr2_summary_process *process,
			 const struct tr2_segment *segment, int64_t to,
			 const struct tr2_interval *interval,
			 struct cover *cover)
{
	int64_t from = segment->from;
	struct tr2_segment owner = *segment;

	if (from < interval->from)
		from = interval->from;
	if (to > interval->to)
		to = interval->to;
	if (from >= to)
		return;
	if (!owner.phase)
		owner.phase = interval->phase;
	tr2_process_give(process, &owner, from, to);
	cover->length += to - from;
	cover->phases[interval->phase] += to - from;
}

/* Both the segments and the intervals are in order. */
static void give_segments(struct tr2_summary_process *process,
			  const struct tr2_vec *intervals, struct cover *cover)
{
	const struct tr2_segment *segment = process->segments.items;
	const struct tr2_interval *interval = intervals->items;
	uint32_t i, first = 0, j;
	int64_t to;

	for (i = 0; i < process->segments.count; i++, segment++) {
		to = i + 1 < process->segments.count ? segment[1].from
						     : process->end;
		while (first < intervals->count &&
		       interval[first].to <= segment->from)
			first++;
		for (j = first; j < intervals->count && interval[j].from < to;
		     j++)
			give_segment(process, segment, to, &interval[j], cover);
	}
}

/* The last owner has the time until the end. */
static void end_segments(struct tr2_summary_process *process)
{
	const struct tr2_child_span *exec = find_exec(process);
	struct tr2_segment owner = { process->now, TR2_OWNER_PROCESS,
				     process->frame, TR2_PHASE_NONE };

	if (exec) {
		owner.owner = TR2_OWNER_CHILD |
			      (uint32_t)(exec - tr2_child_span_at(process, 0));
		owner.frame = exec->frame;
	}
	if (process->end < process->given)
		process->end = process->given; /* its t_abs went back */
	if (process->end > process->now)
		tr2_process_add_segment(process, &owner);
	else
		tr2_process_cut(process, process->end);
	process->now = process->end;
	if (process->direct)
		tr2_process_flush(process);
}

static void keep_slowest(struct tr2_forest *forest,
			 const struct tr2_summary_process *process,
			 int64_t wall)
{
	struct tr2_slowest *slowest = &forest->slowest;
	uint32_t chain = process->longest;

	if (slowest->found &&
	    (slowest->wall > wall ||
	     (slowest->wall == wall && slowest->key <= process->key))) {
		tr2_chain_free(&forest->chains, chain);
		return;
	}
	tr2_chain_free(&forest->chains, slowest->chain);
	*slowest = (struct tr2_slowest){
		.found = true,
		.name = tr2_name_command(&forest->rows, process),
		.wall = wall,
		.key = process->key,
		.chain = chain,
	};
}

static void commit_lengths(struct tr2_forest *forest,
			   const struct tr2_summary_process *process)
{
	const struct tr2_length *length = process->lengths.items;
	struct tr2_row *row;
	uint32_t i;

	for (i = 0; i < process->lengths.count; i++, length++) {
		row = tr2_rows_at(&forest->rows,
				  tr2_local_at(process, length->local)->row);
		tr2_sketch_add(&row->sketch, length->value);
	}
}

static void commit_phases(struct tr2_forest *forest, const int64_t *phases,
			  int sign)
{
	struct tr2_row *row;
	uint32_t name, i;

	for (i = 0; i < TR2_PHASES; i++) {
		if (!phases[i])
			continue;
		name = tr2_rows_name(&forest->rows, tr2_phase_names[i],
				     strlen(tr2_phase_names[i]));
		row = tr2_rows_at(&forest->rows,
				  tr2_rows_enter(&forest->rows,
						 TR2_TABLE_PHASES, name, 0));
		tr2_sum_add(&row->sums.self, &row->sums.self_over,
			    sign * phases[i]);
	}
}

static void commit_to(struct tr2_forest *forest, enum tr2_table table,
		      uint32_t name, const struct tr2_sums *sums)
{
	struct tr2_row *row = tr2_rows_at(
		&forest->rows, tr2_rows_enter(&forest->rows, table, name, 0));

	tr2_sums_add(&row->sums, sums);
	tr2_sketch_add(&row->sketch,
		       sums->total > 0 ? (uint64_t)sums->total : 0);
}

/* Add the rows of the process to the tables. */
static void commit_process(struct tr2_forest *forest,
			   const struct tr2_summary_process *process,
			   bool is_root)
{
	const struct tr2_local *local = process->locals.items;
	struct tr2_sums sums = local->sums;
	uint32_t i, name = tr2_name_command(&forest->rows, process);
	bool unfinished = tr2_timeline_is_unfinished(&process->timeline);

	tr2_sums_count(&sums, process->end - process->base);
	sums.failed = tr2_timeline_failed(&process->timeline);
	commit_to(forest, TR2_TABLE_COMMANDS, name, &sums);
	if (forest->by)
		commit_to(forest, TR2_TABLE_GROUPS,
			  tr2_name_group(forest, process), &sums);
	if (is_root && process->caller)
		commit_to(forest, TR2_TABLE_CALLERS, process->caller, &sums);
	for (i = 1; i < process->locals.count; i++)
		tr2_sums_add(&tr2_rows_at(&forest->rows, local[i].row)->sums,
			     &local[i].sums);
	commit_lengths(forest, process);
	commit_phases(forest, process->phases, 1);
	forest->counts.processes++;
	forest->counts.unclosed += process->unclosed;
	forest->counts.unfinished += unfinished;
	forest->counts.untimed += !process->timed;
	if (forest->frames)
		tr2_frame_at(forest->frames, process->frame)->name[0] = name;
	if (forest->take)
		forest->take(forest->taker, forest, process, name);
}

/* What the child's process has is not the span's own any more. */
static void subtract_cover(struct tr2_forest *forest,
			   const struct tr2_task *task,
			   const struct cover *cover)
{
	struct tr2_sums *sums;

	if (task->row == TR2_NO_ROW || !task->accepted)
		return;
	sums = &tr2_rows_at(&forest->rows, task->row)->sums;
	tr2_sum_add(&sums->self, &sums->self_over, -cover->length);
	commit_phases(forest, cover->phases, -1);
}

/* A process without times lies at the start of its span. */
static void place_untimed(struct tr2_summary_process *process,
			  const struct tr2_task *task)
{
	struct tr2_interval *interval = task->intervals.items;
	int64_t shift = task->start - process->base;
	uint32_t i;

	process->shift = task->shift;
	if (process->timed || task->row == TR2_NO_ROW)
		return;
	process->shift = tr2_capped_add(process->shift, shift);
	if (process->shift > SHIFT_MOST)
		process->shift = SHIFT_MOST;
	for (i = 0; i < task->intervals.count; i++) {
		interval[i].from -= shift;
		interval[i].to -= shift;
	}
}

/* Give everything to the process that this task says. */
static void give_time(struct tr2_forest *forest, struct tr2_task *task)
{
	struct tr2_summary_process *process = task->process;
	struct tr2_interval *whole;
	struct cover cover = { 0 };

	end_segments(process);
	if (!task->is_root) {
		place_untimed(process, task);
		if (process->frames)
			tr2_frame_at(process->frames, process->frame)->parent =
				task->frame;
		give_segments(process, &task->intervals, &cover);
		subtract_cover(forest, task, &cover);
		return;
	}
	tr2_vec_clear(&task->intervals);
	whole = tr2_vec_add(&task->intervals, sizeof(*whole));
	*whole = (struct tr2_interval){ process->base, process->end,
					TR2_PHASE_NONE };
	give_segments(process, &task->intervals, &cover);
	if (!task->accepted)
		return;
	forest->counts.roots++;
	tr2_sum_add(&forest->counts.wall, &forest->counts.wall_over,
		    process->end - process->base);
}

/* The children whose pid no span has are shared at the end. */
static void settle_children(struct tr2_forest *forest,
			    struct tr2_summary_process *process, bool accepted)
{
	struct tr2_summary_process *child;
	uint32_t i;

	for (i = 0; i < process->children.count; i++)
		if (!tr2_child_span_at(process, i)->settled)
			tr2_task_settle_span(forest, process, i, accepted);
	while ((child = process->waiting)) {
		tr2_wait_remove(forest, process, child);
		tr2_wait_defer(forest, child);
	}
}

static bool fits_filter(struct tr2_forest *forest,
			const struct tr2_summary_process *process)
{
	const struct tr2_filter *filter = &forest->filter;
	uint32_t name;

	if (process->end - process->base < filter->slower_than ||
	    (filter->since &&
	     !(process->timed && process->base >= filter->since)))
		return false;
	if (!filter->command)
		return true;
	name = tr2_name_command(&forest->rows, process);
	return tr2_name_fits(tr2_rows_text(&forest->rows, name, NULL),
			     filter->command);
}

/* A filter makes roots of the outermost processes that fit. */
static void accept_process(struct tr2_forest *forest, struct tr2_task *task)
{
	if (task->accepted)
		return;
	if (tr2_forest_is_filtered(forest))
		task->is_root = fits_filter(forest, task->process);
	task->accepted = task->is_root || !tr2_forest_is_filtered(forest);
}

void tr2_task_resolve(struct tr2_forest *forest, struct tr2_task *task)
{
	struct tr2_summary_process *process = task->process;

	find_end(forest, process);
	accept_process(forest, task);
	give_time(forest, task);
	settle_children(forest, process, task->accepted);
	if (task->accepted)
		commit_process(forest, process, task->is_root);
	if (task->accepted && task->is_root)
		keep_slowest(forest, process, process->end - process->base);
	else
		tr2_chain_attach(&forest->chains, task->link, task->generation,
				 process->longest);
	tr2_vec_release(&task->intervals);
	tr2_process_free(process);
}
