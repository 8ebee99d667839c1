#include "read/value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/json/match.h"
#include "read/text/clock.h"

#define DECIMALS 6
#define WHOLE 11	    /* digits: with six decimals they fit in int64_t */
#define CLOCK_SLACK 1000000 /* microseconds between two clocks */
#define NUMBER (TR2_INTEGER | TR2_FRACTION)

static const char *find_value(const struct tr2_record *record, enum tr2_key key,
			      unsigned kinds, size_t *len)
{
	const struct tr2_value *value = &record->value[key];

	if (!tr2_record_has(record, key) || !(value->kind & kinds))
		return NULL;
	*len = value->end - value->start;
	return record->parse.text + value->start;
}

static uint64_t read_digits(const char *text, size_t count)
{
	uint64_t value = 0;

	for (; count; count--)
		value = 10 * value + (uint64_t)(*text++ - '0');
	return value;
}

static bool is_integer(const struct tr2_record *record, enum tr2_key key)
{
	return record->value[key].kind == TR2_INTEGER;
}

/* It fits in int64_t or uint64_t, because the parser refuses others. */
static bool read_integer(const char *text, size_t len, int64_t *value)
{
	if (*text == '-') {
		*value = (int64_t)-read_digits(text + 1, len - 1);
		return true;
	}
	*value = (int64_t)read_digits(text, len);
	return *value >= 0;
}

/* For a schema, `2.0` and `1e3` are integers, too. */
bool tr2_record_integer(const struct tr2_record *record, enum tr2_key key,
			int64_t *value)
{
	size_t len;
	const char *text = find_value(record, key, NUMBER, &len);
	double number;

	if (!text)
		return false;
	if (is_integer(record, key))
		return read_integer(text, len, value);
	number = strtod(text, NULL);
	if (!(number >= -0x1p63 && number < 0x1p63))
		return false;
	*value = (int64_t)number;
	return (double)*value == number;
}

