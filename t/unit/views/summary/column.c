/* What each column of a table shows. */
#include "views/summary/summary_kit.h"

/* The keys of a table's columns, those on demand in parentheses. */
static const char *show_columns(enum tr2_table table)
{
	static char shown[512];
	const struct tr2_column *column = tr2_columns[table];
	size_t len = 0;

	shown[0] = '\0';
	for (; column->key; column++)
		len += (size_t)snprintf(
			shown + len, sizeof(shown) - len,
			column->on_demand ? "%s(%s:%s%s)" : "%s%s:%s%s",
			len ? " " : "", column->key, column->head,
			column->is_time ? "@" : "");
	return shown;
}

#define TIMES "total_us:total@ self_us:self@ count:count failed:failed "
#define QUANTILES "p50_us:p50@ p90_us:p90@ p99_us:p99@ max_us:max@ "
#define ON_DEMAND "(p50_us:p50@) (p90_us:p90@) (p99_us:p99@) max_us:max@ "

/* `@` marks times. */
static void test_columns(void)
{
	static const char *const wanted[TR2_TABLES] = {
		[TR2_TABLE_COMMANDS] = TIMES QUANTILES "name:command",
		[TR2_TABLE_GROUPS] = TIMES QUANTILES "value:value",
		[TR2_TABLE_REGIONS] =
			"self_us:self@ total_us:total@ count:count "
			"threads:threads " ON_DEMAND
			"category:category label:label",
		[TR2_TABLE_CHILDREN] =
			"self_us:self@ total_us:total@ count:count "
			"failed:failed " ON_DEMAND
			"class:class command:command",
		[TR2_TABLE_PHASES] = "self_us:self@ name:phase",
		[TR2_TABLE_DATA] = "count:count sum:sum min:min max:max "
				   "last:last category:category key:key",
		[TR2_TABLE_TIMERS] =
			"total_us:total@ intervals:count min_us:min@ "
			"max_us:max@ category:category name:timer",
		[TR2_TABLE_COUNTERS] = "sum:sum count:count min:min max:max "
				       "category:category name:counter",
		[TR2_TABLE_ERRORS] = "count:count fmt:error",
		[TR2_TABLE_CALLERS] =
			"total_us:total@ count:count failed:failed "
			"p50_us:p50@ p99_us:p99@ max_us:max@ ancestry:caller",
	};
	char name[80];
	int table;

	for (table = 0; table < TR2_TABLES; table++) {
		snprintf(name, sizeof(name), "the columns of %s",
			 tr2_table_names[table]);
		tap_str(show_columns((enum tr2_table)table), wanted[table],
			name);
	}
}

static int64_t read_column(enum tr2_field field, const struct tr2_row *row)
{
	const struct tr2_column column = { "key", "head", field, false, false };

	return tr2_column_value(&column, row);
}

static void test_values(void)
{
	struct tr2_row row = {
		.sums = SUMS(.count = 1, .failed = 2, .threads = 3, .total = -4,
			     .self = 5, .min = 6, .max = 7, .last = -8),
	};

	tap_int(read_column(TR2_FIELD_COUNT, &row), 1, "the count");
	tap_int(read_column(TR2_FIELD_FAILED, &row), 2, "how many failed");
	tap_int(read_column(TR2_FIELD_THREADS, &row), 3, "how many threads");
	tap_int(read_column(TR2_FIELD_TOTAL, &row), -4, "the total");
	tap_int(read_column(TR2_FIELD_SELF, &row), 5, "its own time");
	tap_int(read_column(TR2_FIELD_MIN, &row), 6,
		"the smallest of a column");
	tap_int(read_column(TR2_FIELD_MAX, &row), 7, "the largest of a column");
	tap_int(read_column(TR2_FIELD_LAST, &row), -8, "the last");
}

static void test_quantiles(void)
{
	struct tr2_row row = { .sums = SUMS(.max = 100) };
	uint64_t us;

	tap_int(read_column(TR2_FIELD_P50, &row), 0,
		"without times a quantile is 0");
	for (us = 1; us <= 100; us++)
		tr2_sketch_add(&row.sketch, us);
	tap_int(read_column(TR2_FIELD_P50, &row), 50,
		"half of the times are at most the median");
	tap_int(read_column(TR2_FIELD_P90, &row), 90,
		"90 of 100 times are at most p90");
	tap_int(read_column(TR2_FIELD_P99, &row), 99,
		"99 of 100 times are at most p99");
	tr2_sketch_release(&row.sketch);
	tr2_sketch_add(&row.sketch, 1000); /* the middle of its bucket: 1004 */
	row.sums.max = 1000;
	tap_int(read_column(TR2_FIELD_P50, &row), 1000,
		"a quantile is not more than the largest time");
	row.sums.max = 2000;
	tap_int(read_column(TR2_FIELD_P50, &row), 1004,
		"a quantile is the middle of its bucket");
	tr2_sketch_release(&row.sketch);
}

static void test_names(void)
{
	const struct tr2_column *column = tr2_columns[TR2_TABLE_DATA];
	const struct tr2_result_row row = { .first = "a", .second = "b" };
	const char *texts = "";
	char shown[32] = "";

	for (; column->key; column++) {
		texts = tr2_column_is_text(column)
				? tr2_column_text(column, &row)
				: "-";
		strncat(shown, texts, sizeof(shown) - strlen(shown) - 1);
	}
	tap_str(shown, "-----ab", "names are texts, in their order");
}

static void test_demand(void)
{
	const struct tr2_column always = { "a", "a", TR2_FIELD_P50, true,
					   false };
	const struct tr2_column some = { "a", "a", TR2_FIELD_P50, true, true };

	begin_rows();
	tr2_result_begin(&result, &forest);
	tap_ok(tr2_result_has(&result, &always), "most columns are shown");
	tap_ok(!tr2_result_has(&result, &some), "some need --percentiles");
	forest.percentiles = true;
	tap_ok(tr2_result_has(&result, &always) &&
		       tr2_result_has(&result, &some),
	       "with --percentiles all are shown");
	tr2_result_release(&result);
	end_rows();
}

int main(void)
{
	test_columns();
	test_values();
	test_quantiles();
	test_names();
	test_demand();
	return tap_done();
}
