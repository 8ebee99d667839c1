/* A result for people: its head, its tables and their columns. */
#include "views/summary/summary_kit.h"

#define HEAD "0 commands took 0 us; with their children they are 0 processes.\n"

static void test_head(void)
{
	begin_rows();
	tap_str(write_rows(tr2_result_text), HEAD "\n",
		"without rows there is only a head");
	forest.counts.roots = 1;
	forest.counts.processes = 1;
	forest.counts.wall = 1500000;
	tap_str(write_rows(tr2_result_text),
		"1 command took 1.50 s; with their children they are "
		"1 process.\n\n",
		"one is not many");
	forest.counts.roots = 2;
	forest.counts.processes = 11;
	forest.counts.wall = 1500;
	tap_str(write_rows(tr2_result_text),
		"2 commands took 1.50 ms; with their children they are "
		"11 processes.\n\n",
		"there may be many of each");
	end_rows();
}

/* A row for each table, to which each column shows something else. */
static void add_all(void)
{
	const struct tr2_sums sums = SUMS(.count = 1, .failed = 2, .threads = 3,
					  .total = 4000, .self = 50, .min = 6,
					  .max = 7, .last = 8);
	static const char *const first[] = { "c", "g", "r",  "ch", "p",
					     "d", "t", "co", "e",  "ca" };
	struct tr2_row *row;
	int table;

	forest.counts.wall = 1000;
	for (table = 0; table < TR2_TABLES; table++) {
		row = add_row((enum tr2_table)table, first[table], "2", sums);
		tr2_sketch_add(&row->sketch, 5);
	}
}

#define HEAD_OF_ALL \
	"0 commands took 1.00 ms; with their children they are 0 processes.\n"

static void test_tables(void)
{
	begin_rows();
	forest.by = TR2_BY_HOST;
	add_all();
	tap_str(write_rows(tr2_result_text),
		HEAD_OF_ALL
		"\nPhases\n"
		"     self      %  phase\n"
		"    50 us   5.0%  p\n"
		"\nBy host\n"
		"    total     self      %    count   failed      p50      p90"
		"      p99      max  value\n"
		"  4.00 ms    50 us   5.0%        1        2     5 us     5 us"
		"     5 us     7 us  g\n"
		"\nCommands\n"
		"    total     self      %    count   failed      p50      p90"
		"      p99      max  command\n"
		"  4.00 ms    50 us   5.0%        1        2     5 us     5 us"
		"     5 us     7 us  c\n"
		"\nRegions\n"
		"     self      %    total    count  threads      max"
		"  category / label\n"
		"    50 us   5.0%  4.00 ms        1        3     7 us"
		"  r / 2\n"
		"\nChildren\n"
		"     self      %    total    count   failed      max"
		"  class / command\n"
		"    50 us   5.0%  4.00 ms        1        2     7 us"
		"  ch / 2\n"
		"\nErrors\n"
		"    count  error\n"
		"        1  e\n"
		"\nCallers\n"
		"    total    count   failed      p50      p99      max"
		"  caller\n"
		"  4.00 ms        1        2     5 us     5 us     7 us"
		"  ca\n"
		"\nNumbers\n"
		"    count      sum      min      max     last"
		"  category / key\n"
		"        1     4000        6        7        8"
		"  d / 2\n"
		"\nTimers\n"
		"    total    count      min      max"
		"  category / timer\n"
		"  4.00 ms        1     6 us     7 us"
		"  t / 2\n"
		"\nCounters\n"
		"      sum    count      min      max"
		"  category / counter\n"
		"     4000        1        6        7"
		"  co / 2\n"
		"\n",
		"each table has a title, its columns and its rows");
	end_rows();
}

static void test_percentiles(void)
{
	struct tr2_row *row;

	begin_rows();
	forest.percentiles = true;
	row = add_row(TR2_TABLE_REGIONS, "a", "b",
		      SUMS(.count = 1, .total = 9, .self = 9, .max = 9));
	tr2_sketch_add(&row->sketch, 9);
	tap_str(write_rows(tr2_result_text),
		HEAD
		"\nRegions\n"
		"     self      %    total    count  threads      p50      p90"
		"      p99      max  category / label\n"
		"     9 us   0.0%     9 us        1        0     9 us     9 us"
		"     9 us     9 us  a / b\n\n",
		"--percentiles adds columns to regions");
	end_rows();
}

