/* Which child a span ran: its pid, in the background, or by exec. */
#include "account/story_kit.h"

static void test_pids(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 200, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 250, "child_exit",
		   REL("050") "\"child_id\":0,\"pid\":-1,\"code\":-1");
	end_git(300, END("200", "0"));
	tell_event(GIT "/20260114T100000.000000Z-Hc4f2e1a9-Pffffffff", 210,
		   "start", START("\"y\""));
	tap_str(end_story(),
		"commands git status: count 1 total 200 self 150\n"
		"commands y: count 1\n"
		"children git/x: count 1 failed 1 total 50 self 50\n"
		"phases other: self 200\n"
		"slowest: git status > x\n"
		"all: processes 2 roots 1 wall 200 unfinished 1\n",
		"a child that could not be started has no log");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 200, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 250, "child_exit",
		   REL("050") "\"child_id\":0,\"pid\":4294967298,\"code\":0");
	end_git(300, END("200", "0"));
	tell_event(CHILD, 210, "start", START("\"y\""));
	tell_event(CHILD, 240, "atexit", END("030", "0"));
	tap_str(end_story(),
		"commands git status: count 1 total 200 self 150\n"
		"commands y: count 1 total 30 self 30\n"
		"children git/x: count 1 total 50 self 20\n"
		"phases other: self 200\n"
		"slowest: git status > x\n"
		"all: processes 2 roots 1 wall 200\n",
		"a SID has the low 32 bits of a pid");
}

/* Two children of one pid, one after the other. */
static void test_twins(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 200, "child_start", CHILD_START("0", "\"one\""));
	tell_event(GIT, 300, "child_exit",
		   REL("100") CHILD_EXIT("0", "2", "0"));
	tell_event(GIT, 300, "child_start", CHILD_START("1", "\"two\""));
	tell_event(GIT, 500, "child_exit",
		   REL("200") CHILD_EXIT("1", "3", "0"));
	tell_event(GIT, 500, "child_exit",
		   REL("900") CHILD_EXIT("1", "3", "0"));
	tell_event(GIT, 500, "child_exit",
		   REL("900") CHILD_EXIT("7", "3", "0"));
	end_git(600, END("500", "0"));
	tell_event(OTHER, 310, "start", START("\"/bin/two\""));
	tell_event(OTHER, 450, "atexit", END("140", "0"));
	tell_event(CHILD, 210, "start", START("\"one\""));
	tell_event(CHILD, 290, "atexit", END("080", "0"));
	tap_str(end_story(),
		"commands git status: count 1 total 500 self 200\n"
		"commands two: count 1 total 140 self 140\n"
		"commands one: count 1 total 80 self 80\n"
		"children git/one: count 1 total 100 self 20\n"
		"children git/two: count 1 total 200 self 60\n"
		"phases other: self 500\n"
		"slowest: git status > two\n"
		"all: processes 3 roots 1 wall 500\n",
		"each child has the span with its pid");
}

static void test_background(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(
		GIT, 200, "child_start",
		"\"child_id\":0,\"child_class\":\"background\",\"argv\":[\"d\"]");
	tell_event(GIT, 250, "child_ready",
		   REL("050") "\"child_id\":0,\"pid\":2,\"ready\":\"ready\"");
	end_git(300, END("200", "0"));
	tell_event(CHILD, 210, "start", START("\"d\""));
	tell_event(CHILD, 900, "atexit", END("690", "0"));
	tap_str(end_story(),
		"commands git status: count 1 total 200 self 150\n"
		"commands d: count 1 total 690 self 40\n"
		"children background/d: count 1 total 50 self 10\n"
		"phases other: self 200\n"
		"slowest: git status > d\n"
		"all: processes 2 roots 1 wall 200\n",
		"a daemon has what its parent waited for");
}

static void test_exec(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(
		GIT, 200, "exec",
		"\"exec_id\":0,\"exe\":\"git\",\"argv\":[\"git\",\"-C\",\"x\","
		"\"--no-pager\",\"log\"]");
	tell_event(GIT "/" SID("01"), 210, "start", START("\"git\",\"log\""));
	tell_event(GIT "/" SID("01"), 500, "atexit", END("290", "0"));
	tap_str(end_story(),
		"commands git status: count 1 total 400 self 100\n"
		"commands git log: count 1 total 290 self 290\n"
		"children exec/git log: count 1 self 10\n"
		"phases other: self 400\n"
		"slowest: git status > git log\n"
		"all: processes 2 roots 1 wall 400\n",
		"an executed program has the rest");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 200, "exec", "\"exec_id\":0,\"argv\":[\"a/b c\"]");
	tell_event(GIT, 260, "exec_result", "\"exec_id\":0,\"code\":2");
	tell_event(GIT, 270, "exec_result", "\"exec_id\":0,\"code\":2");
	end_git(300, END("200", "0"));
	tap_str(end_story(),
		"commands git status: count 1 total 200 self 140\n"
		"children exec/b: count 1 failed 1 total 60 self 60\n"
		"phases other: self 200\n"
		"slowest: git status > b\n"
		"all: processes 1 roots 1 wall 200\n",
		"an exec that failed is a span");
}

int main(void)
{
	test_pids();
	test_twins();
	test_background();
	test_exec();
	return tap_done();
}
