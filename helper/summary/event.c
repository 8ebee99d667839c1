#include "summary/event.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "json/match.h"
#include "rules/value.h"
#include "summary/name.h"

struct step { /* An event and its process. */
	struct tr2_forest *forest;
	struct tr2_record *record;
	struct tr2_process *process;
	int64_t time;	 /* the event's `time`; 0: none */
	uint64_t thread; /* hash of its name; 0: main */
};

static int64_t find_time(struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_TIME, &len);

	return text && tr2_match_time(text, len) ? tr2_record_time(record) : 0;
}

static uint64_t find_thread(struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_THREAD, &len);

	if (!text || (len == 4 && !memcmp(text, "main", 4)))
		return 0;
	return tr2_hash(text, len).a | 1;
}

static struct tr2_row *find_row(const struct step *step, uint32_t place)
{
	return tr2_rows_at(&step->forest->rows,
			   tr2_local_at(step->process, place)->row);
}

/* Returns the local row of the process for these names. */
static uint32_t enter_row(const struct step *step, enum tr2_table table,
			  uint32_t first, uint32_t second)
{
	return tr2_process_local(step->process,
				 tr2_rows_enter(&step->forest->rows, table,
						first, second));
}

static struct tr2_sums *find_sums(const struct step *step, uint32_t place)
{
	return &tr2_local_at(step->process, place)->sums;
}

static void keep_length(const struct step *step, uint32_t local, int64_t length)
{
	struct tr2_length *added;

	if (!step->forest->percentiles)
		return;
	added = tr2_vec_add(&step->process->lengths, sizeof(*added));
	added->local = local;
	added->value = length > 0 ? (uint64_t)length : 0;
}

/*
 * A span has ended. Its own duration decides, otherwise the event's time.
 * Other events are placed relative to this one from now on.
 */
static void end_at(const struct step *step, int64_t start, bool has_length,
		   int64_t length)
{
	struct tr2_process *process = step->process;
	int64_t to = process->now;

	if (has_length)
		to = start + length;
	else if (step->time)
		to = step->time - process->offset;
	tr2_process_advance(process, to);
	if (step->time)
		process->offset = step->time - process->now;
}

/* Life goes on until the event. */
static void go_on(const struct step *step)
{
	if (step->time)
		tr2_process_advance(step->process,
				    step->time - step->process->offset);
}

/*
 * The process begins t_abs before its first event that has one; `version` has
 * none and is written at about the same time.
 */
static void begin_process(const struct step *step)
{
	struct tr2_process *process = step->process;
	int64_t since = 0;

	if (step->record->is == TR2_IS_VERSION) {
		if (!process->base)
			process->base = step->time;
		return;
	}
	process->begun = true;
	tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since);
	if (step->time && (since || !process->base))
		process->base = step->time - since;
	process->now = process->base;
}

static void end_process(const struct step *step)
{
	struct tr2_process *process = step->process;
	int64_t since;

	go_on(step);
	process->end = process->now;
	if (tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since))
		process->end = process->base + since;
	tr2_forest_end_process(step->forest, process);
}

static void keep_failure(const struct step *step)
{
	int64_t code;

	if (tr2_record_integer(step->record, TR2_KEY_CODE, &code))
		step->process->failed = code != 0;
}

static void take_version(struct step *step)
{
	if (step->forest->by == TR2_BY_VERSION)
		step->process->version = tr2_name_key(
			&step->forest->rows, step->record, TR2_KEY_EXE);
}

static void take_start(struct step *step)
{
	go_on(step);
	step->process->words =
		tr2_name_words(&step->forest->rows, step->record);
}

static void take_name(struct step *step)
{
	go_on(step);
	step->process->name =
		tr2_name_key(&step->forest->rows, step->record, TR2_KEY_NAME);
}

static void take_mode(struct step *step)
{
	go_on(step);
	step->process->mode =
		tr2_name_key(&step->forest->rows, step->record, TR2_KEY_NAME);
}

