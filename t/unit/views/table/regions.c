/* Rows of regions: an enter and its leave. */
#include "views/table/table_kit.h"

#define TIMES "label wall_us self_us unclosed"

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
		"\"msg\":\"m\",\"wall_us\":33,\"self_us\":33,\"unclosed\":0}\n",
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
		"main - - - - -\n"
		"main - - message - 0\n"
		"main cat - - 1 -\n",
		"an empty text is not a missing one");
	begin_story(TR2_FLAT_KIND_REGIONS);
	tell_line("{\"event\":\"region_enter\",\"sid\":\"" GIT
		  "\",\"category\":\"\"}");
	tap_str(end_story(columns), "- '' - - - -\n",
		"an empty text may be all that a region has");
}

static void test_lengths(void)
{
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
		"deepest 10 10 0\n"
		"inner 40 30 0\n"
		"inner 1 1 0\n"
		"outer 100 59 0\n",
		"self is without the regions directly inside");
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 100, "status");
	enter_region(110, "outer");
	enter_region(120, "inner");
	tell_event(GIT, 130, "region_leave",
		   "\"t_rel\":0.000500," REGION("c", "inner"));
	tell_event(GIT, 140, "region_leave",
		   "\"t_rel\":0.000030," REGION("c", "outer"));
	tap_str(end_story(TIMES), "inner 500 500 0\nouter 30 0 0\n",
		"self is never less than nothing");
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
		"main a 20 20 0\n"
		"th01 b 10 10 0\n"
		"th01 a 30 20 0\n",
		"each thread has regions of its own");
}

/* An executed program ends it, but not in its own log. */
static void test_exec(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "x");
	enter_region(100, "a");
	tell_event(GIT, 110, "exec", "\"exec_id\":0,\"argv\":[\"git\"]");
	tell_process(CHILD, 120, 150, "y", 0);
	tap_str(end_story(TIMES), "a 50 50 1\n",
		"a region ends with the program that was executed in it");
}

static void test_open(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "status");
	enter_region(100, "a");
	enter_region(110, "b");
	leave_region(130, "b");
	tap_str(take_rows(TIMES), "b 20 20 0\n",
		"an open region is no row yet");
	end_process(GIT, 140, 50, 0);
	tap_str(end_story("label command wall_us self_us unclosed"),
		"a git status 40 20 1\n",
		"a region that is open at the end ends with its process");
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	tell_event(GIT, 140, "signal", "\"signo\":9");
	tap_str(take_rows(TIMES), "a 40 40 1\n",
		"a signal leaves regions without an end");
	tap_str(end_story(TIMES), "", "a region that was left open is one row");
}

static void test_log_without_end(void)
{
	begin_story(TR2_FLAT_KIND_REGIONS);
	enter_region(100, "a");
	tell_event(CHILD, 110, "region_enter", REGION("c", "b"));
	tap_str(end_story("sid " TIMES), GIT " a 0 0 1\n" CHILD " b 0 0 1\n",
		"a log without an end leaves its regions open");
	begin_story(TR2_FLAT_KIND_REGIONS);
	begin_process(GIT, 90, "status");
	tell_event(GIT, 100, "child_start", CHILD_START("0"));
	end_process(GIT, 140, 50, 0);
	enter_region(150, "late");
	leave_region(160, "late");
	tap_str(end_story(TIMES), "late 10 10 0\n",
		"a process has regions after its end");
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
	enter_region(130, "a");
	leave_region(150, "a");
	enter_region(160, "b");
	tap_str(take_rows(TIMES), "a 20 20 0\n",
		"a process in the background has regions");
	tell_event(GIT, 200, "atexit", "\"code\":0");
	tap_str(end_story(TIMES), "b 40 40 1\nbefore 90 30 1\n",
		"its last end is that of its regions");
}

static void test_not_wanted(void)
{
	begin_story(TR2_FLAT_KIND_ERRORS);
	enter_region(110, "a");
	leave_region(120, "a");
	tap_str(end_story("*"), "", "regions that are not wanted are no rows");
}

int main(void)
{
	test_whole_row();
	test_texts();
	test_lengths();
	test_threads();
	test_exec();
	test_open();
	test_log_without_end();
	test_forked();
	test_not_wanted();
	return tap_done();
}
