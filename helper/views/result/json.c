#include "lib/text/object.h"
#include "views/result/result.h"

#define VERSION 1

static void put_row(struct tr2_buf *out, const struct tr2_result *result,
		    const struct tr2_result_row *row)
{
	const struct tr2_column *column = tr2_columns[row->row->table];

	tr2_buf_str(out, "\n\t\t{");
	for (; column->key; column++)
		if (tr2_column_is_text(column))
			tr2_object_text(out, column->key,
					tr2_column_text(column, row));
		else if (tr2_result_has(result, column))
			tr2_object_number(out, column->key,
					  tr2_column_value(column, row->row));
	tr2_buf_byte(out, '}');
}

void tr2_result_json_table(struct tr2_buf *out, const struct tr2_result *result,
			   enum tr2_table table)
{
	uint32_t count = tr2_result_shown(result, table);

	tr2_buf_str(out, ",\n\t\"");
	tr2_buf_str(out, tr2_table_names[table]);
	tr2_buf_str(out, "\":[");
	for (uint32_t i = 0; i < count; i++) {
		tr2_object_next(out);
		put_row(out, result, tr2_result_at(result, table, i));
	}
	tr2_buf_byte(out, ']');
}

static void put_names(struct tr2_buf *out, const struct tr2_rows *rows,
		      enum tr2_table table, const uint32_t *name)
{
	tr2_object_text(out, "table", tr2_table_names[table]);
	tr2_object_text(out, "first", tr2_rows_text(rows, name[0], NULL));
	tr2_object_text(out, "second", tr2_rows_text(rows, name[1], NULL));
}

/* The same as in the first line of text. */
static void put_failure(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_forest *forest = result->forest;
	const struct tr2_failure *failure = &forest->failure;

	if (!failure->count || tr2_forest_is_filtered(forest))
		return;
	tr2_buf_str(out, ",\n\t\"failure\":{");
	tr2_object_count(out, "commands", failure->count);
	tr2_object_text(out, "last",
			tr2_rows_text(&forest->rows, failure->name, NULL));
	if (failure->signal)
		tr2_object_number(out, "signal", failure->signal);
	else if (failure->has_code)
		tr2_object_number(out, "code", failure->code);
	tr2_object_text(out, "message", failure->message.bytes);
	if (failure->child[1]) {
		tr2_object_text(out, "class",
				tr2_rows_text(&forest->rows, failure->child[0],
					      NULL));
		tr2_object_text(out, "child",
				tr2_rows_text(&forest->rows, failure->child[1],
					      NULL));
	}
	tr2_buf_byte(out, '}');
}

static void put_stuck(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_row *row = tr2_forest_stuck(forest);

	if (!row)
		return;
	tr2_buf_str(out, ",\n\t\"stuck\":{");
	tr2_object_text(out, "name",
			tr2_rows_text(&forest->rows, forest->stuck.name, NULL));
	put_names(out, &forest->rows, row->table, row->name);
	tr2_buf_byte(out, '}');
}

static void put_chain(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_link *link = forest->slowest.chain.items;

	tr2_object_open(out, "chain", '[');
	for (uint32_t i = 0; i < forest->slowest.chain.count; i++, link++) {
		tr2_object_next(out);
		tr2_buf_str(out, "\n\t\t{");
		put_names(out, &forest->rows, link->table, link->name);
		tr2_object_number(out, "total_us", link->total);
		tr2_object_count(out, "count", link->count);
		tr2_buf_byte(out, '}');
	}
	tr2_buf_byte(out, ']');
}

static void put_slowest(struct tr2_buf *out, const struct tr2_forest *forest)
{
	if (!forest->slowest.found)
		return;
	tr2_buf_str(out, ",\n\t\"slowest\":{");
	tr2_object_text(out, "name",
			tr2_rows_text(&forest->rows, forest->slowest.name,
				      NULL));
	tr2_object_number(out, "wall_us", forest->slowest.wall);
	put_chain(out, forest);
	tr2_buf_byte(out, '}');
}

static void put_tip(void *context, const struct tr2_tip *tip)
{
	struct tr2_buf *out = context;

	tr2_object_next(out);
	tr2_buf_str(out, "\n\t\t{");
	tr2_object_text(out, "rule", tip->advice->id);
	tr2_object_text(out, "what", tip->what);
	tr2_object_count(out, "count", tip->count);
	tr2_object_number(out, "time_us", tip->time);
	tr2_object_number(out, "saves_us", tip->saves);
	tr2_object_text(out, "text", tip->advice->text);
	tr2_object_text(out, "unless",
			tip->advice->unless ? tip->advice->unless : "");
	tr2_buf_byte(out, '}');
}

