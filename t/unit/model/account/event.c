/* What single events say of their process, and which of them are read. */
#include "model/account/account_kit.h"

#define START(argv) "\"t_abs\":0.0,\"argv\":[" argv "]"
#define AREA(label) "\"category\":\"c\",\"label\":\"" label "\""
#define NUMBER(value) "\"category\":\"c\",\"key\":\"k\",\"value\":" value

/* The log ends with this event, 100 microseconds after its start. */
static const struct {
	const char *event, *rest;
} last_events[] = {
	{ "start", "\"argv\":[\"a\"]" },
	{ "cmd_name", "\"name\":\"a\"" },
	{ "cmd_mode", "\"name\":\"m\"" },
	{ "cmd_ancestry", "\"ancestry\":[\"sh\"]" },
	{ "def_repo", "\"repo\":1,\"worktree\":\"/w\"" },
	{ "error", "\"msg\":\"m\",\"fmt\":\"f\"" },
	{ "data", NUMBER("1") },
	{ "data", NUMBER("true") },
	{ "timer", "\"category\":\"c\",\"name\":\"t\",\"intervals\":0" },
	{ "counter", "\"category\":\"c\",\"name\":\"t\"" },
	{ "region_enter", AREA("r") },
	{ "region_leave", AREA("r") },
	{ "child_start", "\"child_id\":0,\"argv\":[\"b\"]" },
	{ "child_exit", "\"child_id\":0,\"pid\":2,\"code\":0" },
	{ "child_exit", "\"child_id\":\"?\",\"pid\":2,\"code\":0" },
	{ "exec_result", "\"exec_id\":0,\"code\":2" },
	{ "def_param", "\"param\":\"p\",\"value\":\"v\"" },
	{ "of_the_future", "\"x\":1" },
};

static void test_last_events(void)
{
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(last_events) / sizeof(*last_events); i++) {
		begin_story(TR2_BY_NOTHING);
		tell_event(GIT, 100, "start", START("\"a\""));
		tell_event(GIT, 200, last_events[i].event, last_events[i].rest);
		snprintf(name, sizeof(name), "life goes on until a last %s",
			 last_events[i].event);
		tap_ok(strstr(end_story(),
			      "all: processes 1 roots 1 wall 100 unfinished 1"),
		       name);
	}
}

static void tell_line_of(const char *sid, const char *time, const char *event,
			 const char *rest)
{
	tr2_buf_str(&story.lines, "{\"event\":\"");
	tr2_buf_str(&story.lines, event);
	tr2_buf_str(&story.lines, "\",\"sid\":\"");
	tr2_buf_str(&story.lines, sid);
	tr2_buf_str(&story.lines, "\",\"time\":");
	tr2_buf_str(&story.lines, time);
	tr2_buf_str(&story.lines, ",");
	tr2_buf_str(&story.lines, rest);
	tr2_buf_str(&story.lines, "}\n");
}

/* Each row is a `time` after the start of a process without an end. */
static void test_odd_times(void)
{
	static const char *const times[] = {
		"\"2026-01-14T10:00:00.0003O0Z\"",
		"\"2026-01-14 10:00:00.000300Z\"",
		"\"2026-01-14T10:00:00.000300\"",
		"\"2026-01-14T10:00:00.000300+\"",
		"\"\"",
		"20260114100000",
		"null",
	};
	char name[96];
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		begin_story(TR2_BY_NOTHING);
		tell_event(GIT, 100, "start", START("\"a\""));
		tell_line_of(GIT, times[i], "error", "\"msg\":\"m\"");
		snprintf(name, sizeof(name), "%s is no time", times[i]);
		tap_rows(keep_lines(end_story(), "all"),
			 "all: processes 1 roots 1 unfinished 1\n", name);
		begin_story(TR2_BY_NOTHING);
		tell_line_of(GIT, times[i], "start", START("\"a\""));
		tap_rows(keep_lines(end_story(), "all"),
			 "all: processes 1 roots 1 unfinished 1 untimed 1\n",
			 name);
	}
}

