#include "read/value.h"
#include "views/table/event.h"

/* A column that has the value of a key: how it is taken from the event. */
struct field {
	unsigned char column;
	unsigned char key;
	enum {
		TAKE_NOTHING,
		TAKE_TEXT,
		TAKE_NUMBER,
		TAKE_SECONDS, /* as microseconds */
		TAKE_RAW,     /* its bytes as they are in the log */
		TAKE_ANY      /* a text, or any other value's bytes */
	} take;
};

/* clang-format off */
#define FIELD(kind, column, key, take) \
	{ TR2_FLAT_##kind##_##column, TR2_KEY_##key, TAKE_##take }
#define TR2_KEY_NONE 0
#define COLUMN_FIELD(kind, column, name, type, take, key) \
	FIELD(kind, column, key, take),
#define FIELDS(name, kind) \
	static const struct field name[] = { COLUMNS_##kind(COLUMN_FIELD) }

FIELDS(regions, REGIONS);
FIELDS(children, CHILDREN);
FIELDS(data, DATA);
FIELDS(errors, ERRORS);
FIELDS(events, EVENTS);

/* What the end of a child adds; */
static const struct field ends[] = {
	FIELD(CHILDREN, PID, PID, NUMBER),
	FIELD(CHILDREN, READY, READY, TEXT),
	FIELD(CHILDREN, CODE, CODE, NUMBER),
};

/* and what rows of data have of each event: of `data`, */
static const struct field values[] = {
	FIELD(DATA, KEY, KEY, TEXT),
	FIELD(DATA, VALUE, VALUE, ANY),
};

/* of `data_json`, */
static const struct field json[] = {
	FIELD(DATA, KEY, KEY, TEXT),
	FIELD(DATA, VALUE, VALUE, RAW),
};

/* of a counter, */
static const struct field counts[] = {
	FIELD(DATA, KEY, NAME, TEXT),
	FIELD(DATA, VALUE, COUNT, RAW),
	FIELD(DATA, NUMBER, COUNT, NUMBER),
};

/* or of a timer. */
static const struct field times[] = {
	FIELD(DATA, KEY, NAME, TEXT),
	FIELD(DATA, VALUE, T_TOTAL, RAW),
	FIELD(DATA, NUMBER, T_TOTAL, SECONDS),
	FIELD(DATA, INTERVALS, INTERVALS, NUMBER),
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define FORM(kind, list, command) \
	[TR2_FLAT_KIND_##kind] = { list, COUNT(list), command, \
				   TR2_FLAT_##kind##_TIME }
#define NONE 0 /* its place is that of the SID */

static const struct {
	const struct field *fields;
	size_t count, command, time;
} forms[TR2_FLAT_KIND_COUNT] = {
	FORM(REGIONS, regions, TR2_FLAT_REGIONS_COMMAND),
	FORM(CHILDREN, children, TR2_FLAT_CHILDREN_COMMAND),
	FORM(DATA, data, TR2_FLAT_DATA_COMMAND),
	FORM(ERRORS, errors, TR2_FLAT_ERRORS_COMMAND),
	FORM(EVENTS, events, NONE),
};
/* clang-format on */

static void take_field(struct tr2_flat_row *row, struct tr2_record *record,
		       const struct field *field)
{
	const enum tr2_key key = (enum tr2_key)field->key;
	int64_t number;
	size_t len = 0;
	const char *text;

	if (field->take == TAKE_NUMBER || field->take == TAKE_SECONDS) {
		if (field->take == TAKE_NUMBER
			    ? tr2_record_integer(record, key, &number)
			    : tr2_record_seconds(record, key, &number))
			tr2_flat_set_number(row, field->column, number);
		return;
	}
	text = field->take == TAKE_RAW ? NULL
				       : tr2_record_text(record, key, &len);
	if (!text && field->take != TAKE_TEXT)
		text = tr2_record_raw(record, key, &len);
	tr2_flat_set_text(row, field->column, text, len);
}

static void take_fields(struct tr2_flat_row *row, struct tr2_record *record,
			const struct field *field, size_t count)
{
	for (; count; count--, field++)
		if (field->take != TAKE_NOTHING)
			take_field(row, record, field);
}

bool tr2_flat_begin(const struct tr2_flat_step *step, struct tr2_flat_row *row,
		    enum tr2_flat_kind kind)
{
	const struct tr2_flat_output *output = step->maker->output;
	size_t len = 0;
	const char *sid;

	if (!(output->kinds >> kind & 1))
		return false;
	tr2_flat_row_begin(row, kind, output->counts[kind]);
	sid = tr2_record_text(step->record, TR2_KEY_SID, &len);
	tr2_flat_set_sid(row, 0, sid, len);
	take_fields(row, step->record, forms[kind].fields, forms[kind].count);
	return true;
}

void tr2_flat_set_name(const struct tr2_flat_maker *maker,
		       struct tr2_flat_row *row, size_t column, uint32_t number)
{
	size_t len;
	const char *text = tr2_rows_text(&maker->forest.rows, number, &len);

	if (number)
		tr2_flat_set_text(row, column, text, len);
}

void tr2_flat_put(const struct tr2_flat_step *step, struct tr2_flat_row *row)
{
	if (forms[row->kind].command && step->process)
		tr2_flat_set_name(step->maker, row, forms[row->kind].command,
				  step->process->command);
	tr2_flat_set_time(row, forms[row->kind].time, step->time);
	tr2_flat_output_put(step->maker->output, row);
}

void tr2_flat_take_end(const struct tr2_flat_step *step,
		       struct tr2_flat_row *row)
{
	/* That it is ready is no code. */
	take_fields(row, step->record, ends,
		    COUNT(ends) - (step->record->is == TR2_IS_CHILD_READY));
}

/* git writes integers as text. */
static void take_data(const struct tr2_flat_step *step,
		      struct tr2_flat_row *row)
{
	int64_t number;

	take_fields(row, step->record, values, COUNT(values));
	if (tr2_record_number(step->record, TR2_KEY_VALUE, &number))
		tr2_flat_set_number(row, TR2_FLAT_DATA_NUMBER, number);
}

static void put_data(const struct tr2_flat_step *step)
{
	struct tr2_flat_row *row = &step->maker->row;
	struct tr2_record *record = step->record;

	if (!tr2_flat_begin(step, row, TR2_FLAT_KIND_DATA))
		return;
	if (record->is == TR2_IS_DATA)
		take_data(step, row);
	else if (record->is == TR2_IS_DATA_JSON)
		take_fields(row, record, json, COUNT(json));
	else if (tr2_record_has(record, TR2_KEY_COUNT))
		take_fields(row, record, counts, COUNT(counts));
	else
		take_fields(row, record, times, COUNT(times));
	tr2_flat_put(step, row);
}

static void put_error(const struct tr2_flat_step *step)
{
	struct tr2_flat_row *row = &step->maker->row;

	if (tr2_flat_begin(step, row, TR2_FLAT_KIND_ERRORS))
		tr2_flat_put(step, row);
}

/* What is a row by itself, beside that of each event. */
static void (*const putters[TR2_IS_OTHER + 1])(const struct tr2_flat_step *) = {
	[TR2_IS_DATA] = put_data,    [TR2_IS_DATA_JSON] = put_data,
	[TR2_IS_TIMER] = put_data,   [TR2_IS_TH_TIMER] = put_data,
	[TR2_IS_COUNTER] = put_data, [TR2_IS_TH_COUNTER] = put_data,
	[TR2_IS_ERROR] = put_error,
};

void tr2_flat_put_event(const struct tr2_flat_step *step)
{
	struct tr2_flat_row *row = &step->maker->row;

	if (tr2_flat_begin(step, row, TR2_FLAT_KIND_EVENTS)) {
		tr2_flat_set_text(row, TR2_FLAT_EVENTS_RECORD,
				  step->record->parse.text,
				  step->record->parse.len);
		tr2_flat_put(step, row);
	}
	if (putters[step->record->is])
		putters[step->record->is](step);
}
