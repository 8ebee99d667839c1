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
	tap_run(test_pids, test_exec, test_waiting);
	test_same_pid(GIT, true);
	test_same_pid(GIT, false);
	test_same_pid("x/" GIT, true);
	test_same_pid("x/" GIT, false);
	return tap_done();
}
