/*
 * The three targets, an event at a time: widths to the byte, what is absent,
 * and dates. A formatter appends: there is always something before.
 */
#include "kit/memory.h"

#include "trace2.h"
#include "base/buf.h"
#include "event/event.h"
#include "event/format.h"

#include "kit/tap.h"

#define CLOCK "01:00:00.000007 "
#define BEFORE "before\n"

static struct tr2_origin origin = { 0, "sid", 3, 0, "main", "main", 4 };
static struct tr2_second utc = TR2_SECOND_INIT;
static struct tr2_second local = TR2_SECOND_INIT;

static struct tr2_event event_of(enum tr2_event_kind kind)
{
	struct tr2_event event = { .kind = kind, .origin = &origin };

	event.wall_us = 7;
	event.utc_offset = 3600;
	event.repo = TRACE2_REPO_NONE;
	return event;
}

/* What is appended for the event. */
static const char *line_of(tr2_format_fn *format, const struct tr2_event *event,
			   int brief)
{
	static char bytes[1024];
	struct tr2_buf out = TR2_BUF_FIXED(bytes);
	struct tr2_format how = { brief, 2, &utc, &local };

	memset(bytes, '#', sizeof(bytes));
	tr2_buf_str(&out, BEFORE);
	format(event, &how, &out);
	tr2_buf_byte(&out, '\0');
	return out.failed ? "failed" : bytes + sizeof(BEFORE) - 1;
}

static const char *format_normal(const struct tr2_event *event)
{
	return line_of(tr2_normal_format, event, 1);
}

static const char *format_perf(const struct tr2_event *event)
{
	return line_of(tr2_perf_format, event, 1);
}

/* Not brief. */
static const char *perf_columns(const struct tr2_event *event)
{
	return line_of(tr2_perf_format, event, 0);
}

static const char *format_json(const struct tr2_event *event, int brief)
{
	return line_of(tr2_event_json_format, event, brief);
}

static void test_normal_columns(void)
{
	struct tr2_event event = event_of(TR2_EVENT_PRINTF);

	event.msg = "said";
	tap_str(line_of(tr2_normal_format, &event, 0),
		CLOCK "                                  said\n",
		"NORMAL without a file has its payload in column 50");
	event.file = "";
	tap_str(line_of(tr2_normal_format, &event, 0),
		CLOCK "                                  said\n",
		"NORMAL takes a file without a name for none");
	event.file = "a-file-of-twenty-five-cha";
	event.line = 7;
	tap_str(line_of(tr2_normal_format, &event, 0),
		CLOCK "a-file-of-twenty-five-cha:7       said\n",
		"NORMAL counts columns from the begin of the line");
	event.file = "a-file-of-thirty-one-characters";
	tap_str(line_of(tr2_normal_format, &event, 0),
		CLOCK "a-file-of-thirty-one-characters:7 said\n",
		"NORMAL has a blank behind a file that just fits");
	event.line = 77;
	tap_str(line_of(tr2_normal_format, &event, 0),
		CLOCK "a-file-of-thirty-one-characters:77 said\n",
		"NORMAL has a blank behind a file that is too long");
}

static void test_normal_payloads(void)
{
	const char *const none[] = { NULL };
	const char *const one[] = { "a b", NULL };
	struct tr2_event event = event_of(TR2_EVENT_ERROR);

	event.fmt = "%s";
	tap_str(format_normal(&event), "error\n",
		"an error may have no message");
	event.msg = "bad";
	event.fmt = NULL;
	tap_str(format_normal(&event), "error bad\n",
		"an error may have no format");
	event = event_of(TR2_EVENT_EXEC);
	event.argv = none;
	tap_str(format_normal(&event), "exec[0] \n",
		"an exec may be of nothing");
	event.exe = "git";
	tap_str(format_normal(&event), "exec[0] git \n",
		"an exec without arguments keeps its blank");
	event.argv = one;
	tap_str(format_normal(&event), "exec[0] git 'a b'\n",
		"an exec has one blank in front of its arguments");
	event.exe = NULL;
	tap_str(format_normal(&event), "exec[0] 'a b'\n",
		"an exec of no known program has arguments alone");
	event = event_of(TR2_EVENT_CMD_NAME);
	event.name = "log";
	tap_str(format_normal(&event), "cmd_name log\n",
		"a command name may have no hierarchy");
}

