/*
 * Parts that the text targets share: clocks, file and line, the end of a
 * line.
 */
#include "event/format.h"

#include <string.h>

#include "base/buf.h"
#include "event/event.h"

/* Convert days since the epoch to a civil date; years begin in March. */
static void put_date(char *at, uint64_t days)
{
	uint64_t day = days + 719468; /* since 0000-03-01 */
	uint64_t era = day / 146097;
	uint64_t of_era = day % 146097;
	uint64_t year_of_era =
		(of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) /
		365;
	uint64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 -
				     year_of_era / 100);
	uint64_t month = (5 * of_year + 2) / 153; /* 0: March */
	uint64_t year = year_of_era + era * 400 + (month >= 10);

	tr2_put_digits(at + 4, (unsigned)year, 4);
	at[4] = '-';
	tr2_put_digits(at + 7, (unsigned)(month < 10 ? month + 3 : month - 9),
		       2);
	at[7] = '-';
	tr2_put_digits(at + 10, (unsigned)(of_year - (153 * month + 2) / 5 + 1),
		       2);
	at[10] = 'T';
}

void tr2_second_format(struct tr2_second *cache, uint64_t second)
{
	unsigned of_day = (unsigned)(second % 86400);
	char *clock = cache->text + TR2_SECOND_CLOCK;

	if (cache->second / 86400 != second / 86400 || !cache->text[0])
		put_date(cache->text, second / 86400);
	tr2_put_digits(clock + 2, of_day / 3600, 2);
	clock[2] = ':';
	tr2_put_digits(clock + 5, of_day / 60 % 60, 2);
	clock[5] = ':';
	tr2_put_digits(clock + 8, of_day % 60, 2);
	clock[8] = '.';
	cache->second = second;
}

void tr2_text_clock(struct tr2_buf *out, const struct tr2_event *event,
		    struct tr2_second *local)
{
	const uint64_t second = event->wall_us / 1000000u;
	const size_t clock_len = sizeof(local->text) - TR2_SECOND_CLOCK;
	const size_t len = clock_len + 7;
	char *at;

	tr2_second_set(local, second + (uint64_t)(int64_t)event->utc_offset);
	at = tr2_buf_take(out, len);
	if (!at)
		return;
	memcpy(at, local->text + TR2_SECOND_CLOCK, clock_len);
	at[len - 1] = ' ';
	tr2_put_digits(at + len - 1, (unsigned)(event->wall_us % 1000000u), 6);
}

void tr2_text_file_line(struct tr2_buf *out, const struct tr2_event *event)
{
	if (!event->file || !*event->file)
		return;
	tr2_buf_str(out, event->file);
	tr2_buf_byte(out, ':');
	tr2_buf_int(out, event->line);
}

void tr2_text_end_line(struct tr2_buf *out, size_t start)
{
	if (out->len == start || out->bytes[out->len - 1] != '\n')
		tr2_buf_byte(out, '\n');
}

int tr2_text_needs_wall(const struct tr2_event *event,
			const struct tr2_format *format)
{
	(void)event;
	return !format->brief;
}
