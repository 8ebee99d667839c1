/* Records as Chrome's trace events, byte for byte. */
#include <math.h>
#include <unistd.h>

#include "trace/chrome/record_kit.h"

#include "host/host.h"
#include "trace/chrome/values.h"

/*
 * Values
 */

static const struct {
	struct trace_reader_arg arg;
	const char *text;
	bool is_number;
} values[] = {
	{ { .type = FXT_ARG_NULL }, "null", false },
	{ { .type = FXT_ARG_INT32, .value.integer = -5 }, "-5", true },
	{ { .type = FXT_ARG_UINT32, .value.word = UINT32_MAX },
	  "4294967295",
	  true },
	{ { .type = FXT_ARG_INT64, .value.integer = INT64_MIN },
	  "-9223372036854775808",
	  true },
	{ { .type = FXT_ARG_UINT64, .value.word = UINT64_MAX },
	  "18446744073709551615",
	  true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = 0.1 }, "0.1", true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = 0.1 + 0.2 },
	  "0.30000000000000004",
	  true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = -1e300 }, "-1e+300", true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = 4 }, "4", true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = 1.5e-7 }, "1.5e-07", true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = -1.7976931348623157e-300 },
	  "-1.7976931348623157e-300",
	  true },
	{ { .type = FXT_ARG_DOUBLE, .value.number = NAN }, "\"NaN\"", false },
	{ { .type = FXT_ARG_DOUBLE, .value.number = INFINITY },
	  "\"Infinity\"",
	  false },
	{ { .type = FXT_ARG_DOUBLE, .value.number = -INFINITY },
	  "\"-Infinity\"",
	  false },
	{ { .type = FXT_ARG_STRING, .text = TEXT("a\"\n") },
	  "\"a\\\"\\n\"",
	  false },
	{ { .type = FXT_ARG_POINTER, .value.word = 0 }, "\"0x0\"", false },
	{ { .type = FXT_ARG_POINTER, .value.word = 0x10 }, "\"0x10\"", false },
	{ { .type = FXT_ARG_POINTER,
	    .value.word = UINT64_C(0xfedcba9876543210) },
	  "\"0xfedcba9876543210\"",
	  false },
	{ { .type = FXT_ARG_POINTER, .value.word = UINT64_C(1) << 45 },
	  "\"0x200000000000\"",
	  false },
	{ { .type = FXT_ARG_KOID, .value.word = 12 }, "\"#12\"", false },
	{ { .type = FXT_ARG_BOOL, .value.word = 1 }, "true", false },
	{ { .type = FXT_ARG_BOOL, .value.word = 0 }, "false", false },
	{ { .type = FXT_ARG_BLOB, .text = TEXT("") }, "\"\"", false },
	{ { .type = FXT_ARG_BLOB, .text = TEXT("\xff") }, "\"/w==\"", false },
	{ { .type = FXT_ARG_BLOB, .text = { "\xff\xff\xff", 1 } },
	  "\"/w==\"",
	  false },
	{ { .type = FXT_ARG_BLOB, .text = { "\xff\xff\xff", 2 } },
	  "\"//8=\"",
	  false },
	{ { .type = FXT_ARG_BLOB, .text = TEXT("\x01\x02") },
	  "\"AQI=\"",
	  false },
	{ { .type = FXT_ARG_BLOB, .text = TEXT("\x00\x10\x83") },
	  "\"ABCD\"",
	  false },
	{ { .type = FXT_ARG_BLOB, .text = TEXT("\xfb\xef\xbe") },
	  "\"++++\"",
	  false },
	{ { .type = FXT_ARG_BLOB, .text = TEXT("Many hands.") },
	  "\"TWFueSBoYW5kcy4=\"",
	  false },
};

static void test_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		tr2_put_value(&out, &values[i].arg);
		if (strcmp(take_output(), values[i].text) != 0 ||
		    tr2_is_number(&values[i].arg) != values[i].is_number)
			break;
	}
	tap_int((intmax_t)i, sizeof(values) / sizeof(*values),
		"each type of value has its JSON");
}

static void test_types(void)
{
	struct trace_reader_arg arg = { .text = TEXT("x") };
	unsigned type;

	for (type = 1; type < FXT_ARG_TYPES; type++) {
		arg.type = (enum fxt_arg)type;
		tr2_put_value(&out, &arg);
		if (!strcmp(take_output(), "null"))
			break;
	}
	tap_int((intmax_t)type, FXT_ARG_TYPES, "no type but one is null");
	for (; type < 16; type++) {
		arg.type = (enum fxt_arg)type;
		tr2_put_value(&out, &arg);
		if (strcmp(take_output(), "null"))
			break;
	}
	tap_int((intmax_t)type, 16, "a type that is unknown is null");
}

/*
 * Records
 */

