/* Who gets what: all time goes from the roots to those inside. */
#include "lib/common/capped.h"
#include "model/account/name.h"
#include "model/account/resolve.h"

static void add_phase(struct tr2_forest *forest, unsigned phase, int64_t value)
{
	tr2_sum_add(&forest->phases[phase], &forest->phases_over[phase], value);
}

static void give_row(struct tr2_forest *forest, uint32_t row, int64_t value)
{
	struct tr2_sums *sums = &tr2_rows_at(&forest->rows, row)->sums;

	tr2_sum_add(&sums->self, &sums->self_over, value);
}

void tr2_resolving_give(struct tr2_resolving *run, uint32_t row, uint32_t frame,
			const struct tr2_interval *time)
{
	struct tr2_forest *forest = run->forest;
	int64_t length = time->to - time->from;

	if (!run->task.accepted)
		return;
	tr2_sides_give(run, time);
	tr2_charting_give(run, frame, time);
	add_phase(forest, time->phase, length);
	if (row != TR2_OWNER_SELF)
		give_row(forest, row, length);
}

/* A call's time waits until it is known who ran in it. */
static void give_segment(struct tr2_resolving *run,
			 const struct tr2_segment *segment, int64_t to,
			 const struct tr2_interval *interval)
{
	struct tr2_interval time = *interval;

	time.from = tr2_most(time.from, segment->from);
	time.to = tr2_least(time.to, to);
	if (time.from >= time.to)
		return;
	if (segment->phase)
		time.phase = segment->phase;
	else if (!time.phase || time.phase == TR2_PHASE_PROGRAMS)
		time.phase = run->ended->phase;
	if (segment->owner == TR2_OWNER_SELF)
		run->self += time.to - time.from;
	if (segment->owner & TR2_OWNER_CHILD) {
		run->waited += time.to - time.from;
		TR2_VEC_PUT(&run->pieces, struct tr2_owned,
			    segment->owner & ~TR2_OWNER_CHILD, time);
	} else if (segment->owner != TR2_OWNER_GIVEN) {
		tr2_resolving_give(run, segment->owner, segment->frame, &time);
	} else if (run->task.accepted) {
		tr2_sides_give(run, &time);
	}
}

/* Both the segments and the intervals are in order. */
static void give_segments(struct tr2_resolving *run)
{
	const struct tr2_forest *forest = run->forest;
	const struct tr2_segment *segment = forest->segments.items;
	const struct tr2_interval *interval = run->intervals.items;
	const uint32_t end = tr2_kept_last(forest, run->task.number);
	uint32_t first = run->task.first, last = first + run->task.count;
	int64_t to;

	for (uint32_t i = run->ended->segments; i < end; i++) {
		to = i + 1 < end ? segment[i + 1].from : run->process->end;
		while (first < last && interval[first].to <= segment[i].from)
			first++;
		for (uint32_t j = first; j < last && interval[j].from < to; j++)
			give_segment(run, &segment[i], to, &interval[j]);
	}
}

static bool fits_filter(const struct tr2_resolving *run)
{
	const struct tr2_forest *forest = run->forest;
	const struct tr2_filter *filter = &forest->filter;

	if (run->process->end - run->process->begin < filter->slower_than ||
	    (filter->since &&
	     !(run->process->timed && run->process->begin >= filter->since)))
		return false;
	return !filter->command ||
	       tr2_name_fits(tr2_rows_text(&forest->rows, run->ended->name,
					   NULL),
			     filter->command);
}

static void commit_to(struct tr2_forest *forest, enum tr2_table table,
		      uint32_t name, const struct tr2_sums *sums,
		      int64_t nested)
{
	struct tr2_row *row = tr2_rows_reach(&forest->rows, table, name, 0);

	tr2_sums_add(&row->sums, sums);
	tr2_sum_add(&row->sums.total, &row->sums.total_over, -nested);
	tr2_sketch_add(&row->sketch,
		       sums->total > 0 ? (uint64_t)sums->total : 0);
}

static void take_process(const struct tr2_resolving *run)
{
	const struct tr2_summary_process *whole = run->ended->whole;
	const struct tr2_resolved resolved = {
		.number = run->task.number,
		.is_root = run->task.is_root,
		.key = run->process->key,
		.command = run->ended->name,
		.wall = run->process->end - run->process->begin,
		.self = run->self,
		.waited = run->waited,
		.unfinished = run->ended->unfinished,
		.locals = whole ? &whole->locals : NULL,
	};

	run->forest->take(run->forest->taker, run->forest, &resolved);
}

/* Add to the tables what only its place in the tree tells. */
static void commit_process(const struct tr2_resolving *run)
{
	struct tr2_forest *forest = run->forest;
	const struct tr2_kept *ended = run->ended;
	const struct tr2_nested nested = tr2_nested_count(run);
	struct tr2_sums sums = { .self = run->self };

	tr2_sums_count(&sums, run->process->end - run->process->begin);
	sums.failed = ended->failed;
	commit_to(forest, TR2_TABLE_COMMANDS, ended->name, &sums,
		  nested.command);
	if (forest->by)
		commit_to(forest, TR2_TABLE_GROUPS, ended->group, &sums,
			  nested.group);
	if (run->task.is_root && ended->caller)
		commit_to(forest, TR2_TABLE_CALLERS, ended->caller, &sums, 0);
	if (ended->whole)
		tr2_kept_count(forest, ended->whole);
	forest->counts.unfinished += ended->unfinished;
	if (forest->take)
		take_process(run);
}

