#include "views/result/result.h"

/* clang-format off */
#define SHOW(key, head, field) { key, head, TR2_FIELD_##field, false, false }
#define TIME(key, head, field) { key, head, TR2_FIELD_##field, true, false }
#define SOME(key, head, field) { key, head, TR2_FIELD_##field, true, true }
#define END { NULL, NULL, TR2_FIELD_FIRST, false, false }

static const struct tr2_column commands[] = {
	TIME("total_us", "total", TOTAL), TIME("self_us", "self", SELF),
	SHOW("count", "count", COUNT), SHOW("failed", "failed", FAILED),
	TIME("p50_us", "p50", P50), TIME("p90_us", "p90", P90),
	TIME("p99_us", "p99", P99), TIME("max_us", "max", MAX),
	SHOW("name", "command", FIRST), END,
};

static const struct tr2_column groups[] = {
	TIME("total_us", "total", TOTAL), TIME("self_us", "self", SELF),
	SHOW("count", "count", COUNT), SHOW("failed", "failed", FAILED),
	TIME("p50_us", "p50", P50), TIME("p90_us", "p90", P90),
	TIME("p99_us", "p99", P99), TIME("max_us", "max", MAX),
	SHOW("value", "value", FIRST), END,
};

static const struct tr2_column regions[] = {
	TIME("self_us", "self", SELF), TIME("total_us", "total", TOTAL),
	SHOW("count", "count", COUNT), SHOW("threads", "threads", THREADS),
	SOME("p50_us", "p50", P50), SOME("p90_us", "p90", P90),
	SOME("p99_us", "p99", P99), TIME("max_us", "max", MAX),
	SHOW("category", "category", FIRST), SHOW("label", "label", SECOND),
	END,
};

static const struct tr2_column children[] = {
	TIME("self_us", "self", SELF), TIME("total_us", "total", TOTAL),
	SHOW("count", "count", COUNT), SHOW("failed", "failed", FAILED),
	SOME("p50_us", "p50", P50), SOME("p90_us", "p90", P90),
	SOME("p99_us", "p99", P99), TIME("max_us", "max", MAX),
	SHOW("class", "class", FIRST), SHOW("command", "command", SECOND), END,
};

static const struct tr2_column phases[] = {
	TIME("self_us", "self", SELF), SHOW("name", "phase", FIRST), END,
};

static const struct tr2_column sides[] = {
	TIME("self_us", "self", SELF), SHOW("name", "side", FIRST), END,
};

static const struct tr2_column path[] = {
	TIME("total_us", "on it", TOTAL), TIME("saves_us", "saves", SELF),
	SHOW("name", "what", FIRST), END,
};

static const struct tr2_column data[] = {
	SHOW("count", "count", COUNT), SHOW("sum", "sum", TOTAL),
	SHOW("min", "min", MIN), SHOW("max", "max", MAX),
	SHOW("last", "last", LAST), SHOW("category", "category", FIRST),
	SHOW("key", "key", SECOND), END,
};

static const struct tr2_column timers[] = {
	TIME("total_us", "total", TOTAL), SHOW("intervals", "count", COUNT),
	TIME("min_us", "min", MIN), TIME("max_us", "max", MAX),
	SHOW("category", "category", FIRST), SHOW("name", "timer", SECOND),
	END,
};

static const struct tr2_column counters[] = {
	SHOW("sum", "sum", TOTAL), SHOW("count", "count", COUNT),
	SHOW("min", "min", MIN), SHOW("max", "max", MAX),
	SHOW("category", "category", FIRST), SHOW("name", "counter", SECOND),
	END,
};

static const struct tr2_column errors[] = {
	SHOW("count", "count", COUNT), SHOW("fmt", "error", FIRST), END,
};

static const struct tr2_column spans[] = {
	TIME("self_us", "self", SELF), TIME("total_us", "total", TOTAL),
	SHOW("count", "count", COUNT), TIME("min_us", "min", MIN),
	TIME("p50_us", "p50", P50), SOME("p90_us", "p90", P90),
	SOME("p99_us", "p99", P99), TIME("max_us", "max", MAX),
	SHOW("category", "category", FIRST), SHOW("name", "name", SECOND),
	END,
};

static const struct tr2_column categories[] = {
	TIME("self_us", "self", SELF), TIME("total_us", "total", TOTAL),
	SHOW("count", "count", COUNT), SHOW("category", "category", FIRST),
	END,
};

static const struct tr2_column points[] = {
	SHOW("count", "count", COUNT), SHOW("category", "category", FIRST),
	SHOW("name", "name", SECOND), END,
};

static const struct tr2_column callers[] = {
	TIME("total_us", "total", TOTAL), SHOW("count", "count", COUNT),
	SHOW("failed", "failed", FAILED), TIME("p50_us", "p50", P50),
	TIME("p99_us", "p99", P99), TIME("max_us", "max", MAX),
	SHOW("ancestry", "caller", FIRST), END,
};
/* clang-format on */

const struct tr2_column *const tr2_columns[TR2_TABLES] = {
	[TR2_TABLE_COMMANDS] = commands, [TR2_TABLE_GROUPS] = groups,
	[TR2_TABLE_REGIONS] = regions,	 [TR2_TABLE_CHILDREN] = children,
	[TR2_TABLE_PHASES] = phases,	 [TR2_TABLE_DATA] = data,
	[TR2_TABLE_TIMERS] = timers,	 [TR2_TABLE_COUNTERS] = counters,
	[TR2_TABLE_SIDES] = sides,	 [TR2_TABLE_PATH] = path,
	[TR2_TABLE_ERRORS] = errors,	 [TR2_TABLE_CALLERS] = callers,
	[TR2_TABLE_SPANS] = spans,	 [TR2_TABLE_CATEGORIES] = categories,
	[TR2_TABLE_POINTS] = points,
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
