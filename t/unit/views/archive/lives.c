/* Processes and threads, from their begin to their end. */
#include "views/archive/archive_kit.h"

static void test_process(void)
{
	begin_logs();
	tell_event(GIT, 10, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	tell_event(GIT, 20, "start",
		   "\"t_abs\":0.00001,\"argv\":[\"git\",\"log\"]");
	tell_event(GIT, 30, "cmd_name",
		   "\"name\":\"log\",\"hierarchy\":\"log\"");
	tell_event(GIT, 40, "exit", "\"t_abs\":0.00003,\"code\":0");
	tell_event(GIT, 50, "atexit", "\"t_abs\":0.00004,\"code\":1");
	tap_str(end_logs(),
		"1 thread /main process=koid:1\n"
		"10 1.1 begin process/git log sid=string:" GIT
		" pid=uint32:1 exe=string:2.55 evt=string:3"
		" argv=string:git log\n"
		"1 process /log\n"
		"30 1.1 instant trace2/cmd_name name=string:log"
		" hierarchy=string:log\n"
		"40 1.1 instant trace2/exit code=uint32:0\n"
		"50 1.1 end process/git log code=uint32:1\n",
		"a process is a slice from its t_abs 0 to its last event");
	tap_str(reported, "", "nothing is reported about it");
}

/* A program was killed after its first event, or ran on. */
static void test_version_alone(void)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, "child_start", "\"child_id\":0,\"argv\":[\"a\"]");
	tell_event(CHILD, 30, "version", "\"evt\":\"3\",\"exe\":\"2.54\"");
	tell_event(CHILD, 31, "version", "\"evt\":\"4\",\"exe\":\"2.55\"");
	tap_str(keep_lines(end_logs(), " 2.2 "),
		"30 2.2 begin process/process sid=string:" CHILD
		" pid=uint32:2 exe=string:2.55 evt=string:4\n"
		"31 2.2 end process/process\n",
		"a process that has only `version` is a slice, too");
}

/* The pid is what follows the last -P, in small hexadecimal digits. */
static const char *show_pid(const char *sid)
{
	static char pid[64];
	const char *at;

	begin_logs();
	tell_event(sid, 10, "error", "");
	at = strstr(keep_lines(end_logs(), " begin "), " pid=");
	snprintf(pid, sizeof(pid), "%.*s", at ? (int)strcspn(at + 1, "\n") : 0,
		 at ? at + 1 : "");
	return pid;
}

static void test_pids(void)
{
	tap_str(show_pid("x-P0123abcf"), "pid=uint32:19114959",
		"a SID ends in a pid");
	tap_str(show_pid("a-P1/x-Pff"), "pid=uint32:255",
		"that of its last component");
	tap_str(show_pid("x-Pfffffffff"), "pid=uint64:68719476735",
		"which may be large");
	tap_str(show_pid("x-P"), "", "without digits there is none");
	tap_str(show_pid("x-P12AB"), "", "nor with other digits");
	tap_str(show_pid("xP12"), "", "nor without a minus");
	tap_str(show_pid("x-Q12"), "", "nor without a P");
	tap_str(show_pid("P12"), "", "nor where nothing precedes the P");
	tap_str(show_pid("12"), "", "nor in digits alone");
}

static void test_missing(void)
{
	begin_logs();
	tell_line("{\"event\":\"error\"}");
	tell_line("{\"event\":\"error\",\"sid\":1}");
	tell_line("{\"sid\":\"" GIT "\"}");
	tell_line("{\"event\":null,\"sid\":\"" GIT "\"}");
	tap_str(end_logs(), "", "an event without a sid or a name is left out");
	tap_str(reported,
		"event.common.sid: no sid: the event is left out\n"
		"event.common.sid: no sid: the event is left out\n"
		"event.common.event: no name: the event is left out\n"
		"event.common.event: no name: the event is left out\n",
		"and reported");
}

