#include "model/account/forest.h"

#include <string.h>

#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/text/text.h"
#include "read/origin.h"
#include "read/value.h"
#include "model/account/name.h"

uint32_t tr2_step_enter_row(const struct tr2_summary_step *step,
			    enum tr2_table table, uint32_t first,
			    uint32_t second)
{
	return tr2_process_local(step->process,
				 tr2_rows_enter(&step->forest->rows, table,
						first, second));
}

uint32_t tr2_step_enter_keys(const struct tr2_summary_step *step,
			     enum tr2_table table, enum tr2_key second)
{
	struct tr2_rows *rows = &step->forest->rows;
	uint32_t category = tr2_name_key(rows, step->record, TR2_KEY_CATEGORY);

	return tr2_step_enter_row(step, table, category,
				  tr2_name_key(rows, step->record, second));
}

struct tr2_sums *tr2_step_sums(const struct tr2_summary_step *step,
			       uint32_t place)
{
	return &tr2_local_at(step->process, place)->sums;
}

static void take_names(const struct tr2_summary_step *step)
{
	tr2_name_take(&step->process->names, &step->forest->rows, step->record);
}

/*
 * A status that git runs in a submodule has settings of its own, which advice
 * about the repository around it would not change.
 */
static void take_cmd_name(const struct tr2_summary_step *step)
{
	size_t len;
	const char *text =
		tr2_record_text(step->record, TR2_KEY_HIERARCHY, &len);

	take_names(step);
	if (text && (tr2_text_is(text, len, "status/status") ||
		     tr2_text_is(text, len, "commit/status") ||
		     tr2_text_is(text, len, "diff/status")))
		step->process->facts.choices |= 1U << TR2_SET_MONITOR |
						1U << TR2_SET_UNTRACKED;
}

static void take_version(const struct tr2_summary_step *step)
{
	tr2_facts_add_version(&step->process->facts, step->record);
	take_names(step);
}

/* The name that a person knows counts more than the SID's. */
static void take_host(const struct tr2_summary_step *step)
{
	size_t len;
	const char *host = tr2_origin_find(step->record, "host.name", &len);

	if (host && step->forest->by == TR2_BY_HOST)
		step->process->host =
			tr2_rows_name(&step->forest->rows, host, len);
}

static void take_start(const struct tr2_summary_step *step)
{
	const struct tr2_said *said = tr2_said_read(
		step->forest->said, &step->forest->rows, step->record);

	take_host(step);
	step->process->names.words = said->name;
	step->process->life.self.words = said->words;
	step->process->facts.choices |= said->choices;
	step->process->remote = said->remote;
	if (!step->process->life.self.has_parent)
		tr2_words_put_line(&step->process->line, step->record);
}

static void take_param(const struct tr2_summary_step *step)
{
	tr2_facts_add_param(&step->process->facts, step->record);
}

/* Its format; a format that is all message has the kind of the message. */
static uint32_t name_error(const struct tr2_summary_step *step)
{
	struct tr2_rows *rows = &step->forest->rows;
	size_t len;
	const char *text = tr2_record_text(step->record, TR2_KEY_FMT, &len);

	if (text && !tr2_text_is(text, len, "%s"))
		return tr2_rows_name(rows, text, len);
	return tr2_name_message(rows, step->record);
}

static void take_error(const struct tr2_summary_step *step)
{
	uint32_t text = name_error(step);

	tr2_failure_take_error(step->forest, step->process, step->record);
	tr2_step_sums(step, tr2_step_enter_row(step, TR2_TABLE_ERRORS, text, 0))
		->count++;
}

static void take_data(const struct tr2_summary_step *step)
{
	struct tr2_sums sums = { .count = 1 };

	if (!tr2_record_number(step->record, TR2_KEY_VALUE, &sums.total))
		return;
	sums.min = sums.max = sums.last = sums.total;
	sums.last_time = step->moment->time;
	tr2_sums_add(tr2_step_sums(step,
				   tr2_step_enter_keys(step, TR2_TABLE_DATA,
						       TR2_KEY_KEY)),
		     &sums);
}

static void take_timer(const struct tr2_summary_step *step)
{
	struct tr2_sums sums = { 0 };
	int64_t intervals;

	if (!tr2_record_integer(step->record, TR2_KEY_INTERVALS, &intervals) ||
	    intervals <= 0)
		return;
	sums.count = (uint64_t)intervals;
	tr2_record_seconds(step->record, TR2_KEY_T_TOTAL, &sums.total);
	tr2_record_seconds(step->record, TR2_KEY_T_MIN, &sums.min);
	tr2_record_seconds(step->record, TR2_KEY_T_MAX, &sums.max);
	tr2_sums_add(tr2_step_sums(step,
				   tr2_step_enter_keys(step, TR2_TABLE_TIMERS,
						       TR2_KEY_NAME)),
		     &sums);
}

static void take_counter(const struct tr2_summary_step *step)
{
	int64_t count;

	if (tr2_record_integer(step->record, TR2_KEY_COUNT, &count))
		tr2_sums_count(tr2_step_sums(step,
					     tr2_step_enter_keys(
						     step, TR2_TABLE_COUNTERS,
						     TR2_KEY_NAME)),
			       count);
}

/* Events that are not here only tell the time. */
static void (*const takers[TR2_IS_OTHER + 1])(
	const struct tr2_summary_step *step) = {
	[TR2_IS_VERSION] = take_version,   [TR2_IS_START] = take_start,
	[TR2_IS_CMD_NAME] = take_cmd_name, [TR2_IS_CMD_MODE] = take_names,
	[TR2_IS_ALIAS] = take_names,	   [TR2_IS_CMD_ANCESTRY] = take_names,
	[TR2_IS_DEF_REPO] = take_names,	   [TR2_IS_DEF_PARAM] = take_param,
	[TR2_IS_ERROR] = take_error,	   [TR2_IS_DATA] = take_data,
	[TR2_IS_DATA_JSON] = take_names,   [TR2_IS_TIMER] = take_timer,
	[TR2_IS_COUNTER] = take_counter,   [TR2_IS_EXIT] = tr2_step_push_pager,
};

