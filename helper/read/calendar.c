#include "read/calendar.h"

#include "base/buf.h"

#define SECOND INT64_C(1000000)

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
	int64_t second = time / SECOND % 86400;

	tr2_calendar_put_date(out, time);
	put_part(out, 'T', second / 3600, 2);
	put_part(out, ':', second / 60 % 60, 2);
	put_part(out, ':', second % 60, 2);
	put_part(out, '.', time % SECOND, 6);
	tr2_buf_byte(out, 'Z');
}

/* The day before day 0 was a Tuesday. */
int64_t tr2_calendar_monday(int64_t time)
{
	int64_t days = time / TR2_CALENDAR_DAY;

	return (days - (days + 1) % 7) * TR2_CALENDAR_DAY;
}
