#include "views/expect/judge.h"

#include <string.h>

#include "facts_rows.h"
#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "model/account/forest.h"
#include "model/account/name.h"
#include "read/value.h"

struct step { /* An event, and its process. */
	struct tr2_expect_log *log;
	struct tr2_expect_process *process;
	uint32_t number; /* of the process */
	struct tr2_record *record;
};

static struct tr2_expect_place find_place(struct tr2_expect_log *log)
{
	const struct tr2_reader *reader = &log->reader;

	if (log->name_text != reader->name) {
		log->name_text = reader->name;
		log->name = tr2_rows_name(&log->forest.rows, reader->name,
					  strlen(reader->name));
	}
	return (struct tr2_expect_place){ log->name,
					  reader->events.line->number };
}

/* Returns the number of the fact; it does not count it. */
static uint32_t enter_fact(struct tr2_expect_log *log,
			   const struct tr2_fact *fact)
{
	const uint64_t key[] = { fact->kind, fact->name, fact->value,
				 fact->process };
	struct tr2_map_slot *slot = tr2_map_enter(
		&log->places, tr2_hash((const char *)key, sizeof(key)).a);

	if (!slot->value) {
		TR2_VEC_COPY(&log->facts, struct tr2_fact, *fact);
		slot->value = log->facts.count;
	}
	return (uint32_t)slot->value - 1;
}

static uint32_t enter_named(const struct step *step, enum tr2_expect_kind kind,
			    uint32_t name, uint32_t value)
{
	return enter_fact(step->log, &(struct tr2_fact){
					     .kind = kind,
					     .name = name,
					     .value = value,
					     .process = step->number,
					     .first = find_place(step->log),
				     });
}

static void add_named(const struct step *step, enum tr2_expect_kind kind,
		      uint32_t name, uint32_t value)
{
	tr2_fact_at(step->log, enter_named(step, kind, name, value))->count++;
}

/* Texts of two keys with a slash between them. */
static uint32_t join_keys(struct tr2_expect_log *log, struct tr2_record *record,
			  enum tr2_key first, enum tr2_key second)
{
	struct tr2_buf both = TR2_BUF_INIT;
	const char *text;
	size_t len;

	text = tr2_record_text(record, first, &len);
	if (text)
		tr2_buf_add(&both, text, len);
	tr2_buf_byte(&both, '/');
	text = tr2_record_text(record, second, &len);
	if (text)
		tr2_buf_add(&both, text, len);
	return tr2_rows_take(&log->forest.rows, &both);
}

/* A key that a row does not have. */
#define NONE TR2_KEYS
#define TR2_KEY_NONE NONE

