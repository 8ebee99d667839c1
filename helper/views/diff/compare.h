/*
 * compare.h - the rows of two sets of logs, each with a verdict.
 *
 * Many rows are compared at once, so some p-values are small by chance. A row
 * is slower or faster only if its p-value is at most 0.05 after Holm's
 * correction for all rows that were tested: then the chance that any verdict
 * about two equal sets is wrong is at most 5 %.
 */
#ifndef TR2_DIFF_COMPARE_H
#define TR2_DIFF_COMPARE_H

#include "base/buf.h"
#include "model/account/forest.h"

/*
 * The values of each row in both sets. A value is what one process
 * adds to the row: its wall time, or the sum of the times that it spent in a
 * region or that a kind of child took.
 */
enum tr2_sample_set { TR2_SAMPLE_A, TR2_SAMPLE_B, TR2_SAMPLE_SETS };

struct tr2_sample_row {
	enum tr2_table table;
	uint32_t command;			/* numbers of texts */
	uint32_t name[2];			/* of a region or a child */
	struct tr2_vec values[TR2_SAMPLE_SETS]; /* uint64_t */
};

struct tr2_samples {
	struct tr2_rows names; /* of both sets */
	struct tr2_vec rows;   /* struct tr2_sample_row */
	struct tr2_map places;
	enum tr2_sample_set set; /* that is read now */
	uint64_t endless;	 /* commands without an end in the log */
};

TR2_VEC_AT(tr2_samples_at, tr2_samples, rows, tr2_sample_row);

#define TR2_COMPARE_ALPHA 0.05

/* Each verdict: its name here, and its name in every output. */
/* clang-format off */
#define TR2_VERDICTS(ROW) \
	ROW(SLOWER, "slower") \
	ROW(FASTER, "faster") \
	ROW(NEW, "new") \
	ROW(VANISHED, "vanished") \
	ROW(UNCLEAR, "unclear") /* no difference can be seen */ \
	ROW(FEW, "few") /* too few values to see any */
/* clang-format on */
#define TR2_VERDICT_ENUM(verdict, ...) TR2_VERDICT_##verdict,
enum tr2_verdict { TR2_VERDICTS(TR2_VERDICT_ENUM) TR2_VERDICT_COUNT };

extern const char *const tr2_verdict_names[TR2_VERDICT_COUNT];

struct tr2_comparison_side { /* Times are in microseconds. */
	uint64_t count;
	uint64_t p50, p99;
};

struct tr2_comparison {
	enum tr2_table table;
	const char *command, *first, *second; /* they end with a NUL */
	struct tr2_comparison_side sides[TR2_SAMPLE_SETS];
	enum tr2_verdict verdict;
	int sign;	    /* 1: the values of B are larger */
	double p, adjusted; /* valid if it was tested */
};

struct tr2_compared {
	const struct tr2_samples *samples;
	struct tr2_vec
		rows; /* struct tr2_comparison, those that matter first */
	uint32_t tested;
	uint32_t verdicts[TR2_VERDICT_COUNT];
	struct tr2_counts counts[TR2_SAMPLE_SETS];
	int64_t failed[TR2_SAMPLE_SETS]; /* commands; -1: with --command */
	unsigned long top;		 /* rows of a table of text; 0: all */
};

/*
 * Make the rows of the samples, whose values it puts in order, and which must
 * live as long; the counts are those of the caller.
 */
void tr2_compared_make(struct tr2_compared *compared,
		       const struct tr2_samples *samples);

TR2_VEC_AT(tr2_compared_at, tr2_compared, rows, tr2_comparison);

/* Does the row have a p-value? */
static inline bool tr2_comparison_is_tested(const struct tr2_comparison *row)
{
	return row->verdict == TR2_VERDICT_SLOWER ||
	       row->verdict == TR2_VERDICT_FASTER ||
	       row->verdict == TR2_VERDICT_UNCLEAR;
}

/*
 * By how many percent has the median changed? False: it can't be told,
 * because a set lacks the row or A's median is 0.
 */
bool tr2_comparison_change(const struct tr2_comparison *row, double *percent);

/* Is there a command that both sets have? */
bool tr2_compared_anything(const struct tr2_compared *compared);

/* What is a regression: a growth of the median, */
struct tr2_compared_limit {
	double percent; /* by more than this, */
	int64_t least;	/* and by so many us; 0: by 1 % of the command */
};

/*
 * Returns how many rows are slower, and beyond the limit. So is the command of
 * a region or a child: one that is as fast as before has not become slower.
 */
uint32_t tr2_compared_regressions(const struct tr2_compared *compared,
				  const struct tr2_compared_limit *limit);

/* Each writes the whole result. */
typedef void tr2_compared_fn(struct tr2_buf *out,
			     const struct tr2_compared *compared);

tr2_compared_fn tr2_compared_text, tr2_compared_markdown, tr2_compared_json,
	tr2_compared_csv;

#endif
