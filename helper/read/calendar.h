/*
 * calendar.h - the times of tr2_record_time() as dates. Its day 0 is the
 * first of March of the year 0, and a time is at least one day.
 */
#ifndef TR2_READ_CALENDAR_H
#define TR2_READ_CALENDAR_H

#include <stdint.h>

struct tr2_buf;

#define TR2_CALENDAR_DAY INT64_C(86400000000) /* microseconds */

/* Put 2026-11-23. */
void tr2_calendar_put_date(struct tr2_buf *out, int64_t time);

/* Put 2026-11-23T08:30:00.000000Z. */
void tr2_calendar_put_time(struct tr2_buf *out, int64_t time);

/* Returns a time on the Monday of the week. */
int64_t tr2_calendar_monday(int64_t time);

#endif
