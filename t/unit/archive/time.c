/* The time of an event. */
#include "archive/archive_kit.h"

/* Microseconds of the last instant, of lines that have told one. */
static const char *show_last(void)
{
	static char time[32];
	const char *lines = end_logs(), *at, *begin = lines;

	for (at = strstr(lines, " instant "); at;
	     at = strstr(at + 1, " instant "))
		for (begin = at; begin > lines && begin[-1] != '\n';)
			begin--;
	snprintf(time, sizeof(time), "%.*s", (int)strcspn(begin, " "), begin);
	return time;
}

/* The only event of a log has this `time`. */
static const char *read_time(const char *time)
{
	char rest[128];

	begin_logs();
	snprintf(rest, sizeof(rest), "\"time\":\"%s\"", time);
	tell_briefly(GIT, "error", rest);
	return show_last();
}

static void test_forms(void)
{
	tap_str(read_time("2026-01-14T10:00:00.000250Z"), "250",
		"a time has microseconds");
	tap_str(read_time("2026-01-14T10:00:01Z"), "1000000",
		"a time may have no decimals");
	tap_str(read_time("2026-01-14T10:00:00.5Z"), "500000",
		"a time may have one decimal");
	tap_str(read_time("2026-01-14T10:00:00.000000123Z"), "0.123",
		"a time may have nine decimals");
	tap_str(read_time("2026-01-14T10:00:00.0000001239Z"), "0.123",
		"more decimals than that are dropped");
	tap_str(read_time("2026-01-14T10:00:00.9Z"), "900000",
		"each digit counts as a decimal");
	tap_str(read_time("2026-01-14T10:00:00.5:"), "500000",
		"nothing else does");
	tap_str(read_time("2026-01-14T11:02:03.000000Z"), "3723000000",
		"hours, minutes and seconds count");
	tap_str(read_time("2026-01-14T10:00:60Z"), "60000000",
		"a leap second is the begin of the next minute");
	tap_str(read_time("2026-01-14T23:59:59Z"), "50399000000",
		"the last second of a day is its own");
}

static void test_offsets(void)
{
	tap_str(read_time("2026-01-14T11:00:00.000250+01:00"), "250",
		"a time in the east is later than UTC");
	tap_str(read_time("2026-01-14T02:29:00.000250-0731"), "250",
		"a time in the west is earlier, with or without a colon");
	tap_str(read_time("2026-01-14T10:00:01+00:00"), "1000000",
		"an offset of 0 is UTC");
	tap_str(read_time("2026-01-14T09:59:01+23:59"), "-86399000000",
		"an offset has up to 23 hours and 59 minutes");
	tap_str(read_time("2026-01-14T10:00:01+24:00"), "1000000",
		"an offset of a day is none");
	tap_str(read_time("2026-01-14T10:00:01+01:60"), "1000000",
		"nor is one of 60 minutes");
	tap_str(read_time("2026-01-14T10:00:01Z01:00"), "1000000",
		"nor is one without a sign");
	tap_str(read_time("2026-01-14T10:00:01+1"), "1000000",
		"nor is one that is cut in its hours");
	tap_str(read_time("2026-01-14T10:00:01+01:"), "1000000",
		"nor is one that is cut in its minutes");
}

/* Days since 1970, as date(1) counts them. */
static void test_days(void)
{
	shown_from = 0;
	tap_str(read_time("1970-01-01T00:00:01Z"), "1000000",
		"1970 begins the count");
	tap_str(read_time("2000-02-29T00:00:00Z"), "951782400000000",
		"2000 is a leap year");
	tap_str(read_time("2000-03-01T00:00:00Z"), "951868800000000",
		"March follows it");
	tap_str(read_time("2100-03-01T00:00:00Z"), "4107542400000000",
		"2100 is no leap year");
	tap_str(read_time("2024-12-31T00:00:00Z"), "1735603200000000",
		"a leap year has a last day");
	tap_str(read_time("2200-12-31T00:00:00Z"), "7289568000000000",
		"the last year is 2200");
	shown_from = TEN;
}

