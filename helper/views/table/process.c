#include "views/table/process.h"

#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"

struct tr2_flat_process *tr2_flat_process_new(uint64_t key)
{
	struct tr2_flat_process *process = tr2_must_zeros(sizeof(*process));

	process->key = key;
	tr2_timeline_begin(&process->timeline);
	return process;
}

void tr2_flat_process_free(struct tr2_flat_process *process)
{
	struct tr2_flat_value *value = process->values.items;
	struct tr2_flat_region *region = process->regions.items;
	uint32_t i;

	for (i = 0; i < process->values.count; i++)
		tr2_buf_release(&value[i].text);
	for (i = 0; i < process->regions.count; i++)
		tr2_buf_release(&region[i].texts);
	tr2_timeline_release(&process->timeline);
	tr2_vec_release(&process->values);
	tr2_vec_release(&process->regions);
	tr2_slots_release(&process->running);
	tr2_slots_release(&process->awaited);
	tr2_slots_release(&process->met);
	tr2_buf_release(&process->argv);
	free(process->sid);
	free(process);
}

struct tr2_flat_value *tr2_flat_value_at(struct tr2_flat_process *process,
					 size_t field, size_t count)
{
	while (process->values.count < count)
		tr2_vec_renew(&process->values, process->values.count,
			      sizeof(struct tr2_flat_value));
	return (struct tr2_flat_value *)process->values.items + field;
}

static void join_values(struct tr2_flat_process *process,
			const struct tr2_flat_process *child)
{
	const struct tr2_flat_value *from = child->values.items;
	struct tr2_flat_value *to;
	uint32_t i;

	for (i = 0; i < child->values.count; i++) {
		to = tr2_flat_value_at(process, i, child->values.count);
		to->number = tr2_capped_add(to->number, from[i].number);
		if (to->text.len && from[i].text.len)
			tr2_buf_byte(&to->text, ',');
		if (from[i].text.len)
			tr2_buf_add(&to->text, from[i].text.bytes,
				    from[i].text.len);
		if (to->text.failed)
			tr2_memory_out();
	}
}

static void join_error(struct tr2_flat_process *process, uint32_t error,
		       int64_t time)
{
	if (!error || (process->other_error && process->other_time <= time))
		return;
	process->other_error = error;
	process->other_time = time;
}

void tr2_flat_process_join(struct tr2_flat_process *process,
			   const struct tr2_flat_process *child)
{
	process->joined += child->joined + 1;
	process->joined_failed +=
		child->joined_failed + tr2_timeline_failed(&child->timeline);
	process->errors += child->errors;
	join_error(process, child->error, child->error_time);
	join_error(process, child->other_error, child->other_time);
	join_values(process, child);
}

void tr2_flat_child_begin(struct tr2_flat_process *process, int64_t id)
{
	tr2_slots_add(&process->running, (uint64_t)id);
	process->running_count++;
}

void tr2_flat_child_end(struct tr2_flat_process *process, int64_t id,
			int64_t pid)
{
	size_t place = tr2_slots_find(&process->running, (uint64_t)id);
	uint32_t low;

	if (place == TR2_NO_SLOT)
		return;
	tr2_slots_remove(&process->running, place);
	process->running_count--;
	if (pid <= 0) /* it could not be started */
		return;
	low = (uint32_t)pid; /* as its SID has it */
	place = tr2_slots_find(&process->met, low);
	if (place != TR2_NO_SLOT) {
		tr2_slots_remove(&process->met, place);
		return;
	}
	tr2_slots_add(&process->awaited, low);
	process->awaited_count++;
}

void tr2_flat_child_meet(struct tr2_flat_process *process, uint32_t pid)
{
	size_t place = tr2_slots_find(&process->awaited, pid);

	if (place == TR2_NO_SLOT) {
		tr2_slots_add(&process->met, pid);
		return;
	}
	tr2_slots_remove(&process->awaited, place);
	process->awaited_count--;
}
