/* Rows of regions: an enter and its leave. */
#include "table/table_kit.h"

#define TIMES "label wall_us self_us"

static void enter_region(unsigned us, const char *label)
{
	char rest[128];

	snprintf(rest, sizeof(rest), REGION("c", "%s"), label);
	tell_event(GIT, us, "region_enter", rest);
}

static void leave_region(unsigned us, const char *label)
{
	char rest[128];

	snprintf(rest, sizeof(rest), REGION("c", "%s"), label);
	tell_event(GIT, us, "region_leave", rest);
}

static void test_whole_row(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(CHILD, 100, "status");
	story.thread = "th01";
	tell_event(CHILD, 110, "region_enter",
		   "\"repo\":2,\"nesting\":3,\"msg\":\"m\"," REGION("c", "l"));
	tell_event(CHILD, 150, "region_leave",
		   "\"t_rel\":0.000033,\"repo\":7,\"nesting\":8,"
		   "\"msg\":\"other\"," REGION("c", "l"));
	tap_str(take_rows("*"),
		"{\"sid\":\"" CHILD "\",\"session\":\"" GIT "\","
		"\"command\":\"git status\","
		"\"time\":\"2026-01-14T10:00:00.000110Z\","
		"\"day\":\"2026-01-14\",\"thread\":\"th01\",\"repo\":2,"
		"\"nesting\":3,\"category\":\"c\",\"label\":\"l\","
		"\"msg\":\"m\",\"wall_us\":33,\"self_us\":33}\n",
		"a row has the values of the enter and the length of the leave");
	tap_str(end_story("*"), "", "a region that was left is one row");
}

static void test_texts(void)
{
	const char *const columns = "thread category label msg repo nesting";

	begin_story(TR2_FLAT_KIND_REGIONS);
	tell_event(GIT, 100, "region_enter",
		   "\"category\":\"\",\"label\":\"abc\"");
	tell_event(GIT, 100, "region_leave",
		   "\"category\":\"\",\"label\":\"abc\"");
	tell_event(GIT, 100, "region_enter", "\"category\":\"cat\",\"repo\":1");
	tell_event(GIT, 100, "region_enter",
		   "\"msg\":\"message\",\"nesting\":0");
	tell_line("{\"event\":\"region_enter\",\"sid\":\"" GIT "\"}");
	tap_str(end_story(columns),
		"main '' abc - - -\n"
		"main cat - - 1 -\n"
		"main - - message - 0\n"
		"- - - - - -\n",
		"an empty text is not a missing one");
	begin_story(TR2_FLAT_KIND_REGIONS);
	tell_line("{\"event\":\"region_enter\",\"sid\":\"" GIT
		  "\",\"category\":\"\"}");
	tap_str(end_story(columns), "- '' - - - -\n",
		"an empty text may be all that a region has");
}

static void test_lengths(void)
{
	int i;

	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 100, "status");
	enter_region(110, "outer");
	enter_region(120, "inner");
	enter_region(130, "deepest");
	leave_region(140, "deepest");
	leave_region(160, "inner");
	enter_region(170, "inner");
	leave_region(171, "inner");
	leave_region(210, "outer");
	tap_str(end_story(TIMES),
		"deepest 10 10\n"
		"inner 40 30\n"
		"inner 1 1\n"
		"outer 100 59\n",
		"self is without the regions directly inside");
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(110, "outer");
	enter_region(120, "inner");
	tell_event(GIT, 130, "region_leave",
		   "\"t_rel\":0.000500," REGION("c", "inner"));
	leave_region(140, "outer");
	enter_region(150, "outer");
	enter_region(150, "inner");
	leave_region(160, "inner");
	leave_region(160, "outer");
	tap_str(end_story(TIMES),
		"inner 500 500\n"
		"outer 30 0\n"
		"inner 10 10\n"
		"outer 10 0\n",
		"self is never less than nothing");
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(110, "outer");
	for (i = 0; i < 10; i++) {
		enter_region(120, "inner");
		tell_event(GIT, 130, "region_leave",
			   "\"t_rel\":999999999999.0," REGION("c", "inner"));
	}
	leave_region(140, "outer");
	tap_ok(strstr(end_story(TIMES), "\nouter 30 0\n"),
	       "also if nobody can have lived as long");
}

