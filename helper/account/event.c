#include "account/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "rules/value.h"
#include "account/name.h"
#include "account/span.h"

/* Returns the local row of the process for these names. */
uint32_t tr2_step_enter_row(const struct tr2_summary_step *step,
			    enum tr2_table table, uint32_t first,
			    uint32_t second)
{
	return tr2_process_local(step->process,
				 tr2_rows_enter(&step->forest->rows, table,
						first, second));
}

struct tr2_sums *tr2_step_sums(const struct tr2_summary_step *step,
			       uint32_t place)
{
	return &tr2_local_at(step->process, place)->sums;
}

/* Life goes on until the event. */
void tr2_step_go_on(const struct tr2_summary_step *step)
{
	if (step->time)
		tr2_process_advance(step->process,
				    step->time - step->process->offset);
}

static uint64_t find_thread(struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_THREAD, &len);

	if (!text || (len == 4 && !memcmp(text, "main", 4)))
		return 0;
	return tr2_hash(text, len).a | 1;
}

/*
 * The process begins t_abs before its first event that has one; `version` has
 * none and is written at about the same time.
 */
static void begin_process(const struct tr2_summary_step *step)
{
	struct tr2_summary_process *process = step->process;
	int64_t since = 0;

	if (step->record->is == TR2_IS_VERSION) {
		if (!process->base)
			process->base = step->time;
		process->now = process->base; /* the log may end here */
		return;
	}
	process->begun = true;
	tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since);
	if (step->time && (since || !process->base))
		process->base = step->time - since;
	process->now = process->base;
}

/*
 * The process began without a time, so its life is counted from 0: the first
 * time stands for where it is now.
 */
static void place_first_time(const struct tr2_summary_step *step)
{
	struct tr2_summary_process *process = step->process;
	int64_t since;

	if (tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since))
		tr2_process_advance(process, process->base + since);
	process->offset = step->time - process->now;
}

/* The duration decides, but no process ends before its last event. */
static void end_process(const struct tr2_summary_step *step)
{
	struct tr2_summary_process *process = step->process;
	int64_t since;

	if (tr2_record_seconds(step->record, TR2_KEY_T_ABS, &since))
		tr2_process_advance(process, process->base + since);
	else
		tr2_step_go_on(step);
	process->end = process->now;
	tr2_forest_end_process(step->forest, process);
}

static void keep_failure(const struct tr2_summary_step *step)
{
	int64_t code;

	if (tr2_record_integer(step->record, TR2_KEY_CODE, &code))
		step->process->failed = code != 0;
}

static void take_version(struct tr2_summary_step *step)
{
	if (step->forest->by == TR2_BY_VERSION)
		step->process->version = tr2_name_key(
			&step->forest->rows, step->record, TR2_KEY_EXE);
}

static void take_start(struct tr2_summary_step *step)
{
	tr2_step_go_on(step);
	step->process->words =
		tr2_name_words(&step->forest->rows, step->record);
}

static void take_name(struct tr2_summary_step *step)
{
	tr2_step_go_on(step);
	step->process->name =
		tr2_name_key(&step->forest->rows, step->record, TR2_KEY_NAME);
}

static void take_mode(struct tr2_summary_step *step)
{
	tr2_step_go_on(step);
	step->process->mode =
		tr2_name_key(&step->forest->rows, step->record, TR2_KEY_NAME);
}

static void take_ancestry(struct tr2_summary_step *step)
{
	tr2_step_go_on(step);
	step->process->caller =
		tr2_name_caller(&step->forest->rows, step->record);
}

static void take_repository(struct tr2_summary_step *step)
{
	tr2_step_go_on(step);
	if (step->forest->by == TR2_BY_REPOSITORY && !step->process->repository)
		step->process->repository = tr2_name_key(
			&step->forest->rows, step->record, TR2_KEY_WORKTREE);
}

static void take_exit(struct tr2_summary_step *step)
{
	tr2_step_go_on(step);
	keep_failure(step);
}

static void take_atexit(struct tr2_summary_step *step)
{
	keep_failure(step);
	end_process(step);
}

