#include "rules/consumer/part.h"

#include <stdlib.h>

#include "lib/text/text.h"

/* A collector: each process has its own connection to it and becomes a span. */

#include "reader_trace2receiver.h"

/* SPEC: consumer.trace2receiver.time */
static bool check_time(struct tr2_reading *reading)
{
	size_t decimals;

	if (!tr2_record_has(reading->record, TR2_KEY_TIME))
		tr2_reading_miss(reading, TIME, TR2_KEY_EVENT,
				 "the event has no time");
	else if (tr2_reading_time(reading, &decimals) == TR2_ZONE_BAD)
		tr2_reading_miss(reading, TIME, TR2_KEY_TIME,
				 "the time is in a form that it does not know");
	else
		return true;
	return false;
}

/*
 * It assumes that the first argument is a string when it names the span.
 * SPEC: consumer.trace2receiver.argv
 */
static void check_argv(struct tr2_reading *reading)
{
	struct tr2_record *record = reading->record;
	const struct tr2_value *argv = &record->value[TR2_KEY_ARGV];
	bool named = record->is == TR2_IS_START;
	char first;

	if (record->is == TR2_IS_CHILD_START)
		named = tr2_reading_is(reading, TR2_KEY_CHILD_CLASS,
				       "dashed") ||
			tr2_reading_is(reading, TR2_KEY_CHILD_CLASS, "cred");
	if (!named)
		return;
	first = tr2_parse_byte(&record->parse, argv->token + 1);
	if (first == ']')
		tr2_reading_miss(reading, ARGV, TR2_KEY_ARGV, "argv is empty");
	else if (first != '"')
		tr2_reading_miss(reading, ARGV, TR2_KEY_ARGV,
				 "argv does not begin with a string");
}

/* Returns the number of open regions of the thread, plus one; 0: unknown. */
static uint64_t *depth_of(struct tr2_reading *reading)
{
	struct tr2_map_slot *thread = tr2_map_enter(
		&reading->map, tr2_reading_who(reading, TR2_KEY_THREAD));

	if (!thread->value && (reading->record->is == TR2_IS_THREAD_START ||
			       tr2_reading_is(reading, TR2_KEY_THREAD, "main")))
		thread->value = 1;
	return &thread->value;
}

static bool read_nesting(struct tr2_reading *reading, uint64_t *nesting)
{
	const struct tr2_record *record = reading->record;
	const char *text = record->parse.text;

	*nesting =
		strtoull(text + record->value[TR2_KEY_NESTING].start, NULL, 10);
	return record->is == TR2_IS_REGION_ENTER ||
	       record->is == TR2_IS_REGION_LEAVE ||
	       ((record->is == TR2_IS_DATA || record->is == TR2_IS_DATA_JSON) &&
		*nesting > 1);
}

/* SPEC: consumer.trace2receiver.thread, consumer.trace2receiver.nesting */
static void check_region(struct tr2_reading *reading)
{
	uint64_t *depth = depth_of(reading), nesting;
	enum tr2_is is = reading->record->is;
	bool fits;

	if (is == TR2_IS_THREAD_EXIT && *depth)
		*depth = 1;
	if (!read_nesting(reading, &nesting))
		return;
	if (!*depth) {
		tr2_reading_miss(reading, THREAD, TR2_KEY_THREAD,
				 "its thread had no thread_start");
		return;
	}
	fits = is == TR2_IS_REGION_ENTER   ? nesting == *depth
	       : is == TR2_IS_REGION_LEAVE ? nesting == *depth - 1
					   : nesting <= *depth;
	if (!fits || !nesting)
		tr2_reading_miss(reading, NESTING, TR2_KEY_NESTING,
				 "%llu regions of the thread are open",
				 (unsigned long long)*depth - 1);
	else if (is != TR2_IS_DATA && is != TR2_IS_DATA_JSON)
		*depth = is == TR2_IS_REGION_ENTER ? nesting + 1 : nesting;
}

/* Does the program read this line as an event? */
static bool check_line(struct tr2_reading *reading)
{
	const struct tr2_line *line = &reading->sink->line;

	if (tr2_text_starts(line->text, line->len, "\xef\xbb\xbf"))
		tr2_reading_miss(reading, LINE, TR2_KEY_EVENT,
				 "it begins with a byte order mark");
	else if (!line->ended)
		tr2_reading_miss(reading, FINAL_NEWLINE, TR2_KEY_EVENT,
				 "it does not end in LF");
	else
		return true;
	return false;
}

#define SEEN(is) (UINT64_C(1) << TR2_IS_##is)

/* Note the version and start of a process; line: that of its first event. */
static void note_process(struct tr2_reading *reading)
{
	struct tr2_map_slot *process = tr2_map_enter(
		&reading->map, tr2_reading_hash(reading, TR2_KEY_SID));

	if (!process->line)
		process->line = reading->sink->line.number;
	process->value |= UINT64_C(1) << reading->record->is;
}

static void take_event(struct tr2_reading *reading)
{
	const struct tr2_record *record = reading->record;

	if (!check_line(reading))
		return;
	if (tr2_record_has(record, TR2_KEY_SID))
		note_process(reading);
	/* SPEC: consumer.trace2receiver.missing, consumer.trace2receiver.type */
	if (!tr2_reading_needs(reading, asked, MISSING, TYPE) ||
	    !check_time(reading))
		return;
	check_argv(reading);
	check_region(reading);
	/* SPEC: consumer.trace2receiver.daemon */
	if (record->is == TR2_IS_CMD_NAME &&
	    tr2_reading_is(reading, TR2_KEY_NAME, "fsmonitor--daemon"))
		tr2_reading_miss(reading, DAEMON, TR2_KEY_NAME,
				 "it does not accept daemons");
}

static void keep_first(unsigned long *first, unsigned long line)
{
	if (!*first || line < *first)
		*first = line;
}

/* SPEC: consumer.trace2receiver.start, consumer.trace2receiver.version */
static void take_end(struct tr2_reading *reading)
{
	const struct tr2_map_slot *slot = NULL;
	unsigned long no_start = 0, no_version = 0;

	if (!reading->map.count)
		tr2_reading_miss_line(reading, START, 1, "it has no start");
	while ((slot = tr2_map_next(&reading->map, slot))) {
		if (!slot->line)
			continue; /* skip threads */
		if (!(slot->value & SEEN(START)))
			keep_first(&no_start, slot->line);
		else if (!(slot->value & SEEN(VERSION)))
			keep_first(&no_version, slot->line);
	}
	if (no_start)
		tr2_reading_miss_line(reading, START, no_start,
				      "it has no start");
	/* If a line was skipped, the version may have been in it. */
	if (no_version && !(reading->told >> LINE & 1))
		tr2_reading_miss_line(reading, VERSION, no_version,
				      "it has no version");
}

const struct tr2_consumer_part tr2_consumer_trace2receiver = {
	READER_MEMBERS.event = take_event,
	.end = take_end,
};
