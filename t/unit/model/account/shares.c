/* Spans that overlap, that several programs share, and logs in any order. */
#include "model/account/share_kit.h"
#include "read/value.h"

#define START(argv) "\"t_abs\":0.0,\"argv\":[" argv "]"

/*
 * Three scripts ran programs whose pids no span has. Those of the first one
 * overlap, and one lasts longer than the second script.
 */
static void tell_scripts(int programs_first)
{
	int i;

	for (i = 0; i < 2; i++)
		if (i == programs_first) {
			tell_event(GIT, 0, "start", START("\"a\""));
			tell_span(GIT, 0, 100, 300, 71);
			tell_span(GIT, 1, 300, 400, 72);
			tell_span(GIT, 2, 600, 700, 73);
			tell_event(GIT, 1000, "atexit",
				   "\"t_abs\":0.001,\"code\":0");
		} else {
			tell_life(GIT "/" SID("11"), 120, 200, "one");
			tell_life(GIT "/" SID("12"), 150, 280, "two");
			tell_life(GIT "/" SID("13"), 150, 160, "three");
			tell_life(GIT "/" SID("14"), 350, 500, "four");
			tell_life(GIT "/" SID("15"), 550, 560, "stray");
		}
}

static void test_scripts(void)
{
	char first[2048];

	begin_story(TR2_BY_NOTHING);
	tell_scripts(0);
	snprintf(first, sizeof(first), "%s", end_story());
	tap_rows(first,
		 "commands a: count 1 total 1000 self 600\n"
		 "commands one: count 1 total 80 self 30\n"
		 "commands three: count 1 total 10\n"
		 "commands two: count 1 total 130 self 130\n"
		 "commands four: count 1 total 150 self 50\n"
		 "commands stray: count 1 total 10\n"
		 "children ?/s0: count 1 total 200 self 40\n"
		 "children ?/s1: count 1 total 100 self 50\n"
		 "children ?/s2: count 1 total 100 self 100\n"
		 "phases other: self 810\n"
		 "phases run programs that are not git's: self 190\n"
		 "slowest: a > s0 > two\n"
		 "all: processes 6 roots 1 wall 1000 unlogged 1\n",
		 "each program shares the span in which it began");
	begin_story(TR2_BY_NOTHING);
	tell_scripts(1);
	tap_rows(keep_lines(end_story(), "children"),
		 keep_lines(first, "children"),
		 "the order of the logs does not matter to spans");
}

/* Two parents, whose children are mixed. */
static void test_parents(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(SID("01"), 0, "start", START("\"a\""));
	tell_event(SID("02"), 0, "start", START("\"b\""));
	tell_span(SID("01"), 0, 100, 300, 71);
	tell_span(SID("02"), 5, 200, 400, 72);
	tell_event(SID("01"), 500, "atexit", "\"t_abs\":0.0005,\"code\":0");
	tell_event(SID("02"), 600, "atexit", "\"t_abs\":0.0006,\"code\":0");
	tell_life(SID("02") "/" SID("03"), 210, 390, "in b");
	tell_life(SID("01") "/" SID("04"), 110, 290, "in a");
	tap_rows(end_story(),
		 "commands a: count 1 total 500 self 300\n"
		 "commands b: count 1 total 600 self 400\n"
		 "commands in: count 2 total 360 self 360 180..180\n"
		 "children ?/s0: count 1 total 200 self 20\n"
		 "children ?/s5: count 1 total 200 self 20\n"
		 "phases other: self 1060\n"
		 "phases run programs that are not git's: self 40\n"
		 "slowest: b > s5 > in\n"
		 "all: processes 4 roots 2 wall 1100\n",
		 "programs are looked for in their parent only");
}

/* The outer of two open children ends first. */
static void test_crossing(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 0, "start", START("\"a\""));
	tell_event(GIT, 100, "child_start",
		   "\"child_id\":0,\"child_class\":\"?\",\"argv\":[\"x\"]");
	tell_event(GIT, 200, "region_enter",
		   "\"category\":\"c\",\"label\":\"r\"");
	tell_event(GIT, 300, "child_start",
		   "\"child_id\":1,\"child_class\":\"?\",\"argv\":[\"y\"]");
	tell_event(GIT, 400, "child_exit",
		   "\"child_id\":0,\"pid\":2,\"code\":0,\"t_rel\":0.0003");
	tell_event(GIT, 500, "region_leave",
		   "\"t_rel\":0.0003,\"category\":\"c\",\"label\":\"r\"");
	tell_event(GIT, 600, "child_exit",
		   "\"child_id\":1,\"pid\":3,\"code\":0,\"t_rel\":0.0003");
	tell_event(GIT, 1000, "atexit", "\"t_abs\":0.001,\"code\":0");
	tell_life(CHILD, 150, 390, "x");
	tell_life(OTHER, 310, 590, "y");
	tap_rows(end_story(),
		 "commands a: count 1 total 1000 self 500\n"
		 "commands x: count 1 total 240 self 50\n"
		 "commands y: count 1 total 280 self 280\n"
		 "regions c/r: count 1 threads 1 total 300 self 100\n"
		 "children ?/x: count 1 total 300 self 50\n"
		 "children ?/y: count 1 total 300 self 20\n"
		 "phases other: self 930\n"
		 "phases run programs that are not git's: self 70\n"
		 "slowest: a > r > y\n"
		 "all: processes 3 roots 1 wall 1000\n",
		 "spans may end in another order");
}

