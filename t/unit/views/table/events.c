/* Rows of single events: data, errors, and all of them. */
#include "views/table/table_kit.h"

#define DATA(key, value) \
	"\"category\":\"c\",\"key\":\"" key "\",\"value\":" value

static void test_data(void)
{
	begin_story(TR2_FLAT_KIND_DATA);
	begin_process(CHILD, 100, "status");
	story.thread = "th01";
	tell_event(CHILD, 110, "data",
		   "\"repo\":2,\"nesting\":3," DATA("k", "\"v\""));
	tap_str(end_story("*"),
		"{\"sid\":\"" CHILD "\",\"session\":\"" GIT "\","
		"\"command\":\"git status\","
		"\"time\":\"2026-01-14T10:00:00.000110Z\","
		"\"day\":\"2026-01-14\",\"event\":\"data\","
		"\"thread\":\"th01\",\"repo\":2,\"nesting\":3,"
		"\"category\":\"c\",\"key\":\"k\",\"value\":\"v\","
		"\"number\":null,\"intervals\":null}\n",
		"a row of data has all values of its event");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_line("{\"event\":\"data\",\"sid\":\"x\",\"key\":\"k\"}");
	tap_str(end_story("*"),
		"{\"sid\":\"x\",\"session\":\"x\",\"command\":null,"
		"\"time\":null,\"day\":null,\"event\":\"data\","
		"\"thread\":null,\"repo\":null,\"nesting\":null,"
		"\"category\":null,\"key\":\"k\",\"value\":null,"
		"\"number\":null,\"intervals\":null}\n",
		"what an event does not have is empty");
}

/* Each value as JSON, and the text and the number that it becomes. */
static const struct {
	const char *json, *shown, *name;
} values[] = {
	{ "\"12\"", "12 12\n", "an integer in a text is a number" },
	{ "12", "12 12\n", "an integer is a number" },
	{ "0", "0 0\n", "zero is a number" },
	{ "9", "9 9\n", "nine is a number" },
	{ "\"-3\"", "-3 -3\n", "an integer may be negative" },
	{ "\"-\"", "- -\n", "a sign alone is no number" },
	{ "\"+3\"", "+3 -\n", "an integer has no plus sign" },
	{ "\" 3\"", " 3 -\n", "an integer does not begin with a blank" },
	{ "\"3 \"", "3  -\n", "an integer does not end with a blank" },
	{ "\":\"", ": -\n", "the byte after 9 is no digit" },
	{ "\"/\"", "/ -\n", "the byte before 0 is no digit" },
	{ "\"\"", "'' -\n", "an empty text is no number" },
	{ "\"7x\"", "7x -\n", "a text may begin with digits" },
	{ "\"x7\"", "x7 -\n", "a text may end with digits" },
	{ "\"4\\u00005\"", "4\\u00005 -\n", "a NUL ends no integer" },
	{ "1.5", "1.5 -\n", "a fraction is no integer" },
	{ "true", "true -\n", "a boolean is a text" },
	{ "[1,2]", "[1,2] -\n", "an array is a text" },
	{ "999999999999999999", "999999999999999999 999999999999999999\n",
	  "an integer may have 18 digits" },
	{ "\"9223372036854775807\"",
	  "9223372036854775807 9223372036854775807\n",
	  "the largest integer is a number" },
	{ "\"-9223372036854775808\"",
	  "-9223372036854775808 -9223372036854775808\n",
	  "the least integer is a number" },
	{ "\"9223372036854775808\"", "9223372036854775808 -\n",
	  "a larger integer is a text" },
	{ "\"-9223372036854775809\"", "-9223372036854775809 -\n",
	  "a lesser integer is a text" },
	{ "\"000000000000000000000000000012\"",
	  "000000000000000000000000000012 12\n",
	  "zeros before an integer do not change it" },
};

static void test_values(void)
{
	char rest[128];
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		begin_story(TR2_FLAT_KIND_DATA);
		snprintf(rest, sizeof(rest), DATA("k", "%s"), values[i].json);
		tell_event(GIT, 100, "data", rest);
		tap_str(end_story("value number"), values[i].shown,
			values[i].name);
	}
}

static void test_other_data(void)
{
	const char *const columns = "event key value number intervals";

	begin_story(TR2_FLAT_KIND_DATA);
	tell_event(GIT, 100, "data_json", DATA("k", "{\"a\":[1]}"));
	tap_str(end_story("*") + strlen("{\"sid\":\"" GIT
					"\",\"session\":\"" GIT
					"\",\"command\":null,\"time\":\""
					"2026-01-14T10:00:00.000100Z\",\"day\":"
					"\"2026-01-14\","),
		"\"event\":\"data_json\",\"thread\":\"main\",\"repo\":null,"
		"\"nesting\":null,\"category\":\"c\",\"key\":\"k\","
		"\"value\":\"{\\\"a\\\":[1]}\",\"number\":null,"
		"\"intervals\":null}\n",
		"the value of data_json is JSON");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_event(GIT, 100, "data_json", DATA("k", "12"));
	tell_event(GIT, 100, "data_json", DATA("k", "\"t\""));
	tap_str(end_story(columns),
		"data_json k 12 - -\ndata_json k \\\"t\\\" - -\n",
		"data_json has no number");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_event(GIT, 100, "data", "\"value\":\"v\"");
	tap_str(end_story(columns), "data - v - -\n",
		"data without a key has its value");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_event("-", 100, "data", "\"key\":\"k\"");
	tap_str(end_story(columns), "data k - - -\n",
		"data without a value has no number");
	begin_story(TR2_FLAT_KIND_DATA);
	begin_process(GIT, 100, "status");
	tell_event(GIT, 100, "printf", "\"msg\":\"m\"");
	tell_event(GIT, 100, "region_enter", REGION("c", "l"));
	tell_event(GIT, 100, "error", "\"msg\":\"m\"");
	end_process(GIT, 120, 20, 0);
	tap_str(end_story("*"), "", "no other event is data");
}