static void test_unknown_lengths(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(200, "outer");
	enter_region(120, "back");
	leave_region(119, "back");
	enter_region(120, "brief");
	leave_region(120, "brief");
	tell_briefly(GIT, "region_enter", REGION("c", "enter"));
	leave_region(130, "enter");
	enter_region(120, "leave");
	tell_briefly(GIT, "region_leave", REGION("c", "leave"));
	leave_region(300, "outer");
	tap_str(end_story(TIMES " time"),
		"back - - 2026-01-14T10:00:00.000120Z\n"
		"brief 0 0 2026-01-14T10:00:00.000120Z\n"
		"enter - - -\n"
		"leave - - 2026-01-14T10:00:00.000120Z\n"
		"outer 100 100 2026-01-14T10:00:00.000200Z\n",
		"a length that two times do not tell is empty");
}

static void test_pairs(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	enter_region(110, "a");
	leave_region(120, "a");
	leave_region(150, "a");
	leave_region(160, "a");
	tap_str(end_story(TIMES), "a 10 10\na 50 40\n",
		"a leave ends the last enter of its name");
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	tell_event(GIT, 110, "region_leave", REGION("d", "a"));
	tell_event(GIT, 110, "region_leave", REGION("a", "c"));
	tell_event(OTHER, 110, "region_leave", REGION("c", "a"));
	tap_str(take_rows(TIMES), "",
		"a leave of another name or process ends nothing");
	tell_event(GIT, 110, "region_enter", REGION("d", "d"));
	tell_event(GIT, 111, "region_leave", REGION("e", "e"));
	tell_event(GIT, 112, "region_leave", REGION("d", "d"));
	tap_str(take_rows(TIMES), "d 2 2\n",
		"a region of equal category and label has its own leave");
	enter_region(120, "b");
	enter_region(130, "x");
	leave_region(140, "a");
	leave_region(150, "x");
	leave_region(160, "b");
	tap_str(end_story(TIMES),
		"a 40 38\n"
		"x 20 20\n"
		"b 40 20\n",
		"a region may end before those inside it");
}

static void test_threads(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	story.thread = "th01";
	enter_region(110, "a");
	enter_region(115, "b");
	story.thread = "main";
	leave_region(120, "a");
	story.thread = "th01";
	leave_region(125, "b");
	leave_region(140, "a");
	tap_str(end_story("thread " TIMES),
		"main a 20 20\n"
		"th01 b 10 10\n"
		"th01 a 30 20\n",
		"each thread has regions of its own");
}

/* The msg of each is as long as its number. */
static void test_many(void)
{
	char rest[128];
	int i;

	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "first");
	for (i = 1; i < 12; i++) {
		snprintf(rest, sizeof(rest),
			 REGION("c", "l") ",\"msg\":\"%.*s\"", i,
			 "abcdefghijkl");
		tell_event(GIT, 110, "region_enter", rest);
	}
	leave_region(120, "first");
	take_rows("msg");
	for (i = 1; i < 12; i++)
		leave_region(130, "l");
	tap_str(end_story("msg"),
		"abcdefghijk\nabcdefghij\nabcdefghi\nabcdefgh\nabcdefg\n"
		"abcdef\nabcde\nabcd\nabc\nab\na\n",
		"a region that ends changes none of the others");
}

/* Four regions fill the memory that there is at first. */
static void test_full(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	int i;

	begin_story(TR2_FLAT_KIND_REGIONS);
	for (i = 0; i < 4; i++)
		enter_region(100, names[i]);
	leave_region(110, "b");
	for (i = 3; i < 6; i++)
		enter_region(120, names[i]);
	end_story(TIMES);
	begin_story(TR2_FLAT_KIND_REGIONS);
	for (i = 0; i < 4; i++) {
		story.thread = names[i];
		enter_region(100, "r");
	}
	leave_region(110, "r");
	for (i = 3; i < 6; i++)
		enter_region(120, "r");
	end_story(TIMES);
	tap_int(kit_broken, 0, "regions stay inside their memory");
}