static void test_normal_nothing(void)
{
	struct tr2_event event = event_of(TR2_EVENT_PRINTF);

	tap_str(format_normal(&event), "\n",
		"an empty message is an empty line");
	event = event_of(TR2_EVENT_REGION_ENTER);
	tap_str(format_normal(&event), "", "NORMAL shows no regions");
	event = event_of(TR2_EVENT_TOO_MANY_FILES);
	tap_str(format_perf(&event), "", "PERF shows no too_many_files");
}

/* A time of day and a day that are not the epoch's. */
static void test_clocks(void)
{
	struct tr2_event event = event_of(TR2_EVENT_PRINTF);

	event.msg = "said";
	event.wall_us = 1767323045067089u;
	tap_ok(!strncmp(line_of(tr2_normal_format, &event, 0),
			"04:04:05.067089 ", 16),
	       "NORMAL has the local time");
	tap_ok(strstr(format_json(&event, 0),
		      "\"time\":\"2026-01-02T03:04:05.067089Z\"") != NULL,
	       "EVENT has the date and the time");
}

static void test_needs(void)
{
	struct tr2_event event = event_of(TR2_EVENT_PRINTF);
	struct tr2_format full = { 0, 2, &utc, &local };
	struct tr2_format brief = { 1, 0, &utc, &local };

	tap_int(tr2_text_needs_wall(&event, &full), 1,
		"NORMAL and PERF need the time");
	tap_int(tr2_text_needs_wall(&event, &brief), 0,
		"NORMAL and PERF need no time in brief");
	tap_ok(tr2_event_json_needs_wall(&event, &full),
	       "EVENT needs the time");
	tap_ok(!tr2_event_json_needs_wall(&event, &brief),
	       "EVENT needs no time in brief");
	event = event_of(TR2_EVENT_VERSION);
	tap_ok(tr2_event_json_needs_wall(&event, &brief),
	       "EVENT needs the time of version in brief");
	event = event_of(TR2_EVENT_DEF_REPO);
	tap_ok(!tr2_event_json_needs_wall(&event, &brief),
	       "EVENT needs no time of def_repo in brief");
}

static void test_results(void)
{
	struct tr2_event event = event_of(TR2_EVENT_EXEC_RESULT);

	tap_str(format_normal(&event), "exec_result[0] code:0\n",
		"the result 0 is no error");
	event.code = 1;
	tap_str(format_normal(&event),
		"exec_result[0] code:1 err:Operation not permitted\n",
		"the result 1 is an error");
	event.code = 9999;
	tap_str(format_normal(&event),
		"exec_result[0] code:9999 err:Unknown error 9999\n",
		"a result that no error has is told, too");
}

static void test_intervals(void)
{
	struct tr2_event event = event_of(TR2_EVENT_TIMER);

	event.category = "c";
	event.name = "n";
	event.t_total = 1499;
	event.t_min = 499;
	event.t_max = 500;
	tap_str(format_normal(&event),
		"timer c/n intervals:0 total:0.000001 min:0.000000"
		" max:0.000001\n",
		"nanoseconds are rounded to the nearest microsecond");
}

static void test_perf_file(void)
{
	struct tr2_event event = event_of(TR2_EVENT_CMD_MODE);

	event.name = "fast";
	event.file = "a-file-of-just-26-characte";
	event.line = 7;
	tap_str(perf_columns(&event),
		CLOCK "a-file-of-just-26-characte:7 | d0 | main"
		      "                     | cmd_mode     |     |           |"
		      "           |              | fast\n",
		"PERF shows a file and line of 28 characters");
	event.line = 77;
	tap_ok(!strncmp(perf_columns(&event),
			CLOCK "...le-of-just-26-characte:77 | d0 | ", 51),
	       "PERF cuts a file and line of 29 characters");
	event.file = "some/where/else/a-file-of-just-26-characte";
	tap_ok(!strncmp(perf_columns(&event),
			CLOCK "...le-of-just-26-characte:77 | d0 | ", 51),
	       "PERF cuts a file and line of 45 characters");
}

