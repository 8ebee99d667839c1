/*
 * Which part of its time a process hands on to those that ran in it; and what
 * its totals count twice, because it ran in one of its name.
 */
#include "model/account/resolve.h"

#include "lib/common/capped.h"

/* The chart of the slowest root, while all time is given. */

/*
 * Of the charts of those whose time is given, only that of the slowest is kept.
 * The others go to the chart of all.
 */
void tr2_charting_keep(struct tr2_forest *forest,
		       const struct tr2_summary_process *process)
{
	struct tr2_given_early *early = &forest->early;
	const struct tr2_tree_process *self = &process->life.self;
	const int64_t wall = self->end - self->begin;
	const bool is_slowest = !early->found || wall > early->wall ||
				(wall == early->wall && self->key < early->key);
	struct tr2_chart chart = { 0 }, before = early->chart;

	if (!process->direct || (!is_slowest && !forest->chart))
		return;
	if (process->stacks.count) {
		tr2_chart_begin(&chart, process->command);
		tr2_chart_give(&chart, &forest->stacks, &process->stacks);
	}
	if (is_slowest) {
		*early = (struct tr2_given_early){ true, wall, self->key,
						   chart };
		chart = before;
	}
	if (forest->chart && chart.nodes.count)
		tr2_chart_merge(forest->chart, &chart, 0);
	tr2_chart_release(&chart);
}

/* Its time may have been given while its events came. */
static void begin_chart(struct tr2_resolving *run)
{
	struct tr2_given_early *early = &run->forest->early;

	run->node = 0;
	if (!early->chart.nodes.count || !run->ended->direct ||
	    early->key != run->process->key) {
		tr2_chart_begin(&run->chart, run->ended->name);
		return;
	}
	tr2_chart_release(&run->chart);
	run->chart = early->chart;
	early->chart = (struct tr2_chart){ 0 };
}

/* Of equal ones the one with the least key is. */
static void begin_slowest(struct tr2_resolving *run, int64_t wall)
{
	struct tr2_forest *forest = run->forest;
	struct tr2_slowest *slowest = &forest->slowest;
	const uint64_t key = run->process->key;

	run->is_slowest = !slowest->found || wall > slowest->wall ||
			  (wall == slowest->wall && key < slowest->key);
	if (!run->is_slowest)
		return;
	tr2_vec_release(&slowest->chain);
	*slowest = (struct tr2_slowest){
		.found = true,
		.name = run->ended->name,
		.wall = wall,
		.key = key,
	};
	run->is_slowest = !run->ended->direct || forest->early.key == key;
}

void tr2_charting_begin(struct tr2_resolving *run)
{
	tr2_charting_end(run);
	begin_slowest(run, run->process->end - run->process->begin);
	run->charted = run->is_slowest || run->forest->chart;
	if (run->charted)
		begin_chart(run);
}

/* Returns the node of a call of the present process; its own for none. */
static uint32_t chart_call(struct tr2_resolving *run, uint32_t call)
{
	if (!run->charted || call == TR2_TREE_NONE)
		return run->node;
	return tr2_chart_find(&run->chart, &run->forest->stacks, run->node,
			      tr2_kept_call_at(run->forest, call)->frame);
}

void tr2_charting_enter(struct tr2_resolving *run)
{
	const struct tr2_tree *tree = &run->forest->tree;
	uint32_t call = run->process->first;
	uint32_t last = tr2_tree_last(tree, run->task.number);

	if (!run->charted)
		return;
	run->node = run->task.is_root
			    ? 0
			    : tr2_chart_enter(&run->chart, run->task.node,
					      run->ended->name);
	for (; call < last; call++)
		tr2_chart_at(&run->chart, chart_call(run, call))->count++;
}