/* Children with regions and children of their own, which end before it. */
static void test_deep(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(CHILD, 150, "start", START("\"b\""));
	tell_event(CHILD, 160, "region_enter",
		   "\"category\":\"c\",\"label\":\"r\"");
	tell_event(CHILD, 170, "region_enter",
		   "\"category\":\"c\",\"label\":\"s\"");
	tell_event(CHILD, 180, "region_leave",
		   "\"t_rel\":0.00001,\"category\":\"c\",\"label\":\"s\"");
	tell_span(CHILD, 0, 200, 300, 4);
	tell_event(CHILD, 310, "region_leave",
		   "\"t_rel\":0.00015,\"category\":\"c\",\"label\":\"r\"");
	tell_life(CHILD "/" SID("04"), 220, 280, "c");
	tell_event(CHILD, 350, "atexit", "\"t_abs\":0.0002,\"code\":0");
	tell_event(GIT, 0, "start", START("\"a\""));
	tell_span(GIT, 0, 100, 330, 2); /* before its process ends */
	tell_event(GIT, 500, "atexit", "\"t_abs\":0.0005,\"code\":0");
	tap_rows(end_story(),
		 "commands b: count 1 total 200 self 50\n"
		 "commands c: count 1 total 60 self 60\n"
		 "commands a: count 1 total 500 self 270\n"
		 "regions c/r: count 1 threads 1 total 150 self 40\n"
		 "regions c/s: count 1 threads 1 total 10 self 10\n"
		 "children ?/s0: count 2 total 330 self 70 100..230\n"
		 "phases other: self 430\n"
		 "phases run programs that are not git's: self 70\n"
		 "slowest: a > s0 > b > r > s0 > c\n"
		 "all: processes 3 roots 1 wall 500\n",
		 "a process has time only inside its span");
}

/* A child's log without `time` lies at the start of its span. */
static void test_brief(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 0, "start", START("\"a\""));
	tell_span(GIT, 0, 100, 400, 2);
	tell_event(GIT, 500, "atexit", "\"t_abs\":0.0005,\"code\":0");
	tell_briefly(CHILD, "start", START("\"b\""));
	tell_briefly(CHILD, "region_enter",
		     "\"category\":\"c\",\"label\":\"r\"");
	tell_briefly(CHILD, "region_leave",
		     "\"t_rel\":0.00005,\"category\":\"c\",\"label\":\"r\"");
	tell_briefly(CHILD, "atexit", "\"t_abs\":0.0002,\"code\":0");
	tap_rows(end_story(),
		 "commands a: count 1 total 500 self 200\n"
		 "commands b: count 1 total 200 self 150\n"
		 "regions c/r: count 1 threads 1 total 50 self 50\n"
		 "children ?/s0: count 1 total 300 self 100\n"
		 "phases other: self 400\n"
		 "phases run programs that are not git's: self 100\n"
		 "slowest: a > s0 > b\n"
		 "all: processes 2 roots 1 wall 500 untimed 1\n",
		 "a brief child begins with its span");
}