/* Git Credential Manager writes seven decimals and an offset. */
static void test_other_forms(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_line_of(GIT, "\"2026-01-14T10:00:00.0001007+00:00\"", "start",
		     START("\"a\""));
	tell_line_of(GIT, "\"2026-01-14T11:00:00.000300+01:00\"", "error",
		     "\"msg\":\"m\"");
	tap_rows(keep_lines(end_story(), "all"),
		 "all: processes 1 roots 1 wall 200 unfinished 1\n",
		 "a time may have any decimals, and an offset");
}

static void test_names_of_threads(void)
{
	static const char *const threads[] = { "mama", "maix", "main2",
					       "mai",  "Main", "" };
	size_t i;

	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"a\""));
	for (i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		story.thread = threads[i];
		tell_event(GIT, 110, "region_enter", AREA("r"));
		tell_event(GIT, 120, "region_leave",
			   "\"t_rel\":0.000010," AREA("r"));
	}
	tell_line_of(GIT, "\"2026-01-14T10:00:00.000130Z\"", "region_enter",
		     AREA("s"));
	tell_line_of(GIT, "\"2026-01-14T10:00:00.000150Z\"", "region_leave",
		     AREA("s"));
	story.thread = "main";
	tell_event(GIT, 200, "atexit", "\"t_abs\":0.0001,\"code\":0");
	tap_rows(keep_lines(end_story(), "re"),
		 "regions c/r: count 6 threads 6 total 60 10..10\n"
		 "regions c/s: count 1 threads 1 total 20 self 20\n",
		 "only `main`, or no name, is the main thread");
}

/*
 * ---- Where a process begins and how it ends
 */

/* Its open region tells the time from 200 to the end. */
static void tell_begin(const char *first, const char *start)
{
	tell_event(GIT, 150, first, "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(GIT, 160, "start", start);
	tell_event(GIT, 200, "region_enter", AREA("r"));
	tell_event(GIT, 300, "atexit", "\"t_abs\":0.000220,\"code\":0");
}

static void test_begins(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_begin("version", "\"t_abs\":0.000060,\"argv\":[\"a\"]");
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/r: count 1 threads 1 total 120 self 120\n",
		 "the first t_abs says when the process began");
	begin_story(TR2_BY_NOTHING);
	tell_begin("version", "\"argv\":[\"a\"]");
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/r: count 1 threads 1 total 170 self 170\n",
		 "without one it is that of the version");
	begin_story(TR2_BY_NOTHING);
	tell_begin("of_the_future", "\"t_abs\":0.000060,\"argv\":[\"a\"]");
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/r: count 1 threads 1 total 120 self 120\n",
		 "an event before the first t_abs is no begin");
}

static void test_versions_twice(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 150, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(GIT, 170, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_event(GIT, 200, "signal", "\"signo\":2");
	tap_rows(keep_lines(end_story(), "all"),
		 "all: processes 1 roots 1 wall 50\n",
		 "the first version counts");
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 150, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_briefly(GIT, "start", "\"t_abs\":0.000060,\"argv\":[\"a\"]");
	tell_event(GIT, 300, "atexit", "\"code\":0");
	tap_rows(keep_lines(end_story(), "all"),
		 "all: processes 1 roots 1 wall 150\n",
		 "a t_abs without a time does not");
}

/* As long as nobody can have lived; t_rel is at most 10^18 us. */
static void test_long_lives(void)
{
	char sid[] = SID("01");
	int i, j;

	begin_story(TR2_BY_NOTHING);
	for (i = 0; i < 5; i++) {
		sid[strlen(sid) - 1] = (char)('1' + i);
		tell_event(sid, 0, "start", "\"t_abs\":0,\"argv\":[\"a\"]");
		for (j = 0; j < 10; j++) {
			tell_event(sid, 0, "region_enter",
				   "\"category\":\"c\",\"label\":\"l\"");
			tell_event(sid, 0, "region_leave",
				   "\"category\":\"c\",\"label\":\"l\","
				   "\"t_rel\":999999999999.0");
		}
	}
	tap_rows(keep_lines(end_story(), "regions"),
		 "regions c/l: count 50 threads 5 total 9223372036854775807 "
		 "self 9223372036854775807 "
		 "999999999999000064..999999999999000064\n",
		 "times that are too large for a number do not turn negative");
}

static void test_failures(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"a\""));
	tell_event(GIT, 200, "exit", "\"code\":3");
	tap_rows(keep_lines(end_story(), "commands"),
		 "commands a: count 1 failed 1 total 100 self 100\n",
		 "an exit tells that a process failed");
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"a\""));
	tell_event(GIT, 200, "exit", "\"code\":3");
	tell_event(GIT, 200, "atexit", "\"code\":\"?\"");
	tap_rows(keep_lines(end_story(), "commands"),
		 "commands a: count 1 failed 1 total 100 self 100\n",
		 "a code that is not a number changes nothing");
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 100, "start", START("\"a\""));
	tell_event(GIT, 200, "exit", "\"code\":3");
	tell_event(GIT, 200, "atexit", "\"code\":0");
	tap_rows(keep_lines(end_story(), "commands"),
		 "commands a: count 1 total 100 self 100\n",
		 "the last code counts");
}

