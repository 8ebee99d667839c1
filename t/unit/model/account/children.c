/* Which child a span ran: its pid, in the background, or by exec. */
#include "model/account/story_kit.h"

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
	tap_rows(end_story(),
		 "commands git status: count 1 total 200 self 150\n"
		 "commands y: count 1\n"
		 "children git/x: count 1 failed 1 total 50 self 50\n"
		 "phases other: self 200\n"
		 "slowest: git status > x\n"
		 "all: processes 2 roots 1 wall 200 unfinished 1\n",
		 "no log is missed of a child that could not be started");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 200, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 250, "child_exit",
		   REL("050") "\"child_id\":0,\"pid\":4294967298,\"code\":0");
	end_git(300, END("200", "0"));
	tell_event(CHILD, 210, "start", START("\"y\""));
	tell_event(CHILD, 240, "atexit", END("030", "0"));
	tap_rows(end_story(),
		 "commands git status: count 1 total 200 self 150\n"
		 "commands y: count 1 total 30 self 30\n"
		 "children git/x: count 1 total 50 self 20\n"
		 "phases other: self 200\n"
		 "slowest: git status > x > y\n"
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
	tap_rows(end_story(),
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
	tap_rows(end_story(),
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
	tap_rows(end_story(),
		 "commands git status: count 1 total 400 self 100\n"
		 "commands git log: count 1 total 290 self 290\n"
		 "children exec/git log: count 1 total 300 self 10\n"
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
	tap_rows(end_story(),
		 "commands git status: count 1 total 200 self 140\n"
		 "children exec/b c: count 1 failed 1 total 60 self 60\n"
		 "phases other: self 200\n"
		 "slowest: git status > b c\n"
		 "all: processes 1 roots 1 wall 200\n",
		 "an exec that failed is a span");
}

/* A child of the process, from one time to the other. */
static void tell_span(const char *sid, unsigned from, unsigned to,
		      const char *pid)
{
	char rest[64];

	snprintf(rest, sizeof(rest), "\"child_id\":0,\"pid\":%s,\"code\":0",
		 pid);
	tell_event(sid, from, "child_start", CHILD_START("0", "\"x\""));
	tell_event(sid, to, "child_exit", rest);
}

static void tell_life(const char *sid, unsigned from, unsigned to)
{
	char rest[64];

	tell_event(sid, from, "start", START("\"y\""));
	snprintf(rest, sizeof(rest), "\"t_abs\":%.6f,\"code\":0",
		 (to - from) / 1e6);
	tell_event(sid, to, "atexit", rest);
}

/* A process with this pid lives from one time to the other. */
static const char *tell_touching(const char *pid, unsigned from, unsigned to,
				 bool comes_first)
{
	char sid[128];

	snprintf(sid, sizeof(sid), GIT "/" SID("%s"), pid);
	begin_story(TR2_BY_NOTHING);
	if (comes_first)
		tell_life(sid, from, to);
	begin_git(100);
	tell_span(GIT, 200, 250, "2");
	end_git(300, END("200", "0"));
	if (!comes_first)
		tell_life(sid, from, to);
	return keep_lines(end_story(), "all");
}

static void test_touching(void)
{
	static const char logged[] = "all: processes 2 roots 1 wall 200\n";
	static const char unlogged[] =
		"all: processes 2 roots 1 wall 200 unlogged 1\n";
	int first;

	for (first = 0; first < 2; first++) {
		tap_rows(tell_touching("02", 250, 260, first), logged,
			 "a child may begin when its parent waits no longer");
		tap_rows(tell_touching("02", 190, 200, first), logged,
			 "or end when it begins to wait");
		tap_rows(tell_touching("02", 251, 260, first), logged,
			 "one with its pid that begins later is moved inside");
		tap_rows(tell_touching("02", 190, 199, first), logged,
			 "and one that ends earlier");
		tap_rows(tell_touching("03", 190, 200, first), unlogged,
			 "one with another pid that has ended is not in it");
	}
}

/* Of a root, whose children are settled at once, and of another process. */
static void test_ends(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 200, "child_start", CHILD_START("1", "\"x\""));
	tell_event(sid, 210, "exec", "\"exec_id\":0,\"argv\":[\"e\"]");
	tell_event(sid, 220, "exec_result", "\"exec_id\":0,\"code\":2");
	tell_event(sid, 250, "child_exit", CHILD_EXIT("1", "0", "0"));
	tell_event(sid, 270, "child_exit",
		   REL("070") CHILD_EXIT("1", "2", "9"));
	tell_event(sid, 280, "exec_result", "\"exec_id\":0,\"code\":2");
	tell_event(sid, 300, "atexit", END("200", "0"));
	tap_rows(keep_lines(end_story(), "children"),
		 "children git/x: count 1 total 50 self 40\n"
		 "children exec/e: count 1 failed 1 total 10 self 10\n",
		 "a child and an exec end once, and have ids of their own");
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 150, "exec", "\"exec_id\":1,\"argv\":[\"e\"]");
	story.thread = "th01";
	tell_event(sid, 160, "child_start", CHILD_START("0", "\"t\""));
	story.thread = "main";
	tell_event(sid, 170, "child_start", CHILD_START("2", "\"x\""));
	tell_event(sid, 180, "child_exit",
		   REL("020") CHILD_EXIT("0", "3", "0"));
	tell_event(sid, 190, "child_exit",
		   REL("020") CHILD_EXIT("2", "2", "0"));
	tell_event(sid, 200, "exec_result", "\"exec_id\":1,\"code\":2");
	tell_event(sid, 300, "atexit", END("200", "0"));
	tap_rows(keep_lines(end_story(), "children"),
		 "children exec/e: count 1 failed 1 total 50 self 20\n"
		 "children git/t: count 1 total 20 self 10\n"
		 "children git/x: count 1 total 20 self 20\n",
		 "a child of another thread owns its time, too");
}

/* Regions of the parent lie on the child's span, and around it. */
static void test_between(const char *sid)
{
	char child[160];

	snprintf(child, sizeof(child), "%s/" SID("02"), sid);
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 150, "region_enter", REGION("dir", "d"));
	tell_event(sid, 200, "child_start", CHILD_START("0", "\"x\""));
	tell_event(sid, 210, "data", "");
	tell_event(sid, 220, "region_enter", REGION("c", "top"));
	tell_event(sid, 240, "region_leave", REL("020") REGION("c", "top"));
	tell_event(sid, 250, "data", "");
	tell_event(sid, 300, "child_exit",
		   REL("100") CHILD_EXIT("0", "2", "0"));
	tell_event(sid, 350, "region_leave", REL("200") REGION("dir", "d"));
	tell_event(sid, 400, "region_enter", REGION("c", "top"));
	tell_event(sid, 410, "region_leave", REL("010") REGION("c", "top"));
	tell_event(sid, 500, "atexit", END("400", "0"));
	tell_event(child, 200, "start", START("\"y\""));
	tell_event(child, 260, "region_enter", REGION("index", "i"));
	tell_event(child, 270, "region_leave", REL("010") REGION("index", "i"));
	tell_event(child, 290, "atexit", END("090", "0"));
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions dir/d: count 1 threads 1 total 200 self 100\n"
		 "regions c/top: count 2 threads 1 total 30 self 30 10..20\n"
		 "regions index/i: count 1 threads 1 total 10 self 10\n",
		 "a region on top of a child has its own time");
	tap_rows(keep_lines(story.tables.bytes, "c"),
		 "commands p: count 1 total 400 self 190\n"
		 "commands y: count 1 total 90 self 60\n"
		 "children git/x: count 1 total 100 self 10\n",
		 "which the child's process does not get");
	tap_rows(keep_lines(story.tables.bytes, "phases"),
		 "phases other: self 200\n"
		 "phases look at the worktree: self 190\n"
		 "phases read and write the index: self 10\n",
		 "what has no phase has that of the region around it");
}

