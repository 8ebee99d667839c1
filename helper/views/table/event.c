#include "views/table/event.h"

#include <stdlib.h>
#include <string.h>

#include "model/account/forest.h"
#include "model/account/name.h"
#include "lib/common/memory.h"
#include "read/origin.h"
#include "read/value.h"

/* A column of the process that has no value yet gets this text, unless empty. */
static void take_text(const struct tr2_flat_step *step, size_t column,
		      const char *text, size_t len)
{
	struct tr2_flat_row *row = &step->process->row;

	if (text && len && !tr2_flat_cell_at(row, column)->present)
		tr2_flat_set_text(row, column, text, len);
}

static void take_names(const struct tr2_flat_step *step)
{
	struct tr2_flat_process *process = step->process;
	struct tr2_rows *rows = &step->maker->forest.rows;

	tr2_name_take(&process->names, rows, step->record);
	if (process->names.name || process->names.words)
		process->command = tr2_name_command(rows, &process->names);
}

static void take_user(const struct tr2_flat_step *step)
{
	size_t len = 0;
	const char *user = tr2_origin_user(step->record, &len);

	take_text(step, TR2_FLAT_PROCESSES_USER, user, len);
}

static void take_start(const struct tr2_flat_step *step)
{
	struct tr2_record *record = step->record;
	size_t len = 0;
	const char *text = tr2_record_raw(record, TR2_KEY_ARGV, &len);
	const struct tr2_value *value = tr2_origin_of(record);

	take_names(step);
	take_text(step, TR2_FLAT_PROCESSES_ARGV, text, len);
	if (!value)
		return;
	take_text(step, TR2_FLAT_PROCESSES_ATTRIBUTES,
		  record->parse.text + value->start, value->end - value->start);
	text = tr2_origin_find(record, "host.name", &len);
	take_text(step, TR2_FLAT_PROCESSES_HOST_NAME, text, len);
	take_user(step);
}

static void take_error(const struct tr2_flat_step *step)
{
	struct tr2_flat_row *row = &step->process->row;
	const size_t error = TR2_FLAT_PROCESSES_ERROR;
	size_t len = 0;
	const char *text;

	tr2_flat_cell_at(row, TR2_FLAT_PROCESSES_ERRORS)->number++;
	if (tr2_flat_cell_at(row, error)->present)
		return;
	text = tr2_record_text(step->record, TR2_KEY_FMT, &len);
	if (!text || !len)
		text = tr2_record_text(step->record, TR2_KEY_MSG, &len);
	take_text(step, error, text, len);
	tr2_flat_set_number(row, row->cells.count - 1, step->time);
}

/* Returns the text of a key in `to`; "" if it has none. */
static const char *copy_key(struct tr2_buf *to, struct tr2_record *record,
			    enum tr2_key key)
{
	size_t len = 0;
	const char *text = tr2_record_text(record, key, &len);

	tr2_buf_reset(to);
	if (text)
		tr2_buf_add(to, text, len);
	tr2_must_end(to);
	return to->bytes;
}

static void take_message(const struct tr2_flat_step *step)
{
	struct tr2_flat_maker *maker = step->maker;

	if (maker->select->rules.count)
		tr2_select_count(
			maker->select, step->process, TR2_SELECT_MESSAGES,
			&(struct tr2_selected){
				.first = copy_key(&maker->first, step->record,
						  TR2_KEY_MSG) });
}

static void take_data(const struct tr2_flat_step *step)
{
	struct tr2_flat_maker *maker = step->maker;
	struct tr2_selected did = { .first = NULL };

	did.value = tr2_record_raw(step->record, TR2_KEY_VALUE, &did.len);
	if (!maker->select->rules.count || !did.value)
		return;
	did.first = copy_key(&maker->first, step->record, TR2_KEY_CATEGORY);
	did.second = copy_key(&maker->second, step->record, TR2_KEY_KEY);
	tr2_select_count(maker->select, step->process, TR2_SELECT_DATA, &did);
}

/* What changes the row of a process. */
static void (*const takers[TR2_IS_OTHER + 1])(const struct tr2_flat_step *) = {
	[TR2_IS_VERSION] = take_names,	    [TR2_IS_START] = take_start,
	[TR2_IS_CMD_NAME] = take_names,	    [TR2_IS_CMD_MODE] = take_names,
	[TR2_IS_CMD_ANCESTRY] = take_names, [TR2_IS_DEF_REPO] = take_names,
	[TR2_IS_DEF_PARAM] = take_user,	    [TR2_IS_ERROR] = take_error,
	[TR2_IS_PRINTF] = take_message,	    [TR2_IS_DATA] = take_data,
	[TR2_IS_DATA_JSON] = take_names,
};

