/* Which rows a result has, in which order, and what they add up to. */
#include "views/summary/summary_kit.h"

/* The names of the rows of a table, in their order. */
static const char *show_rows(enum tr2_table table)
{
	static char shown[512];
	const struct tr2_result_row *row;
	size_t len = 0;
	uint32_t i;

	shown[0] = '\0';
	tr2_result_begin(&result, &forest);
	for (i = 0; i < result.tables[table].count; i++) {
		row = tr2_result_at(&result, table, i);
		len += (size_t)snprintf(shown + len, sizeof(shown) - len,
					"%s%s/%s %lld", i ? ", " : "",
					row->first, row->second,
					(long long)row->cost);
	}
	tr2_result_release(&result);
	return shown;
}

static void test_empty(void)
{
	enum tr2_table table;

	begin_rows();
	tr2_result_begin(&result, &forest);
	for (table = TR2_TABLE_COMMANDS; table < TR2_TABLES; table++)
		if (result.tables[table].count)
			break;
	tap_int(table, TR2_TABLES, "without rows all tables are empty");
	tap_ok(result.forest == &forest && !result.options.top &&
		       !result.options.columns,
	       "a result has no limits at first");
	tap_int(tr2_result_self(&result), 0, "no rows own no time");
	tr2_result_release(&result);
	end_rows();
}

/* One row has the most time of its own, one the most in all, one counts most. */
static const char *sort_costs(enum tr2_table table)
{
	const char *shown;

	begin_rows();
	add_row(table, "self", "", SUMS(.count = 1, .total = 20, .self = 10));
	add_row(table, "count", "", SUMS(.count = 3, .total = 10, .self = 2));
	add_row(table, "total", "", SUMS(.count = 2, .total = 30, .self = 5));
	shown = show_rows(table);
	end_rows();
	return shown;
}

static const char by_self[] = "self/ 10, total/ 5, count/ 2";
static const char by_total[] = "total/ 30, self/ 20, count/ 10";
static const char by_count[] = "count/ 3, total/ 2, self/ 1";

static void test_costs(void)
{
	static const struct {
		enum tr2_table table;
		const char *want, *name;
	} rows[] = {
		{ TR2_TABLE_COMMANDS, by_total, "commands by their total" },
		{ TR2_TABLE_GROUPS, by_total, "groups by their total" },
		{ TR2_TABLE_REGIONS, by_self, "regions by their own time" },
		{ TR2_TABLE_CHILDREN, by_self, "children by their own time" },
		{ TR2_TABLE_PHASES, by_self, "phases by their own time" },
		{ TR2_TABLE_DATA, by_count, "data by their count" },
		{ TR2_TABLE_TIMERS, by_total, "timers by their total" },
		{ TR2_TABLE_COUNTERS, by_count, "counters by their count" },
		{ TR2_TABLE_ERRORS, by_count, "errors by their count" },
		{ TR2_TABLE_CALLERS, by_total, "callers by their total" },
	};
	size_t i;

	tap_int(sizeof(rows) / sizeof(rows[0]), TR2_TABLES,
		"each table has its order");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_str(sort_costs(rows[i].table), rows[i].want, rows[i].name);
}

static void test_ties(void)
{
	begin_rows();
	add_row(TR2_TABLE_REGIONS, "b", "z", SUMS(.count = 1, .self = 7));
	add_row(TR2_TABLE_REGIONS, "b", "x", SUMS(.count = 9, .self = 7));
	add_row(TR2_TABLE_REGIONS, "b", "y", SUMS(.count = 1, .self = 7));
	add_row(TR2_TABLE_REGIONS, "a", "zz", SUMS(.count = 1, .self = 7));
	add_row(TR2_TABLE_REGIONS, "d", "",
		SUMS(.count = 1, .total = 8, .self = 7));
	add_row(TR2_TABLE_REGIONS, "c", "",
		SUMS(.count = 1, .total = 9, .self = 7));
	add_row(TR2_TABLE_REGIONS, "f", "",
		SUMS(.count = 1, .total = 5, .self = 7));
	add_row(TR2_TABLE_REGIONS, "e", "",
		SUMS(.count = 1, .total = 10, .self = 6));
	tap_str(show_rows(TR2_TABLE_REGIONS),
		"c/ 7, d/ 7, f/ 7, a/zz 7, b/x 7, b/y 7, b/z 7, e/ 6",
		"equal costs are in order of the total, then of the names");
	end_rows();
}

