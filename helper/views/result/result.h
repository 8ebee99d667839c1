/*
 * result.h - the result of a summary, and the forms in which it is written.
 *
 * A result has the rows that are not empty, sorted by what they cost, and the
 * same for the same events, whatever their order.
 */
#ifndef TR2_RESULT_RESULT_H
#define TR2_RESULT_RESULT_H

#include <stdio.h>

#include "base/buf.h"
#include "model/account/forest.h"

struct tr2_table_options {
	unsigned long top; /* rows of a table; 0: all */
	unsigned columns;  /* width of the text; 0: no limit */
	bool markdown;
};

struct tr2_result_row {
	const struct tr2_row *row;
	const char *first, *second; /* its names; they end with a NUL */
	int64_t cost;		    /* by which rows are sorted */
};

/* Of traces, which have spans and no commands. Times in microseconds. */
struct tr2_trace_counts {
	uint64_t events, processes, threads;
	uint64_t unended, unbegun; /* spans */
	uint64_t left_out;	   /* events that nothing shows */
	int64_t elapsed, self;
};

struct tr2_result {
	const struct tr2_forest *forest;
	const struct tr2_trace_counts *trace; /* NULL: it is of logs */
	struct tr2_table_options options;
	struct tr2_vec tables[TR2_TABLES]; /* struct tr2_result_row */
};

void tr2_result_begin(struct tr2_result *result,
		      const struct tr2_forest *forest);
void tr2_result_release(struct tr2_result *result);

static inline const struct tr2_result_row *
tr2_result_at(const struct tr2_result *result, enum tr2_table table,
	      uint32_t place)
{
	return (const struct tr2_result_row *)result->tables[table].items +
	       place;
}

/* Returns how many rows of the table are written. */
uint32_t tr2_result_shown(const struct tr2_result *result,
			  enum tr2_table table);

/* Returns the wall time of all roots. */
static inline int64_t tr2_result_wall(const struct tr2_result *result)
{
	return tr2_sum_read(result->forest->counts.wall,
			    result->forest->counts.wall_over);
}

/*
 * Returns the time that rows own, in microseconds. It is the wall time of the
 * roots, or the program has a bug.
 */
int64_t tr2_result_self(const struct tr2_result *result);

/* What a column of a table shows. */
enum tr2_field {
	TR2_FIELD_FIRST, /* its names */
	TR2_FIELD_SECOND,
	TR2_FIELD_COUNT,
	TR2_FIELD_FAILED,
	TR2_FIELD_THREADS,
	TR2_FIELD_TOTAL,
	TR2_FIELD_SELF,
	TR2_FIELD_P50,
	TR2_FIELD_P90,
	TR2_FIELD_P99,
	TR2_FIELD_MIN,
	TR2_FIELD_MAX,
	TR2_FIELD_LAST
};

struct tr2_column {
	const char *key;  /* in JSON and CSV; the last column has NULL */
	const char *head; /* in text */
	enum tr2_field field;
	bool is_time;	/* microseconds */
	bool on_demand; /* only with --percentiles */
};

/* The columns of each table; NULL: it is not shown. */
extern const struct tr2_column *const tr2_columns[TR2_TABLES];

/* Is the column shown? */
bool tr2_result_has(const struct tr2_result *result,
		    const struct tr2_column *column);

/* Returns the value of a column that is not a name. */
int64_t tr2_column_value(const struct tr2_column *column,
			 const struct tr2_row *row);

static inline const char *tr2_column_text(const struct tr2_column *column,
					  const struct tr2_result_row *row)
{
	return column->field == TR2_FIELD_FIRST ? row->first : row->second;
}

static inline bool tr2_column_is_text(const struct tr2_column *column)
{
	return column->field <= TR2_FIELD_SECOND;
}

/* Each writes the whole result. */
typedef void tr2_result_fn(struct tr2_buf *out,
			   const struct tr2_result *result);

tr2_result_fn tr2_result_text, tr2_result_markdown, tr2_result_json,
	tr2_result_csv;

/* The same of traces; CSV has only tables. */
tr2_result_fn tr2_result_trace_text, tr2_result_trace_json;

/* Writes a table as a member of an object. */
void tr2_result_json_table(struct tr2_buf *out, const struct tr2_result *result,
			   enum tr2_table table);

/* Writes the line about what failed last, if anything did. */
tr2_result_fn tr2_result_failure;

/* Writes the part of a line that says what the only command hangs in. */
tr2_result_fn tr2_result_stuck;

/* Writes only the first lines, for people. */
tr2_result_fn tr2_result_brief;

/* The tables of a result, for people: plain text, or Markdown. */

/* Put the table, or nothing if it has no rows. */
void tr2_rows_put(struct tr2_buf *out, const struct tr2_result *result,
		  enum tr2_table table);

/* Put the title of a part, which is two texts of our own. */
void tr2_rows_put_title(struct tr2_buf *out, const struct tr2_result *result,
			const char *before, const char *title);

/* Put the share that a part has of a whole, on the right of its column. */
void tr2_rows_put_percent(struct tr2_buf *out, int64_t part, int64_t whole);

/*
 * The rules of helper/model/account that are worth a word: with at
 * least a fifth of the wall time, and 50 ms.
 */

struct tr2_tip {
	const struct tr2_advice *advice;
	const char *what; /* has the time */
	uint64_t count;
	int64_t time, saves; /* microseconds; saves: 0: nobody knows */
};

typedef void tr2_tip_fn(void *context, const struct tr2_tip *tip);

/* Those that save most come first. */
void tr2_tips_tell(const struct tr2_result *result, tr2_tip_fn *tell,
		   void *context);

/* Write them as lines. */
void tr2_advice_put(struct tr2_buf *out, const struct tr2_result *result);

/*
 * Commands that ran at once in one repository: how many, which
 * failed because of a lock, and who likely held it, and which came again and
 * again.
 *
 * A command is a process without a parent; model/totals/notes.h tells which
 * ones are kept.
 */

struct tr2_contention_lock {
	const char *lock;   /* "index.lock" */
	const char *holder; /* a command, or NULL: none was seen */
	const char *caller; /* of that, or "" */
	uint32_t count;	    /* of commands that failed */
};

struct tr2_contention_repeat {
	const char *command, *caller;
	uint32_t count; /* each began within seconds of the last */
};

struct tr2_contention {
	const char *repository;
	uint32_t commands, peak;
	int64_t elapsed, summed; /* while any ran, and of all of them */
	struct tr2_vec locks;	 /* struct tr2_contention_lock */
	struct tr2_vec repeats;	 /* struct tr2_contention_repeat */
};

typedef void tr2_contention_fn(void *context, const struct tr2_contention *one);

/*
 * Tell of each repository in which three commands or more ran at once, one
 * failed because of a lock, or one came again and again.
 */
void tr2_contention_tell(const struct tr2_forest *forest,
			 tr2_contention_fn *tell, void *context);

/* Write them as lines. */
void tr2_contention_put(struct tr2_buf *out, const struct tr2_forest *forest);

#endif
