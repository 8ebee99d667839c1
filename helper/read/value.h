/*
 * value.h - values of an event as numbers, and times as dates. A value of
 * another kind, or one that is missing, is not an error here: the schemas
 * report it.
 */
#ifndef TR2_READ_VALUE_H
#define TR2_READ_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/common/hash.h"
#include "read/record.h"

/* These return false, or 0, if the event has no such value. */
bool tr2_record_integer(const struct tr2_record *record, enum tr2_key key,
			int64_t *value);
bool tr2_record_unsigned(const struct tr2_record *record, enum tr2_key key,
			 uint64_t *value);
/* Get an integer, also one in a string, as git writes it. */
bool tr2_record_number(struct tr2_record *record, enum tr2_key key,
		       int64_t *value);
/* Get seconds as microseconds. */
bool tr2_record_seconds(const struct tr2_record *record, enum tr2_key key,
			int64_t *value);
/*
 * Returns the `time` as microseconds since a fixed day, or 0. Its form is not
 * checked, only its length.
 */
int64_t tr2_record_time(const struct tr2_record *record);
/*
 * The same in any form that a consumer accepts, with its offset; 0 if it has
 * another one.
 */
int64_t tr2_record_find_time(struct tr2_record *record);
/* The same of a text in the form of `time`, and when 1970 began. */
int64_t tr2_time_read(const char *text);
#define TR2_TIME_1970 INT64_C(62162121600000000)
/* Has the time a date? In a log without dates, days are counted from 1970. */
bool tr2_time_has_date(int64_t time);
/*
 * Does the t_rel exceed the time since `began` by more than two clocks may
 * differ? False if one of them is unknown.
 */
bool tr2_record_is_too_long(const struct tr2_record *record, int64_t began);
uint64_t tr2_record_hash(struct tr2_record *record, enum tr2_key key);

/* Returns the pid at the end of a SID of git's form, or 0. */
uint32_t tr2_sid_pid(const char *sid, size_t len);

/* Dates of such times. Their day 0 is the first of March of the year 0. */

#define TR2_CALENDAR_DAY INT64_C(86400000000) /* microseconds */

/* Put 2026-11-23. */
void tr2_calendar_put_date(struct tr2_buf *out, int64_t time);

/* Put 2026-11-23T08:30:00.000000Z. */
void tr2_calendar_put_time(struct tr2_buf *out, int64_t time);

/* Returns a time on the Monday of the week. */
int64_t tr2_calendar_monday(int64_t time);

#endif
