#include "account/span.h"

#include "common/hash.h"
#include "rules/value.h"
#include "account/name.h"

static struct tr2_row *find_row(const struct tr2_summary_step *step,
				uint32_t place)
{
	return tr2_rows_at(&step->forest->rows,
			   tr2_local_at(step->process, place)->row);
}

static void count_span(const struct tr2_summary_step *step, uint32_t local,
		       int64_t length)
{
	tr2_forest_count_span(step->forest, step->process, local, length);
}

/*
 * A span has ended. Its own duration decides, otherwise the event's time.
 * Other events are placed relative to this one from now on.
 */
static void end_at(const struct tr2_summary_step *step, int64_t start,
		   bool has_length, int64_t length)
{
	struct tr2_summary_process *process = step->process;
	int64_t to = process->now;

	if (has_length)
		to = start + length;
	else if (step->time)
		to = step->time - process->offset;
	tr2_process_advance(process, to);
	if (step->time)
		process->offset = step->time - process->now;
}

/* Count the threads of a region, process by process. */
static void count_thread(const struct tr2_summary_step *step, uint32_t local)
{
	const uint64_t key[] = { local + UINT64_C(1), step->thread };

	if (tr2_map_add(&step->process->threads,
			tr2_hash((const char *)key, sizeof(key)).a))
		tr2_step_sums(step, local)->threads++;
}

static uint32_t enter_region(const struct tr2_summary_step *step)
{
	struct tr2_rows *rows = &step->forest->rows;
	uint32_t category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);

	return tr2_step_enter_row(step, TR2_TABLE_REGIONS, category,
				  tr2_name_key(rows, step->record,
					       TR2_KEY_LABEL));
}

void tr2_span_region_enter(struct tr2_summary_step *step)
{
	uint32_t local = enter_region(step);

	tr2_step_go_on(step);
	count_thread(step, local);
	if (!step->thread)
		tr2_process_push(step->process, &step->forest->rows, local,
				 find_row(step, local)->phase);
}

/* Regions inside it whose end is missing end here, too; children go on. */
static void close_inner(const struct tr2_summary_step *step, uint32_t number)
{
	struct tr2_summary_process *process = step->process;
	const struct tr2_open_span *inner;

	while (process->region != number) {
		inner = tr2_open_span_at(process, process->region);
		process->unclosed++;
		count_span(step, inner->owner, process->now - inner->start);
		tr2_process_pop(process, &step->forest->chains,
				process->region);
	}
}

void tr2_span_region_leave(struct tr2_summary_step *step)
{
	struct tr2_summary_process *process = step->process;
	uint32_t local = enter_region(step);
	uint32_t number = step->thread ? 0
				       : tr2_process_find_open(process, local);
	int64_t length = 0, start;
	bool has_length =
		tr2_record_seconds(step->record, TR2_KEY_T_REL, &length);

	if (number) {
		start = tr2_open_span_at(process, number)->start;
		end_at(step, start, has_length, length);
		if (!has_length)
			length = process->now - start;
		close_inner(step, number);
		tr2_process_pop(process, &step->forest->chains, number);
	} else {
		tr2_step_go_on(step);
	}
	count_span(step, local, length);
}

/* A process has two kinds of spans with ids: children and execs. */
static uint64_t find_key(int64_t id, bool is_exec)
{
	return 2 * (uint64_t)id + is_exec;
}

static uint32_t name_class(const struct tr2_summary_step *step, bool is_exec)
{
	uint32_t class = tr2_name_key(&step->forest->rows, step->record,
				      TR2_KEY_CHILD_CLASS);

	return is_exec ? tr2_rows_name(&step->forest->rows, "exec", 4) : class;
}

