/* Times of events as dates, and the weeks in which they are. */
#include "read/calendar.h"

#include <time.h>

#include "base/buf.h"
#include "kit/tap.h"
#include "read/value.h"

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

int main(void)
{
	test_days();
	tr2_buf_release(&out);
	return tap_done();
}
