/*
 * An event of a line: its keys, and values as numbers; what is none of them is not
 * an error.
 */
#include "kit/validate.h"
#include "rules/schema.h"
#include "read/value.h"
#include "kit/json.h"

/*
 * ---- Record
 */

static struct tr2_tokens block;

/*
 * ---- Events
 */

#define BIT(key) (UINT64_C(1) << (key))

static void test_many_keys(void)
{
	const uint64_t strings = BIT(TR2_KEY_EVENT) | BIT(TR2_KEY_MSG);
	const uint64_t numbers = BIT(TR2_KEY_LINE) | BIT(TR2_KEY_CODE);
	const char *const base = text;

	read_record(
		"{\"event\":\"error\",\"line\":7,\"msg\":\"a\",\"code\":8,"
		"\"argv\":[],\"t_abs\":0.5,\"x\":1,\"y\" :\"\",\"exe\":\"\"}");
	tap_ok(record.present == (strings | numbers | BIT(TR2_KEY_ARGV) |
				  BIT(TR2_KEY_T_ABS) | BIT(TR2_KEY_EXE)) &&
		       !record.repeated && record.unknown == 2,
	       "an event's keys are seen");
	tap_ok(record.plain[TR2_STRING] == strings &&
		       record.plain[TR2_INTEGER] == numbers &&
		       record.plain[TR2_FRACTION] == BIT(TR2_KEY_T_ABS),
	       "plain values are told from others");
	tap_ok(!memcmp(base + record.value[TR2_KEY_MSG].start, "\"a\",", 4) &&
		       record.value[TR2_KEY_MSG].end -
				       record.value[TR2_KEY_MSG].start ==
			       3,
	       "the values of an event are where they are");
	read_record("{\"line\":1,\"x\":2,\"code\":3,\"code\":4}");
	tap_ok(record.repeated == BIT(TR2_KEY_CODE) && record.unknown == 1 &&
		       record.is == TR2_IS_OTHER,
	       "what one event has is not another's");
}

/*
 * ---- Memory
 */

/* No tokens are looked for in a text for which there is no memory. */
static void read_too_long(void)
{
	tr2_record_read(&record, "\\", (size_t)1 << 40);
}

static void run_record(void)
{
	tap_run(test_many_keys);
	tap_ok(kit_runs_out(read_too_long),
	       "a line needs memory for its tokens");
	tr2_tokens_release(&block);
	tr2_record_release(&record);
}

/*
 * ---- Value
 */

static char line[256];

/* Read an event with this text as the value of `t_abs`. */
static void read_value(const char *value)
{
	snprintf(line, sizeof(line), "{\"t_abs\":%s}", value);
	tap_need(read_record(line) == TR2_RECORD_OK);
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

static void run_value(void)
{
	tap_run(test_integers, test_unsigned, test_lengths, test_pids);
	tr2_record_release(&record);
}

int main(void)
{
	tap_run(run_record, run_value);
	return tap_done();
}
