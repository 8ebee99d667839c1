/* A result for people: its head, its tables and their columns. */
#include "views/summary/summary_kit.h"

#define HEAD "0 commands took 0 us; with their children they are 0 processes.\n"

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

int main(void)
{
	test_shares();
	test_gaps();
	test_capped();
	return tap_done();
}
