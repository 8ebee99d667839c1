/* Values of an event as numbers; what is none of them is not an error. */
#include "read/value.h"

#include "kit/validate.h"

#include "kit/json.h"

#define LONGEST "99999999999.999999" /* as digits, a point and six digits */

static char line[256];

/* Read an event with this text as the value of `t_abs`. */
static void read_value(const char *value)
{
	snprintf(line, sizeof(line), "{\"t_abs\":%s}", value);
	tap_need(read_record(line) == TR2_RECORD_OK);
}

/* -1: there is no such value. */
static int64_t read_seconds(const char *value)
{
	int64_t us;

	read_value(value);
	return tr2_record_seconds(&record, TR2_KEY_T_ABS, &us) ? us : -1;
}

static void test_seconds(void)
{
	tap_int(read_seconds("0.000001"), 1, "a microsecond");
	tap_int(read_seconds("12.345678"), 12345678, "seconds are read");
	tap_int(read_seconds(LONGEST), INT64_C(99999999999999999),
		"eleven digits and six are read as they are");
	tap_int(read_seconds("7"), 7000000, "whole seconds are read");
	tap_int(read_seconds("1234567"), INT64_C(1234567000000),
		"seven digits are no decimals");
	tap_int(read_seconds("12345678"), INT64_C(12345678000000),
		"nor are eight");
	tap_int(read_seconds("1.5"), 1500000, "one decimal is read");
	tap_int(read_seconds("1.23456789"), 1234568, "nanoseconds are rounded");
	tap_int(read_seconds("1.5e3"), 1500000000, "an exponent is read");
	tap_int(read_seconds("1.23456e1"), 12345600,
		"an exponent is none of six decimals");
	tap_int(read_seconds("-0.000001"), -1, "a negative time is none");
	tap_int(read_seconds("-1"), -1, "nor is a negative second");
	tap_int(read_seconds("1e12"), -1, "nor is one of 30,000 years");
	tap_int(read_seconds("\"1.000000\""), -1, "nor is a text");
	tap_int(read_seconds("null"), -1, "nor is null");
	read_record("{\"t_rel\":1.000000}");
	tap_ok(!tr2_record_seconds(&record, TR2_KEY_T_ABS, &(int64_t){ 0 }),
	       "another key's time is none");
}

/* 7: there is no such value. */
static int64_t read_integer(const char *value)
{
	int64_t number;

	read_value(value);
	return tr2_record_integer(&record, TR2_KEY_T_ABS, &number) ? number : 7;
}

static void test_integers(void)
{
	tap_int(read_integer("0"), 0, "zero is an integer");
	tap_int(read_integer("-12"), -12, "so is a negative one");
	tap_int(read_integer("9223372036854775807"), INT64_MAX, "the largest");
	tap_int(read_integer("-9223372036854775808"), INT64_MIN,
		"the smallest");
	tap_int(read_integer("9223372036854775808"), 7, "a larger one is none");
	tap_int(read_integer("2.0"), 2, "2.0 is an integer");
	tap_int(read_integer("1e3"), 1000, "so is 1e3");
	tap_int(read_integer("2.5"), 7, "a fraction is none");
	tap_int(read_integer("1e19"), 7, "nor is what does not fit");
	tap_int(read_integer("-1e19"), 7, "nor is what does not fit below");
	tap_int(read_integer("true"), 7, "nor is a truth value");
}

/* 7: there is no such value. */
static int is_unsigned(const char *value, uint64_t expected)
{
	uint64_t number;

	read_value(value);
	if (!tr2_record_unsigned(&record, TR2_KEY_T_ABS, &number))
		number = 7;
	return number == expected;
}

static void test_unsigned(void)
{
	tap_ok(is_unsigned("12", 12), "an unsigned integer is read");
	tap_ok(is_unsigned("18446744073709551615", UINT64_MAX),
	       "the largest unsigned integer");
	tap_ok(is_unsigned("1e3", 1000), "1e3 is one");
	tap_ok(is_unsigned("-1", 7), "a negative one is none");
	tap_ok(is_unsigned("-1.0", 7), "nor is a negative fraction");
	tap_ok(is_unsigned("1e20", 7),
	       "nor is an unsigned one that does not fit");
	tap_ok(is_unsigned("\"12\"", 7), "nor is a text an unsigned integer");
}

#define DAY "2026-11-21T"

static bool is_too_long(const char *t_rel, int64_t began)
{
	snprintf(line, sizeof(line),
		 "{\"time\":\"" DAY "05:42:03.000000Z\",\"t_rel\":%s}", t_rel);
	read_record(line);
	return tr2_record_is_too_long(&record, began);
}

static void test_lengths(void)
{
	int64_t began = tr2_time_read(DAY "05:42:01.000000Z");

	tap_ok(!is_too_long("2.000000", began), "it may take all the time");
	tap_ok(!is_too_long("3.000000", began),
	       "and a second more, for there are two clocks");
	tap_ok(is_too_long("3.000001", began), "but not more");
	tap_ok(!is_too_long("9.000000", 0), "an unknown begin says nothing");
	tap_ok(!is_too_long("null", began), "nor does an unknown length");
	read_record("{\"t_rel\":9.000000}");
	tap_ok(!tr2_record_is_too_long(&record, began),
	       "nor does an unknown end");
}