static void take_ancestry(struct step *step)
{
	go_on(step);
	step->process->caller =
		tr2_name_caller(&step->forest->rows, step->record);
}

static void take_repository(struct step *step)
{
	go_on(step);
	if (step->forest->by == TR2_BY_REPOSITORY && !step->process->repository)
		step->process->repository = tr2_name_key(
			&step->forest->rows, step->record, TR2_KEY_WORKTREE);
}

static void take_exit(struct step *step)
{
	go_on(step);
	keep_failure(step);
}

static void take_atexit(struct step *step)
{
	keep_failure(step);
	end_process(step);
}

static void take_signal(struct step *step)
{
	step->process->failed = true;
	end_process(step);
}

static void take_error(struct step *step)
{
	uint32_t text =
		tr2_name_key(&step->forest->rows, step->record, TR2_KEY_FMT);

	go_on(step);
	if (!text)
		text = tr2_name_key(&step->forest->rows, step->record,
				    TR2_KEY_MSG);
	find_sums(step, enter_row(step, TR2_TABLE_ERRORS, text, 0))->count++;
}

/* Count the threads of a region, process by process. */
static void count_thread(const struct step *step, uint32_t local)
{
	const uint64_t key[] = { local + UINT64_C(1), step->thread };

	if (tr2_map_add(&step->process->threads,
			tr2_hash((const char *)key, sizeof(key)).a))
		find_sums(step, local)->threads++;
}

static uint32_t enter_region(const struct step *step)
{
	struct tr2_rows *rows = &step->forest->rows;
	uint32_t category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);

	return enter_row(step, TR2_TABLE_REGIONS, category,
			 tr2_name_key(rows, step->record, TR2_KEY_LABEL));
}

static void take_region_enter(struct step *step)
{
	uint32_t local = enter_region(step);

	go_on(step);
	count_thread(step, local);
	if (!step->thread)
		tr2_process_push(step->process, local,
				 find_row(step, local)->phase);
}

/* Returns the place after the innermost open span of this owner, or 0. */
static uint32_t find_span(const struct tr2_process *process, uint32_t owner)
{
	const struct tr2_open_span *stack = process->stack.items;
	uint32_t top = process->stack.count;

	while (top && stack[top - 1].owner != owner)
		top--;
	return top;
}

/* Regions inside it whose end is missing end here, too; children go on. */
static void close_inner(const struct step *step, uint32_t place)
{
	struct tr2_process *process = step->process;
	const struct tr2_open_span *stack;
	uint32_t top;

	for (top = process->stack.count; top > place; top--) {
		stack = process->stack.items;
		if (stack[top - 1].owner & TR2_OWNER_CHILD)
			continue;
		process->unclosed++;
		tr2_process_pop(process, &step->forest->chains, top - 1);
	}
}

static void take_region_leave(struct step *step)
{
	struct tr2_process *process = step->process;
	uint32_t local = enter_region(step);
	const struct tr2_open_span *stack = process->stack.items;
	uint32_t place = step->thread ? 0 : find_span(process, local);
	int64_t length = 0;
	bool has_length =
		tr2_record_seconds(step->record, TR2_KEY_T_REL, &length);

	if (place) {
		end_at(step, stack[place - 1].start, has_length, length);
		if (!has_length)
			length = process->now - stack[place - 1].start;
		close_inner(step, place);
		tr2_process_pop(process, &step->forest->chains, place - 1);
	} else {
		go_on(step);
	}
	tr2_sums_count(find_sums(step, local), length);
	keep_length(step, local, length);
}

/* A process has two kinds of spans with ids: children and execs. */
static uint64_t find_key(int64_t id, bool is_exec)
{
	return 2 * (uint64_t)id + is_exec;
}