/* An executed program ends it, but not in its own log. */
static void test_exec(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "x");
	enter_region(100, "a");
	tell_event(GIT, 110, "exec", "\"exec_id\":0,\"argv\":[\"git\"]");
	tell_process(CHILD, 120, 150, "y", 0);
	tap_str(end_story(TIMES), "a - -\n",
		"an executed program leaves regions without a length");
}

static void test_open(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "status");
	enter_region(100, "a");
	enter_region(110, "b");
	enter_region(120, "c");
	leave_region(130, "b");
	tap_str(take_rows(TIMES), "b 20 20\n", "an open region is no row yet");
	end_process(GIT, 140, 50, 0);
	tap_str(take_rows("label command wall_us self_us"),
		"a git status - -\nc git status - -\n",
		"a region that is open at the end has no length");
	leave_region(150, "a");
	enter_region(150, "late");
	leave_region(160, "late");
	tap_str(end_story(TIMES), "",
		"a region after the end of its process is no row");
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	tell_event(GIT, 140, "signal", "\"signo\":9");
	tap_str(take_rows(TIMES), "a - -\n",
		"a signal leaves regions without a length");
	tap_str(end_story(TIMES), "", "a region that was left open is one row");
}

static void test_log_without_end(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	tell_event(CHILD, 110, "region_enter", REGION("c", "b"));
	tap_str(end_story("sid " TIMES), CHILD " b - -\n" GIT " a - -\n",
		"a log without an end leaves its regions open");
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "status");
	tell_event(GIT, 100, "child_start", CHILD_START("0"));
	end_process(GIT, 140, 50, 0);
	enter_region(150, "late");
	leave_region(160, "late");
	tap_str(end_story(TIMES), "",
		"a process that waits for a child has no more regions");
}

/* git's daemonize(): the child goes on under the same SID. */
static void fork_process(void)
{
	begin_process(GIT, 100, "gc");
	enter_region(110, "before");
	tell_event(GIT, 120, "exit", "\"code\":0,\"file\":\"setup.c\"");
	tell_event(GIT, 120, "atexit", "\"code\":0,\"file\":\"x.c\"");
}

static void test_forked(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	fork_process();
	tap_str(take_rows(TIMES), "before - -\n",
		"a fork leaves regions without a length");
	enter_region(130, "a");
	leave_region(150, "a");
	enter_region(160, "b");
	tap_str(take_rows(TIMES), "a 20 20\n",
		"a process in the background has regions");
	tell_event(GIT, 200, "atexit", "\"code\":0");
	tap_str(take_rows(TIMES), "b - -\n",
		"the end in the background leaves regions without a length");
	enter_region(210, "late");
	tap_str(end_story(TIMES), "",
		"after the end in the background there is no region");
	begin_story(TR2_FLAT_KIND_REGIONS);
	fork_process();
	enter_region(130, "a");
	tap_str(end_story(TIMES), "before - -\na - -\n",
		"a process may end in the background without a trace");
}

static void test_not_wanted(void)
{
	begin_story(TR2_FLAT_KIND_ERRORS);
	enter_region(110, "a");
	leave_region(120, "a");
	tap_str(end_story("*"), "", "regions that are not wanted are no rows");
}

static void tell_everything(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "status");
	enter_region(100, "a");
	enter_region(110, "b");
	leave_region(120, "a");
	end_process(GIT, 140, 50, 0);
	tell_event(OTHER, 150, "region_enter", REGION("c", "d"));
	tell_event("open", 150, "region_enter", REGION("c", "d"));
	end_story(TIMES);
}

int main(void)
{
	test_whole_row();
	test_texts();
	test_lengths();
	test_unknown_lengths();
	test_pairs();
	test_threads();
	test_many();
	test_full();
	test_exec();
	test_open();
	test_log_without_end();
	test_forked();
	test_not_wanted();
	tap_ok(!leaks_rows(tell_everything), "regions leave no memory behind");
	tap_int(kit_broken, 0, "no region writes beyond its memory");
	return tap_done();
}
