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
	test_long_digits();
	return tap_done();
}
