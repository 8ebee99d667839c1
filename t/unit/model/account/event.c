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

int main(void)
{
	tap_run(test_last_events, test_odd_times, test_numbers);
	return tap_done();
}
