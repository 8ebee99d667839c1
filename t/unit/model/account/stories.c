/* Which microsecond belongs to whom, in small stories of processes. */
#include "model/account/story_kit.h"

static void test_metrics(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(
		GIT, 110, "timer",
		"\"category\":\"c\",\"name\":\"t\",\"intervals\":3,"
		"\"t_total\":0.000600,\"t_min\":0.000100,\"t_max\":0.000300");
	tell_event(
		GIT, 111, "timer",
		"\"category\":\"c\",\"name\":\"t\",\"intervals\":1,"
		"\"t_total\":0.000400,\"t_min\":0.000400,\"t_max\":0.000400");
	tell_event(GIT, 112, "timer",
		   "\"category\":\"c\",\"name\":\"none\",\"intervals\":0,"
		   "\"t_total\":0.0,\"t_min\":0.0,\"t_max\":0.0");
	tell_event(GIT, 113, "timer",
		   "\"category\":\"c\",\"name\":\"odd\",\"t_total\":0.1");
	tell_event(GIT, 114, "counter",
		   "\"category\":\"c\",\"name\":\"n\",\"count\":23");
	tell_event(GIT, 115, "counter", "\"category\":\"c\",\"name\":\"odd\"");
	end_git(160, END("060", "0"));
	tap_rows(end_story(),
		 "commands git status: count 1 total 60 self 60\n"
		 "phases other: self 60\n"
		 "timers c/t: count 4 total 1000 100..400\n"
		 "counters c/n: count 1 total 23\n"
		 "slowest: git status\n"
		 "all: processes 1 roots 1 wall 60\n",
		 "timers and counters are added up");
}

static void test_errors(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 110, "error", "\"msg\":\"bad 1\",\"fmt\":\"bad %d\"");
	tell_event(GIT, 120, "error", "\"msg\":\"bad 2\",\"fmt\":\"bad %d\"");
	tell_event(GIT, 130, "error", "\"msg\":\"no format\"");
	tell_event(GIT, 140, "exit", END("040", "128"));
	end_git(160, END("060", "128"));
	tell_event(GIT, 170, "error", "\"msg\":\"late\"");
	tap_rows(end_story(),
		 "commands git status: count 1 failed 1 total 70 self 70\n"
		 "phases other: self 70\n"
		 "errors bad %d: count 2 0..0\n"
		 "errors no format: count 1\n"
		 "errors late: count 1\n"
		 "slowest: git status\n"
		 "all: processes 1 roots 1 wall 70\n",
		 "errors are counted by their format");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 150, "signal", "\"t_abs\":0.000050,\"signo\":15");
	tap_rows(end_story(),
		 "commands git status: count 1 failed 1 total 50 self 50\n"
		 "phases other: self 50\n"
		 "slowest: git status\n"
		 "all: processes 1 roots 1 wall 50\n",
		 "a signal ends a process, which has failed");
}

/* A child from 200 to 400, whose process lives from 220 to 380. */
static void tell_parent(unsigned from)
{
	begin_git(100);
	tell_event(GIT, from, "child_start",
		   CHILD_START("0", "\"git\",\"gc\""));
	tell_event(GIT, 400, "child_exit",
		   REL("200") CHILD_EXIT("0", "2", "1"));
	end_git(600, END("500", "0"));
}

static void tell_child(void)
{
	tell_event(CHILD, 220, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	tell_event(CHILD, 220, "start", START("\"/usr/bin/git\",\"gc\""));
	tell_event(CHILD, 230, "cmd_name", NAME("gc"));
	tell_event(CHILD, 240, "region_enter", REGION("gc", "repack"));
	tell_event(CHILD, 340, "region_leave",
		   REL("100") REGION("gc", "repack"));
	tell_event(CHILD, 380, "atexit", END("160", "1"));
}

static void test_children(void)
{
	char first[2048];

	begin_story(TR2_BY_NOTHING);
	tell_parent(200);
	tell_child();
	snprintf(first, sizeof(first), "%s", end_story());
	tap_str(first,
		"commands git status: count 1 total 500 self 300\n"
		"commands gc: count 1 failed 1 total 160 self 60\n"
		"regions gc/repack: count 1 threads 1 total 100 self 100\n"
		"children git/git gc: count 1 failed 1 total 200 self 40\n"
		"phases other: self 300\n"
		"phases maintain the repository: self 200\n"
		"slowest: git status > git gc > repack\n"
		"all: processes 2 roots 1 wall 500\n",
		"a child's process takes its time from its span");
	begin_story(TR2_BY_NOTHING);
	tell_child();
	tell_parent(200);
	tap_rows(end_story(),
		 "commands gc: count 1 failed 1 total 160 self 60\n"
		 "commands git status: count 1 total 500 self 300\n"
		 "regions gc/repack: count 1 threads 1 total 100 self 100\n"
		 "children git/git gc: count 1 failed 1 total 200 self 40\n"
		 "phases maintain the repository: self 200\n"
		 "phases other: self 300\n"
		 "slowest: git status > git gc > repack\n"
		 "all: processes 2 roots 1 wall 500\n",
		 "also if its log comes first");
	begin_story(TR2_BY_NOTHING);
	tell_parent(200);
	tap_rows(end_story(),
		 "commands git status: count 1 total 500 self 300\n"
		 "children git/git gc: count 1 failed 1 total 200 self 200\n"
		 "phases other: self 300\n"
		 "phases maintain the repository: self 200\n"
		 "slowest: git status > git gc\n"
		 "all: processes 1 roots 1 wall 500 unlogged 1\n",
		 "a child without a log keeps its span");
	begin_story(TR2_BY_NOTHING);
	tell_child();
	tap_rows(end_story(),
		 "commands gc: count 1 failed 1 total 160 self 60\n"
		 "regions gc/repack: count 1 threads 1 total 100 self 100\n"
		 "phases maintain the repository: self 160\n"
		 "slowest: gc > repack\n"
		 "all: processes 1 roots 1 wall 160 cut 1\n",
		 "a child whose parent has no log is a root");
}

int main(void)
{
	tap_run(test_metrics, test_errors, test_children);
	return tap_done();
}