static void begin_child(struct tr2_summary_step *step, enum tr2_key id_key,
			bool is_exec)
{
	struct tr2_summary_process *process = step->process;
	struct tr2_rows *rows = &step->forest->rows;
	struct tr2_child_span *span;
	uint32_t name, local;
	size_t place;
	int64_t id = 0;

	tr2_step_go_on(step);
	tr2_record_integer(step->record, id_key, &id);
	name = tr2_name_key(rows, step->record, TR2_KEY_HOOK_NAME);
	if (!name)
		name = tr2_name_words(rows, step->record);
	local = tr2_step_enter_row(step, TR2_TABLE_CHILDREN,
				   name_class(step, is_exec), name);
	place = tr2_slots_add(&process->child_ids, find_key(id, is_exec));
	span = tr2_vec_renew(&process->children, place, sizeof(*span));
	span->local = local;
	span->start = process->now;
	span->end = INT64_MAX;
	span->pid = is_exec ? process->pid : 0;
	span->is_exec = is_exec;
	if (!step->thread)
		tr2_process_push(process, rows,
				 TR2_OWNER_CHILD | (uint32_t)place,
				 find_row(step, local)->phase);
}

/* Returns the place of the child that the event is about, or TR2_NO_SLOT. */
static size_t find_child(const struct tr2_summary_step *step,
			 enum tr2_key id_key, bool is_exec)
{
	int64_t id;

	if (!tr2_record_integer(step->record, id_key, &id))
		return TR2_NO_SLOT;
	return tr2_slots_find(&step->process->child_ids, find_key(id, is_exec));
}

/* End the child's open span, if it has one. */
static void pop_child(const struct tr2_summary_step *step, uint32_t place)
{
	uint32_t number =
		tr2_process_find_open(step->process, TR2_OWNER_CHILD | place);

	if (number)
		tr2_process_pop(step->process, &step->forest->chains, number);
}

static void end_child(struct tr2_summary_step *step, uint32_t place)
{
	struct tr2_summary_process *process = step->process;
	struct tr2_child_span *span = tr2_child_span_at(process, place);
	int64_t length = 0, code = 0, pid = 0;
	bool has_length =
		tr2_record_seconds(step->record, TR2_KEY_T_REL, &length);

	if (span->end != INT64_MAX)
		return; /* it has ended before */
	end_at(step, span->start, has_length, length);
	span->end = process->now;
	if (!has_length)
		length = process->now - span->start;
	tr2_record_integer(step->record, TR2_KEY_PID, &pid);
	span->pid = pid > 0 ? (uint32_t)pid : 0;
	span->unstarted = pid < 0;
	tr2_record_integer(step->record, TR2_KEY_CODE, &code);
	tr2_step_sums(step, span->local)->failed += code != 0;
	count_span(step, span->local, length);
	pop_child(step, place);
	tr2_forest_end_child(step->forest, process, place);
}

void tr2_span_child_start(struct tr2_summary_step *step)
{
	begin_child(step, TR2_KEY_CHILD_ID, false);
}

/* child_ready ends the span, too: the parent waits no longer. */
void tr2_span_child_end(struct tr2_summary_step *step)
{
	size_t place = find_child(step, TR2_KEY_CHILD_ID, false);

	if (place == TR2_NO_SLOT)
		tr2_step_go_on(step);
	else
		end_child(step, (uint32_t)place);
}

void tr2_span_exec(struct tr2_summary_step *step)
{
	begin_child(step, TR2_KEY_EXEC_ID, true);
}

/* There is a result only if it failed, so the process itself goes on. */
void tr2_span_exec_result(struct tr2_summary_step *step)
{
	size_t place = find_child(step, TR2_KEY_EXEC_ID, true);
	struct tr2_child_span *span;

	tr2_step_go_on(step);
	if (place == TR2_NO_SLOT)
		return;
	span = tr2_child_span_at(step->process, (uint32_t)place);
	if (span->end != INT64_MAX)
		return;
	span->end = step->process->now;
	tr2_step_sums(step, span->local)->failed++;
	count_span(step, span->local, span->end - span->start);
	pop_child(step, (uint32_t)place);
}