#define FACT(is, kind, first, second, value)                        \
	[TR2_IS_##is] = { true, TR2_EXPECT_##kind, TR2_KEY_##first, \
			  TR2_KEY_##second, TR2_KEY_##value },

/* The fact that an event states: the keys of its name and of its value. */
static const struct source {
	bool is_fact;
	enum tr2_expect_kind kind;
	enum tr2_key first, second, value;
} sources[TR2_IS_OTHER + 1] = { FACTS_ROWS(FACT) };

static uint32_t read_name(struct tr2_expect_log *log, struct tr2_record *record,
			  const struct source *source)
{
	if (source->second != NONE)
		return join_keys(log, record, source->first, source->second);
	if (source->first == TR2_KEY_ARGV)
		return tr2_words_line(&log->forest.rows, record);
	return source->first == NONE
		       ? 0
		       : tr2_name_key(&log->forest.rows, record, source->first);
}

/* A string as its text, another value as it stands in the log. */
static uint32_t read_value(struct tr2_expect_log *log,
			   struct tr2_record *record,
			   const struct source *source)
{
	size_t len;
	const char *text =
		source->value == NONE
			? NULL
			: tr2_record_any(record, source->value, &len);

	return text ? tr2_rows_name(&log->forest.rows, text, len) : 0;
}

/* Returns where the name of a child or exec of the process is kept. */
static uint64_t *find_child(const struct step *step, enum tr2_key id)
{
	int64_t number = -1;
	uint64_t key[] = { step->number, id, 0 };

	tr2_record_integer(step->record, id, &number);
	key[2] = (uint64_t)number;
	return &tr2_map_enter(&step->log->children,
			      tr2_hash((const char *)key, sizeof(key)).a)
			->value;
}

/* A child is named when it starts, and has a code when it ends. */
static void take_child(const struct step *step, uint32_t name)
{
	static const struct source end = { .value = TR2_KEY_CODE };
	const enum tr2_is is = step->record->is;
	const bool begins = is == TR2_IS_CHILD_START || is == TR2_IS_EXEC;
	uint64_t *place;

	if (!begins && is != TR2_IS_CHILD_EXIT && is != TR2_IS_EXEC_RESULT)
		return;
	place = find_child(step,
			   is == TR2_IS_CHILD_START || is == TR2_IS_CHILD_EXIT
				   ? TR2_KEY_CHILD_ID
				   : TR2_KEY_EXEC_ID);
	if (begins)
		*place = name;
	else
		add_named(step, TR2_EXPECT_CHILD_EXIT, (uint32_t)*place,
			  read_value(step->log, step->record, &end));
}

static void take_fact(const struct step *step)
{
	const struct source *source = &sources[step->record->is];
	uint32_t name = 0;

	if (source->is_fact) {
		name = read_name(step->log, step->record, source);
		add_named(step, source->kind, name,
			  read_value(step->log, step->record, source));
	}
	take_child(step, name);
}

/* Only EVENT leaves out what is nested too deep. */
static void take_nesting(const struct step *step)
{
	int64_t nesting;

	if (step->log->reader.block.format == TR2_LOG_EVENT &&
	    tr2_record_integer(step->record, TR2_KEY_NESTING, &nesting) &&
	    nesting > step->process->deepest)
		step->process->deepest = nesting;
}

/* `beside` is a number and 1, because NULL is what a new process has. */
static void begin_process(void *taker, struct tr2_summary_process *summed,
			  const char *sid, size_t len)
{
	struct tr2_expect_log *log = taker;
	struct tr2_expect_process *process = tr2_vec_renew(
		&log->processes, log->processes.count, sizeof(*process));

	(void)sid;
	(void)len;
	process->first = find_place(log);
	process->is_normal = log->reader.block.format == TR2_LOG_NORMAL;
	summed->beside = (void *)(uintptr_t)log->processes.count;
}

static uint32_t number_of(const struct tr2_summary_process *process)
{
	return (uint32_t)((uintptr_t)process->beside - 1);
}

static void take_event(void *taker, struct tr2_summary_process *process,
		       struct tr2_record *record)
{
	struct tr2_expect_log *log = taker;
	struct step step = { .log = log, .record = record };

	if (!process)
		return;
	step.number = number_of(process);
	step.process = tr2_expect_process_at(log, step.number);
	add_named(&step, TR2_EXPECT_EVENT,
		  tr2_name_key(&log->forest.rows, record, TR2_KEY_EVENT), 0);
	take_nesting(&step);
	take_fact(&step);
}

/* Returns the number of the time of this fact inside another one, from 1. */
static uint32_t enter_time(struct tr2_expect_log *log, uint32_t fact,
			   uint32_t outer)
{
	const uint32_t key[] = { fact, outer };
	struct tr2_map_slot *slot = tr2_map_enter(
		&log->paths, tr2_hash((const char *)key, sizeof(key)).a);

	if (!slot->value) {
		TR2_VEC_PUT(&log->times, struct tr2_expect_time, .fact = fact,
			    .outer = outer);
		slot->value = log->times.count;
	}
	return (uint32_t)slot->value;
}

static void add_time(struct tr2_expect_log *log, uint32_t number,
		     int64_t length)
{
	int64_t *sum = &tr2_expect_time_at(log, number - 1)->sum;

	*sum = tr2_capped_add(*sum, length);
}

/* What was not begun in the log is no fact, and has no time. */
static void begin_span(void *taker, struct tr2_summary_process *summed,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *span)
{
	const struct step step = { .log = taker,
				   .number = number_of(summed),
				   .record = moment->record };
	const struct source *source = &sources[moment->record->is];
	struct tr2_vec *open =
		&tr2_expect_process_at(step.log, step.number)->open;
	uint32_t *time, outer = 0;

	if (!step.log->timed)
		return;
	time = tr2_vec_reach(open, span->place, sizeof(*time));
	*time = 0;
	if (span->unseen)
		return;
	if (span->outer != TR2_NO_SPAN)
		outer = ((uint32_t *)open->items)[span->outer];
	*time = enter_time(
		step.log,
		enter_named(&step, source->kind,
			    read_name(step.log, step.record, source),
			    read_value(step.log, step.record, source)),
		outer);
}

static void end_span(void *taker, struct tr2_summary_process *summed,
		     const struct tr2_moment *moment,
		     const struct tr2_timeline_span *span)
{
	struct tr2_expect_log *log = taker;
	const uint32_t *time =
		tr2_expect_process_at(log, number_of(summed))->open.items;

	(void)moment;
	if (log->timed && time[span->place])
		add_time(log, time[span->place], span->length);
}

static uint32_t add_end(struct tr2_expect_log *log, uint32_t number,
			enum tr2_expect_kind kind, uint32_t value)
{
	const struct tr2_expect_process *process =
		tr2_expect_process_at(log, number);
	const uint32_t fact =
		enter_fact(log, &(struct tr2_fact){ .kind = kind,
						    .name = process->command,
						    .value = value,
						    .process = number,
						    .first = process->first });

	tr2_fact_at(log, fact)->count++;
	return fact;
}

static uint32_t name_code(struct tr2_expect_log *log,
			  const struct tr2_timeline *timeline)
{
	struct tr2_buf code = TR2_BUF_INIT;

	tr2_buf_int(&code, tr2_timeline_exit(timeline, 0));
	return tr2_rows_take(&log->forest.rows, &code);
}

static void end_process(void *taker, struct tr2_summary_process *summed)
{
	struct tr2_expect_log *log = taker;
	const struct tr2_timeline *timeline = &summed->life.timeline;
	const uint32_t number = number_of(summed);
	struct tr2_expect_process *process = tr2_expect_process_at(log, number);
	uint32_t code = 0;

	process->command = summed->command;
	process->is_unfinished = tr2_timeline_is_unfinished(timeline);
	process->is_failed = tr2_timeline_failed(timeline);
	process->wall = tr2_timeline_length(timeline);
	if (timeline->has_code && timeline->ending != TR2_ENDING_SIGNAL) {
		code = name_code(log, timeline);
		add_end(log, number, TR2_EXPECT_EXIT, code);
	}
	add_time(log,
		 enter_time(log, add_end(log, number, TR2_EXPECT_COMMAND, code),
			    0),
		 process->wall);
	*(uint32_t *)tr2_vec_add(&log->ended, sizeof(uint32_t)) = number;
	tr2_vec_release(&process->open);
}

void tr2_fact_resolve(void *taker, const struct tr2_forest *forest,
		      const struct tr2_resolved *resolved)
{
	struct tr2_expect_log *log = taker;

	(void)forest;
	tr2_expect_process_at(log,
			      ((uint32_t *)log->ended.items)[resolved->number])
		->is_root = resolved->is_root;
}

const struct tr2_forest_view tr2_fact_view = {
	.begin = begin_process,
	.arrive = take_event,
	.begin_span = begin_span,
	.end_span = end_span,
	.end = end_process,
};
