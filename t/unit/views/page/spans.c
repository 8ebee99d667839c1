/* Events to processes, threads, spans and marks. */
#include "views/page/page_kit.h"

static const char *end_with_spans(void)
{
	const char *shown;

	end_page_story();
	shown = show_spans();
	release_page_story();
	return shown;
}

static const char *end_with_processes(void)
{
	const char *shown;

	end_page_story();
	shown = show_processes();
	release_page_story();
	return shown;
}

static const char *end_with_marks(void)
{
	const char *shown;

	end_page_story();
	shown = show_marks();
	release_page_story();
	return shown;
}

static void test_page_process(void)
{
	begin_page_story();
	tell_page(GIT, 10, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	tell_page(GIT, 20, "start",
		  "\"t_abs\":0.000015,\"argv\":[\"git\",\"gc\"]");
	tell_page(GIT, 30, "cmd_name", "\"name\":\"gc\"");
	tell_page(GIT, 40, "cmd_mode", "\"name\":\"auto\"");
	tell_page(GIT, 50, "exit", "\"t_abs\":0.00006,\"code\":3");
	tell_page(GIT, 60, "atexit", "\"t_abs\":0.000065,\"code\":3");
	tap_str(end_with_processes(),
		"gc#auto (git gc) [\"git\",\"gc\"] 2.55 5+65 code 3 signal 0 "
		"pid 1 caller -1 span -1 ended timed\n",
		"a process has its names, its times and its end");
	begin_page_story();
	tell_page(GIT, 10, "start", "\"t_abs\":0,\"argv\":[\"a\"]");
	tell_page(GIT, 50, "exit", "\"t_abs\":0.0001,\"code\":0");
	tap_str(end_with_processes(),
		"# (a) [\"a\"]  10+100 code 0 signal 0 pid 1 caller -1 "
		"span -1 ended timed\n",
		"an exit is the end, and its t_abs counts");
	begin_page_story();
	tell_page(GIT, 10, "signal", "\"t_abs\":0.000002,\"signo\":15");
	tap_str(end_with_processes(),
		"# ()   8+2 code -1 signal 15 pid 1 caller -1 span -1 ended "
		"timed\n",
		"a signal is the end of a process of the page");
	begin_page_story();
	tell_page(GIT, 10, "atexit", "\"code\":1.5,\"signo\":true");
	tap_str(end_with_processes(),
		"# ()   10+0 code -1 signal 0 pid 1 caller -1 span -1 ended "
		"timed\n",
		"a code that is not an integer is ignored");
	begin_page_story();
	tell_page(GIT, 10, "version", "\"exe\":\"1\"");
	tell_page(GIT, 20, "start", "");
	tell_page(GIT, 15, "cmd_name", "\"name\":\"back\"");
	tap_str(end_with_processes(),
		"back# ()  1 10+10 code -1 signal 0 pid 1 caller -1 span -1 "
		"timed\n",
		"without a t_abs the version begins; no time goes back");
	begin_page_story();
	tell_page_line(
		"{\"event\":\"start\",\"sid\":\"" GIT "\",\"time\":"
		"\"2026-01-14T11:00:00.0000107+01:00\",\"argv\":[\"a\"]}");
	tell_page(GIT, 30, "atexit", "\"code\":0");
	tap_str(end_with_processes(),
		"# (a) [\"a\"]  10+20 code 0 signal 0 pid 1 caller -1 "
		"span -1 ended timed\n",
		"a time of a page may have an offset from UTC");
}

static void test_page_foreign_events(void)
{
	begin_page_story();
	tell_page_line("{\"event\":\"start\"}");
	tell_page_line("{\"event\":\"start\",\"sid\":7}");
	tell_page_line("{\"sid\":\"a\"}");
	tap_str(end_with_processes(), "", "what is no event is ignored");
	begin_page_story();
	tell_page("a", 1, "start", "");
	tell_page("/b", 2, "unheard", "");
	tap_str(end_with_processes(),
		"# ()   1+0 code -1 signal 0 pid 0 caller -1 span -1 timed\n"
		"# ()   2+0 code -1 signal 0 pid 0 caller -1 span -1 timed\n",
		"an event of another kind has a time, too");
	begin_page_story();
	tell_page_line("{\"event\":\"start\",\"sid\":\"a\","
		       "\"time\":\"2026-01-14 10:00:00.000000Z\"}");
	tap_str(end_with_processes(),
		"# ()   0+0 code -1 signal 0 pid 0 caller -1 span -1\n",
		"a time in another form is ignored");
}

static void test_page_regions(void)
{
	begin_page_story();
	tell_page(GIT, 10, "region_enter",
		  PAGE_REGION("c", "outer") ",\"msg\":\"hello\"");
	tell_page(GIT, 10, "region_enter", PAGE_REGION("c", "inner"));
	tell_page(GIT, 30, "region_leave",
		  PAGE_REGION("c", "inner") ",\"t_rel\":0.00002");
	tell_page(GIT, 30, "region_leave", PAGE_REGION("c", "outer"));
	tap_str(end_with_spans(),
		"region c/outer 10+20 note hello\nregion c/inner 10+20\n",
		"the outer one of two regions comes first");
	begin_page_story();
	tell_page(GIT, 10, "region_enter", PAGE_REGION("c", "outer"));
	tell_page(GIT, 20, "region_enter", PAGE_REGION("c", "lost"));
	tell_page(GIT, 30, "region_leave", PAGE_REGION("c", "outer"));
	tell_page(GIT, 90, "data", "");
	tap_str(end_with_spans(),
		"region c/outer 10+80 unclosed\nregion c/lost 20+10\n",
		"an end is that of the innermost region");
	begin_page_story();
	tell_page(GIT, 10, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 20, "region_leave", PAGE_REGION("c", "b"));
	tell_page(GIT, 30, "region_leave", PAGE_REGION("d", "a"));
	tell_page(GIT, 50, "region_leave", PAGE_REGION("c", "a"));
	tell_page(GIT, 60, "region_leave", PAGE_REGION("c", "a"));
	tap_str(end_with_spans(), "region c/a 10+10\n",
		"a region may be left by another name");
	begin_page_story();
	tell_page(GIT, 10, "region_enter", "");
	tell_page(GIT, 20, "exit", "\"t_abs\":0.00001,\"code\":0");
	tell_page(GIT, 40, "atexit", "\"t_abs\":0.00003,\"code\":0");
	tap_str(end_with_spans(), "region / 10+30 unclosed\n",
		"a region that is open lasts until its process ends");
}

static void test_page_threads(void)
{
	begin_page_story();
	tell_page(GIT, 5, "region_enter", PAGE_REGION("m", "m"));
	story.thread = "th01";
	tell_page(GIT, 10, "thread_start", "");
	tell_page(GIT, 20, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 30, "region_enter", PAGE_REGION("c", "b"));
	tell_page(GIT, 50, "thread_exit", "\"t_rel\":0.00004");
	story.thread = "main";
	tell_page(GIT, 60, "region_leave", PAGE_REGION("m", "m"));
	tap_str(end_with_spans(),
		"region m/m 5+55\nthread / 10+40\n"
		"region c/a 20+30 unclosed\nregion c/b 30+20 unclosed\n",
		"open regions end with their thread, and only with it");
	begin_page_story();
	tell_page(GIT, 20, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 30, "thread_exit", "");
	tell_page(GIT, 90, "data", "");
	tap_str(end_with_spans(), "region c/a 20+10 unclosed\n",
		"a thread may end without a begin");
	begin_page_story();
	story.thread = "th01";
	tell_page(GIT, 10, "thread_start", "");
	tell_page(GIT, 20, "region_leave", PAGE_REGION("c", "a"));
	tell_page(GIT, 20, "region_leave", "");
	tell_page(GIT, 50, "thread_exit", "");
	tap_str(end_with_spans(), "thread / 10+40\n",
		"a region that was not entered does not end the thread");
	begin_page_story();
	tell_page(GIT, 10, "region_enter", PAGE_REGION("c", "late"));
	story.thread = "th01";
	tell_page(GIT, 20, "region_enter", PAGE_REGION("c", "b"));
	story.thread = "main";
	tell_page(GIT, 30, "region_enter", PAGE_REGION("c", "last"));
	tap_str(end_with_spans(),
		"region c/late 10+20 unclosed\nregion c/last 30+0 unclosed\n"
		"region c/b 20+10 unclosed\n",
		"spans are sorted by thread, and then by time");
}

#define EXEC(id) "\"exec_id\":" id ",\"argv\":[\"a\"]"

static void test_page_execs(void)
{
	begin_page_story();
	tell_page(GIT, 10, "child_start", PAGE_CHILD("0", "\"b\""));
	tell_page(GIT, 10, "exec", EXEC("0"));
	tell_page(GIT, 30, "exec_result", "\"exec_id\":0,\"code\":2");
	tell_page(GIT, 40, "child_exit", "\"child_id\":0,\"pid\":3");
	tell_page(GIT, 50, "exec_result", "\"exec_id\":0,\"code\":5");
	tap_str(end_with_spans(),
		"child ?/b 10+30 note [\"b\"] pid 3\n"
		"child exec/a 10+20 note [\"a\"] code 2\n",
		"an exec that fails ends with its result, beside a child");
	begin_page_story();
	tell_page(GIT, 10, "exec", EXEC("0"));
	tell_page(GIT, 20, "exec_result", "\"exec_id\":1,\"code\":2");
	tell_page(GIT, 30, "exec_result", "\"code\":2");
	tell_page(GIT, 40, "exec", "\"argv\":[\"z\"]");
	tap_str(end_with_spans(),
		"child exec/a 10+30 note [\"a\"] pid 1\n"
		"child exec/z 40+0 note [\"z\"] pid 1\n",
		"one without a result has the pid of its process");
	begin_page_story();
	tell_page(GIT, 10, "start", "\"argv\":[\"g\"],\"t_abs\":0");
	tell_page(GIT, 20, "exec", EXEC("0"));
	end_page_story();
	tap_ok(strstr(show_processes(), " ended timed\n") != NULL,
	       "a process that was replaced has ended");
	release_page_story();
	begin_page_story();
	tell_page(GIT, 10, "child_start", PAGE_CHILD("0", "\"b\""));
	end_page_story();
	tap_ok(strstr(show_processes(), " ended") == NULL,
	       "one with an open child has not");
	release_page_story();
}

static void test_page_children(void)
{
	begin_page_story();
	tell_page(GIT, 10, "child_start", PAGE_CHILD("0", "\"git\",\"gc\""));
	tell_page(GIT, 20, "child_start", PAGE_CHILD("1", "\"vi\""));
	tell_page(GIT, 30, "child_exit",
		  "\"child_id\":0,\"pid\":7,\"code\":2,\"t_rel\":0.00002");
	tell_page(GIT, 40, "child_exit",
		  "\"child_id\":1,\"pid\":-1,\"code\":-1");
	tell_page(GIT, 50, "child_exit", "\"child_id\":1,\"pid\":8,\"code\":9");
	tap_str(end_with_spans(),
		"child ?/git gc 10+20 note [\"git\",\"gc\"] pid 7 code 2\n"
		"child ?/vi 20+20 note [\"vi\"] code -1\n",
		"a child ends once, and keeps its pid and its code");
	begin_page_story();
	tell_page(GIT, 10, "child_start", PAGE_CHILD("0", "\"a\""));
	tell_page(GIT, 15, "child_ready", "\"child_id\":0,\"pid\":3");
	tell_page(GIT, 20, "child_exit", "\"child_id\":0,\"code\":1");
	tap_str(end_with_spans(), "child ?/a 10+5 note [\"a\"] pid 3\n",
		"a child that is ready has left its span");
	begin_page_story();
	tell_page(
		GIT, 10, "child_start",
		PAGE_CHILD("0",
			   "\".git/hooks/x\"") ",\"hook_name\":\"pre-commit\"");
	tap_str(end_with_spans(),
		"child ?/pre-commit 10+0 note [\".git/hooks/x\"] unclosed\n",
		"a hook has the name that it has in the tables");
	begin_page_story();
	tell_page(GIT, 10, "child_start", PAGE_CHILD("1.5", "\"a\""));
	tell_page(GIT, 20, "child_start", PAGE_CHILD("1", "\"b\""));
	tell_page(GIT, 30, "child_exit", "\"child_id\":1.5,\"code\":1");
	tell_page(GIT, 40, "child_exit", "\"code\":1");
	tell_page(GIT, 50, "child_exit", "\"child_id\":1,\"code\":4");
	tap_str(end_with_spans(),
		"child ?/a 10+40 note [\"a\"] unclosed\n"
		"child ?/b 20+30 note [\"b\"] code 4\n",
		"an event without a valid id ends no child of the page");
}

static void test_page_marks(void)
{
	char rest[1024], wanted[512];

	begin_page_story();
	tell_page(GIT, 10, "data",
		  "\"category\":\"c\",\"key\":\"k\",\"value\":7");
	story.thread = "th01";
	tell_page(GIT, 20, "data_json",
		  "\"category\":\"c\",\"key\":\"j\",\"value\":{\"a\":[1]}");
	story.thread = "main";
	tell_page(GIT, 20, "data",
		  "\"category\":\"c\",\"key\":\"s\",\"value\":\"\\u00e9\"");
	tell_page(GIT, 20, "error", "\"msg\":\"oh\",\"fmt\":\"%s\"");
	tell_page(GIT, 20, "data", "\"category\":\"c\",\"key\":\"n\"");
	tap_str(end_with_marks(),
		"main 10 c/k=7\nmain 20 c/s=\303\251\nmain 20 error/=oh\n"
		"main 20 c/n=\nth01 20 c/j={\"a\":[1]}\n",
		"marks are sorted by thread, and then as they came");
	begin_page_story();
	snprintf(rest, sizeof(rest), "\"value\":\"%0199d\303\251x\"", 1);
	tell_page(GIT, 10, "data", rest);
	snprintf(rest, sizeof(rest), "\"value\":\"%0198d\303\251x\"", 1);
	tell_page(GIT, 10, "data", rest);
	snprintf(wanted, sizeof(wanted),
		 "main 10 /=%0199d\nmain 10 /=%0198d\303\251\n", 1, 1);
	tap_str(end_with_marks(), wanted,
		"a value is cut after 200 bytes, in no character");
}

static void test_page_brief(void)
{
	begin_page_story();
	brief_page(GIT, "start", "\"t_abs\":0.5");
	brief_page(GIT, "region_enter", PAGE_REGION("c", "a"));
	brief_page(GIT, "region_leave", PAGE_REGION("c", "a") ",\"t_rel\":0.1");
	brief_page(GIT, "child_start", PAGE_CHILD("0", "\"a\""));
	brief_page(GIT, "child_exit", "\"child_id\":0,\"t_rel\":0.2");
	brief_page(GIT, "child_start", PAGE_CHILD("1", "\"b\""));
	brief_page(GIT, "child_exit", "\"child_id\":1");
	tap_str(end_with_spans(),
		"region c/a 500000+100000\n"
		"child ?/a 600000+200000 note [\"a\"]\n"
		"child ?/b 800000+0 note [\"b\"]\n",
		"spans of a page without times are as long as they say");
	begin_page_story();
	story.thread = "th01";
	brief_page(GIT, "thread_start", "");
	brief_page(GIT, "region_enter", PAGE_REGION("c", "a"));
	brief_page(GIT, "region_leave", PAGE_REGION("c", "a") ",\"t_rel\":0.1");
	brief_page(GIT, "region_enter", PAGE_REGION("c", "b"));
	brief_page(GIT, "thread_exit", "\"t_rel\":0.3");
	tap_str(end_with_spans(),
		"thread / 0+300000\nregion c/a 0+100000\n"
		"region c/b 100000+200000 unclosed\n",
		"an open region of a brief log ends with its thread");
	begin_page_story();
	brief_page(GIT, "region_enter", PAGE_REGION("c", "a"));
	brief_page(GIT, "region_enter", PAGE_REGION("c", "b"));
	brief_page(GIT, "region_leave", PAGE_REGION("c", "b") ",\"t_rel\":0.5");
	brief_page(GIT, "region_leave", PAGE_REGION("c", "a") ",\"t_rel\":0.2");
	tap_str(end_with_spans(), "region c/a 0+200000\nregion c/b 0+500000\n",
		"a brief span is as long as it says, whatever is in it");
}

/* A log whose beginning is lost. */
static void test_page_late_time(void)
{
	begin_page_story();
	brief_page(GIT, "region_enter", PAGE_REGION("c", "open"));
	brief_page(GIT, "region_enter", PAGE_REGION("c", "a"));
	brief_page(GIT, "region_leave",
		   PAGE_REGION("c", "a") ",\"t_rel\":0.0001");
	brief_page(GIT, "data", "\"category\":\"c\",\"key\":\"k\"");
	tell_page(GIT, 500, "atexit", "\"t_abs\":0.0003,\"code\":0");
	end_page_story();
	show_processes();
	show_spans();
	tap_str(show_marks(),
		"# ()   200+300 code 0 signal 0 pid 1 caller -1 span -1 ended "
		"timed\n"
		"region c/open 400+100 unclosed\nregion c/a 400+100\n"
		"main 500 c/k=\n",
		"a log that begins late begins as late as its t_abs says");
	release_page_story();
	begin_page_story();
	brief_page(GIT, "region_enter", PAGE_REGION("c", "a"));
	brief_page(GIT, "region_leave",
		   PAGE_REGION("c", "a") ",\"t_rel\":0.0001");
	tell_page(GIT, 500, "exit", "\"t_abs\":0.00005");
	tap_str(end_with_spans(), "region c/a 400+100\n",
		"a process is not shorter than its spans");
}

static void test_page_late_events(void)
{
	begin_page_story();
	tell_page(GIT, 10, "start", "\"argv\":[\"a\"]");
	tell_page(GIT, 20, "atexit", "\"t_abs\":0.00001,\"code\":1");
	tell_page(GIT, 30, "region_enter", PAGE_REGION("c", "a"));
	tell_page(GIT, 40, "atexit", "\"t_abs\":0.00003,\"code\":0");
	end_page_story();
	show_processes();
	tap_str(show_spans(),
		"# (a) [\"a\"]  10+30 code 0 signal 0 pid 1 caller -1 span -1 "
		"ended timed\n"
		"region c/a 30+10 unclosed\n",
		"a page has what a process did after its end");
	release_page_story();
}

static void test_page_huge_times(void)
{
	int i;

	begin_page_story();
	for (i = 0; i < 40; i++) {
		brief_page(GIT, "region_enter", PAGE_REGION("c", "a"));
		brief_page(GIT, "region_leave",
			   PAGE_REGION("c", "a") ",\"t_rel\":9e11");
	}
	end_page_story();
	tap_int(tr2_page_process_at(&story.spans, 0)->now, TR2_PLACE_MOST,
		"a time does not overflow");
	release_page_story();
}

int main(void)
{
	test_page_process();
	test_page_foreign_events();
	test_page_regions();
	test_page_threads();
	test_page_execs();
	test_page_children();
	test_page_marks();
	test_page_brief();
	test_page_late_time();
	test_page_late_events();
	test_page_huge_times();
	return tap_done();
}