static uint32_t name_class(const struct step *step, bool is_exec)
{
	uint32_t class = tr2_name_key(&step->forest->rows, step->record,
				      TR2_KEY_CHILD_CLASS);

	return is_exec ? tr2_rows_name(&step->forest->rows, "exec", 4) : class;
}

static void begin_child(struct step *step, enum tr2_key id_key, bool is_exec)
{
	struct tr2_process *process = step->process;
	struct tr2_rows *rows = &step->forest->rows;
	struct tr2_child_span *span;
	uint32_t name, local;
	size_t place;
	int64_t id = 0;

	go_on(step);
	tr2_record_integer(step->record, id_key, &id);
	name = tr2_name_key(rows, step->record, TR2_KEY_HOOK_NAME);
	if (!name)
		name = tr2_name_words(rows, step->record);
	local = enter_row(step, TR2_TABLE_CHILDREN, name_class(step, is_exec),
			  name);
	place = tr2_slots_add(&process->child_ids, find_key(id, is_exec));
	span = tr2_vec_renew(&process->children, place, sizeof(*span));
	span->local = local;
	span->start = process->now;
	span->end = INT64_MAX;
	span->pid = is_exec ? process->pid : 0;
	span->is_exec = is_exec;
	if (!step->thread)
		tr2_process_push(process, TR2_OWNER_CHILD | (uint32_t)place,
				 find_row(step, local)->phase);
}

/* Returns the place of the child that the event is about, or TR2_NO_SLOT. */
static size_t find_child(const struct step *step, enum tr2_key id_key,
			 bool is_exec)
{
	int64_t id;

	if (!tr2_record_integer(step->record, id_key, &id))
		return TR2_NO_SLOT;
	return tr2_slots_find(&step->process->child_ids, find_key(id, is_exec));
}

/* Take the child's span off the stack, if it is there. */
static void pop_child(const struct step *step, uint32_t place)
{
	uint32_t top = find_span(step->process, TR2_OWNER_CHILD | place);

	if (top)
		tr2_process_pop(step->process, &step->forest->chains, top - 1);
}

static void end_child(struct step *step, uint32_t place)
{
	struct tr2_process *process = step->process;
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
	span->pid = (uint32_t)pid;
	tr2_record_integer(step->record, TR2_KEY_CODE, &code);
	find_sums(step, span->local)->failed += code != 0;
	tr2_sums_count(find_sums(step, span->local), length);
	keep_length(step, span->local, length);
	pop_child(step, place);
	tr2_forest_end_child(step->forest, process, place);
}

static void take_child_start(struct step *step)
{
	begin_child(step, TR2_KEY_CHILD_ID, false);
}

/* child_ready ends the span, too: the parent waits no longer. */
static void take_child_end(struct step *step)
{
	size_t place = find_child(step, TR2_KEY_CHILD_ID, false);

	if (place == TR2_NO_SLOT)
		go_on(step);
	else
		end_child(step, (uint32_t)place);
}

static void take_exec(struct step *step)
{
	begin_child(step, TR2_KEY_EXEC_ID, true);
}

/* There is a result only if it failed, so the process itself goes on. */
static void take_exec_result(struct step *step)
{
	size_t place = find_child(step, TR2_KEY_EXEC_ID, true);
	struct tr2_child_span *span;

	go_on(step);
	if (place == TR2_NO_SLOT)
		return;
	span = tr2_child_span_at(step->process, (uint32_t)place);
	if (span->end != INT64_MAX)
		return;
	span->end = step->process->now;
	find_sums(step, span->local)->failed++;
	tr2_sums_count(find_sums(step, span->local), span->end - span->start);
	pop_child(step, (uint32_t)place);
}

/* Integers as such or as text, as git writes them. */
static bool read_number(struct tr2_record *record, int64_t *value)
{
	char digits[24], *end;
	const char *text;
	size_t len;

	if (tr2_record_integer(record, TR2_KEY_VALUE, value))
		return true;
	text = tr2_record_text(record, TR2_KEY_VALUE, &len);
	if (!text || !len || len >= 20)
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (*digits != '-' && (*digits < '0' || *digits > '9'))
		return false;
	*value = strtoll(digits, &end, 10);
	return *end == '\0' && end[-1] != '-';
}