static void test_events(void)
{
	static const struct {
		const char *phase;
		const char *rest;
	} rows[] = {
		{ "I", ",\"s\":\"t\",\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "C", ",\"id\":\"0x1f\",\"args\":{\"i\":1}}\n" },
		{ "B", ",\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "E", ",\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "X", ",\"dur\":1.500,\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "b", ",\"id\":\"0x1f\",\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "n", ",\"id\":\"0x1f\",\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "e", ",\"id\":\"0x1f\",\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "s", ",\"id\":\"0x1f\",\"bp\":\"e\","
		       "\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "t", ",\"id\":\"0x1f\",\"bp\":\"e\","
		       "\"args\":{\"s\":\"t\",\"i\":1}}\n" },
		{ "f", ",\"id\":\"0x1f\",\"bp\":\"e\","
		       "\"args\":{\"s\":\"t\",\"i\":1}}\n" },
	};
	struct trace_reader_record record = sample;
	char want[512];
	unsigned i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		record.subtype = i;
		snprintf(want, sizeof(want),
			 "{\"ph\":\"%s\",\"pid\":5,\"tid\":6,\"ts\":1234.567,"
			 "\"cat\":\"c\\\"\",\"name\":\"n\\\\\"%s",
			 rows[i].phase, rows[i].rest);
		if (strcmp(text_of(&record), want) != 0)
			break;
	}
	tap_int(i, sizeof(rows) / sizeof(*rows),
		"each type of event has its line of JSON");
}

static void test_counters(void)
{
	struct trace_reader_record record = sample;

	record.subtype = FXT_COUNTER;
	record.id = 0;
	record.time = 5000;
	record.args_count = 3;
	record.args[0] = record.args[1];
	record.args[2] = record.args[1];
	record.args[3] = record.args[1];
	record.args[1].type = FXT_ARG_NULL;
	tap_str(text_of(&record),
		"{\"ph\":\"C\",\"pid\":5,\"tid\":6,\"ts\":5,\"cat\":\"c\\\"\","
		"\"name\":\"n\\\\\",\"args\":{\"i\":1,\"i\":1}}\n",
		"a counter without an id has none, and numbers alone");
	record.subtype = FXT_INSTANT;
	record.args_count = 0;
	tap_str(text_of(&record),
		"{\"ph\":\"I\",\"pid\":5,\"tid\":6,\"ts\":5,\"cat\":\"c\\\"\","
		"\"name\":\"n\\\\\",\"s\":\"t\"}\n",
		"an event without arguments has no object for them");
}

static void test_names_of_things(void)
{
	struct trace_reader_record record = sample;

	record.type = FXT_KERNEL_OBJECT;
	record.subtype = FXT_OBJECT_PROCESS;
	record.id = UINT64_C(0x10000001f);
	tap_str(text_of(&record),
		"{\"ph\":\"M\",\"pid\":31,\"tid\":31,\"name\":\"process_name\","
		"\"args\":{\"name\":\"n\\\\\"}}\n",
		"the name of a process is metadata");
	record.subtype = FXT_OBJECT_THREAD;
	record.args[0].value.word = UINT64_C(0x100000007);
	tap_str(text_of(&record),
		"{\"ph\":\"M\",\"pid\":7,\"tid\":31,\"name\":\"thread_name\","
		"\"args\":{\"name\":\"n\\\\\"}}\n",
		"the name of a thread is metadata of its process");
	record.args_count = 0;
	tap_str(text_of(&record),
		"{\"ph\":\"M\",\"pid\":0,\"tid\":31,\"name\":\"thread_name\","
		"\"args\":{\"name\":\"n\\\\\"}}\n",
		"a thread that names no process is of process 0");
}

static void test_others(void)
{
	struct trace_reader_record record = sample;

	record.type = FXT_LOG;
	tap_str(text_of(&record),
		"{\"ph\":\"I\",\"pid\":5,\"tid\":6,\"ts\":1234.567,"
		"\"cat\":\"log\",\"name\":\"log\",\"s\":\"g\","
		"\"args\":{\"message\":\"abc\"}}\n",
		"a log record is an instant with its message");
	record.type = FXT_LARGE;
	record.subtype = FXT_LARGE_EVENT;
	tap_str(text_of(&record),
		"{\"ph\":\"I\",\"pid\":5,\"tid\":6,\"ts\":1234.567,"
		"\"cat\":\"c\\\"\",\"name\":\"n\\\\\",\"s\":\"t\","
		"\"args\":{\"blob\":\"YWJj\","
		"\"args\":{\"s\":\"t\",\"i\":1}}}\n",
		"an event with a blob is an instant with both");
	record.args_count = 0;
	tap_str(text_of(&record),
		"{\"ph\":\"I\",\"pid\":5,\"tid\":6,\"ts\":1234.567,"
		"\"cat\":\"c\\\"\",\"name\":\"n\\\\\",\"s\":\"t\","
		"\"args\":{\"blob\":\"YWJj\"}}\n",
		"an event with a blob alone has that alone");
}

