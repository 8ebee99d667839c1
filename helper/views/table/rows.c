#include <errno.h>
#include <stdlib.h>

#include "lib/common/memory.h"
#include "read/origin.h"
#include "read/value.h"
#include "views/table/event.h"

static void put_field(struct tr2_flat_row *row, size_t column,
		      const struct tr2_flat_column *described,
		      const struct tr2_flat_value *value)
{
	struct tr2_buf text = TR2_BUF_INIT;

	if (described->type != TR2_FLAT_TEXT) {
		tr2_flat_set_number(row, column, value->number);
		return;
	}
	tr2_buf_byte(&text, '[');
	if (value->text.len)
		tr2_buf_add(&text, value->text.bytes, value->text.len);
	tr2_buf_byte(&text, ']');
	tr2_must_hold(&text);
	tr2_flat_set_text(row, column, text.bytes, text.len);
	tr2_buf_release(&text);
}

/* A process without values has zeros. */
static void put_fields(struct tr2_flat_maker *maker,
		       const struct tr2_flat_process *process)
{
	static const struct tr2_flat_value none;
	size_t first = maker->select->first,
	       count = maker->select->columns.count - first, i;
	const struct tr2_flat_column *columns = maker->select->columns.items;
	const struct tr2_flat_value *value = process->values.items;

	for (i = 0; i < count; i++)
		put_field(&maker->row, first + i, &columns[first + i],
			  process->values.count ? &value[i] : &none);
}

static void put_end(struct tr2_flat_row *row,
		    const struct tr2_flat_process *process)
{
	const struct tr2_flat_facts *facts = &process->facts;

	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_FINISHED,
			    !facts->unfinished);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_FAILED, facts->failed);
	if (facts->has_code)
		tr2_flat_set_number(row,
				    facts->is_signal ? TR2_FLAT_PROCESSES_SIGNAL
						     : TR2_FLAT_PROCESSES_CODE,
				    facts->code);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_WALL_US, process->wall);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_SELF_US, process->self);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_WAITED_US, process->waited);
}

static void put_joined(struct tr2_flat_maker *maker,
		       const struct tr2_flat_process *process)
{
	struct tr2_flat_row *row = &maker->row;

	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_JOINED,
			    process->joined + 1);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_JOINED_FAILED,
			    process->joined_failed + process->facts.failed);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_ERRORS,
			    process->facts.errors);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_ERROR,
			   process->facts.error ? process->facts.error
						: process->other_error);
}

static void put_identity(struct tr2_flat_maker *maker,
			 const struct tr2_flat_process *process)
{
	const struct tr2_flat_facts *facts = &process->facts;
	size_t len = 0;
	const char *host =
		tr2_origin_host(process->sid.bytes, process->sid.len, &len);

	tr2_flat_set_text(&maker->row, TR2_FLAT_PROCESSES_HOST, host, len);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_HOST_NAME,
			   facts->host_name);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_USER, facts->user);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_ATTRIBUTES,
			   facts->attributes);
}

void tr2_flat_put_process(void *context, const struct tr2_flat_process *process)
{
	struct tr2_flat_maker *maker = context;
	const struct tr2_flat_facts *facts = &process->facts;
	struct tr2_flat_row *row = &maker->row;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_PROCESSES))
		return;
	tr2_flat_set_sid(row, TR2_FLAT_PROCESSES_SID, process->sid.bytes,
			 process->sid.len);
	tr2_flat_set_time(row, TR2_FLAT_PROCESSES_TIME, facts->start);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_COMMAND, facts->command);
	if (process->argv.len)
		tr2_flat_set_text(row, TR2_FLAT_PROCESSES_ARGV,
				  process->argv.bytes, process->argv.len);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_VERSION,
			   facts->names.version);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_REPOSITORY,
			   facts->names.repository);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_CALLER,
			   facts->names.caller);
	put_end(row, process);
	put_joined(maker, process);
	put_identity(maker, process);
	put_fields(maker, process);
	tr2_flat_output_put(maker->output, row);
}

/* The columns that all rows of single events share have the same order. */
static void take_head(const struct tr2_flat_step *step, size_t sid)
{
	struct tr2_flat_row *row = &step->maker->row;
	size_t len = 0;
	const char *text = tr2_record_text(step->record, TR2_KEY_SID, &len);

	tr2_flat_set_sid(row, sid, text, len);
}

static void take_command(const struct tr2_flat_step *step, size_t column)
{
	if (step->process)
		tr2_flat_take_name(step->maker, column,
				   step->process->facts.command);
}

/* The bytes of a value as they are in the log. */
static void take_raw(const struct tr2_flat_step *step, size_t column,
		     enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_raw(step->record, key, &len);

	tr2_flat_set_text(&step->maker->row, column, text, len);
}

