
#include <string.h>

#include "views/summary/state_part.h"

#define MAGIC "trace2-summary"
#define VERSION 2 /* 1 has no commands that ran at once */

static void put_names(struct tr2_buf *out, const struct tr2_rows *rows,
		      enum tr2_table table, const uint32_t *name)
{
	tr2_fields_put(out, tr2_table_names[table]);
	tr2_fields_put(out, tr2_rows_text(rows, name[0], NULL));
	tr2_fields_put(out, tr2_rows_text(rows, name[1], NULL));
}

static void put_sketch(struct tr2_buf *out, const struct tr2_sketch *sketch)
{
	const struct tr2_sketch_bucket *bucket = sketch->buckets.items;

	tr2_buf_byte(out, '\t');
	for (uint32_t i = 0; i < sketch->buckets.count; i++, bucket++) {
		tr2_buf_uint(out, bucket->number);
		tr2_buf_byte(out, ':');
		tr2_buf_uint(out, bucket->count);
		tr2_buf_byte(out, ',');
	}
}

static void put_row(struct tr2_buf *out, const struct tr2_rows *rows,
		    const struct tr2_row *row)
{
	const struct tr2_sums *sums = &row->sums;

	tr2_buf_str(out, "row");
	put_names(out, rows, row->table, row->name);
	tr2_fields_put_number(out, (int64_t)sums->count);
	tr2_fields_put_number(out, (int64_t)sums->failed);
	tr2_fields_put_number(out, (int64_t)sums->threads);
	tr2_fields_put_number(out, sums->total);
	tr2_fields_put_number(out, sums->self);
	tr2_fields_put_number(out, sums->min);
	tr2_fields_put_number(out, sums->max);
	tr2_fields_put_number(out, sums->last);
	tr2_fields_put_number(out, sums->last_time);
	put_sketch(out, &row->sketch);
	if (sums->total_over || sums->self_over) {
		tr2_fields_put_number(out, sums->total_over);
		tr2_fields_put_number(out, sums->self_over);
	}
	tr2_buf_byte(out, '\n');
}

static void put_slowest(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_slowest *slowest = &forest->slowest;
	const struct tr2_link *link = slowest->chain.items;

	if (!slowest->found)
		return;
	tr2_buf_str(out, "slowest");
	tr2_fields_put(out, tr2_rows_text(&forest->rows, slowest->name, NULL));
	tr2_fields_put_number(out, slowest->wall);
	tr2_fields_put_number(out, (int64_t)slowest->key);
	tr2_buf_byte(out, '\n');
	for (uint32_t i = 0; i < slowest->chain.count; i++, link++) {
		tr2_buf_str(out, "link");
		put_names(out, &forest->rows, link->table, link->name);
		tr2_fields_put_number(out, link->total);
		tr2_fields_put_number(out, (int64_t)link->count);
		tr2_buf_byte(out, '\n');
	}
}

static void put_stuck(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_row *row = tr2_forest_stuck(forest);

	if (!row)
		return;
	tr2_buf_str(out, "stuck");
	put_names(out, &forest->rows, row->table, row->name);
	tr2_fields_put(out,
		       tr2_rows_text(&forest->rows, forest->stuck.name, NULL));
	tr2_buf_byte(out, '\n');
}

/* The members of struct tr2_counts, in their order. */
static int64_t *count_at(struct tr2_counts *counts, size_t i)
{
	uint64_t *const members[] = {
		&counts->processes, &counts->roots,    &counts->unfinished,
		&counts->untimed,   &counts->unclosed, &counts->unlogged,
		&counts->cut,	    &counts->late,     &counts->unread,
	};

	if (i < sizeof(members) / sizeof(members[0]))
		return (int64_t *)members[i];
	return i == sizeof(members) / sizeof(members[0]) ? &counts->wall : NULL;
}

static void put_options(struct tr2_buf *out, const struct tr2_forest *forest)
{
	tr2_buf_str(out, MAGIC);
	tr2_fields_put_number(out, VERSION);
	tr2_fields_put(out, tr2_by_names[forest->by]);
	tr2_fields_put_number(out, forest->percentiles);
	tr2_fields_put(out,
		       forest->filter.command ? forest->filter.command : "");
	tr2_fields_put_number(out, forest->filter.since);
	tr2_fields_put_number(out, forest->filter.slower_than);
	tr2_buf_byte(out, '\n');
}

void tr2_state_write(struct tr2_buf *out, const struct tr2_result *result)
{
	struct tr2_counts counts = result->forest->counts;

	put_options(out, result->forest);
	tr2_buf_str(out, "counts");
	for (size_t at = 0; count_at(&counts, at); at++)
		tr2_fields_put_number(out, *count_at(&counts, at));
	if (counts.wall_over)
		tr2_fields_put_number(out, counts.wall_over);
	tr2_buf_byte(out, '\n');
	for (int table = 0; table < TR2_TABLES; table++)
		for (uint32_t i = 0; i < result->tables[table].count; i++)
			put_row(out, &result->forest->rows,
				tr2_result_at(result, (enum tr2_table)table, i)
					->row);
	put_slowest(out, result->forest);
	put_stuck(out, result->forest);
	tr2_state_put_about(out, result->forest);
	tr2_state_put_failure(out, result->forest);
	tr2_state_put_notes(out, &result->forest->notes, &result->forest->rows);
	tr2_state_put_held(out, result->forest);
	tr2_buf_str(out, "end\n");
}

