/* A result for people: its head, its tables and their columns. */
#include "views/summary/summary_kit.h"

#define HEAD "0 commands took 0 us; with their children they are 0 processes.\n"

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
		"0 commands took 0 us; with their children they are 0 "
		"processes, 2 without an end in the log (killed, still at "
		"work, or cut off).\n\n"
		"note: lines with errors: 1; 'trace2 validate' shows them\n"
		"note: regions or children without an end in the log: 3; "
		"they end with their process\n"
		"note: processes without times: 4; their logs are brief\n"
		"note: children without a log of their own: 5\n"
		"note: processes whose parent is in no log: 6; they count as "
		"roots\n"
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

int main(void)
{
	test_gaps();
	test_capped();
	return tap_done();
}