static const char *show_share(int64_t self, int64_t wall)
{
	static char share[8];
	const char *line;

	begin_rows();
	forest.counts.wall = wall;
	add_row(TR2_TABLE_PHASES, "p", "", SUMS(.self = self));
	line = strstr(write_rows(tr2_result_text), "phase\n");
	snprintf(share, sizeof(share), "%.7s", line + strlen("phase\n") + 9);
	end_rows();
	return share;
}

static void test_shares(void)
{
	tap_str(show_share(1, 3), "  33.3%", "a share has one decimal");
	tap_str(show_share(2, 3), "  66.7%", "it is rounded");
	tap_str(show_share(9996, 10000), " 100.0%", "nearly all is all");
	tap_str(show_share(9994, 10000), "  99.9%", "a bit less is not all");
	tap_str(show_share(1, 10000), "   0.0%", "nearly nothing is nothing");
	tap_str(show_share(5, 10000), "   0.1%", "half a tenth is one");
	tap_str(show_share(1, 1), " 100.0%", "the time may be very short");
	tap_str(show_share(1, 0), "   0.0%", "a share of nothing is 0");
	tap_str(show_share(1, -1), "   0.0%", "nor of less than nothing");
}

static void test_top(void)
{
	begin_rows();
	limits.top = 1;
	add_row(TR2_TABLE_PHASES, "p", "", SUMS(.self = 5));
	add_row(TR2_TABLE_ERRORS, "c", "", SUMS(.count = 1));
	add_row(TR2_TABLE_ERRORS, "b", "", SUMS(.count = 12));
	add_row(TR2_TABLE_ERRORS, "a", "", SUMS(.count = 3));
	tap_str(write_rows(tr2_result_text),
		HEAD "\nPhases\n"
		     "     self      %  phase\n"
		     "     5 us   0.0%  p\n"
		     "\nErrors\n"
		     "    count  error\n"
		     "       12  b\n"
		     "  ... and 2 more; --top 0 shows all\n\n",
		"rows that are left out are counted");
	limits.top = 3;
	tap_str(strstr(write_rows(tr2_result_text), "\nErrors"),
		"\nErrors\n"
		"    count  error\n"
		"       12  b\n"
		"        3  a\n"
		"        1  c\n\n",
		"all rows may be wanted");
	end_rows();
}

static void test_gaps(void)
{
	begin_rows();
	forest.counts.unread = 1;
	forest.counts.unfinished = 2;
	forest.counts.unclosed = 3;
	forest.counts.untimed = 4;
	forest.counts.unlogged = 5;
	forest.counts.cut = 6;
	forest.counts.late = 7;
	tap_str(write_rows(tr2_result_text),
		HEAD "\n"
		     "note: lines with errors: 1; 'trace2 validate' shows "
		     "them\n"
		     "note: processes without an end in the log: 2; they end "
		     "with their last event\n"
		     "note: regions or children without an end in the log: 3; "
		     "they end with their process\n"
		     "note: processes without times: 4; their logs are brief\n"
		     "note: children without a log of their own: 5\n"
		     "note: processes whose parent is in no log: 6; they count "
		     "as roots\n"
		     "note: events after the end of their process: 7; they are "
		     "left out\n",
		"what can't be seen is told at the end");
	end_rows();
}

static void test_capped(void)
{
	static const char note[] =
		"note: sums that are too large for 64 bits: 4; the largest or "
		"least number stands for them\n";

	begin_rows();
	forest.counts.wall_over = 1;
	add_row(TR2_TABLE_DATA, "a", "b", SUMS(.count = 1, .total_over = 1));
	add_row(TR2_TABLE_CALLERS, "a", "",
		SUMS(.count = 1, .total_over = -1, .self_over = 1));
	tap_ok(strstr(write_rows(tr2_result_text), note),
	       "sums that are no numbers are counted");
	tap_ok(strstr(write_rows(tr2_result_text), "9223372036854775807"),
	       "and the largest one stands for them");
	end_rows();
}

static void test_advice(void)
{
	begin_rows();
	forest.counts.wall = 10;
	add_row(TR2_TABLE_CHILDREN, "hook", "h", SUMS(.count = 1, .self = 4));
	tap_ok(strstr(write_rows(tr2_result_text),
		      "processes.\nadvice: 40 % of the time is in hook / h: "),
	       "advice comes after the head");
	end_rows();
}

int main(void)
{
	test_head();
	test_tables();
	test_percentiles();
	test_shares();
	test_top();
	test_gaps();
	test_capped();
	test_advice();
	return tap_done();
}
