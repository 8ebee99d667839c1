/*
 * rows.h - the tables of a summary. A row has one or two names and the sums
 * of whatever it stands for: a command, a region, a kind of child. All sums
 * can be added in any order, so summaries can be merged.
 *
 * This room knows names and sums, and nothing of processes or their events.
 *
 *	sketch.h    the distribution of numbers, and its quantiles
 *	phase.h     the phases of git's work
 *	frame.h     the stacks of a process alone
 *	chart.h     who owns the time of a root, or all, stack by stack
 */
#ifndef TR2_TOTALS_ROWS_H
#define TR2_TOTALS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "model/totals/sketch.h"

struct tr2_buf;

/* Each table: its name here, in every output, and in a text for people. */
/* clang-format off */
#define TR2_TABLE_ROWS(ROW) \
	ROW(COMMANDS, "commands", "Commands") \
	ROW(GROUPS, "groups", "Groups") \
	ROW(REGIONS, "regions", "Regions") \
	ROW(CHILDREN, "children", "Children") \
	ROW(PHASES, "phases", "Phases") \
	ROW(DATA, "data", "Numbers") \
	ROW(TIMERS, "timers", "Timers") \
	ROW(COUNTERS, "counters", "Counters") \
	ROW(ERRORS, "errors", "Errors") \
	ROW(CALLERS, "callers", "Callers") \
	ROW(PROOFS, "proofs", "") \
	ROW(SIDES, "sides", "Server, network and client") \
	ROW(PATH, "path", "The critical path, and what each saves at most") \
	ROW(SPANS, "spans", "Spans") \
	ROW(CATEGORIES, "categories", "Categories") \
	ROW(POINTS, "points", "Instants and counters")
/* clang-format on */

#define TR2_TABLE_ENUM(table, ...) TR2_TABLE_##table,
/* TR2_TABLE_COMMANDS, ... */
enum tr2_table { TR2_TABLE_ROWS(TR2_TABLE_ENUM) TR2_TABLES };

extern const char *const tr2_table_names[TR2_TABLES];
extern const char *const tr2_table_titles[TR2_TABLES];

/*
 * Times are in microseconds. Sums wrap around, and `over` of a sum counts how
 * often it did, down below 0: so they never depend on the order of what is
 * added. tr2_sum_read() shows them.
 */
struct tr2_sums {
	uint64_t count;
	uint64_t failed; /* processes; children that ended with a failure */
	uint64_t
		threads; /* threads that entered a region, process by process */
	int64_t total;	 /* of times; of values for data and counters */
	int64_t self;	 /* the time that it owns */
	int64_t total_over, self_over;
	int64_t min, max;  /* valid if `count` is not 0 */
	int64_t last;	   /* the latest value of data, */
	int64_t last_time; /* and its time */
};

struct tr2_row {
	enum tr2_table table;
	uint32_t name[2]; /* numbers of texts; the second may be 0: none */
	uint8_t phase;	  /* of a region or a child: see phase.h; 0: none */
	struct tr2_sums sums;
	struct tr2_sketch sketch; /* of times; for some tables empty */
};

struct tr2_local { /* What a process adds to a row. */
	uint32_t row;
	uint8_t phase;	 /* of its children: the row's, or what they were for */
	uint64_t thread; /* the first one that entered it: hash of its name */
	struct tr2_sums sums;
};

struct tr2_rows {
	struct tr2_vec texts; /* struct tr2_rows_text; number 0 is "" */
	struct tr2_map text_numbers;
	struct tr2_vec rows; /* struct tr2_row */
	struct tr2_map places;
};

void tr2_rows_begin(struct tr2_rows *rows);

/* Returns the number of the text, which is added if it is new. */
uint32_t tr2_rows_name(struct tr2_rows *rows, const char *text, size_t len);

static inline uint32_t tr2_rows_word(struct tr2_rows *rows, const char *word)
{
	return tr2_rows_name(rows, word, strlen(word));
}

/* The same of a text that is complete; it is released. */
uint32_t tr2_rows_take(struct tr2_rows *rows, struct tr2_buf *text);

/* Returns the text, which ends with a NUL, and its length if wanted. */
const char *tr2_rows_text(const struct tr2_rows *rows, uint32_t number,
			  size_t *len);

/* Returns the phase of a command of this name: see phase.h. */
unsigned tr2_rows_phase(const struct tr2_rows *rows, uint32_t number);

/*
 * Is this the wanted name, or does it begin with the wanted one without its
 * `*`? A command's name may have a mode after `#`. NULL: any name is.
 */
bool tr2_rows_name_fits(const char *wanted, const char *name);

/* Returns the place of the row, which may be new. */
uint32_t tr2_rows_enter(struct tr2_rows *rows, enum tr2_table table,
			uint32_t name, uint32_t second);

/* Valid until a row is added. */
TR2_VEC_AT(tr2_rows_at, tr2_rows, rows, tr2_row);

static inline struct tr2_row *tr2_rows_reach(struct tr2_rows *rows,
					     enum tr2_table table,
					     uint32_t name, uint32_t second)
{
	return tr2_rows_at(rows, tr2_rows_enter(rows, table, name, second));
}

/* Add to a sum that may wrap around. */
void tr2_sum_add(int64_t *sum, int64_t *over, int64_t value);

/* Returns the sum, or the number that is nearest to it. */
static inline int64_t tr2_sum_read(int64_t sum, int64_t over)
{
	if (over)
		return over > 0 ? INT64_MAX : INT64_MIN;
	return sum;
}

static inline int64_t tr2_sums_total(const struct tr2_sums *sums)
{
	return tr2_sum_read(sums->total, sums->total_over);
}

static inline int64_t tr2_sums_self(const struct tr2_sums *sums)
{
	return tr2_sum_read(sums->self, sums->self_over);
}

void tr2_sums_add(struct tr2_sums *sums, const struct tr2_sums *other);

/* Count one more time, or another value. */
void tr2_sums_count(struct tr2_sums *sums, int64_t value);

void tr2_rows_release(struct tr2_rows *rows);

#endif