static void test_threads(void)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	thread_name = "th01:x";
	tell_event(GIT, 20, "region_enter", "\"label\":\"early\"");
	tell_event(GIT, 21, "thread_start", "\"x\":1");
	tell_event(GIT, 22, "thread_exit", "\"x\":2");
	thread_name = "th02:y";
	tell_event(GIT, 30, "thread_start", "\"x\":3");
	tell_event(GIT, 31, "region_enter", "\"label\":\"open\"");
	tell_event(GIT, 32, "region_leave", "\"t_rel\":0.000001");
	tell_event(GIT, 33, "region_leave", "\"t_rel\":0");
	tell_event(GIT, 34, "region_enter", "\"label\":\"open\"");
	tell_event(GIT, 35, "thread_exit", "\"x\":4");
	tell_event(GIT, 36, "thread_exit", "\"x\":5");
	thread_name = "main";
	tell_event(GIT, 40, "thread_start", "\"x\":6");
	tell_event(GIT, 41, "thread_exit", "\"x\":7");
	tell_event(GIT, 50, "atexit", "");
	tap_str(end_logs(),
		"1 thread /main process=koid:1\n"
		"10 1.1 begin process/git sid=string:" GIT
		" pid=uint32:1 argv=string:git\n"
		"2 thread /th01:x process=koid:1\n"
		"20 1.2 begin region/early\n"
		"21 1.2 instant trace2/thread_start x=uint32:1\n"
		"22 1.2 instant trace2/thread_exit x=uint32:2\n"
		"22 1.2 end region/early\n"
		"3 thread /th02:y process=koid:1\n"
		"30 1.3 begin thread/th02:y x=uint32:3\n"
		"31 1.3 begin region/open\n"
		"32 1.3 end region/open\n"
		"33 1.3 begin region/region\n"
		"33 1.3 end region/region\n"
		"34 1.3 begin region/open\n"
		"35 1.3 end region/open\n"
		"35 1.3 end thread/th02:y x=uint32:4\n"
		"4 thread /th02:y process=koid:1\n"
		"36 1.4 instant trace2/thread_exit x=uint32:5\n"
		"40 1.1 instant trace2/thread_start x=uint32:6\n"
		"41 1.1 instant trace2/thread_exit x=uint32:7\n"
		"50 1.1 end process/git\n"
		"1 process /git\n",
		"a thread is a slice from its start to its exit");
}

static void test_regions(void)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, "region_enter",
		   "\"nesting\":1,\"category\":\"c\",\"label\":\"l\","
		   "\"msg\":\"m\"");
	tell_event(GIT, 21, "region_enter", "\"msg\":\"only\"");
	tell_event(GIT, 22, "region_enter", "");
	tell_event(GIT, 23, "region_leave", "\"label\":\"z\",\"msg\":\"n\"");
	tell_event(GIT, 24, "signal", "\"t_abs\":0.000014,\"signo\":13");
	tell_event(GIT, 30, "error", "");
	tap_str(keep_lines(end_logs(), " "),
		"1 thread /main process=koid:1\n"
		"10 1.1 begin process/git sid=string:" GIT
		" pid=uint32:1 argv=string:git\n"
		"20 1.1 begin c/l msg=string:m\n"
		"21 1.1 begin region/only msg=string:only\n"
		"22 1.1 begin region/region\n"
		"23 1.1 end region/region msg=string:n\n"
		"24 1.1 instant trace2/signal signo=uint32:13\n"
		"30 1.1 instant trace2/error\n"
		"30 1.1 end region/only\n"
		"30 1.1 end c/l\n"
		"30 1.1 end process/git\n"
		"1 process /git\n",
		"all slices end with what follows a signal");
}

static void test_children(void)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, "child_start",
		   "\"child_id\":0,\"argv\":[\"a\",\"b\"]");
	tell_event(GIT, 21, "child_start", "\"child_id\":1");
	tell_event(GIT, 22, "child_ready", "\"child_id\":1");
	tell_event(GIT, 23, "child_exit", "\"child_id\":0,\"code\":3");
	tell_event(GIT, 24, "child_exit", "\"child_id\":0");
	tell_event(GIT, 25, "child_ready", "\"child_id\":2");
	tell_event(GIT, 26, "child_exit", "\"child_id\":1");
	tell_event(GIT, 27, "child_start", "\"argv\":[\"none\"]");
	tell_event(GIT, 28, "child_exit", "");
	tap_str(keep_lines(end_logs(), " 1.1 "),
		"10 1.1 begin process/git sid=string:" GIT
		" pid=uint32:1 argv=string:git\n"
		"20 1.1 async-begin process/a b #1 child_id=uint32:0"
		" argv=string:a b\n"
		"21 1.1 async-begin process/child #2 child_id=uint32:1\n"
		"22 1.1 async-end process/child #2 child_id=uint32:1\n"
		"23 1.1 async-end process/a b #1 child_id=uint32:0"
		" code=uint32:3\n"
		"24 1.1 instant trace2/child_exit child_id=uint32:0\n"
		"25 1.1 instant trace2/child_ready child_id=uint32:2\n"
		"26 1.1 instant trace2/child_exit child_id=uint32:1\n"
		"27 1.1 async-begin process/none #3 argv=string:none\n"
		"28 1.1 instant trace2/child_exit\n"
		"28 1.1 async-end process/none #3\n"
		"28 1.1 end process/git\n",
		"a child is a span until it exits or is ready");
}