/* A region inside itself: each leave belongs to the innermost one. */
static void test_recursion(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 110, "region_enter", REGION("c", "r"));
	tell_event(sid, 120, "region_enter", REGION("c", "r"));
	tell_event(sid, 130, "region_leave", REGION("c", "r"));
	tell_event(sid, 150, "region_leave", REGION("c", "r"));
	tell_event(sid, 170, "region_leave", REGION("c", "r"));
	tell_event(sid, 200, "atexit", END("100", "0"));
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/r: count 2 threads 1 total 50 self 40 10..40\n",
		 "a region may be inside itself");
}

#define PARENTS 8

static void name_parent(char sid[64], int number)
{
	snprintf(sid, 64, "20260114T100000.000000Z-Hc4f2e1a9-P000001%02x",
		 (unsigned)number);
}

/* Each span ran a script, which ran a program of an unknown pid. */
static void test_many_parents(void)
{
	char sid[64], inner[160];
	int number, span;
	const char *shown;

	begin_story(TR2_BY_NOTHING);
	for (number = PARENTS - 1; number >= 0; number--)
		for (span = 2; span >= 0; span--) {
			name_parent(sid, number);
			snprintf(inner, sizeof(inner), "%s/" SID("a%d"), sid,
				 span);
			tell_life(inner, 120 + 100 * (unsigned)span,
				  150 + 100 * (unsigned)span);
		}
	for (number = 0; number < PARENTS; number++) {
		name_parent(sid, number);
		tell_event(sid, 50, "start", START("\"p\""));
		for (span = 0; span < 3; span++)
			tell_span(sid, 100 + 100 * (unsigned)span,
				  180 + 100 * (unsigned)span,
				  span % 2 ? "8" : "9");
		tell_event(sid, 550, "atexit", END("500", "0"));
	}
	shown = end_story();
	tap_ok(strstr(shown,
		      "children git/x: count 24 total 1920 self 1200 ") != NULL,
	       "each span of many parents gives time to its own program");
	tap_ok(strstr(shown, "commands y: count 24 total 720 self 720 ") !=
		       NULL,
	       "and each program gets its time");
	tap_ok(strstr(shown, "\nall: processes 32 roots 8 wall 4000\n") != NULL,
	       "no span lacks a log then");
}