bool tr2_record_number(struct tr2_record *record, enum tr2_key key,
		       int64_t *value)
{
	char digits[24], *end;
	const char *text;
	size_t len;

	if (tr2_record_integer(record, key, value))
		return true;
	text = tr2_record_text(record, key, &len);
	if (!text || !len || len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (*digits != '-' && (*digits < '0' || *digits > '9'))
		return false;
	errno = 0;
	*value = strtoll(digits, &end, 10);
	return !errno && end == digits + len;
}

bool tr2_record_unsigned(const struct tr2_record *record, enum tr2_key key,
			 uint64_t *value)
{
	size_t len;
	const char *text = find_value(record, key, NUMBER, &len);
	double number;

	if (!text || *text == '-')
		return false;
	if (is_integer(record, key)) {
		*value = read_digits(text, len);
		return true;
	}
	number = strtod(text, NULL);
	if (number >= 0x1p64)
		return false;
	*value = (uint64_t)number;
	return true;
}

/*
 * Read digits, a point and six digits, as nearly all such numbers are
 * written.
 */
static bool read_plain(const char *text, size_t len, int64_t *value)
{
	size_t whole = len - 1 - DECIMALS; /* a huge number if there are none */

	if (whole > WHOLE || text[whole] != '.' || *text == '-' ||
	    tr2_parse_digits(text + whole + 1) < DECIMALS)
		return false;
	*value = 1000000 * (int64_t)read_digits(text, whole) +
		 tr2_clock_decimals(text + whole);
	return true;
}

bool tr2_record_seconds(const struct tr2_record *record, enum tr2_key key,
			int64_t *value)
{
	size_t len;
	const char *text = find_value(record, key, NUMBER, &len);
	double seconds;

	if (!text)
		return false;
	if (read_plain(text, len, value))
		return true;
	seconds = strtod(text, NULL);
	if (!(seconds >= 0 && seconds < 1e12))
		return false;
	*value = (int64_t)(seconds * 1e6 + 0.5);
	return true;
}

int64_t tr2_time_read(const char *text)
{
	/*
	 * Days before each month of a year that begins in March. An invalid
	 * month counts as one: it has been reported already.
	 */
	static const int16_t days[] = { 275, 306, 337, 0,   31,	 61,
					92,  122, 153, 184, 214, 245 };
	int64_t month = tr2_clock_pair(text + 5), year, day;

	year = 100 * tr2_clock_pair(text) + tr2_clock_pair(text + 2) -
	       (month < 3);
	day = 365 * year + year / 4 - year / 100 + year / 400 +
	      days[(uint64_t)month % 12] + tr2_clock_pair(text + 8);
	return TR2_CALENDAR_DAY * day + tr2_clock_read(text + 11);
}

int64_t tr2_record_time(const struct tr2_record *record)
{
	size_t len = 0;
	const char *text = find_value(record, TR2_KEY_TIME, TR2_STRING, &len);

	if (len != sizeof("\"2026-11-21T05:42:03.434259Z\"") - 1)
		return 0;
	return tr2_time_read(text + 1);
}

/* Skip a point and decimals, and keep the first six of them. */
static const char *take_decimals(const char *at, const char *end, char *kept)
{
	size_t count;

	if (at == end || *at != '.')
		return at;
	for (count = 0, at++; at < end && tr2_match_digits(at, 1); at++)
		if (count < DECIMALS)
			kept[count++] = *at;
	return at;
}

/* An offset from UTC with its minutes at that place: +01:00 or -0730. */
static bool is_offset(const char *at, size_t minutes)
{
	return (*at == '+' || *at == '-') && tr2_match_digits(at + 1, 2) &&
	       tr2_match_digits(at + minutes, 2) &&
	       tr2_clock_pair(at + 1) <= 23 &&
	       tr2_clock_pair(at + minutes) <= 59;
}

/* Read what ends a time: Z, or an offset, with a colon or without. */
static bool read_offset(const char *at, const char *end, int64_t *us)
{
	const size_t len = (size_t)(end - at);
	const size_t minutes = len == sizeof("+01:00") - 1 && at[3] == ':' ? 4
									   : 3;

	*us = 0;
	if (len == 1 && *at == 'Z')
		return true;
	if (len != minutes + 2 || !is_offset(at, minutes))
		return false;
	*us = 60000000 *
	      (60 * tr2_clock_pair(at + 1) + tr2_clock_pair(at + minutes));
	if (*at == '-')
		*us = -*us;
	return true;
}

/*
 * Other forms than git's are brought to that one.
 * SPEC: time.consumer
 */
int64_t tr2_record_find_time(struct tr2_record *record)
{
	static const size_t seconds = sizeof("2026-11-21T05:42:03") - 1;
	char form[] = "0000-00-00T00:00:00.000000Z";
	const char *at;
	int64_t offset;
	size_t len;
	const char *text;

	if (record->time)
		return record->time;
	text = tr2_record_text(record, TR2_KEY_TIME, &len);
	if (!text || len < seconds)
		return 0;
	if (tr2_match_time(text, len))
		return tr2_time_read(text);
	memcpy(form, text, seconds);
	at = take_decimals(text + seconds, text + len, form + seconds + 1);
	if (!tr2_match_time(form, sizeof(form) - 1) ||
	    !read_offset(at, text + len, &offset))
		return 0;
	return tr2_time_read(form) - offset;
}

bool tr2_time_has_date(int64_t time)
{
	return time && (time < TR2_TIME_1970 ||
			time >= TR2_TIME_1970 + INT64_C(31) * 86400 * 1000000);
}

bool tr2_record_is_too_long(const struct tr2_record *record, int64_t began)
{
	int64_t t_rel, ended = tr2_record_time(record);

	return began && ended &&
	       tr2_record_seconds(record, TR2_KEY_T_REL, &t_rel) &&
	       t_rel > ended - began + CLOCK_SLACK;
}

uint64_t tr2_record_hash(struct tr2_record *record, enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	return text ? tr2_hash(text, len).a : 0;
}

/*
 * Read the pid, P and 8 hexadecimal digits at the end of the SID; 0: there is
 * none.
 */
uint32_t tr2_sid_pid(const char *sid, size_t len)
{
	char digits[9] = "";

	if (len < 9 || sid[len - 9] != 'P')
		return 0;
	memcpy(digits, sid + len - 8, 8);
	/* strtoul() alone would accept a sign, a blank and 0x. */
	if (strspn(digits, "0123456789abcdefABCDEF") < 8)
		return 0;
	return (uint32_t)strtoul(digits, NULL, 16);
}

void tr2_calendar_put_date(struct tr2_buf *out, int64_t time)
{
	int64_t days = time / TR2_CALENDAR_DAY - 1, year, month, rest;

	/* 400 years have the same days. */
	year = days / 146097 * 400;
	days %= 146097;
	/* The last day of each such span has no next leap day. */
	rest = (days - days / 1460 + days / 36524 - days / 146096) / 365;
	days -= 365 * rest + rest / 4 - rest / 100;
	year += rest;
	month = (5 * days + 2) / 153;
	days -= (153 * month + 2) / 5;
	tr2_buf_digits(out, (unsigned)(year + (month >= 10)), 4);
	tr2_buf_byte(out, '-');
	tr2_buf_digits(out, (unsigned)((month + 2) % 12 + 1), 2);
	tr2_buf_byte(out, '-');
	tr2_buf_digits(out, (unsigned)days + 1, 2);
}

static void put_part(struct tr2_buf *out, char before, int64_t value,
		     unsigned digits)
{
	tr2_buf_byte(out, before);
	tr2_buf_digits(out, (unsigned)value, digits);
}

void tr2_calendar_put_time(struct tr2_buf *out, int64_t time)
{
	int64_t second = time / 1000000 % 86400;

	tr2_calendar_put_date(out, time);
	put_part(out, 'T', second / 3600, 2);
	put_part(out, ':', second / 60 % 60, 2);
	put_part(out, ':', second % 60, 2);
	put_part(out, '.', time % 1000000, 6);
	tr2_buf_byte(out, 'Z');
}

/* The day before day 0 was a Tuesday. */
int64_t tr2_calendar_monday(int64_t time)
{
	int64_t days = time / TR2_CALENDAR_DAY;

	return (days - (days + 1) % 7) * TR2_CALENDAR_DAY;
}