static uint32_t read_pid(const char *sid)
{
	return tr2_sid_pid(sid, strlen(sid));
}

static void test_pids(void)
{
	tap_int(read_pid("20261121T054203.434259Z-H1-P0000abcd"), 0xabcd,
		"a SID has the pid");
	tap_int(read_pid("P00000001"), 1, "even one with nothing else");
	tap_int(read_pid("0P00000001"), 1, "or with little else");
	tap_int(read_pid("00000001"), 0, "a SID without a P has none");
	tap_int(read_pid("Q00000001"), 0, "nor has one with another letter");
	tap_int(read_pid("P0000001"), 0, "nor has one with seven digits");
	tap_int(read_pid("P0000000g"), 0, "nor has one with another digit");
	tap_int(read_pid("P-0000001"), 0, "nor has one with a sign");
	tap_int(read_pid("P0x000001"), 0, "nor has one with 0x");
	tap_int(read_pid("P       1"), 0, "nor has one with blanks");
	tap_int((intmax_t)tr2_sid_pid("P12\0"
				      "34567",
				      9),
		0, "nor has one with a NUL");
	tap_int(read_pid(""), 0, "nor has an empty one");
}

/* Microseconds after ten o'clock UTC of that day; -1: it is no time. */
static int64_t find_time(const char *value)
{
	int64_t time;

	snprintf(line, sizeof(line), "{\"time\":%s}", value);
	tap_need(read_record(line) == TR2_RECORD_OK);
	time = tr2_record_find_time(&record);
	return time ? time - tr2_time_read("2026-01-14T10:00:00.000000Z") : -1;
}

static void test_forms_of_times(void)
{
	tap_int(find_time("\"2026-01-14T10:00:01.000002Z\""), 1000002,
		"a time of git's form is found");
	tap_int(find_time("\"2026-01-14T10:00:01Z\""), 1000000,
		"so is one without decimals");
	tap_int(find_time("\"2026-01-14T10:00:01.5Z\""), 1500000,
		"or with a decimal");
	tap_int(find_time("\"2026-01-14T10:00:00.000001987Z\""), 1,
		"of nine decimals six count");
	tap_int(find_time("\"2026-01-14T10:00:00.1234567+00:00\""), 123456,
		"a time may be 0 hours from UTC");
	tap_int(find_time("\"2026-01-14T11:30:01+01:30\""), 1000000,
		"one in the east is later than UTC");
	tap_int(find_time("\"2026-01-14T01:29:02.000003-0831\""), 2000003,
		"one in the west is earlier, with a colon or without");
	tap_int(find_time("\"2026-01-15T09:59:01+23:59\""), 1000000,
		"an offset is less than a day");
	tap_int(find_time("\"\\u0032026-01-14T10:00:01Z\""), 1000000,
		"a time may have escapes");
}

static void test_no_times(void)
{
	static const char *const texts[] = {
		"\"\"",
		"\"2026-01-14T10:00:0\"",
		"\"2026-01-14T10:00:01\"",
		"\"2026-01-14T10:00:01.\"",
		"\"2026-01-14T10:00:01.5\"",
		"\"2026-01-14T10:00:01 Z\"",
		"\"2026-01-14T10:00:01,5Z\"",
		"\"2026-01-14T10:00:01.5ZZ\"",
		"\"2026-01-14T10:00:01z\"",
		"\"2026-01-14 10:00:01Z\"",
		"\"2026-13-14T10:00:01Z\"",
		"\"2026-01-14T24:00:01Z\"",
		"\"2026-01-14T10:00:01+24:00\"",
		"\"2026-01-14T10:00:01+01:60\"",
		"\"2026-01-14T10:00:01+01\"",
		"\"2026-01-14T10:00:01+01:\"",
		"\"2026-01-14T10:00:01+01:0\"",
		"\"2026-01-14T10:00:01+01:000\"",
		"\"2026-01-14T10:00:01+01-00\"",
		"\"2026-01-14T10:00:01+a1:00\"",
		"\"2026-01-14T10:00:01+01:a0\"",
		"\"2026-01-14T10:00:01*01:00\"",
		"20260114100001",
		"null",
	};
	size_t i, count = sizeof(texts) / sizeof(*texts);

	for (i = 0; i < count && find_time(texts[i]) == -1; i++)
		;
	tap_int((intmax_t)i, (intmax_t)count, "other texts are no times");
	if (i < count)
		printf("# %s\n", texts[i]);
	read_record("{\"event\":\"2026-01-14T10:00:01Z\"}");
	tap_ok(!tr2_record_find_time(&record), "and an event may have no time");
}

int main(void)
{
	tap_run(test_seconds, test_integers, test_unsigned, test_lengths,
		test_pids, test_forms_of_times, test_no_times);
	tr2_record_release(&record);
	return tap_done();
}
