/* The chart of the slowest root, while all time is given. */
#include "model/account/resolve.h"

static bool is_slowest(const struct tr2_slowest *slowest, int64_t wall,
		       uint64_t key)
{
	return !slowest->found || wall > slowest->wall ||
	       (wall == slowest->wall && key < slowest->key);
}

/* Its time was given while its events came, stack by stack. */
static void give_early(struct tr2_resolving *run)
{
	struct tr2_given_early *early = &run->forest->early;
	const struct tr2_stack_sum *sum = early->stacks.list.items;
	uint32_t i;

	if (!run->ended->direct || early->key != run->process->key)
		return;
	early->charted = true;
	for (i = 0; i < early->stacks.list.count; i++)
		tr2_charting_give(run, sum[i].stack, sum[i].self);
}

static void begin_slowest(struct tr2_resolving *run, int64_t wall)
{
	struct tr2_forest *forest = run->forest;
	struct tr2_slowest *slowest = &forest->slowest;

	run->is_slowest = is_slowest(slowest, wall, run->process->key);
	if (!run->is_slowest)
		return;
	tr2_vec_release(&slowest->chain);
	*slowest = (struct tr2_slowest){
		.found = true,
		.name = run->ended->name,
		.wall = wall,
		.key = run->process->key,
	};
	run->is_slowest = !run->ended->direct ||
			  forest->early.key == run->process->key;
}

void tr2_charting_begin(struct tr2_resolving *run)
{
	tr2_charting_end(run);
	begin_slowest(run, run->process->end - run->process->begin);
	run->charted = !run->forest->frames &&
		       (run->is_slowest || run->forest->chart);
	if (!run->charted)
		return;
	run->node = 0;
	tr2_chart_begin(&run->chart, run->ended->name);
	give_early(run);
}

uint32_t tr2_charting_call(struct tr2_resolving *run, uint32_t call)
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
		tr2_chart_at(&run->chart, tr2_charting_call(run, call))
			->count++;
}

void tr2_charting_give(struct tr2_resolving *run, uint32_t stack,
		       int64_t length)
{
	uint32_t node;

	if (!run->charted)
		return;
	node = tr2_chart_find(&run->chart, &run->forest->stacks, run->node,
			      stack);
	tr2_chart_at(&run->chart, node)->self += length;
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