/* The node was on top then, so those around it are in a stack. */
static void add_piece(struct tr2_resolving *run, uint32_t node,
		      const struct tr2_interval *time)
{
	struct tr2_forest *forest = run->forest;
	struct tr2_kept *ended;

	for (uint32_t i = run->path.count; i-- > 0; ended->shown = true) {
		ended = tr2_ended_at(forest, tr2_path_at(run, i)->number);
		if (ended->shown)
			break;
	}
	ended = tr2_ended_at(forest, tr2_path_at(run, 0)->number);
	TR2_VEC_PUT(&run->chart.pieces, struct tr2_piece,
		    time->from + run->task.shift, time->to + run->task.shift,
		    ended->begun, node);
}

void tr2_charting_give(struct tr2_resolving *run, uint32_t stack,
		       const struct tr2_interval *time)
{
	uint32_t node;

	if (!run->charted)
		return;
	node = tr2_chart_find(&run->chart, &run->forest->stacks, run->node,
			      stack);
	tr2_chart_at(&run->chart, node)->self += time->to - time->from;
	if (run->forest->profiled)
		add_piece(run, node, time);
}

void tr2_charting_end(struct tr2_resolving *run)
{
	if (run->charted && run->forest->chart)
		tr2_chart_merge(run->forest->chart, &run->chart, 1);
	if (run->charted && run->is_slowest)
		tr2_chart_trace(&run->chart, &run->forest->rows,
				&run->forest->slowest.chain);
	run->charted = false;
}

#define SHIFT_MOST (INT64_MAX / 4) /* so that times can be shifted, too */

/*
 * The shift of a process to the time of its caller; 0 if it is in no call.
 * Without times it begins with its span. One that is known by its pid was inside its span: if `time`
 * says something else, it is moved. But where the parent did not wait for its
 * end, it may go on after its span.
 */
int64_t tr2_resolving_shift(const struct tr2_tree *tree,
			    const struct tr2_tree_process *child)
{
	const struct tr2_tree_call *call;
	int64_t to_begin, to_end;

	if (child->call == TR2_TREE_NONE)
		return 0;
	call = tr2_tree_call_at(tree, child->call);
	to_begin = tr2_capped_add(call->begin, -child->begin);
	to_end = tr2_capped_add(call->end, -child->end);
	to_begin = tr2_most(-SHIFT_MOST, tr2_least(to_begin, SHIFT_MOST));
	if (!child->timed || !tr2_tree_process_at(tree, child->caller)->timed)
		return to_begin;
	if (child->tie != TR2_TIE_CHILD)
		return 0;
	if (to_begin >= 0 || child->begin > call->end)
		return to_begin;
	return call->kind == TR2_CALL_CHILD && !child->went_on && to_end < 0 &&
			       to_end >= to_begin
		       ? to_end
		       : 0;
}

/* The child may get time of a call of the present process. */
static void push_task(struct tr2_resolving *run,
		      const struct tr2_tree_process *child)
{
	const struct tr2_tree *tree = &run->forest->tree;
	const int64_t shift = tr2_resolving_shift(tree, child);

	TR2_VEC_PUT(&run->tasks, struct tr2_task,
		    .number = tr2_tree_number(tree, child), .key = child->key,
		    .begin = child->begin + shift, .end = child->end + shift,
		    .inner_shift = shift,
		    .shift = tr2_capped_add(run->task.shift, shift),
		    .depth = run->task.depth + run->task.accepted,
		    .accepted = run->task.accepted, .serves = run->task.serves,
		    .is_served = run->task.is_served,
		    .node = chart_call(run, child->call));
}

TR2_COMPARE(compare_heirs, tr2_task, TR2_BY(begin, TR2_BY(key, 0)));

TR2_COMPARE(compare_pieces, tr2_owned, TR2_BY(owner, TR2_BY(time.from, 0)));

/* Returns the heir that owns this moment: it began last. */
static const struct tr2_task *find_owner(struct tr2_resolving *run,
					 const struct tr2_vec *heirs,
					 uint32_t *next, int64_t at)
{
	const struct tr2_task *task = heirs->items;
	uint32_t *open;

	for (; *next < heirs->count && task[*next].begin <= at; ++*next)
		TR2_VEC_COPY(&run->open, uint32_t, *next);
	while (run->open.count) {
		open = (uint32_t *)run->open.items + run->open.count - 1;
		if (task[*open].end > at)
			return &task[*open];
		run->open.count--;
	}
	return NULL;
}