static void test_totals(void)
{
	const char *const columns = "event category key value number intervals";

	begin_story(TR2_FLAT_KIND_DATA);
	tell_event(GIT, 100, "timer",
		   "\"category\":\"c\",\"name\":\"t\",\"intervals\":3,"
		   "\"t_total\":0.25,\"t_min\":0.05,\"t_max\":0.1");
	tell_event(GIT, 100, "th_timer",
		   "\"category\":\"c\",\"name\":\"t\",\"intervals\":1,"
		   "\"t_total\":0.000001");
	tell_event(GIT, 100, "counter",
		   "\"category\":\"c\",\"name\":\"n\",\"count\":23");
	tell_event(GIT, 100, "th_counter",
		   "\"category\":\"c\",\"name\":\"n\",\"count\":-1");
	tell_event(GIT, 100, "counter",
		   "\"name\":\"both\",\"count\":5,\"t_total\":0.25,"
		   "\"intervals\":2");
	tap_str(end_story(columns),
		"timer c t 0.25 250000 3\n"
		"th_timer c t 0.000001 1 1\n"
		"counter c n 23 23 -\n"
		"th_counter c n -1 -1 -\n"
		"counter - both 5 5 -\n",
		"timers and counters are data");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_event(GIT, 100, "timer", "\"name\":\"t\"");
	tell_event(GIT, 100, "counter", "\"name\":\"n\"");
	tap_str(end_story(columns), "timer - t - - -\ncounter - n - - -\n",
		"a timer without a total has no number");
}

static void test_errors(void)
{
	begin_story(TR2_FLAT_KIND_ERRORS);
	begin_process(CHILD, 100, "status");
	tell_event(CHILD, 110, "error",
		   "\"file\":\"a.c\",\"line\":12,\"fmt\":\"bad %s\","
		   "\"msg\":\"bad y\"");
	tell_line("{\"event\":\"error\",\"sid\":\"x\"}");
	tell_event(CHILD, 110, "printf", "\"msg\":\"good\"");
	tap_str(end_story("*"),
		"{\"sid\":\"" CHILD "\",\"session\":\"" GIT "\","
		"\"command\":\"git status\","
		"\"time\":\"2026-01-14T10:00:00.000110Z\","
		"\"day\":\"2026-01-14\",\"thread\":\"main\","
		"\"fmt\":\"bad %s\",\"msg\":\"bad y\",\"file\":\"a.c\","
		"\"line\":12}\n"
		"{\"sid\":\"x\",\"session\":\"x\",\"command\":null,"
		"\"time\":null,\"day\":null,\"thread\":null,\"fmt\":null,"
		"\"msg\":null,\"file\":null,\"line\":null}\n",
		"a row of errors has all values of its event");
}

static void test_events(void)
{
	begin_story(TR2_FLAT_KIND_EVENTS);
	tell_line("{\"event\":\"any\",\"sid\":\"a/b\",\"thread\":\"t\","
		  "\"time\":\"2026-01-14T10:00:00.000110Z\","
		  "\"file\":\"a.c\",\"line\":12,"
		  "\"t_abs\":0.000005,\"t_rel\":1.5}");
	tell_line("{\"event\":\"\",\"sid\":\"\"}");
	tell_line("{\"event\":\"any\"}");
	tap_str(end_story("*"),
		"{\"sid\":\"a/b\",\"session\":\"a\",\"event\":\"any\","
		"\"time\":\"2026-01-14T10:00:00.000110Z\","
		"\"day\":\"2026-01-14\",\"thread\":\"t\",\"file\":\"a.c\","
		"\"line\":12,\"t_abs_us\":5,\"t_rel_us\":1500000,"
		"\"record\":\"{\\\"event\\\":\\\"any\\\",\\\"sid\\\":"
		"\\\"a/b\\\",\\\"thread\\\":\\\"t\\\",\\\"time\\\":"
		"\\\"2026-01-14T10:00:00.000110Z\\\",\\\"file\\\":\\\"a.c\\\","
		"\\\"line\\\":12,\\\"t_abs\\\":0.000005,\\\"t_rel\\\":1.5}\"}\n"
		"{\"sid\":\"\",\"session\":\"\",\"event\":\"\",\"time\":null,"
		"\"day\":null,\"thread\":null,\"file\":null,\"line\":null,"
		"\"t_abs_us\":null,\"t_rel_us\":null,\"record\":"
		"\"{\\\"event\\\":\\\"\\\",\\\"sid\\\":\\\"\\\"}\"}\n",
		"each event with a SID is a row with its JSON");
}

/* The command is what it was when the event came. */
static void test_commands(void)
{
	begin_story(TR2_FLAT_KIND_DATA);
	tell_event(GIT, 100, "data", DATA("k", "1"));
	begin_process(GIT, 110, "status");
	tell_event(GIT, 120, "data", DATA("k", "2"));
	tell_event(GIT, 130, "cmd_name", "\"name\":\"a\"");
	tell_event(GIT, 140, "data", DATA("k", "3"));
	end_process(GIT, 150, 50, 0);
	tell_event(GIT, 160, "data", DATA("k", "4"));
	tap_str(end_story("number command"), "1 -\n2 git status\n3 a\n4 a\n",
		"a row has its command as far as it was known");
}

int main(void)
{
	test_data();
	test_values();
	test_other_data();
	test_totals();
	test_errors();
	test_events();
	test_commands();
	return tap_done();
}