static void take_data(struct step *step)
{
	struct tr2_rows *rows = &step->forest->rows;
	struct tr2_sums sums = { .count = 1 };
	uint32_t category;

	go_on(step);
	if (!read_number(step->record, &sums.total))
		return;
	sums.min = sums.max = sums.last = sums.total;
	sums.last_time = step->time;
	category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);
	tr2_sums_add(find_sums(step, enter_row(step, TR2_TABLE_DATA, category,
					       tr2_name_key(rows, step->record,
							    TR2_KEY_KEY))),
		     &sums);
}

static uint32_t enter_metric(const struct step *step, enum tr2_table table)
{
	struct tr2_rows *rows = &step->forest->rows;
	uint32_t category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);

	return enter_row(step, table, category,
			 tr2_name_key(rows, step->record, TR2_KEY_NAME));
}

static void take_timer(struct step *step)
{
	struct tr2_sums sums = { 0 };
	int64_t intervals;

	go_on(step);
	if (!tr2_record_integer(step->record, TR2_KEY_INTERVALS, &intervals) ||
	    intervals <= 0)
		return;
	sums.count = (uint64_t)intervals;
	tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &sums.total);
	tr2_record_seconds(step->record, TR2_KEY_T_MIN, &sums.min);
	tr2_record_seconds(step->record, TR2_KEY_T_MAX, &sums.max);
	tr2_sums_add(find_sums(step, enter_metric(step, TR2_TABLE_TIMERS)),
		     &sums);
}

static void take_counter(struct step *step)
{
	int64_t count;

	go_on(step);
	if (tr2_record_integer(step->record, TR2_KEY_COUNT, &count))
		tr2_sums_count(
			find_sums(step, enter_metric(step, TR2_TABLE_COUNTERS)),
			count);
}

/* Events that are not here only tell the time. */
static void (*const takers[TR2_IS_OTHER + 1])(struct step *step) = {
	[TR2_IS_VERSION] = take_version,
	[TR2_IS_START] = take_start,
	[TR2_IS_CMD_NAME] = take_name,
	[TR2_IS_CMD_MODE] = take_mode,
	[TR2_IS_CMD_ANCESTRY] = take_ancestry,
	[TR2_IS_DEF_REPO] = take_repository,
	[TR2_IS_EXIT] = take_exit,
	[TR2_IS_ATEXIT] = take_atexit,
	[TR2_IS_SIGNAL] = take_signal,
	[TR2_IS_ERROR] = take_error,
	[TR2_IS_REGION_ENTER] = take_region_enter,
	[TR2_IS_REGION_LEAVE] = take_region_leave,
	[TR2_IS_CHILD_START] = take_child_start,
	[TR2_IS_CHILD_EXIT] = take_child_end,
	[TR2_IS_CHILD_READY] = take_child_end,
	[TR2_IS_EXEC] = take_exec,
	[TR2_IS_EXEC_RESULT] = take_exec_result,
	[TR2_IS_DATA] = take_data,
	[TR2_IS_TIMER] = take_timer,
	[TR2_IS_COUNTER] = take_counter,
};

void tr2_summary_event(void *forest, struct tr2_record *record)
{
	struct step step = { .forest = forest, .record = record };
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT)) {
		step.forest->counts.unread++;
		return;
	}
	step.process = tr2_forest_process(forest, sid, len);
	if (!step.process) {
		step.forest->counts.late++;
		return;
	}
	step.time = find_time(record);
	step.thread = find_thread(record);
	step.process->timed |= step.time != 0;
	if (!step.process->begun)
		begin_process(&step);
	if (takers[record->is])
		takers[record->is](&step);
	else
		go_on(&step);
}