static void test_left_out(void)
{
	begin_rows();
	add_row(TR2_TABLE_REGIONS, "nothing", "", SUMS(.total = 5));
	add_row(TR2_TABLE_REGIONS, "self", "", SUMS(.self = 3));
	add_row(TR2_TABLE_REGIONS, "count", "", SUMS(.count = 1));
	add_row(TR2_TABLE_REGIONS, "threads", "", SUMS(.threads = 1));
	tap_str(show_rows(TR2_TABLE_REGIONS), "self/ 3, count/ 0, threads/ 0",
		"a row that stands for nothing is left out");
	end_rows();
}

static uint32_t count_shown(unsigned long top)
{
	result.options.top = top;
	return tr2_result_shown(&result, TR2_TABLE_DATA);
}

static void test_shown(void)
{
	begin_rows();
	add_row(TR2_TABLE_DATA, "a", "", SUMS(.count = 1));
	add_row(TR2_TABLE_DATA, "b", "", SUMS(.count = 1));
	add_row(TR2_TABLE_DATA, "c", "", SUMS(.count = 1));
	tr2_result_begin(&result, &forest);
	tap_int(count_shown(0), 3, "all rows are shown without a limit");
	tap_int(count_shown(1), 1, "the limit may be one row");
	tap_int(count_shown(2), 2, "no more rows are shown than the limit");
	tap_int(count_shown(3), 3, "the limit may be the number of rows");
	tap_int(count_shown(1ul << 40), 3, "no more rows than there are");
	tap_int(tr2_result_shown(&result, TR2_TABLE_TIMERS), 0,
		"an empty table shows none");
	tr2_result_release(&result);
	end_rows();
}

/* Powers of two: each sum has its own parts. */
static void test_self(void)
{
	enum tr2_table table;

	begin_rows();
	for (table = TR2_TABLE_COMMANDS; table < TR2_TABLES; table++)
		add_row(table, "a", "", SUMS(.self = 1 << table));
	add_row(TR2_TABLE_REGIONS, "b", "", SUMS(.self = 4096));
	tr2_result_begin(&result, &forest);
	tap_int(tr2_result_self(&result),
		(1 << TR2_TABLE_COMMANDS) + (1 << TR2_TABLE_REGIONS) +
			(1 << TR2_TABLE_CHILDREN) + 4096,
		"commands, regions and children own all time");
	result.options.top = 1;
	tap_int(tr2_result_self(&result) > 4096, 1,
		"rows that are not shown own time, too");
	tr2_result_release(&result);
	add_row(TR2_TABLE_REGIONS, "c", "", SUMS(.self = INT64_MAX));
	tr2_result_begin(&result, &forest);
	tap_ok(tr2_result_self(&result) == INT64_MAX,
	       "a sum that is too large is the largest number");
	tr2_result_release(&result);
	add_row(TR2_TABLE_REGIONS, "d", "", SUMS(.self = 1, .self_over = -1));
	tr2_result_begin(&result, &forest);
	tap_ok(tr2_result_self(&result) == INT64_MIN + 4096 +
						   (1 << TR2_TABLE_COMMANDS) +
						   (1 << TR2_TABLE_REGIONS) +
						   (1 << TR2_TABLE_CHILDREN),
	       "until one that is too small comes to it");
	tr2_result_release(&result);
	end_rows();
}

int main(void)
{
	test_empty();
	test_costs();
	test_ties();
	test_left_out();
	test_shown();
	test_self();
	return tap_done();
}