static struct tr2_summary_step make_step(struct tr2_forest *forest,
					 const struct tr2_moment *moment)
{
	return (struct tr2_summary_step){
		forest, moment->record,
		(struct tr2_summary_process *)forest->walk.life, moment
	};
}

/* Until now the time belongs to whoever is on top. */
void tr2_summary_take(void *forest, const struct tr2_moment *moment)
{
	const struct tr2_summary_step step = make_step(forest, moment);
	struct tr2_summary_process *process = step.process;
	const struct tr2_timeline *timeline = moment->timeline;

	/* Statistics come after `exit`. */
	process->life.self.went_on |= timeline->ending == TR2_ENDING_ATEXIT &&
				      timeline->went_on;
	tr2_process_advance(process, moment->at);
	if (takers[step.record->is])
		takers[step.record->is](&step);
	if (step.forest->view && step.forest->view->take)
		step.forest->view->take(step.forest->taker, process, moment);
}

void tr2_summary_begin_span(void *forest, const struct tr2_moment *moment,
			    struct tr2_timeline_span *span)
{
	const struct tr2_summary_step step = make_step(forest, moment);

	tr2_step_begin_span(&step, span);
	if (step.forest->view)
		step.forest->view->begin_span(step.forest->taker, step.process,
					      moment, span);
}

void tr2_summary_end_span(void *forest, const struct tr2_moment *moment,
			  struct tr2_timeline_span *span)
{
	const struct tr2_summary_step step = make_step(forest, moment);

	tr2_step_end_span(&step, span);
	if (step.forest->view)
		step.forest->view->end_span(step.forest->taker, step.process,
					    moment, span);
}

uint32_t tr2_summary_hash_line(const struct tr2_record *record)
{
	return (uint32_t)tr2_hash(record->parse.text, record->parse.len).a >> 1;
}

/*
 * Is the event one that the process had already? Its log comes a second time if
 * the same `version` does, and has new events at its end if it was copied while
 * it grew.
 */
static bool is_repeated(struct tr2_summary_process *process,
			struct tr2_record *record)
{
	const uint32_t hash = record->is == TR2_IS_VERSION
				      ? tr2_summary_hash_line(record)
				      : 0;

	if (!hash || !process->life.mark) {
		process->life.mark |= hash;
	} else if (process->life.mark == hash) {
		process->repeated_until = process->life.timeline.latest;
		process->forest->repeated += process->repeated_until != 0;
	}
	if (!process->repeated_until)
		return false;
	if (tr2_record_find_time(record) > process->repeated_until)
		process->repeated_until = 0;
	return process->repeated_until;
}

#define APARTS (UINT64_C(1) << 21) /* of 32 days each: 200,000 years */
#define APART (32 * TR2_CALENDAR_DAY)
#define BACK 1000 /* us: lines of several at once may be so late */

/*
 * Does another log, or day of a log, begin with this process? Its SID is such
 * as "log1f2e:20-0123456789abcdef". Two with one hash at the end differ by
 * their number.
 */
static void begin_undated(struct tr2_undated *undated, const char *sid,
			  size_t len, int64_t time)
{
	const char *colon = memchr(sid, ':', len),
		   *hash = memchr(sid, '-', len);
	uint64_t log = tr2_hash(sid, colon ? (size_t)(colon - sid) : 0).a;

	if (undated->log == log && time >= undated->latest - BACK)
		return;
	undated->log = log;
	undated->latest = time;
	log = hash ? tr2_hash(hash, (size_t)(sid + len - hash)).a : 0;
	log += undated->count++;
	undated->apart = hash ? (int64_t)(1 + log % APARTS) * APART : 0;
}

static void note_undated(struct tr2_undated *undated,
			 struct tr2_summary_process *process,
			 struct tr2_record *record)
{
	const bool begins = record->is == TR2_IS_VERSION;
	int64_t time = begins || record->is == TR2_IS_ATEXIT
			       ? tr2_record_find_time(record)
			       : 0;
	const char *sid;
	size_t len;

	if (time <= TR2_TIME_1970 || tr2_time_has_date(time))
		return;
	sid = tr2_record_text(record, TR2_KEY_SID, &len);
	if (begins && !process->life.self.has_parent)
		begin_undated(undated, sid, len, time);
	if (begins)
		process->apart = undated->apart;
	undated->latest = tr2_most(undated->latest, time);
}

void tr2_summary_event(void *context, struct tr2_record *record)
{
	struct tr2_forest *forest = context;
	struct tr2_summary_process *process;
	struct tr2_life *life;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT)) {
		if (forest->window.until)
			tr2_window_count_broken(&forest->window, 1);
		else
			forest->counts.unread++;
		return;
	}
	if (!tr2_window_takes(&forest->window, record, sid, len))
		return;
	life = tr2_walk_find(&forest->walk, sid, len);
	process = (struct tr2_summary_process *)life;
	if (process && is_repeated(process, record))
		return;
	if (process)
		note_undated(&forest->undated, process, record);
	if (forest->view && forest->view->arrive)
		forest->view->arrive(forest->taker, process, record);
	if (process)
		tr2_walk_take(&forest->walk, life, record);
	else
		tr2_forest_take_late(forest, record, tr2_hash(sid, len).a);
}
