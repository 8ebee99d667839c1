#include "rules/consumer/part.h"

#include "lib/text/text.h"

/*
 * A daemon that follows commands. It recognises a command by the first
 * component of its SID, from the start of this session to its atexit.
 */

#include "reader_git_ai.h"

#define SEEN(is) (UINT64_C(1) << TR2_IS_##is)
#define TIMED (SEEN(START) | SEEN(EXIT) | SEEN(ATEXIT))
/* The events that it reads. */
#define READ (TIMED | SEEN(DEF_REPO) | SEEN(CMD_NAME) | SEEN(DEF_PARAM))

/* SPEC: consumer.git-ai.time */
static void check_time(struct tr2_reading *reading)
{
	const struct tr2_record *record = reading->record;
	size_t decimals;

	if (!tr2_record_has(record, TR2_KEY_T_ABS) &&
	    tr2_reading_time(reading, &decimals) == TR2_ZONE_BAD)
		tr2_reading_miss(reading, TIME, TR2_KEY_TIME,
				 "the event has neither time nor t_abs");
}

/* Returns the root of the SID; `alone`: the SID has no other component. */
static struct tr2_map_slot *root_of(struct tr2_reading *reading, bool *alone)
{
	size_t len, root = 0;
	const char *sid = tr2_record_text(reading->record, TR2_KEY_SID, &len);
	struct tr2_map_slot *slot;

	while (root < len && sid[root] != '/')
		root++;
	*alone = root == len;
	slot = tr2_map_enter(&reading->map, tr2_hash(sid, root).a);
	if (!slot->line)
		slot->line = reading->sink->line.number;
	return slot;
}

/* SPEC: consumer.git-ai.completed */
static void take_read(struct tr2_reading *reading)
{
	enum tr2_is is = reading->record->is;
	bool alone;
	struct tr2_map_slot *root = root_of(reading, &alone);

	if (root->value & SEEN(ATEXIT) && root->value & SEEN(START)) {
		tr2_reading_miss(reading, COMPLETED, TR2_KEY_EVENT,
				 "the command had its atexit before");
		return;
	}
	if (UINT64_C(1) << is & TIMED)
		check_time(reading);
	if (alone)
		root->value |= UINT64_C(1) << is;
}

static bool has_text(struct tr2_record *record, enum tr2_key key)
{
	return tr2_record_has(record, key) &&
	       record->value[key].kind == TR2_STRING;
}

static void take_event(struct tr2_reading *reading)
{
	struct tr2_record *record = reading->record;
	const struct tr2_line *line = &reading->sink->line;
	bool named = has_text(record, TR2_KEY_EVENT);

	if (!named || !has_text(record, TR2_KEY_SID)) {
		tr2_reading_miss(reading, SESSION, TR2_KEY_EVENT,
				 "there is no %s", named ? "sid" : "event");
		return;
	}
	if (!(UINT64_C(1) << record->is & READ))
		return;
	/* SPEC: consumer.git-ai.prefix */
	if (!tr2_text_starts(line->text, line->len, "{\"event\":\""))
		tr2_reading_miss(reading, PREFIX, TR2_KEY_EVENT,
				 "it does not begin with {\"event\":\"");
	take_read(reading);
}

/* SPEC: consumer.git-ai.incomplete, consumer.git-ai.command */
static void take_end(struct tr2_reading *reading)
{
	const uint64_t whole = SEEN(START) | SEEN(ATEXIT);
	const struct tr2_map_slot *slot = NULL, *first = NULL;
	bool any = false;

	while ((slot = tr2_map_next(&reading->map, slot)))
		if ((slot->value & whole) == whole)
			any = true;
		else if (!first || slot->line < first->line)
			first = slot;
	if (!any)
		tr2_reading_miss_line(
			reading, COMMAND, 1,
			"no SID of one part has start and atexit");
	else if (first)
		tr2_reading_miss_line(
			reading, INCOMPLETE, first->line, "its root has no %s",
			first->value & SEEN(START) ? "atexit" : "start");
}

const struct tr2_consumer_part tr2_consumer_git_ai = {
	READER_MEMBERS.event = take_event,
	.end = take_end,
};