/* Logs of children wait for that of their parent, and go in any order. */
static void test_waiting(void)
{
	static const char *const orders[] = { "234", "243", "324",
					      "342", "423", "432" };
	static const char parent[] = "x/" GIT;
	char pid[2] = "", sid[128];
	const char *shown;
	size_t i, at;

	for (i = 0; i < 6; i++) {
		begin_story(TR2_BY_NOTHING);
		for (at = 0; at < 3; at++) {
			snprintf(sid, sizeof(sid), "%s/" SID("0%d"), parent,
				 (int)at + 2);
			tell_life(sid, 100, 900);
		}
		tell_event(parent, 50, "start", START("\"p\""));
		for (at = 0; at < 3; at++) {
			pid[0] = orders[i][at];
			tell_span(parent, 100 + 100 * (unsigned)at,
				  180 + 100 * (unsigned)at, pid);
		}
		tell_event(parent, 550, "atexit", END("500", "0"));
		shown = end_story();
		tap_ok(strstr(shown,
			      "commands y: count 3 total 2400 self 240 ") !=
			       NULL,
		       "children that wait may be asked for in any order");
		tap_ok(strstr(shown, "roots 1 wall 500 cut 1\n") != NULL,
		       "and none is left over");
	}
}

static void tell_same_pids(const char *parent)
{
	char sid[160];
	int i;

	for (i = 0; i < 3; i++) {
		snprintf(sid, sizeof(sid),
			 "%s/20260114T100000.00000%dZ-Hc4f2e1a9-P00000002",
			 parent, i);
		tell_life(sid, 100, 900);
	}
}

/* Each of three children with one pid gets the time of one span. */
static void test_same_pid(const char *parent, bool come_first)
{
	const char *shown;
	unsigned i;

	begin_story(TR2_BY_NOTHING);
	if (come_first)
		tell_same_pids(parent);
	tell_event(parent, 50, "start", START("\"p\""));
	for (i = 0; i < 3; i++)
		tell_span(parent, 100 + 100 * i, 180 + 100 * i, "2");
	tell_event(parent, 550, "atexit", END("500", "0"));
	if (!come_first)
		tell_same_pids(parent);
	shown = end_story();
	tap_ok(strstr(shown, "commands y: count 3 total 2400 self 240 ") !=
			       NULL &&
		       strstr(shown, "children git/x: count 3 total 240 80") !=
			       NULL,
	       "three children with one pid have a span each");
}

int main(void)
{
	test_pids();
	test_twins();
	test_background();
	test_exec();
	test_ends(GIT);
	test_ends("x/" GIT);
	test_between(GIT);
	test_between("x/" GIT);
	test_recursion(GIT);
	test_recursion("x/" GIT);
	test_touching();
	test_many_parents();
	test_waiting();
	test_same_pid(GIT, true);
	test_same_pid(GIT, false);
	test_same_pid("x/" GIT, true);
	test_same_pid("x/" GIT, false);
	return tap_done();
}