/* A filter makes roots of the outermost processes that fit. */
static void accept_process(struct tr2_resolving *run)
{
	struct tr2_forest *forest = run->forest;
	struct tr2_task *task = &run->task;

	if (!task->accepted && tr2_forest_is_filtered(forest))
		task->is_root = fits_filter(run);
	task->accepted |= task->is_root || !tr2_forest_is_filtered(forest);
	if (!task->is_root || !task->accepted)
		return;
	task->depth = 0;
	forest->counts.roots++;
	tr2_sum_add(&forest->counts.wall, &forest->counts.wall_over,
		    run->process->end - run->process->begin);
	if (tr2_forest_is_filtered(forest))
		tr2_kept_note(forest, run->ended->whole);
	tr2_charting_begin(run);
	tr2_sides_end(run);
	tr2_path_note(forest, task->number);
}

/* A root has its whole life. */
static void give_life(struct tr2_resolving *run)
{
	TR2_VEC_PUT(&run->intervals, struct tr2_interval, run->process->begin,
		    run->process->end, TR2_PHASE_NONE);
	run->task.first = run->intervals.count - 1;
	run->task.count = 1;
}

/* Those around it stay; all others have been left. */
static void enter_path(struct tr2_resolving *run)
{
	run->path.count = run->task.depth;
	TR2_VEC_PUT(&run->path, struct tr2_path_place, run->task.number,
		    run->task.shift);
}

static void resolve_task(struct tr2_resolving *run)
{
	const struct tr2_task *last = run->tasks.items;
	struct tr2_kept *ended;

	run->task = last[--run->tasks.count];
	run->intervals.count = run->task.first + run->task.count;
	run->process =
		tr2_tree_process_at(&run->forest->tree, run->task.number);
	run->ended = ended = tr2_ended_at(run->forest, run->task.number);
	run->pieces.count = 0;
	run->self = ended->self;
	run->waited = 0;
	accept_process(run);
	enter_path(run);
	tr2_sides_enter(run);
	if (run->task.is_root)
		give_life(run);
	tr2_charting_enter(run);
	give_segments(run);
	run->intervals.count = run->task.first;
	tr2_resolving_share(run);
	if (run->task.accepted)
		commit_process(run);
	if (ended->whole)
		tr2_walk_free(&run->forest->walk, &ended->whole->life);
}

static void resolve_root(struct tr2_resolving *run,
			 const struct tr2_tree_process *process)
{
	TR2_VEC_PUT(&run->tasks, struct tr2_task,
		    .number = tr2_tree_number(&run->forest->tree, process),
		    .is_root = true);
	run->forest->counts.cut += process->has_parent;
	while (run->tasks.count)
		resolve_task(run);
	tr2_charting_end(run);
	tr2_sides_end(run);
}

static void commit_phases(struct tr2_forest *forest)
{
	struct tr2_sums *sums;
	uint32_t name;

	for (uint32_t i = 0; i < TR2_PHASES; i++) {
		if (!forest->phases[i] && !forest->phases_over[i])
			continue;
		name = tr2_rows_word(&forest->rows, tr2_phase_names[i]);
		sums = &tr2_rows_reach(&forest->rows, TR2_TABLE_PHASES, name, 0)
				->sums;
		tr2_sum_add(&sums->self, &sums->self_over, forest->phases[i]);
		sums->self_over += forest->phases_over[i];
		forest->phases[i] = forest->phases_over[i] = 0;
	}
}

/*
 * A process without time is in no stack: its log has one event only, or it
 * went on while no span of its parent was open.
 */
static void count_timeless(struct tr2_forest *forest)
{
	for (uint32_t i = 0; i < forest->ended.count; i++)
		forest->timeless += !tr2_ended_at(forest, i)->shown;
	tr2_chart_end(forest->chart);
}

static void release_run(struct tr2_resolving *run)
{
	tr2_vec_release(&run->tasks);
	tr2_vec_release(&run->intervals);
	tr2_vec_release(&run->pieces);
	tr2_vec_release(&run->shares);
	tr2_vec_release(&run->open);
	tr2_vec_release(&run->path);
	tr2_vec_release(&run->served);
	tr2_vec_release(&run->waits);
	tr2_chart_release(&run->chart);
}

void tr2_forest_resolve(struct tr2_forest *forest)
{
	struct tr2_resolving run = { .forest = forest };
	const struct tr2_tree_process *process;

	tr2_tree_resolve(&forest->tree);
	if (forest->view && forest->view->resolve)
		forest->view->resolve(forest->taker, &forest->tree);
	for (uint32_t i = 0; i < forest->tree.processes.count; i++) {
		process = tr2_tree_process_at(&forest->tree, i);
		if (process->caller == TR2_TREE_NONE)
			resolve_root(&run, process);
	}
	commit_phases(forest);
	if (forest->profiled)
		count_timeless(forest);
	release_run(&run);
	tr2_failure_settle(forest);
	tr2_tree_release(&forest->tree);
	tr2_vec_release(&forest->ended);
	tr2_vec_release(&forest->calls);
	tr2_vec_release(&forest->segments);
}
