#include "tables_rows.h"
#include "views/result/result.h"

/* What a column shows: whether it is a time, and only there on demand. */
#define SHOW false, false
#define TIME true, false
#define SOME true, true

#define COLUMN(table, kind, key, head, field) \
	{ key, head, TR2_FIELD_##field, kind },
/* clang-format off */
#define TABLE(table) \
	[TR2_TABLE_##table] = (const struct tr2_column[]){ \
		TABLES_##table(COLUMN) { .key = NULL } }
/* clang-format on */

const struct tr2_column *const tr2_columns[TR2_TABLES] = {
	TABLE(COMMANDS), TABLE(GROUPS),	    TABLE(REGIONS), TABLE(CHILDREN),
	TABLE(PHASES),	 TABLE(DATA),	    TABLE(TIMERS),  TABLE(COUNTERS),
	TABLE(SIDES),	 TABLE(PATH),	    TABLE(ERRORS),  TABLE(CALLERS),
	TABLE(SPANS),	 TABLE(CATEGORIES), TABLE(POINTS),
};

bool tr2_result_has(const struct tr2_result *result,
		    const struct tr2_column *column)
{
	return !column->on_demand || result->forest->percentiles;
}

/* A quantile is never outside the least and the largest value: those are exact. */
static int64_t find_quantile(const struct tr2_row *row, unsigned percent)
{
	int64_t value = (int64_t)tr2_sketch_quantile(&row->sketch, percent);

	if (value < row->sums.min)
		value = row->sums.min;
	return value < row->sums.max ? value : row->sums.max;
}

/* The percent of a quantile; 0: the field is none. */
static const unsigned percents[] = {
	[TR2_FIELD_P50] = 50,
	[TR2_FIELD_P90] = 90,
	[TR2_FIELD_P99] = 99,
	[TR2_FIELD_LAST] = 0,
};

int64_t tr2_column_value(const struct tr2_column *column,
			 const struct tr2_row *row)
{
	const struct tr2_sums *sums = &row->sums;
	const int64_t values[] = {
		[TR2_FIELD_COUNT] = (int64_t)sums->count,
		[TR2_FIELD_FAILED] = (int64_t)sums->failed,
		[TR2_FIELD_THREADS] = (int64_t)sums->threads,
		[TR2_FIELD_TOTAL] = tr2_sums_total(sums),
		[TR2_FIELD_SELF] = tr2_sums_self(sums),
		[TR2_FIELD_MIN] = sums->min,
		[TR2_FIELD_MAX] = sums->max,
		[TR2_FIELD_LAST] = sums->last,
	};

	return percents[column->field]
		       ? find_quantile(row, percents[column->field])
		       : values[column->field];
}
