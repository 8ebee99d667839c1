/* What single events become: their names, arguments and threads. */
#include "views/archive/archive_kit.h"

/* What the archive has of the event, in a process that has begun. */
static const char *show_event(const char *name, const char *rest)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, name, rest);
	return keep_lines(end_logs(), "20 1.1 ");
}

static void test_instants(void)
{
	tap_str(show_event("data", "\"t_abs\":0.00001,\"nesting\":2,"
				   "\"category\":\"c\",\"key\":\"k\","
				   "\"value\":\"v\",\"other\":1"),
		"20 1.1 instant c/k value=string:v other=uint32:1\n"
		"20 1.1 end process/git\n",
		"data is an instant with its key as the name");
	tap_str(show_event("data_json", "\"value\":{\"a\":[1]}"),
		"20 1.1 instant data/data value=string:{\"a\":[1]}\n"
		"20 1.1 end process/git\n",
		"without a category or a key it is called data");
	tap_str(show_event("", "\"x\":1"),
		"20 1.1 instant trace2/event x=uint32:1\n"
		"20 1.1 end process/git\n",
		"an event whose name is empty is called event");
	tap_str(show_event("exec",
			   "\"t_abs\":0.00001,\"exec_id\":0,\"exe\":\"x\","
			   "\"argv\":[\"a\",\"b\"]"),
		"20 1.1 async-begin process/a b #1 exec_id=uint32:0 exe=string:x"
		" argv=string:a b\n20 1.1 async-end process/a b #1\n"
		"20 1.1 end process/git\n",
		"an exec is a span, like a child");
	tap_str(show_event("region_leave", "\"label\":\"none\""),
		"20 1.1 instant trace2/region_leave label=string:none\n"
		"20 1.1 end process/git\n",
		"so is the end of a region that is not open");
}

/* One region is open when the second end comes. */
static void test_leaves(void)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, "region_enter", "\"label\":\"l\"");
	tell_event(GIT, 30, "region_leave", "\"label\":\"l\"");
	tell_event(GIT, 40, "region_leave", "\"label\":\"l\"");
	tell_event(GIT, 50, "atexit", "");
	tap_str(keep_lines(end_logs(), "0 1.1 "),
		"10 1.1 begin process/git sid=string:" GIT
		" pid=uint32:1 argv=string:git\n"
		"20 1.1 begin region/l\n30 1.1 end region/l\n"
		"40 1.1 instant trace2/region_leave label=string:l\n"
		"50 1.1 end process/git\n",
		"the slice of a process ends with the process only");
}

/* A thread without a name, one whose name is empty, and one that is gone. */
static void test_threads(void)
{
	begin_logs();
	tell_line("{\"event\":\"start\",\"sid\":\"" GIT "\",\"argv\":[]}");
	tell_line("{\"event\":\"error\",\"sid\":\"" GIT "\",\"thread\":5}");
	tap_str(end_logs(),
		"1 thread /main process=koid:1\n"
		"-1768384800000000 1.1 begin process/process sid=string:" GIT
		" pid=uint32:1 argv=string:\n"
		"-1768384800000000 1.1 instant trace2/error\n"
		"-1768384800000000 1.1 end process/process\n"
		"1 process /process\n",
		"an event without a thread belongs to the main thread");
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	thread_name = "";
	tell_event(GIT, 20, "thread_start", "");
	tell_event(GIT, 30, "thread_exit", "");
	tap_str(keep_lines(end_logs(), "1.2"),
		"20 1.2 begin thread/thread\n30 1.2 end thread/thread\n",
		"a thread whose name is empty is called thread");
	begin_logs();
	tell_briefly(GIT, "error", "");
	thread_name = "th01:x";
	tell_briefly(GIT, "thread_start", "");
	tap_str(keep_lines(end_logs(), " thread/"),
		"-1768384800000000 1.2 begin thread/th01:x\n"
		"-1768384800000000 1.2 end thread/th01:x\n",
		"a thread is a slice also where nothing has a time");
}

