#include "rules/consumer/part.h"

/*
 * It draws a box for each process and region, and has one stack for all of
 * them.
 */

#include "reader_flamechart.h"

#define SEEN(is) (UINT64_C(1) << TR2_IS_##is)
#define DRAWN \
	(SEEN(START) | SEEN(EXIT) | SEEN(REGION_ENTER) | SEEN(REGION_LEAVE))

/* SPEC: consumer.flamechart.argv */
static void check_argv(struct tr2_reading *reading)
{
	struct tr2_record *record = reading->record;
	const struct tr2_value *argv = &record->value[TR2_KEY_ARGV];

	if (!tr2_record_has(record, TR2_KEY_ARGV))
		tr2_reading_miss(reading, ARGV, TR2_KEY_EVENT,
				 "start has no argv");
	else if (argv->kind != TR2_STRINGS)
		tr2_reading_miss(reading, ARGV, TR2_KEY_ARGV,
				 "argv is not a list of strings");
	else if (tr2_parse_byte(&record->parse, argv->token + 1) == ']')
		tr2_reading_miss(reading, ARGV, TR2_KEY_ARGV, "argv is empty");
}

/* SPEC: consumer.flamechart.time */
static void check_time(struct tr2_reading *reading)
{
	size_t decimals;

	if (tr2_reading_time(reading, &decimals) == TR2_ZONE_BAD)
		tr2_reading_miss(reading, TIME, TR2_KEY_TIME,
				 "the event has no time that it can read");
}

/* SPEC: consumer.flamechart.markup */
static void check_markup(struct tr2_reading *reading, enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_raw(reading->record, key, &len);

	if (text && (memchr(text, '<', len) || memchr(text, '&', len)))
		tr2_reading_miss(reading, MARKUP, key,
				 "it does not escape < and &");
}

/* A process and a region of its main thread have different hashes. */
static uint64_t process_of(const struct tr2_reading *reading)
{
	return tr2_reading_hash(reading, TR2_KEY_SID);
}

/* SPEC: consumer.flamechart.stack, consumer.flamechart.tree */
static void close_one(struct tr2_reading *reading, uint64_t who)
{
	if (!tr2_reading_close(reading, who, TREE))
		tr2_reading_miss(reading, STACK, TR2_KEY_EVENT,
				 "nothing is open that this could end");
}

static void take_event(struct tr2_reading *reading)
{
	enum tr2_is is = reading->record->is;

	if (!(UINT64_C(1) << is & DRAWN))
		return;
	check_time(reading);
	if (is == TR2_IS_START) {
		check_argv(reading);
		check_markup(reading, TR2_KEY_ARGV);
		tr2_reading_open(reading, process_of(reading));
	} else if (is == TR2_IS_EXIT) {
		close_one(reading, process_of(reading));
	} else if (is == TR2_IS_REGION_ENTER) {
		tr2_reading_open(reading,
				 tr2_reading_who(reading, TR2_KEY_THREAD));
	} else {
		check_markup(reading, TR2_KEY_CATEGORY);
		check_markup(reading, TR2_KEY_LABEL);
		close_one(reading, tr2_reading_who(reading, TR2_KEY_THREAD));
	}
}

/* SPEC: consumer.flamechart.nothing */
static void take_end(struct tr2_reading *reading)
{
	if (reading->worst != TR2_ERROR && !(reading->seen & DRAWN))
		tr2_reading_miss_line(reading, NOTHING, 1,
				      "the log has no start, exit or region");
}

const struct tr2_consumer_part tr2_consumer_flamechart = {
	READER_MEMBERS.event = take_event,
	.end = take_end,
};
