/* Where events lie in the life of a process if some tell no time. */
#include "model/account/story_kit.h"

/* The first time is that of an event which also has this. */
static const char *tell_late_time(const char *with)
{
	begin_story(TR2_BY_NOTHING);
	tell_briefly(GIT, "start", START("\"p\""));
	tell_briefly(GIT, "region_enter", REGION("c", "r"));
	tell_event(GIT, 500, "cmd_mode", with);
	tell_event(GIT, 530, "region_leave", REGION("c", "r"));
	tell_event(GIT, 600, "atexit", "\"code\":0");
	return end_story();
}

static void test_late_times(void)
{
	tap_rows(tell_late_time("\"t_abs\":0.000100"),
		 "commands p: count 1 total 200 self 70\n"
		 "regions c/r: count 1 threads 1 total 130 self 130\n"
		 "phases other: self 200\n"
		 "slowest: p > r\n"
		 "all: processes 1 roots 1 wall 200\n",
		 "the first time of a process lies at its t_abs");
	tap_rows(tell_late_time("\"name\":\"\""),
		 "commands p: count 1 total 100 self 70\n"
		 "regions c/r: count 1 threads 1 total 30 self 30\n"
		 "phases other: self 100\n"
		 "slowest: p > r\n"
		 "all: processes 1 roots 1 wall 100\n",
		 "without a t_abs it is where the process is");
}

/* The process is at 30 when the first event with a time comes. */
static void test_progress(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_briefly(GIT, "start", START("\"p\""));
	tell_briefly(GIT, "region_enter", REGION("c", "r"));
	tell_briefly(GIT, "region_leave", REL("030") REGION("c", "r"));
	tell_event(GIT, 500, "cmd_mode", "\"t_abs\":0.000100");
	tell_event(GIT, 600, "atexit", "\"code\":0");
	tap_rows(keep_lines(end_story(), "all"),
		 "all: processes 1 roots 1 wall 200\n",
		 "a t_abs counts from the begin of the process");
}

/* The end of a span has a length, but no time; those around it have. */
static void test_missing_times(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"p\""));
	tell_event(GIT, 110, "region_enter", REGION("c", "r"));
	tell_briefly(GIT, "region_leave", REL("010") REGION("c", "r"));
	tell_event(GIT, 150, "region_enter", REGION("c", "s"));
	tell_event(GIT, 170, "region_leave", REGION("c", "s"));
	tell_event(GIT, 180, "child_start", CHILD_START("0", "\"x\""));
	tell_briefly(GIT, "child_exit", REL("005") CHILD_EXIT("0", "-1", "1"));
	tell_event(GIT, 200, "atexit", "\"code\":0");
	tap_rows(end_story(),
		 "commands p: count 1 total 100 self 65\n"
		 "regions c/r: count 1 threads 1 total 10 self 10\n"
		 "regions c/s: count 1 threads 1 total 20 self 20\n"
		 "children git/x: count 1 failed 1 total 5 self 5\n"
		 "phases other: self 100\n"
		 "slowest: p > s\n"
		 "all: processes 1 roots 1 wall 100\n",
		 "an event without a time moves no other");
}

static void test_durations(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"p\""));
	tell_event(GIT, 200, "child_start", CHILD_START("0", "\"x\""));
	tell_event(GIT, 260, "cmd_mode", NAME(""));
	tell_event(GIT, 270, "child_exit",
		   REL("050") CHILD_EXIT("0", "-1", "0"));
	tell_event(GIT, 300, "atexit", END("200", "0"));
	tap_ok(strstr(end_story(), "children git/x: count 1 total 50 ") != NULL,
	       "a child took as long as its end says");
}

/* Another thread is in a region of the same name. */
static void test_threads(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"p\""));
	tell_event(GIT, 110, "region_enter", REGION("c", "r"));
	story.thread = "th01:x";
	tell_event(GIT, 120, "region_enter", REGION("c", "r"));
	tell_event(GIT, 130, "region_leave", REL("010") REGION("c", "r"));
	story.thread = "main";
	tell_event(GIT, 150, "region_leave", REGION("c", "r"));
	tell_event(GIT, 200, "atexit", END("100", "0"));
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/r: count 2 threads 2 total 50 self 40 10..40\n",
		 "a thread does not leave a region of the main thread");
}

/*
 * The child ends before the region inside it, and another region follows: at
 * the end both are open.
 */
static void test_open_spans(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 110, "child_start", CHILD_START("0", "\"x\""));
	tell_event(sid, 120, "region_enter", REGION("c", "r"));
	tell_event(sid, 130, "child_exit",
		   REL("020") CHILD_EXIT("0", "-1", "0"));
	tell_event(sid, 140, "region_enter", REGION("c", "s"));
	tell_event(sid, 200, "atexit", END("100", "0"));
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/r: count 1 threads 1 total 80 self 20\n"
		 "regions c/s: count 1 threads 1 total 60 self 60\n",
		 "regions without an end last until that of the process");
	tap_ok(strstr(story.tables.bytes, "\nslowest: p > r > s\n") != NULL,
	       "the inner one lies in the outer one");
	tap_ok(strstr(story.tables.bytes, " unclosed 2") != NULL,
	       "both are counted as open");
}

static void test_long_digits(void)
{
	static char rest[1100];
	size_t len;

	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"p\""));
	len = (size_t)snprintf(rest, sizeof(rest),
			       "\"key\":\"k\",\"value\":\"");
	memset(rest + len, '9', 700);
	strcpy(rest + len + 700, "\"");
	tell_event(GIT, 110, "data", rest);
	tap_rows(keep_lines(end_story(), "data"), "",
		 "a text is no number however many digits it has");
}

int main(void)
{
	test_late_times();
	test_progress();
	test_missing_times();
	test_durations();
	test_threads();
	test_open_spans(GIT);
	test_open_spans("x/" GIT);
	test_long_digits();
	return tap_done();
}