/*
 * ---- Values
 */

static const struct {
	const char *value, *said;
} numbers[] = {
	{ "0", "data c/k: count 1\n" },
	{ "\"0\"", "data c/k: count 1\n" },
	{ "\"9\"", "data c/k: count 1 total 9 last 9\n" },
	{ "\"-9\"", "data c/k: count 1 total -9 last -9\n" },
	{ "\"00000000000000000000007\"", "data c/k: count 1 total 7 last 7\n" },
	{ "\"9223372036854775807\"",
	  "data c/k: count 1 total 9223372036854775807 "
	  "last 9223372036854775807\n" },
	{ "2e3", "data c/k: count 1 total 2000 last 2000\n" },
	{ "\"9223372036854775808\"", "" },
	{ "\"-9223372036854775809\"", "" },
	{ "\" 5\"", "" },
	{ "\"+5\"", "" },
	{ "\"/5\"", "" },
	{ "\":5\"", "" },
	{ "\"5 \"", "" },
	{ "\"--5\"", "" },
	{ "\"5\\u0000\"", "" },
	{ "\"0x10\"", "" },
	{ "\"\"", "" },
	{ "null", "" },
	{ "[5]", "" },
};

static void test_numbers(void)
{
	char name[64], rest[128];
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		snprintf(rest, sizeof(rest), NUMBER("%s"), numbers[i].value);
		snprintf(name, sizeof(name), "%s is an integer or none",
			 numbers[i].value);
		begin_story(TR2_BY_NOTHING);
		tell_event(GIT, 100, "start", START("\"a\""));
		tell_event(GIT, 100, "data", rest);
		tap_rows(keep_lines(end_story(), "data"), numbers[i].said,
			 name);
	}
}

static void test_unread(void)
{
	begin_story(TR2_BY_NOTHING);
	tr2_buf_str(&story.lines, "{\"sid\":\"" GIT "\",\"x\":\"start\"}\n");
	tr2_buf_str(&story.lines, "{\"event\":\"start\",\"sid\":5}\n");
	tap_rows(end_story(), "all: unread 2\n",
		 "what lacks a name or a SID is no event");
	begin_story(TR2_BY_NOTHING);
	tell_event("", 100, "start", START("\"a\""));
	tell_event("", 150, "atexit", "\"code\":0");
	tell_event("/", 150, "start", START("\"b\""));
	tell_event("/", 170, "atexit", "\"code\":0");
	tap_rows(keep_lines(end_story(), "commands"),
		 "commands a: count 1 total 50 self 50\n"
		 "commands b: count 1 total 20\n",
		 "a SID may have any text");
}

int main(void)
{
	test_last_events();
	test_odd_times();
	test_other_forms();
	test_names_of_threads();
	test_begins();
	test_versions_twice();
	test_long_lives();
	test_failures();
	test_numbers();
	test_unread();
	return tap_done();
}
