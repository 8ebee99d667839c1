#include <string.h>

#include "lib/text/cell.h"
#include "read/calendar.h"
#include "read/value.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "views/result/advice.h"
#include "views/result/contention.h"
#include "views/result/result.h"

#define COLUMN 9     /* width of a number */
#define BETWEEN 3    /* columns before a name, at most */
#define NAME_LEAST 8 /* columns of a name that is cut */
#define DEEPEST 19   /* steps of the chain are further in */
#define STEPS_BRIEF 3

static const char *const titles[TR2_TABLES] = {
	[TR2_TABLE_COMMANDS] = "Commands", [TR2_TABLE_GROUPS] = "Groups",
	[TR2_TABLE_REGIONS] = "Regions",   [TR2_TABLE_CHILDREN] = "Children",
	[TR2_TABLE_PHASES] = "Phases",	   [TR2_TABLE_DATA] = "Numbers",
	[TR2_TABLE_TIMERS] = "Timers",	   [TR2_TABLE_COUNTERS] = "Counters",
	[TR2_TABLE_ERRORS] = "Errors",	   [TR2_TABLE_CALLERS] = "Callers",
};

static void put_percent(struct tr2_buf *out, int64_t part, int64_t whole)
{
	size_t from = out->len;
	double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;

	tr2_buf_int(out, (int64_t)(percent * 10 + 0.5) / 10);
	tr2_buf_byte(out, '.');
	tr2_buf_int(out, (int64_t)(percent * 10 + 0.5) % 10);
	tr2_buf_byte(out, '%');
	tr2_cell_align(out, from, 7);
}

static bool has_share(const struct tr2_column *column)
{
	return column->field == TR2_FIELD_SELF;
}

static void put_heads(struct tr2_buf *out, const struct tr2_result *result,
		      enum tr2_table table)
{
	const struct tr2_column *column = tr2_columns[table];
	size_t from;

	for (; column->key; column++) {
		if (!tr2_result_has(result, column))
			continue;
		if (tr2_column_is_text(column)) {
			tr2_buf_str(out, column->field == TR2_FIELD_SECOND
						 ? " / "
						 : "  ");
			tr2_buf_str(out, column->head);
			continue;
		}
		from = out->len;
		tr2_buf_str(out, column->head);
		tr2_cell_align(out, from, COLUMN);
		if (has_share(column))
			tr2_buf_str(out, "      %");
	}
	tr2_buf_byte(out, '\n');
}

static const char *find_name(const struct tr2_column *column,
			     const struct tr2_result_row *row)
{
	const char *text = tr2_column_text(column, row);

	return *text ? text : "(none)";
}

/* How many columns does the text take? One for each character. */
static size_t count_columns(const char *text, size_t len)
{
	size_t at, columns = 0;

	for (at = 0; at < len; at += tr2_text_step(text + at, len - at))
		columns++;
	return columns;
}

/*
 * How many columns may the name have? It leaves some to the one after it.
 * Where there is room for hardly a name, or no limit (0), all are whole.
 */
static size_t find_room(const struct tr2_result *result,
			const struct tr2_column *column,
			const struct tr2_result_row *row, size_t used)
{
	const size_t columns = result->options.columns;
	size_t after = 0;

	if (column[1].key) {
		after = strlen(find_name(column + 1, row));
		after = BETWEEN + (after < NAME_LEAST ? after : NAME_LEAST);
	}
	if (columns < used + BETWEEN + NAME_LEAST + after)
		return SIZE_MAX;
	return columns - used - BETWEEN - after;
}

/* The text is cut where the line is full. */
static void put_name(struct tr2_buf *out, const struct tr2_result *result,
		     const struct tr2_column *column,
		     const struct tr2_result_row *row, size_t line)
{
	const char *text = find_name(column, row);
	size_t used = count_columns(out->bytes + line, out->len - line);
	size_t room = find_room(result, column, row, used);
	size_t len = strlen(text), at = 0;

	tr2_buf_str(out, column->field == TR2_FIELD_SECOND ? " / " : "  ");
	if (count_columns(text, len) <= room) {
		tr2_foreign_line(out, text, len);
		return;
	}
	for (room -= strlen("..."); room; room--)
		at += tr2_text_step(text + at, len - at);
	tr2_foreign_line(out, text, at);
	tr2_buf_str(out, "...");
}

static void put_row(struct tr2_buf *out, const struct tr2_result *result,
		    const struct tr2_result_row *row)
{
	const struct tr2_column *column = tr2_columns[row->row->table];
	size_t line = out->len, from;
	int64_t value;

	for (; column->key; column++) {
		if (!tr2_result_has(result, column))
			continue;
		if (tr2_column_is_text(column)) {
			put_name(out, result, column, row, line);
			continue;
		}
		value = tr2_column_value(column, row->row);
		from = out->len;
		if (column->is_time)
			tr2_cell_time(out, value);
		else
			tr2_buf_int(out, value);
		tr2_cell_align(out, from, COLUMN);
		if (has_share(column))
			put_percent(out, value, tr2_result_wall(result));
	}
	tr2_buf_byte(out, '\n');
}