/* A process begins with its first event that has a time. */
static void change_process(const struct tr2_flat_step *step)
{
	struct tr2_flat_row *row = &step->process->row;

	if (!tr2_flat_cell_at(row, TR2_FLAT_PROCESSES_TIME)->present)
		tr2_flat_set_time(row, TR2_FLAT_PROCESSES_TIME, step->time);
	if (takers[step->record->is])
		takers[step->record->is](step);
}

static void take_event(void *context, struct tr2_summary_process *process,
		       struct tr2_record *record)
{
	const struct tr2_flat_step step = {
		.maker = context,
		.process = process ? process->beside : NULL,
		.record = record,
		.time = tr2_record_find_time(record),
	};

	tr2_flat_put_event(&step);
	if (process)
		change_process(&step);
}

/* All of it that is a number is 0 at first. */
static void begin_process(void *context, struct tr2_summary_process *process,
			  const char *sid, size_t len)
{
	struct tr2_flat_maker *maker = context;
	const struct tr2_flat_column *column = maker->select->columns.items;
	const size_t count = maker->select->columns.count;
	struct tr2_flat_process *begun = tr2_must_zeros(sizeof(*begun));
	struct tr2_flat_row *row = &begun->row;
	size_t host_len = 0;
	const char *host = tr2_origin_host(sid, len, &host_len);

	process->beside = begun;
	tr2_flat_row_begin(row, TR2_FLAT_KIND_PROCESSES, count + 1);
	tr2_flat_set_sid(row, TR2_FLAT_PROCESSES_SID, sid, len);
	tr2_flat_set_text(row, TR2_FLAT_PROCESSES_HOST, host, host_len);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_ERRORS, 0);
	for (size_t i = maker->select->first; i < count; i++)
		if (column[i].type != TR2_FLAT_TEXT)
			tr2_flat_set_number(row, i, 0);
}

static void put_end(struct tr2_flat_row *row,
		    const struct tr2_timeline *timeline)
{
	const bool failed = tr2_timeline_failed(timeline);

	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_FINISHED,
			    !tr2_timeline_is_unfinished(timeline));
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_FAILED, failed);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_JOINED, 1);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_JOINED_FAILED, failed);
	if (timeline->has_code)
		tr2_flat_set_number(row,
				    timeline->ending == TR2_ENDING_SIGNAL
					    ? TR2_FLAT_PROCESSES_SIGNAL
					    : TR2_FLAT_PROCESSES_CODE,
				    timeline->code);
}

static void end_process(void *context, struct tr2_summary_process *process)
{
	struct tr2_flat_maker *maker = context;
	struct tr2_flat_process *ended = process->beside;
	const struct tr2_buf *list = ended->lists.items;
	struct tr2_flat_row *row = &ended->row;

	tr2_flat_set_name(maker, row, TR2_FLAT_PROCESSES_COMMAND,
			  ended->command);
	tr2_flat_set_name(maker, row, TR2_FLAT_PROCESSES_VERSION,
			  ended->names.version);
	tr2_flat_set_name(maker, row, TR2_FLAT_PROCESSES_REPOSITORY,
			  ended->names.repository);
	tr2_flat_set_name(maker, row, TR2_FLAT_PROCESSES_CALLER,
			  ended->names.caller);
	put_end(row, &process->life.timeline);
	for (uint32_t i = 0; i < ended->lists.count; i++)
		tr2_flat_set_text(row, maker->select->first + i, list[i].bytes,
				  list[i].len);
	if (maker->output->kinds >> TR2_FLAT_KIND_PROCESSES & 1)
		tr2_flat_keep(maker, ended);
	tr2_flat_process_release(ended);
	free(ended);
	process->beside = NULL;
}

static const struct tr2_forest_view view = {
	.begin = begin_process,
	.arrive = take_event,
	.begin_span = tr2_flat_begin_span,
	.end_span = tr2_flat_end_span,
	.end = end_process,
};

void tr2_flat_maker_begin(struct tr2_flat_maker *maker,
			  struct tr2_flat_output *output,
			  const struct tr2_select *select)
{
	memset(maker, 0, sizeof(*maker));
	maker->output = output;
	maker->select = select;
	tr2_forest_begin(&maker->forest);
	maker->forest.take = tr2_flat_join;
	maker->forest.view = &view;
	maker->forest.taker = maker;
}

void tr2_flat_maker_release(struct tr2_flat_maker *maker)
{
	tr2_spill_release(&maker->texts);
	tr2_vec_release(&maker->places);
	tr2_vec_release(&maker->below);
	tr2_forest_release(&maker->forest);
	tr2_flat_row_release(&maker->row);
	tr2_buf_release(&maker->first);
	tr2_buf_release(&maker->second);
}
