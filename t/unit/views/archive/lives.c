/* Processes and threads, from their begin to their end. */
#include "views/archive/archive_kit.h"

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
	tap_run(test_version_alone, test_pids, test_missing, test_flows,
		test_late_parent, test_names, test_many);
	return tap_done();
}
