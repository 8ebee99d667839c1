#define _GNU_SOURCE
/*
 * What a file is, by its first bytes. Nothing can be read before or after
 * them. Times of events as dates, and the weeks in which they are.
 */
#include <time.h>

#include "kit/memory.h"
#include "kit/tap.h"
#include "read/kind.h"
#include "read/text/clock.h"
#include "base/buf.h"
#include "read/value.h"

/*
 * ---- Kind
 */

static char *page_end;

static const char *at_end(const char *text, size_t len)
{
	return memcpy(page_end - len, text, len);
}

static int is_clock(const char *text, bool near)
{
	size_t len = strlen(text);

	return tr2_clock_is(at_end(text, len), len, near);
}

static void test_clock(void)
{
	static const char *const near[] = {
		"9:30:43.000000 ",   "09:30:43,000000 ",  "009:30:43.000000 ",
		"09:30:43.0000000 ", "09:30:43.00000 ",	  "09-30:43.000000 ",
		"x09:30:43.000000 ", "09:30:43.000000\t", "09:30:43.000000z ",
		"0930:43.000000 ",   "/9:30:43.000000 ",  "0:9:30:43.000000 ",
	};
	static const char *const other[] = {
		"",
		"0",
		"09:30:43.000000",
		"09:30:43.0000",
		"9:30:43,000000 ",
		"009:30:43,000000 ",
		"09-30-43.000000 ",
		"09:30:43.00000x",
		"x9:30:43.000000\t",
		"xx9:30:43.000000 ",
		"9:3:43.000000 ",
		"9 :30:43.000000",
	};
	size_t i, wrong = 0;

	tap_ok(is_clock("09:30:43.000000 ", false) &&
		       is_clock("99:99:99.999999 x", false) &&
		       is_clock("09:30:43.000000 ", true),
	       "a clock is known by its form");
	for (i = 0; i < sizeof(near) / sizeof(*near); i++)
		wrong += is_clock(near[i], false) || !is_clock(near[i], true);
	tap_int((intmax_t)wrong, 0, "a clock may be wrong in a byte");
	for (i = wrong = 0; i < sizeof(other) / sizeof(*other); i++)
		wrong += is_clock(other[i], false) || is_clock(other[i], true);
	tap_int((intmax_t)wrong, 0, "what is wrong in two is no clock");
	tap_ok(tr2_clock_is(at_end("09:30:43.000000 \0", 17), 17, false),
	       "a NUL may stand behind a clock");
	tap_ok(!is_clock(":9:30:43.000000 ", false) &&
		       !is_clock("09:30:43.00000: ", false) &&
		       !is_clock("0/:30:43.000000 ", false),
	       "bytes around the digits are none");
}

#define CLOCK "09:30:43.000000 "

static const char *form_payload(const char *text)
{
	static const char *const names[] = { "none", "event", "normal", "perf",
					     "archive" };
	size_t len = strlen(text);

	return names[tr2_kind_of(at_end(text, len), len)];
}

static const struct {
	const char *text, *form;
} forms[] = {
	{ "", "none" },
	{ "\n", "none" },
	{ "a", "none" },
	{ CLOCK "a:1 | d0 | main\n", "perf" },
	{ CLOCK "a:1 | d0 | main", "none" },
	{ CLOCK "a | b | d12 | main\n", "perf" },
	{ CLOCK "a | b | x12 | main\n", "normal" },
	{ CLOCK "a | d | main\n", "normal" },
	{ CLOCK "a | d0\n", "normal" },
	{ CLOCK "a | d0 |", "none" },
	{ CLOCK "a\n", "normal" },
	{ CLOCK "\n", "normal" },
	{ "9:30:43.000000 a\n", "none" },
	{ "d0 | main\n", "perf" },
	{ "d9 | \n", "perf" },
	{ "d123 | main\n", "perf" },
	{ "d | main\n", "none" },
	{ "d: | main\n", "none" },
	{ "d/ | main\n", "none" },
	{ "e0 | main\n", "none" },
	{ "d0\n", "none" },
	{ "d0 |\n", "none" },
	{ "d0|main\n", "none" },
	{ "d\n", "none" },
	{ "\n | d\n", "none" },
	{ " | d\n", "none" },
	{ "version 1\nstart a", "normal" },
	{ "version 1\nstart a\n", "normal" },
	{ "version \nstart ", "normal" },
	{ "version 1\nstart\n", "none" },
	{ "version 1\nexit \n", "none" },
	{ "version\nstart a\n", "none" },
	{ "a\nstart a\n", "none" },
	{ "version 1\n", "none" },
	{ "version 1\nd0 | main | x\n", "normal" },
	{ "version 1\nd0 | main", "none" },
	{ "version 1\nd0 | main                     | x\n", "perf" },
	{ "version 1\nd0 | main                      x\n", "normal" },
	{ "a\nd0 | main\n", "perf" },
	{ "a\nd0 | main", "none" },
	{ "a\n" CLOCK "a\n", "normal" },
	{ "a\nb\n" CLOCK "a\n", "none" },
	{ CLOCK "a\nd0 | main\n", "normal" },
	{ "d0 | a\n" CLOCK "a\n", "perf" },
	{ "{\"event\"", "event" },
	{ "\xef\xbb\xbf{\"event\"", "event" },
	{ "x\n{\"event\"", "event" },
	{ "{\n\"event\"", "event" },
	{ "{\"events\"", "none" },
	{ "\"event\"{", "none" },
};