static int find_table(const char *name)
{
	for (int table = 0; table < TR2_TABLES; table++)
		if (!strcmp(name, tr2_table_names[table]))
			return table;
	return -1;
}

/* Read the table and the names of three fields. */
static bool read_names(struct tr2_forest *forest,
		       const struct tr2_fields *fields, struct tr2_link *names)
{
	int table = fields->count > 3 ? find_table(fields->at[1]) : -1;

	if (table < 0)
		return false;
	names->table = (enum tr2_table)table;
	for (int i = 0; i < 2; i++)
		names->name[i] = tr2_rows_name(&forest->rows, fields->at[2 + i],
					       strlen(fields->at[2 + i]));
	return true;
}

static bool take_row(struct tr2_forest *forest, const struct tr2_fields *fields)
{
	struct tr2_link names;
	struct tr2_row *row;
	struct tr2_sums sums;
	int64_t values[9], overs[2] = { 0, 0 };

	if (!read_names(forest, fields, &names) ||
	    (fields->count != 14 && fields->count != 16) ||
	    !tr2_fields_numbers(fields, 4, values, 9) ||
	    (fields->count == 16 && !tr2_fields_numbers(fields, 14, overs, 2)))
		return false;
	sums = (struct tr2_sums){
		.count = (uint64_t)values[0],
		.failed = (uint64_t)values[1],
		.threads = (uint64_t)values[2],
		.total = values[3],
		.self = values[4],
		.total_over = overs[0],
		.self_over = overs[1],
		.min = values[5],
		.max = values[6],
		.last = values[7],
		.last_time = values[8],
	};
	row = tr2_rows_at(&forest->rows,
			  tr2_rows_enter(&forest->rows, names.table,
					 names.name[0], names.name[1]));
	tr2_sums_add(&row->sums, &sums);
	return tr2_fields_sketch(fields->at[13], &row->sketch);
}

static bool take_counts(struct tr2_forest *forest,
			const struct tr2_fields *fields)
{
	int64_t value, *count, over = 0, *wall_over = &forest->counts.wall_over;
	size_t i;

	for (i = 0; (count = count_at(&forest->counts, i)); i++) {
		if (!tr2_fields_numbers(fields, i + 1, &value, 1))
			return false;
		/* A count that wraps around is that of a damaged state. */
		tr2_sum_add(count,
			    count == &forest->counts.wall ? wall_over : &over,
			    value);
	}
	if (fields->count == i + 1)
		return true;
	if (!tr2_fields_numbers(fields, i + 1, &value, 1))
		return false;
	*wall_over += value;
	return true;
}

/* `wanted`: it takes the place of the slowest so far, and so do its links. */
static bool take_slowest(struct tr2_forest *forest,
			 const struct tr2_fields *fields, bool *wanted)
{
	struct tr2_slowest *slowest = &forest->slowest;
	int64_t values[2];

	if (!tr2_fields_numbers(fields, 2, values, 2))
		return false;
	*wanted = !slowest->found || values[0] > slowest->wall ||
		  (values[0] == slowest->wall &&
		   (uint64_t)values[1] < slowest->key);
	if (!*wanted)
		return true;
	tr2_vec_release(&slowest->chain);
	*slowest = (struct tr2_slowest){
		.found = true,
		.name = tr2_rows_name(&forest->rows, fields->at[1],
				      strlen(fields->at[1])),
		.wall = values[0],
		.key = (uint64_t)values[1],
	};
	return true;
}

static bool take_link(struct tr2_forest *forest,
		      const struct tr2_fields *fields, bool wanted)
{
	struct tr2_link link = { 0 };
	int64_t values[2] = { 0 };

	/* Older states have no count. */
	if (!read_names(forest, fields, &link) ||
	    !tr2_fields_numbers(fields, 4, values, fields->count > 5 ? 2 : 1))
		return false;
	if (!wanted)
		return true;
	link.total = values[0];
	link.count = (uint64_t)values[1];
	TR2_VEC_COPY(&forest->slowest.chain, struct tr2_link, link);
	return true;
}

static bool take_stuck(struct tr2_forest *forest,
		       const struct tr2_fields *fields)
{
	struct tr2_link names;

	if (!read_names(forest, fields, &names) || fields->count != 5)
		return false;
	forest->stuck = (struct tr2_stuck){
		.name = tr2_rows_name(&forest->rows, fields->at[4],
				      strlen(fields->at[4])),
		.row = tr2_rows_enter(&forest->rows, names.table, names.name[0],
				      names.name[1]),
	};
	return true;
}