/* The file and the line end where memory does. */
static void test_perf_end(void)
{
	struct tr2_event event = event_of(TR2_EVENT_CMD_MODE);
	struct tr2_format how = { 0, 2, &utc, &local };
	struct tr2_buf out = { .fixed = 1, .room = 47 };
	char *end, *page = memory_page(&end);

	(void)page;
	out.bytes = end - out.room;
	event.name = "fast";
	event.file = "a-file-of-just-28-characters";
	event.line = 77;
	tr2_perf_format(&event, &how, &out);
	tap_int(out.failed, 1, "PERF needs room for a line");
}

static void test_perf_scope(void)
{
	struct tr2_event event = event_of(TR2_EVENT_DEF_PARAM);

	event.scope = "global";
	event.param = "a.b";
	event.category = "unasked";
	tap_ok(strstr(format_perf(&event), " | scope:global | a.b\n") != NULL,
	       "PERF shows a scope of six characters");
	event.scope = "l";
	tap_ok(strstr(format_perf(&event), " | scope:l      | a.b\n") != NULL,
	       "PERF shows a scope in the place of a category");
}

static void test_perf_categories(void)
{
	struct tr2_event event = event_of(TR2_EVENT_REGION_ENTER);

	event.label = "l";
	event.category = "twelve-chars";
	tap_ok(strstr(format_perf(&event), " | twelve-chars | label:l\n") !=
		       NULL,
	       "PERF shows a category of twelve characters");
	event.category = "thirteen-char";
	tap_ok(strstr(format_perf(&event), " | thirteen-cha | label:l\n") !=
		       NULL,
	       "PERF cuts a category of thirteen characters");
	event.category = "c";
	event.repo = 100;
	tap_ok(strstr(format_perf(&event), " | r100  |  0.000000 |") != NULL,
	       "PERF gives a large number of a repo more room");
	event.category = NULL;
	tap_ok(strstr(format_perf(&event), " |              | label:l\n") !=
		       NULL,
	       "PERF shows a region without a category");
	event.kind = TR2_EVENT_REGION_LEAVE;
	event.t_abs = 9999999;
	event.t_rel = 10000000;
	tap_ok(strstr(format_perf(&event),
		      " |  9.999999 | 10.000000 |              "
		      "| label:l\n") != NULL,
	       "PERF fills the place of a category with blanks");
	event = event_of(TR2_EVENT_PRINTF);
	event.category = "unasked";
	event.msg = "said";
	tap_ok(strstr(format_perf(&event), " |              | said\n") != NULL,
	       "PERF shows a category where the event has one");
}

static void test_event_times(void)
{
	struct tr2_event event = event_of(TR2_EVENT_TH_TIMER);

	event.category = "c";
	event.name = "n";
	event.t_total = 1499;
	event.t_min = 499;
	event.t_max = 500;
	tap_str(format_json(&event, 1),
		"{\"event\":\"th_timer\",\"sid\":\"sid\",\"thread\":\"main\","
		"\"category\":\"c\",\"name\":\"n\",\"intervals\":0,"
		"\"t_total\":0.000001,\"t_min\":0.000000,"
		"\"t_max\":0.000001}\n",
		"EVENT rounds nanoseconds to the nearest microsecond");
	event = event_of(TR2_EVENT_CMD_MODE);
	event.name = "fast";
	local.text[0] = '\0';
	event.file = "";
	tap_str(format_json(&event, 0),
		"{\"event\":\"cmd_mode\",\"sid\":\"sid\",\"thread\":\"main\","
		"\"time\":\"1970-01-01T00:00:00.000007Z\",\"name\":\"fast\"}\n",
		"EVENT has the time in UTC");
	tap_ok(!local.text[0], "EVENT leaves the cache of local time alone");
}

