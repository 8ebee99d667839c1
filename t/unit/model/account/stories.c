/* Which microsecond belongs to whom, in small stories of processes. */
#include "model/account/story_kit.h"

static void tell_region(const char *event, unsigned us, const char *rest)
{
	tell_event(GIT, us, event, rest);
}

static void test_regions(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 110, "cmd_name", NAME("status"));
	tell_region("region_enter", 120, REGION("a", "outer"));
	tell_region("region_enter", 130, REGION("b", "inner"));
	tell_region("region_leave", 160, REL("030") REGION("b", "inner"));
	tell_region("region_enter", 170, REGION("b", "inner"));
	tell_region("region_leave", 180, REL("010") REGION("b", "inner"));
	tell_region("region_leave", 200, REL("080") REGION("a", "outer"));
	tell_event(GIT, 300, "exit", END("200", "0"));
	end_git(310, END("210", "0"));
	tap_rows(end_story(),
		 "commands status: count 1 total 210 self 130\n"
		 "regions a/outer: count 1 threads 1 total 80 self 40\n"
		 "regions b/inner: count 2 threads 1 total 40 self 40 10..30\n"
		 "phases other: self 210\n"
		 "slowest: status > outer\n"
		 "all: processes 1 roots 1 wall 210\n",
		 "time belongs to the innermost region");
}

static void test_lengths(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_region("region_enter", 120, REGION("a", "set back"));
	tell_region("region_leave", 110, REL("050") REGION("a", "set back"));
	tell_region("region_enter", 120, REGION("a", "brief"));
	tell_region("region_leave", 150, REGION("a", "brief"));
	end_git(160, END("200", "1"));
	tap_rows(end_story(),
		 "commands git status: count 1 failed 1 total 200 self 120\n"
		 "regions a/set back: count 1 threads 1 total 50 self 50\n"
		 "regions a/brief: count 1 threads 1 total 30 self 30\n"
		 "phases other: self 200\n"
		 "slowest: git status > set back\n"
		 "all: processes 1 roots 1 wall 200\n",
		 "a length counts more than two times");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_region("region_enter", 120, REGION("a", "lost"));
	tell_region("region_enter", 140, REGION("a", "inner"));
	tell_region("region_enter", 150, REGION("a", "deepest"));
	tell_region("region_leave", 190, REGION("a", "lost"));
	tell_region("region_leave", 195, REL("007") REGION("a", "stray"));
	tell_region("region_enter", 200, REGION("a", "open"));
	end_git(230, "\"code\":0");
	tap_rows(end_story(),
		 "commands git status: count 1 total 125 self 20\n"
		 "regions a/lost: count 1 threads 1 total 105 self 25\n"
		 "regions a/inner: count 1 threads 1 total 7 self 10\n"
		 "regions a/deepest: count 1 threads 1 total 40 self 40\n"
		 "regions a/open: count 1 threads 1 total 30 self 30\n"
		 "phases other: self 125\n"
		 "slowest: git status > lost > inner > deepest\n"
		 "all: processes 1 roots 1 wall 125 unclosed 2\n",
		 "a leave ends the innermost region, whatever it is called");
}

static void test_threads(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	story.thread = "th01:a";
	tell_region("region_enter", 110, REGION("a", "load"));
	story.thread = "th02:b";
	tell_region("region_enter", 115, REGION("a", "load"));
	tell_region("region_leave", 125, REL("010") REGION("a", "load"));
	tell_region("region_enter", 126, REGION("a", "load"));
	tell_region("region_leave", 127, REL("001") REGION("a", "load"));
	story.thread = "th01:a";
	tell_region("region_leave", 150, REL("040") REGION("a", "load"));
	story.thread = "main";
	end_git(160, END("060", "0"));
	tap_rows(end_story(),
		 "commands git status: count 1 total 60 self 60\n"
		 "regions a/load: count 3 threads 2 total 51 1..40\n"
		 "phases other: self 60\n"
		 "slowest: git status\n"
		 "all: processes 1 roots 1 wall 60\n",
		 "other threads own no time");
}

static void test_data(void)
{
	static const char *const values[] = {
		"3",
		"\"4\"",
		"\"-2\"",
		"\"-\"",
		"\"\"",
		"\"7x\"",
		"\"x7\"",
		"1.5",
		"true",
		"\"99999999999999999999\"",
		"\"4\\u0000\"",
		"\"9999999999999999999\"",
	};
	char rest[128];
	size_t i;

	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		snprintf(rest, sizeof(rest),
			 "\"category\":\"c\",\"key\":\"k\",\"value\":%s",
			 values[i]);
		tell_event(GIT, 110 + (unsigned)i, "data", rest);
	}
	tell_event(GIT, 130, "data",
		   "\"category\":\"c\",\"key\":\"other\",\"value\":1");
	tell_event(GIT, 131, "data",
		   "\"category\":\"c\",\"key\":\"least\","
		   "\"value\":\"-9223372036854775808\"");
	end_git(160, END("060", "0"));
	tap_rows(end_story(),
		 "commands git status: count 1 total 60 self 60\n"
		 "phases other: self 60\n"
		 "data c/k: count 3 total 5 -2..4 last -2\n"
		 "data c/other: count 1 total 1 last 1\n"
		 "data c/least: count 1 total -9223372036854775808 "
		 "last -9223372036854775808\n"
		 "slowest: git status\n"
		 "all: processes 1 roots 1 wall 60\n",
		 "integers are summed, also those in texts");
}

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

static void test_open(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 200, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 250, "data",
		   "\"category\":\"c\",\"key\":\"k\",\"value\":1");
	tap_rows(
		end_story(),
		"commands git status: count 1 total 150 self 100\n"
		"children git/x: count 1 total 50 self 50\n"
		"phases other: self 150\n"
		"data c/k: count 1 total 1 last 1\n"
		"slowest: git status > x\n"
		"all: processes 1 roots 1 wall 150 unfinished 1 unclosed 1 unlogged 1\n",
		"a log without an end ends with its last event");
	begin_story(TR2_BY_NOTHING);
	tell_briefly(GIT, "start", "\"t_abs\":0.0,\"argv\":[\"a\"]");
	tell_briefly(GIT, "region_enter", REGION("c", "l"));
	tell_briefly(GIT, "region_leave", REL("030") REGION("c", "l"));
	tell_briefly(GIT, "atexit", END("040", "0"));
	tap_rows(end_story(),
		 "commands a: count 1 total 40 self 10\n"
		 "regions c/l: count 1 threads 1 total 30 self 30\n"
		 "phases other: self 40\n"
		 "slowest: a > l\n"
		 "all: processes 1 roots 1 wall 40 untimed 1\n",
		 "a brief log has lengths only");
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tr2_buf_str(&story.lines, "{\"event\":\"start\"}\n");
	tap_rows(end_story(),
		 "commands (none): count 1\n"
		 "slowest: (none)\n"
		 "all: processes 1 roots 1 unfinished 1 unread 1\n",
		 "a line without a SID is not read");
}

int main(void)
{
	test_regions();
	test_lengths();
	test_threads();
	test_data();
	test_metrics();
	test_errors();
	test_children();
	test_open();
	return tap_done();
}