static void put_title(struct tr2_buf *out, const struct tr2_result *result,
		      enum tr2_table table)
{
	tr2_buf_byte(out, '\n');
	if (table == TR2_TABLE_GROUPS) {
		tr2_buf_str(out, "By ");
		tr2_buf_str(out, tr2_by_names[result->forest->by]);
	} else {
		tr2_buf_str(out, titles[table]);
	}
	tr2_buf_byte(out, '\n');
}

static void put_table(struct tr2_buf *out, const struct tr2_result *result,
		      enum tr2_table table)
{
	uint32_t i, shown = tr2_result_shown(result, table);
	uint32_t left = result->tables[table].count - shown;

	if (!shown)
		return;
	put_title(out, result, table);
	put_heads(out, result, table);
	for (i = 0; i < shown; i++)
		put_row(out, result, tr2_result_at(result, table, i));
	if (left) {
		tr2_buf_str(out, "  ... and ");
		tr2_buf_uint(out, left);
		tr2_buf_str(out, " more; --top 0 shows all\n");
	}
}

/* A hook is known by its name, which may be that of a command. */
static void put_step_name(struct tr2_buf *out, const struct tr2_rows *rows,
			  const struct tr2_link *link)
{
	const char *first = tr2_rows_text(rows, link->name[0], NULL);
	const char *second = tr2_rows_text(rows, link->name[1], NULL);

	if (link->count > 1) {
		tr2_buf_uint(out, link->count);
		tr2_buf_str(out, " \xc3\x97 ");
	}
	if (link->table == TR2_TABLE_REGIONS)
		tr2_buf_str(out, "region ");
	if (link->table == TR2_TABLE_COMMANDS)
		tr2_buf_str(out, "process ");
	if (link->table != TR2_TABLE_CHILDREN || !strcmp(first, "hook"))
		tr2_foreign_line(out, first, strlen(first));
	if (link->table == TR2_TABLE_REGIONS)
		tr2_buf_str(out, " / ");
	else if (link->table == TR2_TABLE_CHILDREN && !strcmp(first, "hook"))
		tr2_buf_byte(out, ' ');
	tr2_foreign_line(out, second, strlen(second));
}

static void put_step(struct tr2_buf *out, int64_t length, int64_t wall)
{
	size_t from = out->len;

	tr2_cell_time(out, length);
	tr2_cell_align(out, from, COLUMN);
	put_percent(out, length, wall);
}

/* At most so many steps of the chain. */
static void put_steps(struct tr2_buf *out, const struct tr2_forest *forest,
		      uint32_t most)
{
	const struct tr2_slowest *slowest = &forest->slowest;
	const struct tr2_link *link = slowest->chain.items;
	const char *name = tr2_rows_text(&forest->rows, slowest->name, NULL);
	uint32_t i;

	put_step(out, slowest->wall, slowest->wall);
	tr2_buf_str(out, "  ");
	tr2_foreign_line(out, name, strlen(name));
	tr2_buf_byte(out, '\n');
	for (i = 0; i < slowest->chain.count && i < most; i++, link++) {
		put_step(out, link->total, slowest->wall);
		tr2_buf_blanks(out, 2 + 2 * (i < DEEPEST ? i : DEEPEST));
		put_step_name(out, &forest->rows, link);
		tr2_buf_byte(out, '\n');
	}
}

static void put_slowest(struct tr2_buf *out, const struct tr2_forest *forest)
{
	if (!forest->slowest.found)
		return;
	tr2_buf_str(out, "\nThe slowest, and in each what owns most of it\n");
	put_steps(out, forest, UINT32_MAX);
}

/* Sums that are no numbers of 64 bits. */
static uint64_t count_capped(const struct tr2_result *result)
{
	uint64_t capped = result->forest->counts.wall_over != 0;
	const struct tr2_sums *sums;
	uint32_t i;
	int table;

	for (table = 0; table < TR2_TABLES; table++)
		for (i = 0; i < result->tables[table].count; i++) {
			sums = &tr2_result_at(result, (enum tr2_table)table, i)
					->row->sums;
			capped += sums->total_over != 0;
			capped += sums->self_over != 0;
		}
	return capped;
}