/* `t_abs` of the first event that has one tells when the process began. */
static void test_begin(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 150, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(GIT, 160, "start",
		   "\"t_abs\":0.00006,\"argv\":[\"late start\"]");
	tell_event(GIT, 300, "atexit", "\"t_abs\":0.0002,\"code\":0");
	tell_event(SID("02"), 150, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(SID("02"), 170, "cmd_name", "\"name\":\"no t_abs\"");
	tell_event(SID("02"), 250, "atexit", "\"code\":0");
	tell_event(SID("03"), 170, "cmd_name", "\"name\":\"no version\"");
	tell_event(SID("03"), 260, "atexit", "\"code\":0");
	tell_event(SID("04"), 170, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(SID("04"), 190, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(SID("04"), 200, "signal", "\"t_abs\":0.00003,\"signo\":2");
	tap_rows(end_story(),
		 "commands late: count 1 total 200 self 200\n"
		 "commands no t_abs: count 1 total 100 self 100\n"
		 "commands no version: count 1 total 90 self 90\n"
		 "commands (none): count 1 failed 1 total 30 self 30\n"
		 "phases other: self 420\n"
		 "slowest: late\n"
		 "all: processes 4 roots 4 wall 420\n",
		 "a process begins before its first event");
}

static const char *filter_since(int64_t since)
{
	begin_story(TR2_BY_NOTHING);
	story.forest.filter.since = since;
	tell_life(SID("01"), 100, 200, "early");
	tell_life(SID("02"), 300, 400, "late");
	tell_briefly(SID("03"), "start", START("\"brief\""));
	tell_briefly(SID("03"), "atexit", "\"t_abs\":0.0002,\"code\":0");
	return keep_lines(end_story(), "co");
}

static void test_since(void)
{
	const int64_t ten = tr2_time_read("2026-01-14T10:00:00.000000Z");

	tap_str(filter_since(ten + 100),
		"commands early: count 1 total 100 self 100\n"
		"commands late: count 1 total 100 self 100\n",
		"a time is a time of begin");
	tap_str(filter_since(ten + 101),
		"commands late: count 1 total 100 self 100\n",
		"what began before does not count");
}

/* How many lengths each table has for its quantiles. */
static const char *show_lengths(void)
{
	static char text[256];
	struct tr2_forest *forest = &story.forest;
	const struct tr2_row *row;
	uint32_t i;

	add_events();
	*text = '\0';
	for (i = 0; i < forest->rows.rows.count; i++) {
		row = tr2_rows_at(&forest->rows, i);
		if (row->sketch.count)
			snprintf(text + strlen(text),
				 sizeof(text) - strlen(text), "%s %u ",
				 tr2_table_names[row->table],
				 (unsigned)row->sketch.count);
	}
	tr2_forest_release(forest);
	return text;
}

static void begin_quantiles(bool percentiles)
{
	begin_story(TR2_BY_NOTHING);
	story.forest.percentiles = percentiles;
	tell_event(GIT, 0, "start", START("\"a\""));
}

static const char *end_quantiles(void)
{
	tell_event(GIT, 500, "atexit", "\"t_abs\":0.0005,\"code\":0");
	return show_lengths();
}

#define SPAN_R "\"category\":\"c\",\"label\":\"r\""

static const char *show_median(bool percentiles)
{
	begin_quantiles(percentiles);
	tell_span(GIT, 0, 100, 300, 2);
	tell_event(GIT, 300, "region_enter", SPAN_R);
	tell_event(GIT, 400, "region_leave", "\"t_rel\":0.0001," SPAN_R);
	return end_quantiles();
}

static void test_percentiles(void)
{
	tap_str(show_median(false), "commands 1 ", "commands have quantiles");
	tap_str(show_median(true), "children 1 regions 1 commands 1 ",
		"if asked for, so have all spans");
}

static void test_percentiles_of_ends(void)
{
	begin_quantiles(true);
	tell_event(GIT, 100, "region_enter", SPAN_R);
	tap_str(end_quantiles(), "regions 1 commands 1 ",
		"a region without an end has quantiles");
	begin_quantiles(true);
	tell_event(GIT, 100, "region_enter", SPAN_R);
	tell_event(GIT, 110, "region_enter",
		   "\"category\":\"c\",\"label\":\"inner\"");
	tell_event(GIT, 200, "region_leave", SPAN_R);
	tap_str(end_quantiles(), "regions 1 regions 1 commands 1 ",
		"so has one that ends with the one around it");
	begin_quantiles(true);
	tell_event(GIT, 100, "exec", "\"exec_id\":0,\"argv\":[\"b\"]");
	tell_event(GIT, 200, "exec_result", "\"exec_id\":0,\"code\":2");
	tap_str(end_quantiles(), "children 1 commands 1 ",
		"and an exec that failed");
	begin_quantiles(true);
	tell_event(GIT, 100, "child_start",
		   "\"child_id\":0,\"child_class\":\"?\",\"argv\":[\"b\"]");
	tap_str(end_quantiles(), "children 1 commands 1 ",
		"and a child without an end");
}

static void tell_everything(void)
{
	begin_story(TR2_BY_HOST);
	tell_scripts(0);
	tell_scripts(1);
	tell_life(CHILD, 150, 390, "x");
	tell_event(SID("20"), 0, "start", START("\"open\""));
	tell_span(SID("20"), 3, 100, 300, 2);
	tell_event(SID("20"), 300, "region_enter",
		   "\"category\":\"c\",\"label\":\"r\"");
	tell_life(SID("30") "/" SID("31"), 150, 390, "cut");
	end_story();
}

/* The allocator keeps freed blocks of each size, but only a few. */
static void test_memory(void)
{
	int i;

	for (i = 0; i < 40; i++)
		tell_everything();
}

int main(void)
{
	test_scripts();
	test_parents();
	test_crossing();
	test_deep();
	test_brief();
	test_begin();
	test_since();
	test_percentiles();
	test_percentiles_of_ends();
	test_memory();
	return tap_done();
}
