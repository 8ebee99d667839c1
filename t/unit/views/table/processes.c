/* The row of a process: what each of its events does to it. */
#include "views/table/table_kit.h"

#define NAMES "command argv version repository caller"
#define ENDS "finished failed code signal wall_us self_us waited_us"

static void test_whole_row(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_process(GIT, 100, 400, "status", 0);
	tap_str(end_story("*"),
		"{\"sid\":\"" GIT "\",\"session\":\"" GIT "\","
		"\"time\":\"2026-01-14T10:00:00.000100Z\","
		"\"day\":\"2026-01-14\",\"week\":\"2026-01-12\","
		"\"command\":\"git status\","
		"\"argv\":\"[\\\"git\\\",\\\"status\\\"]\","
		"\"version\":\"2.55\",\"repository\":null,\"caller\":null,"
		"\"finished\":1,\"failed\":0,\"code\":0,\"signal\":null,"
		"\"wall_us\":300,\"self_us\":300,\"waited_us\":0,"
		"\"joined\":1,\"joined_failed\":0,\"errors\":0,"
		"\"error\":null,\"host\":\"Hc4f2e1a9\","
		"\"host_name\":null,\"user\":null,\"attributes\":null}\n",
		"a process without a parent is one row");
}

static void test_names(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "cmd_name", "\"name\":\"checkout\"");
	tell_event(GIT, 120, "cmd_mode", "\"name\":\"branch\"");
	tell_event(GIT, 130, "def_repo", "\"repo\":1,\"worktree\":\"/work/a\"");
	tell_event(GIT, 140, "def_repo", "\"repo\":2,\"worktree\":\"/work/b\"");
	tell_event(GIT, 150, "cmd_ancestry",
		   "\"ancestry\":[\"make\",\"bash\"]");
	end_process(GIT, 200, 100, 0);
	tap_str(end_story(NAMES),
		"checkout#branch [\\\"git\\\",\\\"status\\\"] 2.55 /work/a "
		"make < bash\n",
		"a row has the names of its process and the first worktree");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_event(GIT, 100, "cmd_mode", "\"name\":\"branch\"");
	tell_event(GIT, 110, "atexit", "\"t_abs\":0.1,\"code\":0");
	tap_str(end_story(NAMES), "- - - - -\n",
		"what the log does not have is empty");
}

static void test_words(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "start", "\"argv\":[\"/usr/bin/gc\"]");
	tap_str(end_story("command argv"), "gc [\\\"/usr/bin/gc\\\"]\n",
		"the last start decides about the words");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "start", "\"t_abs\":0.0");
	tap_str(end_story("command argv"),
		"git status [\\\"git\\\",\\\"status\\\"]\n",
		"a start without argv keeps the arguments of before");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_event(GIT, 110, "start", "\"argv\":[]");
	tap_str(end_story("command argv"), "- []\n",
		"an empty argv names no command");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_event(GIT, 110, "cmd_name", "\"name\":\"gc\"");
	tap_str(end_story("command argv"), "gc -\n",
		"a name is a command without words, too");
}

static void test_times(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 1000, "status");
	tell_event(GIT, 1100, "region_enter", REGION("c", "l"));
	tell_event(GIT, 1150, "child_start", CHILD_START("0"));
	tell_event(GIT, 1250, "child_exit",
		   "\"t_rel\":0.000100," CHILD_EXIT("0", "9"));
	tell_event(GIT, 1300, "region_leave",
		   "\"t_rel\":0.000200," REGION("c", "l"));
	end_process(GIT, 2000, 1000, 0);
	tap_str(end_story(ENDS), "1 0 0 - 1000 800 100\n",
		"self is outside of regions and children, waited in children");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 100, "child_start", CHILD_START("0"));
	tell_event(GIT, 110, "child_exit",
		   "\"t_rel\":0.000010," CHILD_EXIT("0", "8"));
	tell_event(GIT, 120, "child_start", CHILD_START("1"));
	tell_event(GIT, 150, "child_exit",
		   "\"t_rel\":0.000030," CHILD_EXIT("1", "9"));
	end_process(GIT, 200, 100, 0);
	tap_str(end_story(ENDS), "1 0 0 - 100 60 40\n",
		"waited is the time of all children");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_briefly(GIT, "start", "\"argv\":[\"a\"]");
	tell_event(GIT, 500, "cmd_name", "\"name\":\"a\"");
	tell_event(GIT, 600, "cmd_name", "\"name\":\"a\"");
	tap_str(end_story("time"), "2026-01-14T10:00:00.000500Z\n",
		"a process begins with its first event that has a time");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_briefly(GIT, "start", "\"t_abs\":0.0,\"argv\":[\"a\"]");
	tell_briefly(GIT, "atexit", "\"t_abs\":0.000040,\"code\":0");
	tap_str(end_story("time day week wall_us"), "- - - 40\n",
		"a process of a brief log has no time, but a length");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_line("{\"event\":\"start\",\"sid\":\"" GIT "\","
		  "\"time\":\"2026-01-14 10:00:00.000100 \"}");
	tap_str(end_story("sid time"), GIT " -\n",
		"a time in another form is none");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_line("{\"event\":\"start\",\"sid\":\"" GIT "\","
		  "\"time\":\"2026-01-14T11:00:00.0001007+01:00\"}");
	tap_str(end_story("time"), "2026-01-14T10:00:00.000100Z\n",
		"one with an offset is shown in UTC");
}