static void test_times(void)
{
	struct trace_reader_record record = sample;

	record.time = 5000001;
	record.subtype = FXT_DURATION_COMPLETE;
	record.end = 5002501;
	tap_ok(strstr(text_of(&record), ",\"ts\":5000.001,") &&
		       strstr(text_of(&record), ",\"dur\":2.500"),
	       "times are microseconds, with their nanoseconds as decimals");
}

static void test_scheduling(void)
{
	struct trace_reader_record record = sample;

	record.type = FXT_SCHEDULING;
	record.subtype = FXT_SCHED_SWITCH;
	record.cpu = 64;
	record.state = FXT_STATE_BLOCKED;
	record.other.thread = 9;
	record.args_count = 0;
	tap_str(text_of(&record),
		"{\"ph\":\"I\",\"pid\":0,\"tid\":64,\"ts\":1234.567,"
		"\"cat\":\"sched\",\"name\":\"switch\",\"s\":\"t\","
		"\"args\":{\"out\":6,\"state\":\"blocked\",\"in\":9}}\n",
		"a switch is an instant of its CPU with both threads");
	record.subtype = FXT_SCHED_WAKEUP;
	record.cpu = 3;
	record.args_count = 2;
	tap_str(text_of(&record),
		"{\"ph\":\"M\",\"pid\":0,\"tid\":3,\"name\":\"thread_name\","
		"\"args\":{\"name\":\"CPU 3\"}}\n"
		",{\"ph\":\"I\",\"pid\":0,\"tid\":3,\"ts\":1234.567,"
		"\"cat\":\"sched\",\"name\":\"wakeup\",\"s\":\"t\","
		"\"args\":{\"thread\":6,\"args\":{\"s\":\"t\",\"i\":1}}}\n",
		"a wakeup is an instant of a CPU, which has a name");
	record.subtype = FXT_SCHED_LEGACY_SWITCH;
	record.cpu = 99;
	record.state = 9;
	record.args_count = 0;
	tap_ok(strstr(text_of(&record), "{\"out\":6,\"state\":9,\"in\":9}"),
	       "a state that nobody knows is its number");
}

static void test_left_out(void)
{
	static const enum fxt_record silent[] = { FXT_METADATA, FXT_STRING,
						  FXT_INITIALIZATION,
						  FXT_THREAD };
	struct trace_reader_record record = sample;
	struct tr2_chrome chrome;
	unsigned long sum = 0;
	size_t i;

	tr2_chrome_begin(&chrome, &out);
	for (i = 0; i < 4; i++) {
		record.type = silent[i];
		tr2_chrome_record(&chrome, &record);
	}
	for (i = 0; i <= FXT_LARGE; i++)
		sum += chrome.left_out[i];
	tap_int((intmax_t)sum, 0, "definitions are not counted as left out");
	record.type = FXT_BLOB;
	tr2_chrome_record(&chrome, &record);
	record.type = FXT_LARGE;
	record.subtype = FXT_LARGE_ATTACHMENT;
	tr2_chrome_record(&chrome, &record);
	record.type = FXT_EVENT;
	record.unknown = true;
	tr2_chrome_record(&chrome, &record);
	tr2_chrome_record(&chrome, &record);
	tap_ok(chrome.left_out[FXT_BLOB] == 1 &&
		       chrome.left_out[FXT_LARGE] == 1 &&
		       chrome.left_out[FXT_EVENT] == 2,
	       "what has no form is counted by its type");
	tap_str(take_output(), "[\n", "and leaves no trace otherwise");
}

static void test_array(void)
{
	struct trace_reader_record record = sample;
	struct tr2_chrome chrome;
	char want[1024];

	record.type = FXT_KERNEL_OBJECT;
	record.subtype = FXT_OBJECT_THREAD;
	record.args_count = 0;
	tr2_chrome_begin(&chrome, &out);
	tr2_chrome_put_writer(&chrome);
	tr2_chrome_put_name(&chrome, &record, 12);
	tr2_chrome_end(&chrome);
	snprintf(want, sizeof(want),
		 "[\n"
		 "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"version\","
		 "\"args\":{\"libtrace2\":\"" TRACE2_VERSION "\"}}\n"
		 ",{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
		 "\"name\":\"process_sort_index\","
		 "\"args\":{\"sort_index\":0}}\n"
		 ",{\"ph\":\"M\",\"pid\":0,\"tid\":31,"
		 "\"name\":\"thread_name\",\"args\":{\"name\":\"n\\\\\"}}\n"
		 ",{\"ph\":\"M\",\"pid\":%d,\"tid\":31,"
		 "\"name\":\"thread_sort_index\","
		 "\"args\":{\"sort_index\":12}}\n"
		 "]\n",
		 getpid(), getpid(), getpid(), getpid(), getpid());
	tap_str(take_output(), want,
		"commas stand before all events but the first");
}

int main(void)
{
	tap_run(test_values, test_types, test_events, test_counters,
		test_names_of_things, test_others, test_times, test_scheduling,
		test_left_out, test_array);
	tr2_buf_release(&out);
	return tap_done();
}
