#include "model/account/resolve.h"

/* Of so many processes around each other the outer ones are not looked at. */
#define DEEPEST 64

/* A process around the present one, and its call in which that one runs. */
struct around {
	uint32_t name, group, row; /* row: UINT32_MAX if it is in no call */
	int64_t begin, end, call_begin,
		call_end; /* in the present one's time */
};

static uint32_t list_around(const struct tr2_resolving *run,
			    struct around around[DEEPEST])
{
	const struct tr2_forest *forest = run->forest;
	const struct tr2_tree_process *process = run->process;
	const struct tr2_tree_call *call;
	const struct tr2_kept *ended;
	uint32_t number = run->task.number, count = 0;
	int64_t shift = 0;

	for (; count < DEEPEST && number != run->task.root; count++) {
		call = NULL;
		if (process->call != TR2_TREE_NONE) {
			call = tr2_tree_call_at(&forest->tree, process->call);
			shift += tr2_resolving_shift(&forest->tree, process);
		}
		around[count].row =
			call ? tr2_kept_call_at(forest, process->call)->row
			     : UINT32_MAX;
		around[count].call_begin = call ? call->begin - shift : 0;
		around[count].call_end = call ? call->end - shift : 0;
		number = process->caller;
		process = tr2_tree_process_at(&forest->tree, number);
		ended = tr2_ended_at(forest, number);
		around[count].name = ended->name;
		around[count].group = ended->group;
		around[count].begin = process->begin - shift;
		around[count].end = process->end - shift;
	}
	return count;
}

static int64_t measure_overlap(int64_t begin, int64_t end, int64_t from,
			       int64_t to)
{
	begin = begin > from ? begin : from;
	end = end < to ? end : to;
	return end > begin ? end - begin : 0;
}

static void subtract_calls(const struct tr2_resolving *run,
			   const struct around *around, uint32_t count)
{
	const struct tr2_forest *forest = run->forest;
	const uint32_t last = tr2_tree_last(&forest->tree, run->task.number);
	const struct tr2_tree_call *call;
	struct tr2_sums *sums;
	uint32_t i = run->process->first, j, row;

	for (; i < last; i++) {
		row = tr2_kept_call_at(forest, i)->row;
		for (j = 0; j < count && around[j].row != row;)
			j++;
		if (j == count)
			continue;
		call = tr2_tree_call_at(&forest->tree, i);
		sums = &tr2_rows_at(&forest->rows, row)->sums;
		tr2_sum_add(&sums->total, &sums->total_over,
			    -measure_overlap(call->begin, call->end,
					     around[j].call_begin,
					     around[j].call_end));
	}
}

struct tr2_nested tr2_nested_count(const struct tr2_resolving *run)
{
	const struct tr2_kept *ended = run->ended;
	struct tr2_nested nested = { 0 };
	struct around around[DEEPEST];
	const uint32_t count = list_around(run, around);
	uint32_t i;

	for (i = count; i--;) {
		const int64_t overlap =
			measure_overlap(run->process->begin, run->process->end,
					around[i].begin, around[i].end);

		if (around[i].name == ended->name)
			nested.command = overlap;
		if (around[i].group == ended->group)
			nested.group = overlap;
	}
	subtract_calls(run, around, count);
	return nested;
}
