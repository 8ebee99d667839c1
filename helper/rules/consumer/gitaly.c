#include "rules/consumer/part.h"

/*
 * It reads the log of a command that it ran, usually in the brief form, and
 * makes one tree of it with a single stack.
 */

#include "reader_gitaly.h"

#define TIME_DECIMALS 6

/*
 * An event without a time gets the last one, if there is one.
 * SPEC: consumer.gitaly.time, consumer.gitaly.first-time
 */
static void check_time(struct tr2_reading *reading)
{
	size_t decimals;

	if (!tr2_record_has(reading->record, TR2_KEY_TIME)) {
		if (!reading->seen)
			tr2_reading_miss(reading, FIRST_TIME, TR2_KEY_EVENT,
					 "the first event has no time");
	} else if (tr2_reading_time(reading, &decimals) != TR2_ZONE_Z ||
		   decimals != TIME_DECIMALS) {
		tr2_reading_miss(reading, TIME, TR2_KEY_TIME,
				 "the time does not have six decimals and Z");
	}
}

static void open_one(struct tr2_reading *reading, enum tr2_key key)
{
	tr2_reading_open(reading, tr2_reading_who(reading, key));
}

/* SPEC: consumer.gitaly.tree */
static void close_one(struct tr2_reading *reading, enum tr2_key key)
{
	if (!tr2_reading_close(reading, tr2_reading_who(reading, key), TREE))
		reading->emptied = reading->sink->line.number;
}

/*
 * Only when it adds the next event does it notice that more was closed than
 * opened.
 * SPEC: consumer.gitaly.stack
 */
static void check_stack(struct tr2_reading *reading)
{
	const enum tr2_is is = reading->record->is;

	if (reading->emptied)
		tr2_reading_miss(reading, STACK, TR2_KEY_EVENT,
				 "line %lu ended what had not begun",
				 reading->emptied);
	if (is == TR2_IS_CHILD_START)
		open_one(reading, TR2_KEY_CHILD_ID);
	else if (is == TR2_IS_REGION_ENTER)
		open_one(reading, TR2_KEY_THREAD);
	else if (is == TR2_IS_CHILD_EXIT)
		close_one(reading, TR2_KEY_CHILD_ID);
	else if (is == TR2_IS_REGION_LEAVE)
		close_one(reading, TR2_KEY_THREAD);
}

static void take_event(struct tr2_reading *reading)
{
	enum tr2_is is = reading->record->is;

	/* All keys are optional. SPEC: consumer.gitaly.type */
	tr2_reading_needs(reading, asked, TYPE, TYPE);
	if (is == TR2_IS_CMD_NAME || is == TR2_IS_EXIT)
		return; /* it reads none of these */
	check_time(reading);
	check_stack(reading);
}

const struct tr2_consumer_part tr2_consumer_gitaly = {
	READER_MEMBERS.event = take_event,
};
