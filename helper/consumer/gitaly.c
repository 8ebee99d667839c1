#include "consumer/part.h"

/*
 * It reads the log of a command that it ran, usually in the brief form, and
 * makes one tree of it with a single stack.
 */

enum { JSON, TYPE, TIME, FIRST_TIME, STACK, TREE };

static const struct tr2_consumer_rule rules[] = {
	[JSON] = { "consumer.gitaly.json", TR2_ERROR, "gives up on the log" },
	[TYPE] = { "consumer.gitaly.type", TR2_ERROR, "gives up on the log" },
	[TIME] = { "consumer.gitaly.time", TR2_ERROR, "gives up on the log" },
	[FIRST_TIME] = { "consumer.gitaly.first-time", TR2_ERROR,
			 "gives up on the log" },
	[STACK] = { "consumer.gitaly.stack", TR2_ERROR, "gives up on the log" },
	[TREE] = { "consumer.gitaly.tree", TR2_WARNING,
		   "puts the event in a wrong place" },
};

#define TIME_DECIMALS 6

/* SPEC: consumer.gitaly.type */
static const struct tr2_asked asked[] = {
/* clang-format off */
#define TEXT(key) { TR2_ANY_EVENT, TR2_KEY_##key, TR2_STRING | TR2_NULL, true }
#define NUMBER(key, kinds) \
	{ TR2_ANY_EVENT, TR2_KEY_##key, (kinds) | TR2_NULL, true }
	TEXT(EVENT),
	TEXT(CATEGORY),
	TEXT(LABEL),
	TEXT(THREAD),
	TEXT(KEY),
	TEXT(TIME),
	TEXT(MSG),
	TEXT(EXE),
	TEXT(EVT),
	TEXT(WORKTREE),
	NUMBER(T_ABS, TR2_KIND_NUMBER),
	NUMBER(T_REL, TR2_KIND_NUMBER),
	NUMBER(CHILD_ID, TR2_INTEGER),
	NUMBER(CODE, TR2_INTEGER),
	{ TR2_ANY_EVENT, TR2_KEY_ARGV, TR2_STRINGS | TR2_NULL, true },
	{ TR2_IS_DATA, TR2_KEY_VALUE, TR2_STRING | TR2_NULL, true },
	{ .kinds = 0 },
	/* clang-format on */
};

static void check_types(struct tr2_reading *reading)
{
	bool missing;
	const struct tr2_asked *bad = tr2_asked_bad(reading, asked, &missing);

	if (bad)
		tr2_reading_miss(reading, TYPE, bad->key, "%s is not %s",
				 tr2_schema_keys.name[bad->key],
				 tr2_asked_words(bad));
}

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

	check_types(reading);
	if (is == TR2_IS_CMD_NAME || is == TR2_IS_EXIT)
		return; /* it reads none of these */
	check_time(reading);
	check_stack(reading);
}

const struct tr2_consumer_part tr2_consumer_gitaly = {
	.name = "gitaly",
	.verdict = "consumer.gitaly.verdict",
	.rules = rules,
	.json = JSON,
	.refuses = 1U << TR2_FAULT_SYNTAX | 1U << TR2_FAULT_END |
		   1U << TR2_FAULT_NUL,
	.event = take_event,
};