/* An executed program is a child, and the process has no end of its own. */
static void test_exec(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 200, "exec",
		   "\"exec_id\":0,\"exe\":\"git\",\"argv\":[\"git\"]");
	tell_process(GIT "/" SID("01"), 210, 500, "log", 0);
	tap_str(end_story("command joined " ENDS),
		"git status 2 1 0 - - 400 100 300\n",
		"a process ends with the program that it executes");
}

static void test_codes(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_process(GIT, 100, 400, "status", 128);
	tap_str(end_story(ENDS " joined_failed"), "1 1 128 - 300 300 0 1\n",
		"a code other than 0 is a failure");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 200, "exit", "\"t_abs\":0.0001,\"code\":3");
	tap_str(end_story(ENDS), "1 1 3 - 100 100 0\n",
		"an exit is the end, and has the code");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 200, "exit", "\"t_abs\":0.0001,\"code\":3");
	tell_event(GIT, 200, "atexit", "\"t_abs\":0.0001");
	tap_str(end_story(ENDS), "1 1 3 - 100 100 0\n",
		"an end without a code keeps that of before");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 200, "atexit", "\"t_abs\":0.0001");
	tap_str(end_story(ENDS), "1 0 - - 100 100 0\n",
		"a process without a code has not failed");
}

static void test_signals(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 200, "signal", "\"t_abs\":0.0001,\"signo\":15");
	tap_str(end_story(ENDS " joined_failed"), "1 1 - 15 100 100 0 1\n",
		"a process that a signal ends has failed");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 200, "signal", "\"t_abs\":0.0001");
	tap_str(end_story(ENDS " joined_failed"), "1 1 - - 100 100 0 1\n",
		"also if the event does not say which signal");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tap_str(end_story(ENDS), "0 0 - - 0 0 0\n",
		"a process without an end lasts until its last event");
}

static void test_errors(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "error", "\"msg\":\"bad 1\",\"fmt\":\"bad %d\"");
	tell_event(GIT, 120, "error", "\"msg\":\"late\",\"fmt\":\"late\"");
	end_process(GIT, 400, 300, 1);
	tap_str(end_story("errors error"), "2 bad %d\n",
		"the first error is named by its format");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "error", "\"msg\":\"bad 1\",\"fmt\":\"\"");
	tap_str(end_story("errors error"), "1 bad 1\n",
		"an error without a format is named by its message");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "error", "\"line\":1");
	tell_event(GIT, 120, "error", "\"msg\":\"second\"");
	tap_str(end_story("errors error"), "2 second\n",
		"an error without a text is only counted");
}

static void test_late(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 110, "child_start", CHILD_START("0"));
	tell_event(GIT, 120, "child_exit", CHILD_EXIT("0", "9"));
	end_process(GIT, 400, 300, 0);
	tell_event(GIT, 500, "cmd_name", "\"name\":\"late\"");
	tell_event(GIT, 500, "error", "\"msg\":\"late\"");
	tell_event(GIT, 500, "exit", "\"code\":7");
	tell_event(GIT, 500, "signal", "\"signo\":7");
	tap_str(end_story("command errors code signal"), "late 1 0 -\n",
		"a row has what a process did after its end");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_process(GIT, 100, 400, "status", 0);
	tell_process(GIT, 500, 600, "again", 0);
	tap_str(end_story("command"), "git again\n",
		"a session id that is used twice is one process");
}

static void test_no_process(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_line("{\"event\":\"start\",\"argv\":[\"a\"]}");
	tell_line("{\"sid\":\"" GIT "\",\"time\":\"x\"}");
	tap_str(end_story("sid"), "",
		"a line without a SID or an event is no process");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_line("{\"event\":\"start\",\"sid\":\"a/b\"}");
	tap_str(end_story("sid session"), "a/b a\n",
		"a session is the first component of the SID");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_process(GIT, 100, 400, "status", 0);
	tap_str(end_story("*"), "", "a kind that is not wanted has no row");
}

int main(void)
{
	test_whole_row();
	test_names();
	test_words();
	test_times();
	test_exec();
	test_codes();
	test_signals();
	test_errors();
	test_late();
	test_no_process();
	return tap_done();
}