/* Times of the flow's two ends, if the parent has calls at 20 and 30. */
static const char *show_flow(const char *first, const char *second,
			     const char *argv)
{
	static char flow[64];
	const char *lines, *end;
	char rest[128];

	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	snprintf(rest, sizeof(rest), "\"child_id\":0,\"argv\":[%s]", first);
	tell_event(GIT, 20, "child_start", rest);
	snprintf(rest, sizeof(rest), "\"child_id\":1,\"argv\":[%s]", second);
	tell_event(GIT, 30, "child_start", rest);
	tell_start(CHILD, 40, argv);
	lines = keep_lines(end_logs(), " flow-");
	end = strchr(lines, '\n');
	snprintf(flow, sizeof(flow), "%.*s, %.*s", (int)strcspn(lines, "f"),
		 lines, end ? (int)strcspn(end + 1, "#") : 0,
		 end ? end + 1 : "");
	return flow;
}

static void test_flows(void)
{
	tap_str(show_flow("\"git\",\"gc\"", "\"x\"", "\"/bin/git\",\"gc\""),
		"20 1.1 , 40 2.2 flow-end process/child (by argv) ",
		"a flow leads from a call to the child with its words");
	tap_str(show_flow("\"git\",\"gc\"", "\"x\"", "\"/a,b/git\",\"gc\""),
		"20 1.1 , 40 2.2 flow-end process/child (by argv) ",
		"the first word counts as one, whatever is in it");
	tap_str(show_flow("\"git\"", "\"x\",\"y\"", "\"/a,b/git\""),
		"20 1.1 , 40 2.2 flow-end process/child (by argv) ",
		"also if there is no other word");
	tap_str(show_flow("", "\"x\",\"y\"", ""),
		"20 1.1 , 40 2.2 flow-end process/child (by argv) ",
		"or none at all");
	tap_str(show_flow("\"git\",\"gc\"", "\"x\",\"y\"", "\"git\",\"z\""),
		", ", "no flow leads to a child with other words");
}

static void test_late_parent(void)
{
	begin_logs();
	tell_start(CHILD, 40, "\"git\",\"gc\"");
	tell_event(CHILD, 45, "atexit", "");
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, "exec", "\"exec_id\":0,\"argv\":[\"git\",\"gc\"]");
	tell_event(GIT, 30, "atexit", "");
	tap_str(keep_lines(end_logs(), " flow-"),
		"20 2.2 flow-begin process/child #2\n"
		"40 1.1 flow-end process/child #2\n",
		"a child may be told before the exec that began it");
}

static void test_names(void)
{
	begin_logs();
	tell_event(GIT, 10, "cmd_name", "\"name\":\"_run_dashed_\"");
	tell_event(GIT, 11, "cmd_name", "\"name\":\"\"");
	tell_event(GIT, 12, "cmd_name", "\"name\":\"first\"");
	tell_event(GIT, 13, "cmd_name", "\"name\":\"second\"");
	tell_event(SID("03"), 14, "error", "");
	tell_start(SID("04"), 15, "\"only\",\"argv\"");
	end_logs();
	tap_ok(strstr(shown, "1 process /first\n") &&
		       !strstr(shown, "process /second"),
	       "the first name of a command wins");
	tap_ok(strstr(shown, "2 process /process\n"),
	       "a process without a name is a process");
	tap_ok(strstr(shown, "3 process /only argv\n"),
	       "or it is named after its words");
}

static void tell_many(unsigned count)
{
	char sid[32];
	unsigned i, turn;

	begin_logs();
	for (turn = 0; turn < 2; turn++)
		for (i = 0; i < count; i++) {
			snprintf(sid, sizeof(sid), "s%u-P1", i);
			tell_event(sid, 10 + turn, turn ? "atexit" : "error",
				   "");
		}
}

/* As many processes at a time as make their table grow. */
static void test_many(void)
{
	unsigned count = 0;
	const char *at;

	tell_many(TR2_REST_MOST + 300);
	tap_int((intmax_t)logs.runs, TR2_REST_MOST,
		"processes that ended long ago are forgotten");
	tr2_logs_end(&logs);
	tell_many(300);
	end_logs();
	for (at = shown; (at = strstr(at, " begin process/process")); at++)
		count++;
	tap_int(count, 300, "each process has one slice");
	for (count = 0, at = shown; (at = strstr(at, " end process/")); at++)
		count++;
	tap_int(count, 300, "which ends with its own atexit");
}

int main(void)
{
	test_process();
	test_version_alone();
	test_pids();
	test_missing();
	test_threads();
	test_regions();
	test_children();
	test_flows();
	test_late_parent();
	test_names();
	test_many();
	return tap_done();
}