/* The call has this time itself. */
static void give_call(struct tr2_resolving *run, uint32_t number,
		      const struct tr2_interval *time)
{
	const struct tr2_kept_call *call =
		tr2_kept_call_at(run->forest, number);

	tr2_resolving_give(run, call->row, call->frame, time);
}

/*
 * Several processes may have run in the call, as below a shell: of those that
 * run at a time the last one owns it.
 */
static void share_piece(struct tr2_resolving *run, const struct tr2_vec *heirs,
			uint32_t *next, const struct tr2_owned *piece)
{
	const struct tr2_task *task = heirs->items, *owner;
	struct tr2_interval time = piece->time;

	for (; time.from < piece->time.to; time.from = time.to) {
		owner = find_owner(run, heirs, next, time.from);
		time.to = piece->time.to;
		if (*next < heirs->count)
			time.to = tr2_least(time.to, task[*next].begin);
		if (owner) {
			time.to = tr2_least(time.to, owner->end);
			TR2_VEC_PUT(&run->shares, struct tr2_owned,
				    (uint32_t)(owner - task), time);
		} else {
			give_call(run, piece->owner, &time);
		}
	}
}

/* Add the heirs' shares, moved from the time of their caller to their own. */
static void add_intervals(struct tr2_resolving *run,
			  const struct tr2_vec *heirs)
{
	struct tr2_task *task = heirs->items;
	const struct tr2_owned *share;
	uint32_t at = 0;

	tr2_vec_sort(&run->shares, sizeof(*share), compare_pieces);
	share = run->shares.items;
	for (uint32_t i = 0; i < heirs->count; i++, task++) {
		task->first = run->intervals.count;
		for (; at < run->shares.count && share[at].owner == i; at++)
			TR2_VEC_PUT(&run->intervals, struct tr2_interval,
				    share[at].time.from - task->inner_shift,
				    share[at].time.to - task->inner_shift,
				    share[at].time.phase);
		task->count = run->intervals.count - task->first;
	}
}

static void note_many(struct tr2_resolving *run, uint32_t number,
		      uint32_t count)
{
	const struct tr2_tree_call *call;

	if (number == TR2_TREE_NONE || !run->task.accepted)
		return;
	call = tr2_tree_call_at(&run->forest->tree, number);
	tr2_advice_note_many(&run->forest->rows,
			     tr2_kept_call_at(run->forest, number)->row, count,
			     call->end - call->begin);
}

/*
 * Give the time of the call, in the pieces from `at` on, to the processes that
 * ran in it: the tasks from `first` on. Returns the place after its pieces.
 */
static uint32_t settle_call(struct tr2_resolving *run, uint32_t call,
			    uint32_t first, uint32_t at)
{
	const struct tr2_owned *piece = run->pieces.items;
	struct tr2_vec heirs = {
		.items = (struct tr2_task *)run->tasks.items + first,
		.count = run->tasks.count - first,
	};
	uint32_t next = 0;

	tr2_vec_sort(&heirs, sizeof(struct tr2_task), compare_heirs);
	note_many(run, call, heirs.count);
	run->open.count = run->shares.count = 0;
	for (; at < run->pieces.count && piece[at].owner == call; at++)
		share_piece(run, &heirs, &next, &piece[at]);
	add_intervals(run, &heirs);
	return at;
}

/* Are there calls whose process has no log? */
static void count_unlogged(const struct tr2_resolving *run, uint32_t used)
{
	const struct tr2_tree *tree = &run->forest->tree;
	uint32_t i = run->process->first;
	uint32_t last = tr2_tree_last(tree, run->task.number);

	for (; i < last; i++)
		if (tr2_tree_call_at(tree, i)->kind != TR2_CALL_NOTHING)
			run->forest->counts.unlogged++;
	run->forest->counts.unlogged -= used;
}

