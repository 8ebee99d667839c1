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
	tap_run(test_scripts, test_deep, test_since, test_memory);
	return tap_done();
}
