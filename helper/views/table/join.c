#include "views/table/join.h"

#include "lib/common/memory.h"

static uint64_t place_of(const struct tr2_flat_join *join, uint32_t number)
{
	const uint64_t *places = join->places.items;

	return number < join->places.count
		       ? places[number]
		       : join->texts.spilled + join->texts.text.len;
}

void tr2_flat_join_keep(struct tr2_flat_join *join,
			const struct tr2_flat_process *process)
{
	uint64_t *place = tr2_vec_add(&join->places, sizeof(*place));
	struct tr2_buf text = TR2_BUF_INIT;

	tr2_flat_process_write(&text, process);
	*place = tr2_spill_add(&join->texts, text.bytes, text.len);
	tr2_buf_release(&text);
}

/* Returns NULL if its text is lost. */
static struct tr2_flat_process *load_process(struct tr2_flat_join *join,
					     uint32_t number)
{
	uint64_t at = place_of(join, number), end = place_of(join, number + 1);
	struct tr2_flat_process *process = NULL;
	struct tr2_buf text = TR2_BUF_INIT;

	if (tr2_spill_read(&join->texts, at, (size_t)(end - at), &text))
		join->failed = true;
	else if (text.failed)
		tr2_memory_out();
	else
		process = tr2_flat_process_read(text.bytes);
	tr2_buf_release(&text);
	return process;
}

/* Those below join in the order in which they ended. */
static void join_below(struct tr2_flat_join *join,
		       struct tr2_flat_process *process)
{
	const uint32_t *below = join->below.items;
	struct tr2_flat_process *child;
	uint32_t i;

	for (i = join->below.count; i; i--) {
		child = load_process(join, below[i - 1]);
		if (!child)
			return;
		tr2_flat_process_join(process, child);
		tr2_flat_process_free(child);
	}
}

static void put_row(struct tr2_flat_join *join)
{
	struct tr2_flat_process *process =
		join->has_root ? load_process(join, join->root.number) : NULL;

	if (process) {
		process->wall = join->root.wall;
		process->self = join->root.self;
		process->waited = join->root.waited;
		join_below(join, process);
		join->put(join->context, process);
		tr2_flat_process_free(process);
	}
	join->below.count = 0;
}

void tr2_flat_join_take(struct tr2_flat_join *join,
			const struct tr2_resolved *resolved)
{
	uint32_t *below;

	if (resolved->is_root) {
		put_row(join);
		join->root = *resolved;
		join->has_root = true;
		return;
	}
	below = tr2_vec_add(&join->below, sizeof(*below));
	*below = resolved->number;
}

void tr2_flat_join_end(struct tr2_flat_join *join)
{
	put_row(join);
	join->has_root = false;
}

void tr2_flat_join_release(struct tr2_flat_join *join)
{
	tr2_spill_release(&join->texts);
	tr2_vec_release(&join->places);
	tr2_vec_release(&join->below);
}