static void put_advice(struct tr2_buf *out, const struct tr2_result *result)
{
	tr2_buf_str(out, ",\n\t\"advice\":[");
	tr2_tips_tell(result, put_tip, out);
	tr2_buf_byte(out, ']');
}

static void put_locks(struct tr2_buf *out, const struct tr2_contention *one)
{
	const struct tr2_contention_lock *lock = one->locks.items;

	tr2_buf_str(out, ",\"locks\":[");
	for (uint32_t i = 0; i < one->locks.count; i++, lock++) {
		tr2_object_next(out);
		tr2_buf_byte(out, '{');
		tr2_object_text(out, "lock", lock->lock);
		tr2_object_number(out, "count", lock->count);
		tr2_object_text(out, "holder",
				lock->holder ? lock->holder : "");
		tr2_object_text(out, "caller", lock->caller);
		tr2_buf_byte(out, '}');
	}
	tr2_buf_str(out, "],\"repeats\":[");
}

static void put_crowd(void *context, const struct tr2_contention *one)
{
	const struct tr2_contention_repeat *repeat = one->repeats.items;
	struct tr2_buf *out = context;

	tr2_object_next(out);
	tr2_buf_str(out, "\n\t\t{");
	tr2_object_text(out, "repository", one->repository);
	tr2_object_number(out, "commands", one->commands);
	tr2_object_number(out, "peak", one->peak);
	tr2_object_number(out, "elapsed_us", one->elapsed);
	tr2_object_number(out, "summed_us", one->summed);
	put_locks(out, one);
	for (uint32_t i = 0; i < one->repeats.count; i++, repeat++) {
		tr2_object_next(out);
		tr2_buf_byte(out, '{');
		tr2_object_text(out, "command", repeat->command);
		tr2_object_text(out, "caller", repeat->caller);
		tr2_object_number(out, "count", repeat->count);
		tr2_buf_byte(out, '}');
	}
	tr2_buf_str(out, "]}");
}

static void put_contention(struct tr2_buf *out, const struct tr2_forest *forest)
{
	tr2_buf_str(out, ",\n\t\"contention\":[");
	tr2_contention_tell(forest, put_crowd, out);
	tr2_buf_byte(out, ']');
	if (forest->notes.cut) {
		tr2_object_open(out, "contention_of", '{');
		tr2_object_count(out, "commands", forest->notes.list.count);
		tr2_object_count(out, "of", forest->notes.seen);
		tr2_buf_byte(out, '}');
	}
	if (forest->notes.older)
		tr2_object_count(out, "contention_lacks_states",
				 forest->notes.older);
}

static void put_gaps(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_counts *counts = &forest->counts;

	tr2_buf_str(out, ",\n\t\"gaps\":{");
	tr2_object_count(out, "unfinished", counts->unfinished);
	tr2_object_count(out, "untimed", counts->untimed);
	tr2_object_count(out, "unclosed", counts->unclosed);
	tr2_object_count(out, "unlogged", counts->unlogged);
	tr2_object_count(out, "cut", counts->cut);
	tr2_object_count(out, "late", counts->late);
	tr2_object_count(out, "unread", counts->unread);
	if (forest->window.apart)
		tr2_object_count(out, "apart", forest->window.apart);
	tr2_buf_byte(out, '}');
}

void tr2_result_json(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_forest *forest = result->forest;

	tr2_buf_byte(out, '{');
	tr2_object_number(out, "version", VERSION);
	tr2_object_count(out, "processes", forest->counts.processes);
	tr2_object_count(out, "roots", forest->counts.roots);
	tr2_object_number(out, "wall_us", tr2_result_wall(result));
	tr2_object_number(out, "self_us", tr2_result_self(result));
	tr2_object_text(out, "by", tr2_by_names[forest->by]);
	for (int table = 0; table < TR2_TABLE_SPANS; table++)
		if (tr2_columns[table])
			tr2_result_json_table(out, result,
					      (enum tr2_table)table);
	put_advice(out, result);
	put_contention(out, forest);
	put_slowest(out, forest);
	put_failure(out, result);
	put_stuck(out, forest);
	put_gaps(out, forest);
	tr2_buf_str(out, "\n}\n");
}