/* What is in no call has run in the background. */
void tr2_resolving_share(struct tr2_resolving *run)
{
	struct tr2_tree_process **child;
	const struct tr2_owned *piece;
	uint32_t count, call, used = 0, at = 0, first;

	tr2_vec_sort(&run->pieces, sizeof(*piece), compare_pieces);
	piece = run->pieces.items;
	child = tr2_tree_children(&run->forest->tree, run->task.number, &count);
	for (uint32_t i = 0; i < count;) {
		call = child[i]->call;
		first = run->tasks.count;
		for (; i < count && child[i]->call == call; i++)
			push_task(run, child[i]);
		for (; at < run->pieces.count && piece[at].owner < call; at++)
			give_call(run, piece[at].owner, &piece[at].time);
		at = settle_call(run, call, first, at);
		used += call != TR2_TREE_NONE;
	}
	for (; at < run->pieces.count; at++)
		give_call(run, piece[at].owner, &piece[at].time);
	if (run->task.accepted)
		count_unlogged(run, used);
}

/* Of so many processes around each other the outer ones are not looked at. */
#define AROUND_MOST 64

/*
 * Returns how long the task's process runs, in its time from `begin` to `end`,
 * while another does, in its own from `from` to `to`, with this shift.
 */
static int64_t measure_inside(const struct tr2_resolving *run, int64_t begin,
			      int64_t end, int64_t from, int64_t to,
			      int64_t shift)
{
	begin = tr2_most(tr2_capped_add(begin, run->task.shift),
			 tr2_capped_add(from, shift));
	end = tr2_least(tr2_capped_add(end, run->task.shift),
			tr2_capped_add(to, shift));
	return tr2_most(end, begin) - begin;
}

static uint32_t find_outermost(const struct tr2_resolving *run)
{
	const uint32_t depth = run->task.depth;

	return depth > AROUND_MOST ? depth - AROUND_MOST : 0;
}

/* Returns for how long the call is in one of its row. */
static int64_t measure_call(const struct tr2_resolving *run, uint32_t number)
{
	const struct tr2_tree *tree = &run->forest->tree;
	const struct tr2_tree_call *call = tr2_tree_call_at(tree, number);
	const uint32_t row = tr2_kept_call_at(run->forest, number)->row;
	const struct tr2_tree_call *outer;
	uint32_t i = run->task.depth;

	for (; i > find_outermost(run); i--) {
		number = tr2_tree_process_at(tree, tr2_path_at(run, i)->number)
				 ->call;
		if (number == TR2_TREE_NONE ||
		    tr2_kept_call_at(run->forest, number)->row != row)
			continue;
		outer = tr2_tree_call_at(tree, number);
		return measure_inside(run, call->begin, call->end, outer->begin,
				      outer->end,
				      tr2_path_at(run, i - 1)->shift);
	}
	return 0;
}

static void subtract_calls(const struct tr2_resolving *run)
{
	struct tr2_forest *forest = run->forest;
	uint32_t i = run->process->first;
	struct tr2_sums *sums;

	for (; i < tr2_tree_last(&forest->tree, run->task.number); i++) {
		sums = &tr2_rows_at(&forest->rows,
				    tr2_kept_call_at(forest, i)->row)
				->sums;
		tr2_sum_add(&sums->total, &sums->total_over,
			    -measure_call(run, i));
	}
}

struct tr2_nested tr2_nested_count(const struct tr2_resolving *run)
{
	const struct tr2_tree_process *outer;
	const struct tr2_kept *ended;
	const struct tr2_path_place *place;
	struct tr2_nested nested = { 0 };
	int64_t overlap;

	for (uint32_t i = find_outermost(run); i < run->task.depth; i++) {
		place = tr2_path_at(run, i);
		outer = tr2_tree_process_at(&run->forest->tree, place->number);
		ended = tr2_ended_at(run->forest, place->number);
		overlap = measure_inside(run, run->process->begin,
					 run->process->end, outer->begin,
					 outer->end, place->shift);
		if (ended->name == run->ended->name)
			nested.command = overlap;
		if (ended->group == run->ended->group)
			nested.group = overlap;
	}
	subtract_calls(run);
	return nested;
}