static void test_form(void)
{
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		snprintf(name, sizeof(name), "text %zu tells its form", i);
		tap_str(form_payload(forms[i].text), forms[i].form, name);
	}
}

static void test_trace(void)
{
	static const struct {
		const char *text;
		enum tr2_log_format format;
	} heads[] = {
		{ "[{\"ph\":\"X\"}]", TR2_LOG_CHROME },
		{ " \n[\n {\"pid\":1,\"ph\" : \"X\"", TR2_LOG_CHROME },
		{ "[\n", TR2_LOG_UNKNOWN },
		{ "[{\"name\":\"ph\",", TR2_LOG_UNKNOWN },
		{ "[12:00] {\"ph\":\"X\"}", TR2_LOG_UNKNOWN },
		{ "{\"traceEvents\":[]}", TR2_LOG_CHROME },
		{ "{\"unit\":\"ns\", \"traceEvents\"\t:\r\n [",
		  TR2_LOG_CHROME },
		{ "{\"traceEvents\":", TR2_LOG_UNKNOWN },
		{ "{\"traceEvents\":1", TR2_LOG_UNKNOWN },
		{ "{\"traceEvents\":[{\"event\":1,\"ph\":\"X\"}",
		  TR2_LOG_CHROME },
		{ "{\"event\":\"data\",\"value\":{\"traceEvents\":[]}}",
		  TR2_LOG_EVENT },
	};
	char name[64];
	size_t i, len;

	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		len = strlen(heads[i].text);
		snprintf(name, sizeof(name), "head %zu tells Chrome's JSON", i);
		tap_ok(tr2_kind_of(at_end(heads[i].text, len), len) ==
			       heads[i].format,
		       name);
	}
}

static void run_tests_of_kind(void)
{
	memory_page(&page_end);
	tap_run(test_clock, test_form, test_trace);
}

/*
 * ---- Calendar
 */

#define DAYS 400000 /* from 1970 to the year 3065 */

static struct tr2_buf out;

static const char *show_time(int64_t when)
{
	tr2_buf_reset(&out);
	tr2_calendar_put_time(&out, when);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

static const char *show_date(int64_t when)
{
	tr2_buf_reset(&out);
	tr2_calendar_put_date(&out, when);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

/* What the C library says of the second since 1970; 1: it says the same. */
static int is_shown_alike(time_t seconds)
{
	char text[40];
	struct tm tm;
	int64_t when;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.123456Z", &tm);
	when = tr2_time_read(text);
	if (strcmp(show_time(when), text))
		return 0;
	text[10] = '\0';
	return !strcmp(show_date(when), text);
}

/* The same for the Monday of the week. */
static int is_monday_alike(time_t seconds)
{
	char text[40];
	struct tm tm;
	int64_t when;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S.999999Z", &tm);
	when = tr2_time_read(text);
	seconds -= 86400 * ((tm.tm_wday + 6) % 7);
	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	return !strcmp(show_date(tr2_calendar_monday(when)), text);
}

static void test_days(void)
{
	int day, wrong_dates = 0, wrong_weeks = 0;

	/* Another second of each day: the first, the last, and between. */
	for (day = 0; day < DAYS; day += day < 2000 ? 1 : 97) {
		time_t second = (time_t)day * 86399 / DAYS;
		time_t seconds = (time_t)day * 86400 + second;

		wrong_dates += !is_shown_alike(seconds);
		wrong_weeks += !is_monday_alike(seconds);
		wrong_weeks += !is_monday_alike((time_t)day * 86400);
		wrong_weeks += !is_monday_alike((time_t)day * 86400 + 86399);
	}
	tap_int(wrong_dates, 0, "times are those of the C library");
	tap_int(wrong_weeks, 0, "a week begins on Monday");
}

static void run_tests_of_calendar(void)
{
	test_days();
	tr2_buf_release(&out);
}

int main(void)
{
	tap_run(run_tests_of_kind, run_tests_of_calendar);
	return tap_done();
}
