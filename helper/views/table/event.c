#include "views/table/event.h"

#include <string.h>

#include "model/account/forest.h"
#include "model/account/name.h"
#include "lib/common/memory.h"
#include "read/origin.h"
#include "read/value.h"

static uint32_t enter_name(const struct tr2_flat_step *step, enum tr2_key key)
{
	return tr2_name_key(&step->maker->forest.rows, step->record, key);
}

static void take_names(const struct tr2_flat_step *step)
{
	struct tr2_flat_facts *facts = &step->process->facts;
	struct tr2_rows *rows = &step->maker->forest.rows;

	tr2_name_take(&facts->names, rows, step->record);
	if (facts->names.name || facts->names.words)
		facts->command = tr2_name_command(rows, &facts->names);
}

static void take_user(const struct tr2_flat_step *step)
{
	size_t len;
	const char *user = tr2_origin_user(step->record, &len);

	if (user && !step->process->facts.user)
		step->process->facts.user =
			tr2_rows_name(&step->maker->forest.rows, user, len);
}

static void take_attributes(const struct tr2_flat_step *step)
{
	const struct tr2_value *value = tr2_origin_of(step->record);
	struct tr2_flat_facts *facts = &step->process->facts;
	struct tr2_rows *rows = &step->maker->forest.rows;
	const char *host;
	size_t len;

	if (!value)
		return;
	host = tr2_origin_find(step->record, "host.name", &len);
	if (host)
		facts->host_name = tr2_rows_name(rows, host, len);
	facts->attributes =
		tr2_rows_name(rows, step->record->parse.text + value->start,
			      value->end - value->start);
	take_user(step);
}

static void take_start(const struct tr2_flat_step *step)
{
	struct tr2_flat_process *process = step->process;
	size_t len;
	const char *argv = tr2_record_raw(step->record, TR2_KEY_ARGV, &len);

	take_names(step);
	take_attributes(step);
	if (!argv)
		return;
	tr2_buf_reset(&process->argv);
	tr2_buf_add(&process->argv, argv, len);
	tr2_must_hold(&process->argv);
}

static void take_error(const struct tr2_flat_step *step)
{
	struct tr2_flat_facts *facts = &step->process->facts;

	facts->errors++;
	if (facts->error)
		return;
	facts->error_time = step->time;
	facts->error = enter_name(step, TR2_KEY_FMT);
	if (!facts->error)
		facts->error = enter_name(step, TR2_KEY_MSG);
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
	struct tr2_flat_process *process = step->process;

	if (!process)
		return;
	if (!process->facts.start)
		process->facts.start = step->time;
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
	change_process(&step);
}

static void begin_process(void *context, struct tr2_summary_process *process,
			  const char *sid, size_t len)
{
	(void)context;
	process->beside = tr2_flat_process_new(sid, len);
}

static void end_process(void *context, struct tr2_summary_process *process)
{
	struct tr2_flat_maker *maker = context;
	const struct tr2_timeline *timeline = &process->life.timeline;
	struct tr2_flat_process *ended = process->beside;

	ended->facts.has_code = timeline->has_code;
	ended->facts.code = timeline->code;
	ended->facts.is_signal = timeline->ending == TR2_ENDING_SIGNAL;
	ended->facts.failed = tr2_timeline_failed(timeline);
	ended->facts.unfinished = tr2_timeline_is_unfinished(timeline);
	tr2_flat_join_keep(&maker->join, ended);
	tr2_flat_process_free(ended);
	process->beside = NULL;
}

static void take_process(void *context, const struct tr2_forest *forest,
			 const struct tr2_resolved *resolved)
{
	struct tr2_flat_maker *maker = context;

	(void)forest;
	tr2_flat_join_take(&maker->join, resolved);
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
	maker->forest.take = take_process;
	maker->forest.view = &view;
	maker->forest.taker = maker;
	maker->join.put = tr2_flat_put_process;
	maker->join.context = maker;
}

int tr2_flat_maker_end(struct tr2_flat_maker *maker)
{
	tr2_flat_join_end(&maker->join);
	return maker->join.failed ? -1 : 0;
}

void tr2_flat_maker_release(struct tr2_flat_maker *maker)
{
	tr2_flat_join_release(&maker->join);
	tr2_forest_release(&maker->forest);
	tr2_flat_row_release(&maker->row);
	tr2_buf_release(&maker->first);
	tr2_buf_release(&maker->second);
}