void tr2_flat_put_event(const struct tr2_flat_step *step)
{
	struct tr2_flat_maker *maker = step->maker;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_EVENTS))
		return;
	take_head(step, TR2_FLAT_EVENTS_SID);
	tr2_flat_take_text(step, TR2_FLAT_EVENTS_EVENT, TR2_KEY_EVENT);
	tr2_flat_set_time(&maker->row, TR2_FLAT_EVENTS_TIME, step->time);
	tr2_flat_take_text(step, TR2_FLAT_EVENTS_THREAD, TR2_KEY_THREAD);
	tr2_flat_take_text(step, TR2_FLAT_EVENTS_FILE, TR2_KEY_FILE);
	tr2_flat_take_number(step, TR2_FLAT_EVENTS_LINE, TR2_KEY_LINE);
	tr2_flat_take_seconds(step, TR2_FLAT_EVENTS_ABS_US, TR2_KEY_T_ABS);
	tr2_flat_take_seconds(step, TR2_FLAT_EVENTS_REL_US, TR2_KEY_T_REL);
	tr2_flat_set_text(&maker->row, TR2_FLAT_EVENTS_RECORD,
			  step->record->parse.text, step->record->parse.len);
	tr2_flat_output_put(maker->output, &maker->row);
}

void tr2_flat_put_error(const struct tr2_flat_step *step)
{
	struct tr2_flat_maker *maker = step->maker;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_ERRORS))
		return;
	take_head(step, TR2_FLAT_ERRORS_SID);
	take_command(step, TR2_FLAT_ERRORS_COMMAND);
	tr2_flat_set_time(&maker->row, TR2_FLAT_ERRORS_TIME, step->time);
	tr2_flat_take_text(step, TR2_FLAT_ERRORS_THREAD, TR2_KEY_THREAD);
	tr2_flat_take_text(step, TR2_FLAT_ERRORS_FMT, TR2_KEY_FMT);
	tr2_flat_take_text(step, TR2_FLAT_ERRORS_MSG, TR2_KEY_MSG);
	tr2_flat_take_text(step, TR2_FLAT_ERRORS_FILE, TR2_KEY_FILE);
	tr2_flat_take_number(step, TR2_FLAT_ERRORS_LINE, TR2_KEY_LINE);
	tr2_flat_output_put(maker->output, &maker->row);
}

/* git writes integers as text. */
static void take_integer(const struct tr2_flat_step *step)
{
	struct tr2_flat_row *row = &step->maker->row;
	struct tr2_flat_cell *value =
		tr2_flat_cell_at(row, TR2_FLAT_DATA_VALUE);
	const char *text = tr2_flat_text(row, value);
	char *end;
	long long number;

	if (*text != '-' && (*text < '0' || *text > '9'))
		return;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (!errno && end == text + value->len)
		tr2_flat_set_number(row, TR2_FLAT_DATA_NUMBER, number);
}

static void take_value(const struct tr2_flat_step *step)
{
	tr2_flat_take_text(step, TR2_FLAT_DATA_KEY, TR2_KEY_KEY);
	if (step->record->is == TR2_IS_DATA)
		tr2_flat_take_text(step, TR2_FLAT_DATA_VALUE, TR2_KEY_VALUE);
	if (!tr2_flat_cell_at(&step->maker->row, TR2_FLAT_DATA_VALUE)->present)
		take_raw(step, TR2_FLAT_DATA_VALUE, TR2_KEY_VALUE);
	if (step->record->is == TR2_IS_DATA &&
	    tr2_flat_cell_at(&step->maker->row, TR2_FLAT_DATA_VALUE)->present)
		take_integer(step);
}

static void take_total(const struct tr2_flat_step *step)
{
	tr2_flat_take_text(step, TR2_FLAT_DATA_KEY, TR2_KEY_NAME);
	if (tr2_record_has(step->record, TR2_KEY_COUNT)) {
		take_raw(step, TR2_FLAT_DATA_VALUE, TR2_KEY_COUNT);
		tr2_flat_take_number(step, TR2_FLAT_DATA_NUMBER, TR2_KEY_COUNT);
		return;
	}
	take_raw(step, TR2_FLAT_DATA_VALUE, TR2_KEY_T_TOTAL);
	tr2_flat_take_seconds(step, TR2_FLAT_DATA_NUMBER, TR2_KEY_T_TOTAL);
	tr2_flat_take_number(step, TR2_FLAT_DATA_INTERVALS, TR2_KEY_INTERVALS);
}

void tr2_flat_put_data(const struct tr2_flat_step *step)
{
	struct tr2_flat_maker *maker = step->maker;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_DATA))
		return;
	take_head(step, TR2_FLAT_DATA_SID);
	take_command(step, TR2_FLAT_DATA_COMMAND);
	tr2_flat_set_time(&maker->row, TR2_FLAT_DATA_TIME, step->time);
	tr2_flat_take_text(step, TR2_FLAT_DATA_EVENT, TR2_KEY_EVENT);
	tr2_flat_take_text(step, TR2_FLAT_DATA_THREAD, TR2_KEY_THREAD);
	tr2_flat_take_number(step, TR2_FLAT_DATA_REPO, TR2_KEY_REPO);
	tr2_flat_take_number(step, TR2_FLAT_DATA_NESTING, TR2_KEY_NESTING);
	tr2_flat_take_text(step, TR2_FLAT_DATA_CATEGORY, TR2_KEY_CATEGORY);
	if (step->record->is == TR2_IS_DATA ||
	    step->record->is == TR2_IS_DATA_JSON)
		take_value(step);
	else
		take_total(step);
	tr2_flat_output_put(maker->output, &maker->row);
}