static void test_event_filter(void)
{
	struct tr2_event event = event_of(TR2_EVENT_CMD_MODE);

	event.name = "fast";
	event.nesting = 3;
	event.repo = TRACE2_REPO_UNANNOUNCED;
	tap_str(format_json(&event, 1),
		"{\"event\":\"cmd_mode\",\"sid\":\"sid\",\"thread\":\"main\","
		"\"repo\":0,\"name\":\"fast\"}\n",
		"EVENT filters nothing but what is in regions");
	event = event_of(TR2_EVENT_EXIT);
	event.nesting = 3;
	tap_ok(*format_json(&event, 1), "EVENT shows exit at any depth");
	event = event_of(TR2_EVENT_TIMER);
	event.category = event.name = "";
	event.nesting = 3;
	tap_ok(*format_json(&event, 1), "EVENT shows timers at any depth");
	event = event_of(TR2_EVENT_REGION_ENTER);
	event.nesting = 2;
	tap_ok(*format_json(&event, 1), "EVENT shows a region at the limit");
	event.nesting = 3;
	tap_str(format_json(&event, 1), "",
		"EVENT leaves out a region beyond it");
}

static int format_number(const char *digits)
{
	int value = 0;

	while (*digits >= '0' && *digits <= '9')
		value = 10 * value + (*digits++ - '0');
	return value;
}

/* Every day of 440 years: beyond the next leap year that ends in 00. */
static int wrong_dates(void)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };
	struct tr2_second cache = TR2_SECOND_INIT;
	uint64_t second = 0;
	int year, month, day, is_leap, last, wrong = 0;

	for (year = 1970; year < 2410; year++) {
		is_leap = !(year % 4) && (year % 100 || !(year % 400));
		for (month = 1; month <= 12; month++) {
			last = days[month - 1] + (month == 2 && is_leap);
			for (day = 1; day <= last; day++) {
				tr2_second_set(&cache, second);
				wrong += format_number(cache.text) != year ||
					 format_number(cache.text + 5) !=
						 month ||
					 format_number(cache.text + 8) != day;
				second += 86400;
			}
		}
	}
	return wrong;
}

static void test_dates(void)
{
	struct tr2_second cache = TR2_SECOND_INIT;
	struct tr2_second kept = { 3600, "x\0 the day.of second" };

	tr2_second_set(&kept, 3600);
	tap_bytes(kept.text, 20, "x\0 the day.of second", 20,
		  "the text of a second is made once");
	tr2_second_set(&kept, 3601);
	tap_bytes(kept.text, 20, "x\0 the day.01:00:01.", 20,
		  "and that of a day");
	tap_int(wrong_dates(), 0, "every day of 440 years has its date");
	tr2_second_set(&cache, 0);
	tap_bytes(cache.text, 20, "1970-01-01T00:00:00.", 20,
		  "time begins with the epoch");
	tr2_second_set(&cache, 86399);
	tap_bytes(cache.text, 20, "1970-01-01T23:59:59.", 20,
		  "a day has a last second");
	tr2_second_set(&cache, 86400);
	tap_bytes(cache.text, 20, "1970-01-02T00:00:00.", 20,
		  "a day has a first second");
	tr2_second_set(&cache, 86399);
	tap_bytes(cache.text, 20, "1970-01-01T23:59:59.", 20,
		  "time may go back by a second");
	tr2_second_set(&cache, 86400);
	tr2_second_set(&cache, 3600);
	tap_bytes(cache.text, 20, "1970-01-01T01:00:00.", 20,
		  "time may go back to the day before");
}

int main(void)
{
	tap_run(test_normal_columns, test_normal_payloads, test_normal_nothing,
		test_results, test_intervals, test_perf_file, test_perf_end,
		test_perf_scope, test_perf_categories);
	tap_ok(!utc.text[0], "NORMAL and PERF leave the cache of UTC alone");
	tap_run(test_needs, test_event_times, test_event_filter, test_clocks,
		test_dates);
	return tap_done();
}
