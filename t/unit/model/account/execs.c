/* Programs that took a process over, and children that never ran. */
#include "model/account/story_kit.h"

#define EXEC "\"exec_id\":0,\"argv\":[\"x\"]"

/* A process that executes a program at 200. */
static void begin_exec(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 200, "exec", EXEC);
}

static void test_unlogged(void)
{
	begin_exec(GIT);
	tap_rows(end_story(),
		 "commands p: count 1 total 100 self 100\n"
		 "children exec/x: count 1\n"
		 "phases other: self 100\n"
		 "slowest: p\n"
		 "all: processes 1 roots 1 wall 100 unlogged 1\n",
		 "a program that was executed may have no log");
	begin_exec("x/" GIT);
	tap_rows(keep_lines(end_story(), "all"),
		 "all: processes 1 roots 1 wall 100 unlogged 1 cut 1\n",
		 "also that of a child");
	begin_exec(GIT);
	tell_event(GIT, 220, "exec_result", "\"exec_id\":0,\"code\":2");
	tell_event(GIT, 230, "cmd_mode", NAME(""));
	tap_rows(keep_lines(end_story(), "all"),
		 "all: processes 1 roots 1 wall 130 unfinished 1\n",
		 "after an exec that failed the process goes on");
}

static void test_time(const char *sid)
{
	char executed[160];

	snprintf(executed, sizeof(executed), "%s/" SID("01"), sid);
	begin_exec(sid);
	tell_event(executed, 210, "start", START("\"y\""));
	tell_event(executed, 220, "region_enter", REGION("c", "r"));
	tell_event(executed, 240, "region_leave", REL("020") REGION("c", "r"));
	tell_event(executed, 500, "atexit", END("290", "0"));
	tap_rows(keep_lines(end_story(), "c"),
		 "commands p: count 1 total 400 self 100\n"
		 "commands y: count 1 total 290 self 270\n"
		 "children exec/x: count 1 total 300 self 10\n",
		 "an executed program has its time until its end");
	tap_rows(keep_lines(story.tables.bytes, "slowest"),
		 "slowest: p > x > y\n", "and its regions are inside");
	begin_exec(sid);
	tell_event(sid, 260, "cmd_mode", NAME(""));
	tell_event(executed, 210, "start", START("\"y\""));
	tell_event(executed, 250, "atexit", END("040", "0"));
	tap_ok(strstr(end_story(), "commands p: count 1 total 160 ") != NULL,
	       "no process ends before its last event");
}

/* The first process of so many, or the program that it executed. */
static void name_process(char sid[160], int number, bool is_executed)
{
	const unsigned pid = 0x100 + (unsigned)number;
	size_t len;

	len = (size_t)snprintf(sid, 160,
			       "20260114T100000.000000Z-Hc4f2e1a9-P%08x", pid);
	if (is_executed)
		snprintf(sid + len, 160 - len,
			 "/20260114T100000.000200Z-Hc4f2e1a9-P%08x", pid);
}

static void tell_many(bool are_executed)
{
	char sid[160];
	int number;

	for (number = 0; number < 16; number++) {
		name_process(sid, number, are_executed);
		if (are_executed) {
			tell_event(sid, 210, "start", START("\"y\""));
			tell_event(sid, 300, "cmd_mode", NAME(""));
		} else {
			tell_event(sid, 100, "start", START("\"p\""));
			tell_event(sid, 200, "exec", EXEC);
		}
	}
}

/* Neither has an end in its log. */
static void test_unfinished(void)
{
	int first;

	for (first = 0; first < 2; first++) {
		begin_story(TR2_BY_NOTHING);
		tell_many(first);
		tell_many(!first);
		tap_rows(keep_lines(end_story(), "all"),
			 "all: processes 32 roots 16 wall 3200 unfinished 16\n",
			 "a process lasts as long as what it executed");
		tap_rows(keep_lines(story.tables.bytes, "commands p"),
			 "commands p: count 16 total 3200 self 1600 200..200\n",
			 "which has the rest of its time");
	}
}

/* A child that ended with this pid, and has no log. */
static const char *tell_pid(const char *pid)
{
	char rest[64];

	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"p\""));
	tell_event(GIT, 110, "child_start", CHILD_START("0", "\"x\""));
	snprintf(rest, sizeof(rest), "\"child_id\":0,%s\"code\":0", pid);
	tell_event(GIT, 150, "child_exit", rest);
	tell_event(GIT, 200, "atexit", END("100", "0"));
	return keep_lines(end_story(), "all");
}

static void test_pids(void)
{
	static const char none[] = "all: processes 1 roots 1 wall 100\n";
	static const char one[] =
		"all: processes 1 roots 1 wall 100 unlogged 1\n";

	tap_rows(tell_pid("\"pid\":-1,"), none,
		 "a child that did not start has no log");
	tap_rows(tell_pid(""), one, "one without a pid may have had one");
	tap_rows(tell_pid("\"pid\":0,"), one, "so may one with the pid 0");
	tap_rows(tell_pid("\"pid\":5,"), one, "and any other");
}

int main(void)
{
	test_unlogged();
	test_time(GIT);
	test_time("x/" GIT);
	test_unfinished();
	test_pids();
	return tap_done();
}
