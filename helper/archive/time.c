#include <stdlib.h>

#include "archive/logs.h"

#define SECOND UINT64_C(1000000000)
#define DAY ((size_t)10) /* characters of YYYY-MM-DD */

/* A date that does not exist, as month 0, would be far before 1970. */
static bool is_date(uint64_t year, uint64_t month, uint64_t day)
{
	return year >= 1970 && year <= 2200 && month >= 1 && month <= 12 &&
	       day >= 1 && day <= 31;
}

static bool take_number(const char **at, const char *end, size_t digits,
			uint64_t *value)
{
	for (*value = 0; digits; digits--, ++*at) {
		if (*at == end || **at < '0' || **at > '9')
			return false;
		*value = 10 * *value + (uint64_t)(**at - '0');
	}
	return true;
}

static bool take_byte(const char **at, const char *end, char byte)
{
	if (*at == end || **at != byte)
		return false;
	++*at;
	return true;
}

/*
 * Days since 1970-01-01. Years begin in March, so that leap days are at the
 * end.
 */
static uint64_t days_of(uint64_t year, uint64_t month, uint64_t day)
{
	uint64_t y = year - (month < 3), m = (month + 9) % 12;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day -
	       1 - 719468;
}

/*
 * Read the date at the start of the text. Most events have the date of the
 * event before, so that one is remembered.
 */
static bool take_day(struct tr2_logs *logs, const char **at, const char *end,
		     uint64_t *ns)
{
	const char *start = *at;
	uint64_t year, month, day;

	if ((size_t)(end - start) < DAY)
		return false;
	if (memcmp(start, logs->day, DAY) != 0) {
		if (!take_number(at, end, 4, &year) ||
		    !take_byte(at, end, '-') ||
		    !take_number(at, end, 2, &month) ||
		    !take_byte(at, end, '-') ||
		    !take_number(at, end, 2, &day) ||
		    !is_date(year, month, day))
			return false;
		logs->day_ns = days_of(year, month, day) * 86400 * SECOND;
		memcpy(logs->day, start, DAY);
	}
	*at = start + DAY;
	*ns = logs->day_ns;
	return true;
}

static uint64_t take_fraction(const char **at, const char *end)
{
	uint64_t ns = 0, unit = SECOND / 10;

	if (!take_byte(at, end, '.'))
		return 0;
	for (; *at < end && **at >= '0' && **at <= '9'; ++*at, unit /= 10)
		ns += unit * (uint64_t)(**at - '0');
	return ns;
}

/*
 * Read an offset from UTC, as +01:00 or -0730, which is subtracted; anything
 * else, as Z, is none.
 * SPEC: time.consumer
 */
static uint64_t apply_offset(uint64_t ns, const char *at, const char *end)
{
	uint64_t hour, minute, offset;
	bool is_east = at < end && *at == '+';

	if (at == end || (*at != '+' && *at != '-'))
		return ns;
	at++;
	if (!take_number(&at, end, 2, &hour))
		return ns;
	at += at < end && *at == ':';
	if (!take_number(&at, end, 2, &minute) || hour > 23 || minute > 59)
		return ns;
	offset = (hour * 60 + minute) * 60 * SECOND;
	if (!is_east)
		return ns + offset;
	return ns > offset ? ns - offset : 0;
}

/* Read THH:MM:SS; a minute may have a leap second. */
static bool take_clock(const char **at, const char *end, uint64_t *ns)
{
	uint64_t hour, minute, second;

	if (!take_byte(at, end, 'T') || !take_number(at, end, 2, &hour) ||
	    !take_byte(at, end, ':') || !take_number(at, end, 2, &minute) ||
	    !take_byte(at, end, ':') || !take_number(at, end, 2, &second))
		return false;
	*ns = ((hour * 60 + minute) * 60 + second) * SECOND;
	return hour <= 23 && minute <= 59 && second <= 60;
}

/*
 * Read YYYY-MM-DDTHH:MM:SS.uuuuuuZ, with any number of digits after the
 * point. 0: the event has no such time.
 */
static uint64_t wall_time(struct tr2_logs *logs)
{
	uint64_t day, clock, fraction;
	size_t len;
	const char *at = tr2_record_text(logs->record, TR2_KEY_TIME, &len);
	const char *end = at ? at + len : NULL;

	if (!at || !take_day(logs, &at, end, &day) ||
	    !take_clock(&at, end, &clock))
		return 0;
	fraction = take_fraction(&at, end);
	return apply_offset(day + clock + fraction, at, end);
}

/* Get the time since the process began; false: it is unknown. */
static bool elapsed_ns(const struct tr2_logs *logs, uint64_t *ns)
{
	const struct tr2_value *value = &logs->record->value[TR2_KEY_T_ABS];
	double seconds;

	*ns = 0;
	if (!tr2_record_has(logs->record, TR2_KEY_T_ABS) ||
	    !(value->kind & (TR2_INTEGER | TR2_FRACTION)))
		return false;
	seconds = strtod(logs->record->parse.text + value->start, NULL);
	if (!(seconds >= 0 && seconds < 1e9))
		return false;
	*ns = (uint64_t)(seconds * 1e9 + 0.5);
	return true;
}

/*
 * The time is the event's own, or follows from t_abs, or is that of the event
 * before. It never goes back on a thread, because viewers would then nest
 * slices wrongly.
 */
uint64_t tr2_logs_time(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;
	struct tr2_run_thread *thread = tr2_logs_thread(logs);
	uint64_t time = wall_time(logs), since;
	bool has_since = elapsed_ns(logs, &since);

	if (!time && run->base && has_since)
		time = run->base + since;
	if (!time)
		time = run->last;
	/*
	 * In a brief log only `version` has a time, and `start` follows it at
	 * once.
	 */
	if (!run->base && has_since && time > since)
		run->base = time - since;
	if (time < thread->last)
		time = thread->last;
	thread->last = time;
	if (time > run->last)
		run->last = time;
	if (!run->first)
		run->first = time;
	return time;
}
