#include "model/account/name.h"
#include "read/value.h"
#include "views/table/event.h"

static struct tr2_flat_child *child_at(struct tr2_flat_process *process,
				       uint32_t place)
{
	struct tr2_vec *children = &process->children;

	while (children->count <= place)
		tr2_vec_renew(children, children->count,
			      sizeof(struct tr2_flat_child));
	return (struct tr2_flat_child *)children->items + place;
}

void tr2_flat_begin_child(struct tr2_flat_maker *maker,
			  struct tr2_flat_process *process,
			  const struct tr2_moment *moment,
			  const struct tr2_timeline_span *span)
{
	struct tr2_flat_child *child;
	struct tr2_record *record = moment->record;
	const struct tr2_value *argv = &record->value[TR2_KEY_ARGV];
	struct tr2_rows *texts = &maker->forest.rows;

	if (!(maker->output->kinds >> TR2_FLAT_KIND_CHILDREN & 1))
		return;
	child = child_at(process, span->place);
	child->child_class = tr2_name_key(texts, record, TR2_KEY_CHILD_CLASS);
	child->hook = tr2_name_key(texts, record, TR2_KEY_HOOK_NAME);
	child->cd = tr2_name_key(texts, record, TR2_KEY_CD);
	child->argv = 0;
	if (tr2_record_has(record, TR2_KEY_ARGV))
		child->argv = tr2_rows_name(texts,
					    record->parse.text + argv->start,
					    argv->end - argv->start);
}

/* What the log says when it ends; the record is NULL if it says nothing. */
static void put_end(struct tr2_flat_row *row, struct tr2_record *record)
{
	int64_t number;
	size_t len = 0;
	const char *ready;

	if (!record)
		return;
	if (tr2_record_integer(record, TR2_KEY_PID, &number))
		tr2_flat_set_number(row, TR2_FLAT_CHILDREN_PID, number);
	ready = tr2_record_text(record, TR2_KEY_READY, &len);
	tr2_flat_set_text(row, TR2_FLAT_CHILDREN_READY, ready, len);
	if ((record->is == TR2_IS_CHILD_EXIT ||
	     record->is == TR2_IS_EXEC_RESULT) &&
	    tr2_record_integer(record, TR2_KEY_CODE, &number))
		tr2_flat_set_number(row, TR2_FLAT_CHILDREN_CODE, number);
}

static void put_begin(struct tr2_flat_maker *maker,
		      const struct tr2_flat_child *child)
{
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_CLASS, child->child_class);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_HOOK, child->hook);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_CD, child->cd);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_ARGV, child->argv);
}

void tr2_flat_end_child(struct tr2_flat_maker *maker,
			struct tr2_flat_process *process,
			const struct tr2_moment *moment,
			const struct tr2_timeline_span *span)
{
	struct tr2_flat_row *row = &maker->row;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_CHILDREN))
		return;
	tr2_flat_set_sid(row, TR2_FLAT_CHILDREN_SID, process->sid.bytes,
			 process->sid.len);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_COMMAND,
			   process->facts.command);
	tr2_flat_set_time(row, TR2_FLAT_CHILDREN_TIME, span->time);
	tr2_flat_set_text(row, TR2_FLAT_CHILDREN_EVENT,
			  span->kind == TR2_SPAN_EXEC ? "exec" : "child_start",
			  span->kind == TR2_SPAN_EXEC ? 4 : 11);
	tr2_flat_put_thread(row, TR2_FLAT_CHILDREN_THREAD, moment, span);
	if (span->place != TR2_NO_SPAN)
		put_begin(maker, child_at(process, span->place));
	put_end(row, moment->record);
	tr2_flat_set_number(row, TR2_FLAT_CHILDREN_WALL_US, span->length);
	tr2_flat_set_number(row, TR2_FLAT_CHILDREN_UNCLOSED, span->unclosed);
	tr2_flat_output_put(maker->output, row);
}