/* Such an event has no time, so its process is at time 0. */
static void test_wrong(void)
{
	static const char *const times[] = {
		"",
		"2026-01-14",
		"2026-01-1",
		"2026-01-14 10:00:00Z",
		"2026/01-14T10:00:00Z",
		"2026-01/14T10:00:00Z",
		"2026-01-14T10.00:00Z",
		"2026-01-14T10:00.00Z",
		"2026-01-14T10:00:0",
		"2026-01-14T1",
		"2026-01-14Tab:00:00Z",
		"2026-01-14T10:0/:00Z",
		"x026-01-14T10:00:00Z",
		"2026-0:-14T10:00:00Z",
		"2026-01-x4T10:00:00Z",
		"1969-12-31T23:59:59Z",
		"2201-01-01T00:00:00Z",
		"2026-00-14T10:00:00Z",
		"2026-13-14T10:00:00Z",
		"2026-01-00T10:00:00Z",
		"2026-01-32T10:00:00Z",
		"1970-01-00T10:00:00Z",
		"2026-01-14T24:00:00Z",
		"2026-01-14T10:60:00Z",
		"2026-01-14T10:00:61Z",
		"1970-01-01T00:30:00+01:00",
	};
	size_t i;

	shown_from = 0;
	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (strcmp(read_time(times[i]), "0")) {
			printf("# '%s': %s\n", times[i], read_time(times[i]));
			break;
		}
	tap_int((intmax_t)i, sizeof(times) / sizeof(*times),
		"what is no time of 1970 to 2200 is none");
	shown_from = TEN;
}

static void test_same_day(void)
{
	begin_logs();
	tell_event(GIT, 10, "error", "");
	tell_briefly(GIT, "error", "\"time\":\"2026-01-15T10:00:00Z\"");
	tell_briefly(CHILD, "error", "\"time\":\"2026-01-14T10:00:02Z\"");
	tell_briefly(CHILD, "error", "\"time\":\"2026-01-99T10:00:03Z\"");
	tap_str(keep_lines(end_logs(), "instant"),
		"10 1.1 instant trace2/error\n"
		"86400000000 1.1 instant trace2/error\n"
		"2000000 2.2 instant trace2/error\n"
		"2000000 2.2 instant trace2/error\n",
		"each event has its own day");
}