static void put_gaps(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_counts *counts = &result->forest->counts;

	tr2_buf_byte(out, '\n');
	tr2_cell_note(out, counts->unread, "lines with errors",
		      "'trace2 validate' shows them");
	tr2_cell_note(out, counts->unfinished,
		      "processes without an end in the log",
		      "they end with their last event");
	tr2_cell_note(out, counts->unclosed,
		      "regions or children without an end in the log",
		      "they end with their process");
	tr2_cell_note(out, counts->untimed, "processes without times",
		      "their logs are brief");
	tr2_cell_note(out, counts->unlogged,
		      "children without a log of their own", NULL);
	tr2_cell_note(out, counts->cut, "processes whose parent is in no log",
		      "they count as roots");
	tr2_cell_note(
		out, result->forest->window.apart,
		"processes that began too late for the day of their session",
		"they are in no sum");
	tr2_cell_note(out, counts->late,
		      "events after the end of their process",
		      "they are left out");
	tr2_cell_note(out, count_capped(result),
		      "sums that are too large for 64 bits",
		      "the largest or least number stands for them");
}

/* What failed stands first. A filter may leave it out. */
static void put_failure(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_failure *failure = &forest->failure;
	const char *name;
	size_t len;

	if (!failure->count || tr2_forest_is_filtered(forest))
		return;
	if (failure->count > 1) {
		tr2_buf_uint(out, failure->count);
		tr2_buf_str(out, " commands failed, the last one: ");
	}
	name = tr2_rows_text(&forest->rows, failure->name, &len);
	tr2_foreign_line(out, name, len);
	tr2_buf_str(out, failure->count > 1 ? "" : " failed");
	if (failure->signal) {
		tr2_buf_str(out, ", signal ");
		tr2_buf_int(out, failure->signal);
	} else if (failure->has_code) {
		tr2_buf_str(out, ", exit code ");
		tr2_buf_int(out, failure->code);
	}
	if (failure->message.len)
		tr2_buf_str(out, ": ");
	tr2_foreign_line(out, failure->message.bytes, failure->message.len);
	tr2_buf_byte(out, '\n');
}

static void put_head(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_counts *counts = &result->forest->counts;

	tr2_buf_uint(out, counts->roots);
	tr2_buf_str(out,
		    counts->roots == 1 ? " command took " : " commands took ");
	tr2_cell_time(out, tr2_result_wall(result));
	tr2_buf_str(out, "; with their children they are ");
	tr2_buf_uint(out, counts->processes);
	tr2_buf_str(out,
		    counts->processes == 1 ? " process.\n" : " processes.\n");
}

/* 0: the other text stands for several. */
static void put_number_text(struct tr2_buf *out, const struct tr2_rows *rows,
			    uint32_t number, const char *other)
{
	const char *text = number ? tr2_rows_text(rows, number, NULL) : other;

	tr2_foreign_line(out, text, strlen(text));
}

static const char *separate_about(bool *begun)
{
	const char *between = *begun ? ", " : "  ";

	*begun = true;
	return between;
}

/* Where and when, and by which git. */
static void put_about(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_about *about = &forest->about;
	bool begun = false;
	size_t from;

	if (about->repository) {
		tr2_buf_str(out, separate_about(&begun));
		put_number_text(out, &forest->rows,
				about->repositories ? 0 : about->repository,
				"several repositories");
	}
	if (about->version) {
		tr2_buf_str(out, separate_about(&begun));
		tr2_buf_str(out, about->versions ? "" : "version ");
		put_number_text(out, &forest->rows,
				about->versions ? 0 : about->version,
				"several versions");
	}
	if (tr2_time_has_date(about->begin)) {
		tr2_buf_str(out, separate_about(&begun));
		from = out->len;
		tr2_calendar_put_time(out, about->begin);
		out->len = from + sizeof("2026-11-23T08:00:00") - 1;
		tr2_buf_byte(out, 'Z');
	}
	if (begun)
		tr2_buf_byte(out, '\n');
}

void tr2_result_brief(struct tr2_buf *out, const struct tr2_result *result)
{
	put_failure(out, result->forest);
	put_head(out, result);
	if (result->forest->slowest.found)
		put_steps(out, result->forest, STEPS_BRIEF);
	tr2_advice_put(out, result);
}

void tr2_result_text(struct tr2_buf *out, const struct tr2_result *result)
{
	static const enum tr2_table order[] = {
		TR2_TABLE_PHASES,   TR2_TABLE_GROUPS,	TR2_TABLE_COMMANDS,
		TR2_TABLE_REGIONS,  TR2_TABLE_CHILDREN, TR2_TABLE_ERRORS,
		TR2_TABLE_CALLERS,  TR2_TABLE_DATA,	TR2_TABLE_TIMERS,
		TR2_TABLE_COUNTERS,
	};
	size_t i;

	put_failure(out, result->forest);
	put_head(out, result);
	put_about(out, result->forest);
	tr2_advice_put(out, result);
	put_slowest(out, result->forest);
	tr2_contention_put(out, result->forest);
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		put_table(out, result, order[i]);
	put_gaps(out, result);
}