/* Spans have names of 100 bytes at most, regions of 200. */
static void test_long_names(void)
{
	static char line[80000];
	const char *shortened = "w/" GIT; /* keeps the archive's records few */
	size_t len;

	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	memset(line, 0, sizeof(line));
	len = (size_t)snprintf(line, sizeof(line),
			       "{\"event\":\"child_start\",\"sid\":\"" GIT
			       "\",\"child_id\":0,\"msg\":\"%s\",\"argv\":[\"",
			       shortened);
	memset(line + len, 'c', 150);
	strcpy(line + len + 150, "\"]}");
	tell_line(line);
	tell_event(GIT, 20, "child_exit", "\"child_id\":0");
	end_logs();
	tap_ok(strstr(shown, " async-begin process/c") &&
		       strspn(strstr(shown, "begin process/c") + 14, "c") ==
			       100,
	       "a span has at most 100 bytes of its words as the name");
	tap_ok(strstr(shown, " async-end process/c") &&
		       strspn(strstr(shown, "-end process/c") + 13, "c") == 100,
	       "at its end, too");
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	len = (size_t)snprintf(line, sizeof(line),
			       "{\"event\":\"region_enter\",\"sid\":\"" GIT
			       "\",\"category\":\"c\",\"label\":\"");
	memset(line + len, 'l', 70000);
	strcpy(line + len + 70000, "\"}");
	tell_line(line);
	tell_event(GIT, 20, "region_leave", "");
	end_logs();
	tap_ok(strstr(shown, " begin c/l") &&
		       strspn(strstr(shown, " begin c/l") + 9, "l") == 200,
	       "a region has at most 200 bytes of a name");
	tap_ok(strstr(shown, " end c/l") &&
		       strspn(strstr(shown, " end c/l") + 7, "l") == 200,
	       "and the same ones at its end");
}

/* A version without some of its keys, and a second one without others. */
static void test_versions(void)
{
	begin_logs();
	tell_event(GIT, 10, "version", "");
	tap_str(keep_lines(end_logs(), " begin "),
		"10 1.1 begin process/process sid=string:" GIT
		" pid=uint32:1\n",
		"what a version does not have is left out");
	begin_logs();
	tell_event(GIT, 10, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	tell_event(GIT, 20, "version", "\"evt\":\"\"");
	tap_str(keep_lines(end_logs(), " begin "),
		"10 1.1 begin process/process sid=string:" GIT
		" pid=uint32:1\n",
		"the last version before the start counts");
}

static void test_calls(void)
{
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	thread_name = "th01:x";
	tell_event(GIT, 20, "child_start", "\"child_id\":0,\"argv\":[\"a\"]");
	thread_name = "main";
	tell_start(CHILD, 40, "\"a\"");
	tap_str(keep_lines(end_logs(), " flow-"),
		"20 1.2 flow-begin process/child (by argv) #2\n"
		"40 3.3 flow-end process/child (by argv) #2\n",
		"a flow begins on the thread that started the child");
	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	tell_event(GIT, 20, "child_start", "\"child_id\":0,\"argv\":[\"a\"]");
	tell_event(GIT, 30, "child_start",
		   "\"child_id\":1,\"argv\":[\"a\",\"b\"]");
	tell_event(CHILD, 30, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tap_str(keep_lines(end_logs(), " flow-"),
		"30 1.1 flow-begin process/child #3\n"
		"30 2.2 flow-end process/child #3\n",
		"a child of which only the version is known is in the last call");
}

static void test_head(void)
{
	begin_logs();
	end_logs();
	tap_int((intmax_t)archive.len, 48, "an archive may have a head only");
	tap_ok(!memcmp(archive.bytes + 16, "trace2 convert\0\0", 16),
	       "which says who wrote it");
}

static struct tr2_problem last_problem;

static void keep_problem(void *context, const struct tr2_problem *problem)
{
	(void)context;
	last_problem = *problem;
}

static void test_problems(void)
{
	begin_logs();
	events.tell = keep_problem;
	tell_line("{\"event\":\"error\"}");
	end_logs();
	tap_int(last_problem.level, TR2_ERROR, "a missing SID is an error");
}

int main(void)
{
	test_instants();
	test_leaves();
	test_threads();
	test_long_names();
	test_versions();
	test_calls();
	test_head();
	test_problems();
	return tap_done();
}