/* In a brief log only `version` and `atexit` have a time. */
static const char *read_brief(const char *start)
{
	begin_logs();
	tell_event(GIT, 100, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_briefly(GIT, "start", start);
	tell_briefly(GIT, "error", "");
	tell_briefly(GIT, "data", "\"t_abs\":1e0,\"key\":\"k\"");
	return show_last();
}

static void test_brief(void)
{
	tap_str(read_brief("\"t_abs\":0.25,\"argv\":[\"git\"]"), "750100",
		"t_abs counts from before the first event that has it");
	tap_str(read_brief("\"t_abs\":0.0,\"argv\":[\"git\"]"), "1000100",
		"also if it is 0 there");
	tap_str(read_brief("\"t_abs\":0,\"argv\":[\"git\"]"), "1000100",
		"or 0 without a point");
	tap_str(read_brief("\"t_abs\":-1,\"argv\":[\"git\"]"), "100",
		"one that is negative is none");
	tap_str(read_brief("\"t_abs\":\"1\",\"argv\":[\"git\"]"), "100",
		"nor is one that is a string");
	tap_str(read_brief("\"t_abs\":1e9,\"argv\":[\"git\"]"), "100",
		"nor is one of 30 years");
}

/* As above, but a second event has the time since the first one. */
static const char *read_later(const char *start)
{
	begin_logs();
	tell_event(GIT, 100, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_briefly(GIT, "start", start);
	tell_briefly(GIT, "data", "\"t_abs\":1.0,\"key\":\"k\"");
	tell_briefly(GIT, "data", "\"t_abs\":1.5,\"key\":\"k\"");
	return show_last();
}

static void test_later(void)
{
	tap_str(read_later("\"t_abs\":0.25,\"argv\":[\"git\"]"), "1250100",
		"a later t_abs counts from the same begin");
	tap_str(read_later("\"t_abs\":-1,\"argv\":[\"git\"]"), "500100",
		"a negative one is no begin");
	tap_str(read_later("\"t_abs\":-0.001,\"argv\":[\"git\"]"), "500100",
		"however little it is");
	tap_str(read_later("\"t_abs\":1e9,\"argv\":[\"git\"]"), "500100",
		"one of 30 years is no begin");
	begin_logs();
	tell_event(GIT, 100, "start", "\"t_abs\":0,\"argv\":[\"git\"]");
	tell_event(GIT, 200, "error", "\"t_abs\":0.5");
	tell_briefly(GIT, "data", "\"t_abs\":0.6,\"key\":\"k\"");
	tap_str(show_last(), "600100", "the first t_abs with a time counts");
	begin_logs();
	tell_briefly(GIT, "start", "\"t_abs\":5.0,\"argv\":[\"git\"]");
	tell_event(GIT, 100, "error", "\"t_abs\":5.0");
	tell_briefly(GIT, "data", "\"t_abs\":7.0,\"key\":\"k\"");
	tap_str(show_last(), "2000100", "one without a time does not");
	begin_logs();
	tell_event(GIT, 100, "version", "\"evt\":\"3\",\"exe\":\"x\"");
	tell_briefly(GIT, "start", "\"t_abs\":0.25");
	tell_briefly(GIT, "error", "\"t_xyz\":9.25");
	tap_str(show_last(), "100", "no other key is a t_abs");
}

/* Another thread is behind, and its next event has no time. */
static void test_last(void)
{
	begin_logs();
	tell_event(GIT, 100, "start", "\"t_abs\":0.00009,\"argv\":[\"git\"]");
	thread_name = "th01:x";
	tell_event(GIT, 40, "error", "");
	tell_briefly(GIT, "data", "\"key\":\"k\"");
	tap_str(show_last(), "100",
		"an event without a time has the last one of its process");
	begin_logs();
	tell_event(GIT, 100, "start", "\"t_abs\":0,\"argv\":[\"git\"]");
	thread_name = "th01:x";
	tell_briefly(GIT, "error", "\"t_abs\":-0.00005");
	tap_str(show_last(), "100", "so has one whose t_abs is negative");
}

static void test_order(void)
{
	begin_logs();
	tell_event(GIT, 100, "start", "\"t_abs\":0.00005,\"argv\":[\"git\"]");
	tell_event(GIT, 50, "error", "");
	thread_name = "th01:x";
	tell_event(GIT, 20, "thread_start", "");
	tell_event(GIT, 40, "error", "");
	tell_event(GIT, 30, "error", "");
	tell_briefly(GIT, "warning", "");
	tell_briefly(GIT, "printf", "\"t_abs\":0.00011");
	tap_str(keep_lines(end_logs(), "1."),
		"100 1.1 begin process/git sid=string:" GIT " pid=uint32:1"
		" argv=string:git\n"
		"100 1.1 instant trace2/error\n"
		"20 1.2 begin thread/th01:x\n"
		"40 1.2 instant trace2/error\n"
		"40 1.2 instant trace2/error\n"
		"100 1.2 instant trace2/warning\n"
		"160 1.2 instant trace2/printf\n"
		"160 1.2 end thread/th01:x\n"
		"160 1.1 end process/git\n",
		"the time of a thread never goes back");
}

int main(void)
{
	test_forms();
	test_offsets();
	test_days();
	test_wrong();
	test_same_day();
	test_brief();
	test_later();
	test_last();
	test_order();
	return tap_done();
}
