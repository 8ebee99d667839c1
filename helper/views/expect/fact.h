/*
 * fact.h - what logs say, as facts: each a kind, a name and a value, of one
 * process, with how often it occurs and where it does first.
 */
#ifndef TR2_EXPECT_FACT_H
#define TR2_EXPECT_FACT_H

#include "model/account/forest.h"
#include "read/read.h"
#include "views/expect/grammar.h"

/* Assertions about times are bits of a mask. */
#define TR2_EXPECT_TIMES 64

struct tr2_expect_place {
	uint32_t file; /* number of its text */
	unsigned long line;
};

struct tr2_fact {
	enum tr2_expect_kind kind;
	uint32_t name, value; /* numbers of texts */
	uint32_t process;
	uint64_t count;
	struct tr2_expect_place first;
};

struct tr2_expect_process {
	uint32_t command; /* number of its text, when it has ended */
	bool is_root, is_unfinished, is_failed;
	bool is_normal; /* its log is NORMAL, which lacks much */
	/*
	 * The deepest nesting of an EVENT log, which has a limit; 0: nothing
	 * was nested, or the format has no limit.
	 */
	int64_t deepest;
	int64_t wall; /* microseconds */
	struct tr2_expect_place first;
	int64_t *times; /* microseconds, of each timed assertion; or NULL */
	struct tr2_vec open; /* uint64_t: what fits a span, by its place */
};

struct tr2_expect_log {
	struct tr2_forest forest; /* its rows have the texts */
	struct tr2_reader reader;
	struct tr2_vec facts; /* struct tr2_fact */
	struct tr2_map places;
	struct tr2_map children;  /* the names of those that were started */
	struct tr2_vec processes; /* struct tr2_expect_process * */
	struct tr2_vec ended;	  /* uint32_t: processes, by their end */
	const struct tr2_assertion *timed[TR2_EXPECT_TIMES];
	unsigned timed_count;
	uint64_t late; /* events after the end of their process */
	uint32_t name; /* number of the present file's name */
	const char *name_text;
};

/*
 * What the reader and the forest of a log call; the context is the log, which
 * must not move.
 */
void tr2_fact_take(void *log, struct tr2_record *record);
void tr2_fact_resolve(void *log, const struct tr2_forest *forest,
		      const struct tr2_resolved *resolved);
extern const struct tr2_forest_view tr2_fact_view;

static inline const struct tr2_fact *
tr2_fact_at(const struct tr2_expect_log *log, uint32_t number)
{
	return (const struct tr2_fact *)log->facts.items + number;
}

static inline struct tr2_expect_process *
tr2_expect_process_at(const struct tr2_expect_log *log, uint32_t number)
{
	return ((struct tr2_expect_process **)log->processes.items)[number];
}

static inline const char *tr2_expect_text(const struct tr2_expect_log *log,
					  uint32_t number)
{
	return tr2_rows_text(&log->forest.rows, number, NULL);
}

#endif