static void take_signal(struct tr2_summary_step *step)
{
	step->process->failed = true;
	end_process(step);
}

static void take_error(struct tr2_summary_step *step)
{
	uint32_t text =
		tr2_name_key(&step->forest->rows, step->record, TR2_KEY_FMT);

	tr2_step_go_on(step);
	if (!text)
		text = tr2_name_key(&step->forest->rows, step->record,
				    TR2_KEY_MSG);
	tr2_step_sums(step, tr2_step_enter_row(step, TR2_TABLE_ERRORS, text, 0))
		->count++;
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
	if (!text || !len || len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (*digits != '-' && (*digits < '0' || *digits > '9'))
		return false;
	errno = 0;
	*value = strtoll(digits, &end, 10);
	return !errno && end == digits + len;
}

static void take_data(struct tr2_summary_step *step)
{
	struct tr2_rows *rows = &step->forest->rows;
	struct tr2_sums sums = { .count = 1 };
	uint32_t category;

	tr2_step_go_on(step);
	if (!read_number(step->record, &sums.total))
		return;
	sums.min = sums.max = sums.last = sums.total;
	sums.last_time = step->time;
	category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);
	tr2_sums_add(tr2_step_sums(
			     step,
			     tr2_step_enter_row(step, TR2_TABLE_DATA, category,
						tr2_name_key(rows, step->record,
							     TR2_KEY_KEY))),
		     &sums);
}

static uint32_t enter_metric(const struct tr2_summary_step *step,
			     enum tr2_table table)
{
	struct tr2_rows *rows = &step->forest->rows;
	uint32_t category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);

	return tr2_step_enter_row(step, table, category,
				  tr2_name_key(rows, step->record,
					       TR2_KEY_NAME));
}

static void take_timer(struct tr2_summary_step *step)
{
	struct tr2_sums sums = { 0 };
	int64_t intervals;

	tr2_step_go_on(step);
	if (!tr2_record_integer(step->record, TR2_KEY_INTERVALS, &intervals) ||
	    intervals <= 0)
		return;
	sums.count = (uint64_t)intervals;
	tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &sums.total);
	tr2_record_seconds(step->record, TR2_KEY_T_MIN, &sums.min);
	tr2_record_seconds(step->record, TR2_KEY_T_MAX, &sums.max);
	tr2_sums_add(tr2_step_sums(step, enter_metric(step, TR2_TABLE_TIMERS)),
		     &sums);
}

static void take_counter(struct tr2_summary_step *step)
{
	int64_t count;

	tr2_step_go_on(step);
	if (tr2_record_integer(step->record, TR2_KEY_COUNT, &count))
		tr2_sums_count(
			tr2_step_sums(step,
				      enter_metric(step, TR2_TABLE_COUNTERS)),
			count);
}

/* Events that are not here only tell the time. */
static void (*const takers[TR2_IS_OTHER + 1])(struct tr2_summary_step *step) = {
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
	[TR2_IS_REGION_ENTER] = tr2_span_region_enter,
	[TR2_IS_REGION_LEAVE] = tr2_span_region_leave,
	[TR2_IS_CHILD_START] = tr2_span_child_start,
	[TR2_IS_CHILD_EXIT] = tr2_span_child_end,
	[TR2_IS_CHILD_READY] = tr2_span_child_end,
	[TR2_IS_EXEC] = tr2_span_exec,
	[TR2_IS_EXEC_RESULT] = tr2_span_exec_result,
	[TR2_IS_DATA] = take_data,
	[TR2_IS_TIMER] = take_timer,
	[TR2_IS_COUNTER] = take_counter,
};

void tr2_summary_event(void *forest, struct tr2_record *record)
{
	struct tr2_summary_step step = { .forest = forest, .record = record };
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
	step.time = tr2_record_find_time(record);
	step.thread = find_thread(record);
	if (!step.process->begun)
		begin_process(&step);
	else if (step.time && !step.process->timed)
		place_first_time(&step);
	step.process->timed |= step.time != 0;
	if (takers[record->is])
		takers[record->is](&step);
	else
		tr2_step_go_on(&step);
}