struct state_options { /* What a state was made with. */
	enum tr2_by by;
	bool percentiles;
	const char *command; /* "": any */
	int64_t since, slower_than;
	int64_t version;
};

static bool is_state(const struct tr2_fields *fields)
{
	int64_t version;

	return fields->count == 7 && !strcmp(fields->at[0], MAGIC) &&
	       tr2_fields_numbers(fields, 1, &version, 1) && version > 0 &&
	       version <= VERSION;
}

static bool read_options(const struct tr2_fields *fields,
			 struct state_options *options)
{
	int64_t values[2], percentiles, version;
	int by = 0;

	while (by < TR2_BYS && strcmp(fields->at[2], tr2_by_names[by]) != 0)
		by++;
	if (by == TR2_BYS || !tr2_fields_numbers(fields, 1, &version, 1) ||
	    !tr2_fields_numbers(fields, 3, &percentiles, 1) ||
	    !tr2_fields_numbers(fields, 5, values, 2))
		return false;
	*options = (struct state_options){ (enum tr2_by)by, percentiles != 0,
					   fields->at[4],   values[0],
					   values[1],	    version };
	return true;
}

static void adopt_options(struct tr2_forest *forest,
			  const struct state_options *options)
{
	uint32_t command = tr2_rows_name(&forest->rows, options->command,
					 strlen(options->command));

	forest->merged = true;
	forest->by = options->by;
	forest->percentiles = options->percentiles;
	forest->filter.command =
		command ? tr2_rows_text(&forest->rows, command, NULL) : NULL;
	forest->filter.since = options->since;
	forest->filter.slower_than = options->slower_than;
}

static bool has_options(const struct tr2_forest *forest,
			const struct state_options *options)
{
	const struct tr2_filter *filter = &forest->filter;

	return forest->by == options->by &&
	       forest->percentiles == options->percentiles &&
	       filter->since == options->since &&
	       filter->slower_than == options->slower_than &&
	       !strcmp(filter->command ? filter->command : "",
		       options->command);
}

static const char *take_options(struct tr2_forest *forest,
				const struct tr2_fields *fields)
{
	struct state_options options;

	if (!is_state(fields))
		return "this is no state of 'trace2 summary' that this version "
		       "can read";
	if (!read_options(fields, &options))
		return "expected the options of the summary";
	if (!forest->merged)
		adopt_options(forest, &options);
	forest->notes.older += options.version < VERSION;
	return has_options(forest, &options)
		       ? NULL
		       : "this state was made with other options than the "
			 "first one";
}

static bool take_record(struct tr2_forest *forest,
			const struct tr2_fields *fields, bool *wanted)
{
	const char *kind = fields->at[0];

	if (!strcmp(kind, "row"))
		return take_row(forest, fields);
	if (!strcmp(kind, "counts"))
		return take_counts(forest, fields);
	if (!strcmp(kind, "slowest"))
		return take_slowest(forest, fields, wanted);
	if (!strcmp(kind, "link"))
		return take_link(forest, fields, *wanted);
	if (!strcmp(kind, "stuck"))
		return take_stuck(forest, fields);
	if (!strcmp(kind, "facts"))
		return true; /* of older states */
	if (!strcmp(kind, "about"))
		return tr2_state_take_about(forest, fields);
	if (!strcmp(kind, "failure"))
		return tr2_state_take_failure(forest, fields);
	if (!strcmp(kind, "apart"))
		return tr2_state_take_apart(forest, fields);
	if (!strcmp(kind, "commands"))
		return tr2_state_take_notes(forest, fields);
	if (!strcmp(kind, "ran"))
		return tr2_state_take_ran(forest, fields);
	return false;
}

static const char *take_line(struct tr2_forest *forest,
			     const struct tr2_fields *fields, bool is_first,
			     bool *wanted)
{
	if (is_first)
		return take_options(forest, fields);
	if (!strcmp(fields->at[0], "held"))
		return tr2_state_take_held(forest, fields);
	return take_record(forest, fields, wanted)
		       ? NULL
		       : "expected a record of a state";
}

/* A state has one end, and nothing after it. */
static const char *check_end(bool ended, bool has_more)
{
	if (!ended)
		return "the state is not complete";
	return has_more ? "expected nothing after the end of the state" : NULL;
}

const char *tr2_state_merge(struct tr2_forest *forest, const char *text,
			    size_t len, unsigned long *line)
{
	const char *end = text + len, *next, *wrong = NULL;
	struct tr2_fields fields = { .text = TR2_BUF_INIT };
	bool wanted = false, ended = false;

	for (*line = 0; !wrong && !ended && text < end; text = next) {
		++*line;
		next = memchr(text, '\n', (size_t)(end - text));
		tr2_fields_split(&fields, text,
				 (size_t)((next ? next : end) - text));
		next = next ? next + 1 : end;
		ended = *line > 1 && !strcmp(fields.at[0], "end");
		if (!ended)
			wrong = take_line(forest, &fields, *line == 1, &wanted);
	}
	if (!wrong)
		wrong = check_end(ended, text < end);
	tr2_buf_release(&fields.text);
	return wrong;
}
