#include "consumer/part.h"

#include <stdlib.h>

#include "text/text.h"

/* A collector: each process has its own connection to it and becomes a span. */

enum {
	JSON,
	LINE,
	FINAL_NEWLINE,
	TIME,
	MISSING,
	TYPE,
	ARGV,
	DAEMON,
	START,
	VERSION,
	THREAD,
	NESTING
};

static const struct tr2_consumer_rule rules[] = {
	[JSON] = { "consumer.trace2receiver.json", TR2_ERROR,
		   "drops the process" },
	[LINE] = { "consumer.trace2receiver.line", TR2_WARNING,
		   "skips the line" },
	[FINAL_NEWLINE] = { "consumer.trace2receiver.final-newline",
			    TR2_WARNING, "skips the line" },
	[TIME] = { "consumer.trace2receiver.time", TR2_ERROR,
		   "drops the process" },
	[MISSING] = { "consumer.trace2receiver.missing", TR2_ERROR,
		      "drops the process" },
	[TYPE] = { "consumer.trace2receiver.type", TR2_ERROR,
		   "drops the process" },
	[ARGV] = { "consumer.trace2receiver.argv", TR2_ERROR, "crashes" },
	[DAEMON] = { "consumer.trace2receiver.daemon", TR2_ERROR,
		     "drops the process" },
	[START] = { "consumer.trace2receiver.start", TR2_ERROR,
		    "drops the process" },
	[VERSION] = { "consumer.trace2receiver.version", TR2_WARNING,
		      "has no trace id for the process" },
	[THREAD] = { "consumer.trace2receiver.thread", TR2_WARNING,
		     "skips the event" },
	[NESTING] = { "consumer.trace2receiver.nesting", TR2_WARNING,
		      "skips the event" },
};

/* SPEC: consumer.trace2receiver.missing, consumer.trace2receiver.type */
static const struct tr2_asked asked[] = {
/* clang-format off */
#define ASK(is, key, kinds) { TR2_IS_##is, TR2_KEY_##key, kinds, false }
#define MAY(is, key, kinds) { TR2_IS_##is, TR2_KEY_##key, kinds, true }
	ASK(OTHER, EVENT, TR2_STRING),
	ASK(OTHER, SID, TR2_STRING),
	ASK(OTHER, THREAD, TR2_STRING),
	MAY(OTHER, REPO, TR2_KIND_NUMBER),
	ASK(VERSION, EVT, TR2_STRING),
	ASK(VERSION, EXE, TR2_STRING),
	ASK(START, ARGV, TR2_KIND_LIST),
	ASK(EXIT, CODE, TR2_KIND_NUMBER),
	ASK(ATEXIT, CODE, TR2_KIND_NUMBER),
	ASK(SIGNAL, SIGNO, TR2_KIND_NUMBER),
	ASK(ERROR, MSG, TR2_STRING),
	ASK(ERROR, FMT, TR2_STRING),
	ASK(PRINTF, MSG, TR2_STRING),
	ASK(CMD_PATH, PATH, TR2_STRING),
	ASK(CMD_ANCESTRY, ANCESTRY, TR2_KIND_LIST),
	ASK(CMD_NAME, NAME, TR2_STRING),
	ASK(CMD_NAME, HIERARCHY, TR2_STRING),
	ASK(CMD_MODE, NAME, TR2_STRING),
	ASK(ALIAS, ALIAS, TR2_STRING),
	ASK(ALIAS, ARGV, TR2_KIND_LIST),
	ASK(CHILD_START, CHILD_ID, TR2_KIND_NUMBER),
	ASK(CHILD_START, CHILD_CLASS, TR2_STRING),
	ASK(CHILD_START, USE_SHELL, TR2_BOOLEAN),
	ASK(CHILD_START, ARGV, TR2_KIND_LIST),
	MAY(CHILD_START, CD, TR2_STRING),
	ASK(CHILD_EXIT, CHILD_ID, TR2_KIND_NUMBER),
	ASK(CHILD_EXIT, PID, TR2_KIND_NUMBER),
	ASK(CHILD_EXIT, CODE, TR2_KIND_NUMBER),
	ASK(CHILD_READY, CHILD_ID, TR2_KIND_NUMBER),
	ASK(CHILD_READY, PID, TR2_KIND_NUMBER),
	ASK(CHILD_READY, READY, TR2_STRING),
	ASK(EXEC, EXEC_ID, TR2_KIND_NUMBER),
	ASK(EXEC, ARGV, TR2_KIND_LIST),
	MAY(EXEC, EXE, TR2_STRING),
	ASK(EXEC_RESULT, EXEC_ID, TR2_KIND_NUMBER),
	ASK(EXEC_RESULT, CODE, TR2_KIND_NUMBER),
	ASK(DEF_PARAM, PARAM, TR2_STRING),
	ASK(DEF_PARAM, VALUE, TR2_STRING),
	MAY(DEF_PARAM, SCOPE, TR2_STRING),
	ASK(DEF_REPO, REPO, TR2_KIND_NUMBER),
	ASK(DEF_REPO, WORKTREE, TR2_STRING),
	ASK(REGION_ENTER, NESTING, TR2_KIND_NUMBER),
	MAY(REGION_ENTER, CATEGORY, TR2_STRING),
	MAY(REGION_ENTER, LABEL, TR2_STRING),
	MAY(REGION_ENTER, MSG, TR2_STRING),
	ASK(REGION_LEAVE, NESTING, TR2_KIND_NUMBER),
	MAY(REGION_LEAVE, CATEGORY, TR2_STRING),
	MAY(REGION_LEAVE, LABEL, TR2_STRING),
	MAY(REGION_LEAVE, MSG, TR2_STRING),
	ASK(DATA, NESTING, TR2_KIND_NUMBER),
	ASK(DATA, CATEGORY, TR2_STRING),
	ASK(DATA, KEY, TR2_STRING),
	ASK(DATA, VALUE, TR2_STRING | TR2_KIND_NUMBER),
	ASK(DATA_JSON, NESTING, TR2_KIND_NUMBER),
	ASK(DATA_JSON, CATEGORY, TR2_STRING),
	ASK(DATA_JSON, KEY, TR2_STRING),
	ASK(DATA_JSON, VALUE, ~(unsigned)TR2_NULL),
#define TIMER_KEYS(is)                          \
	ASK(is, CATEGORY, TR2_STRING),          \
	ASK(is, NAME, TR2_STRING),              \
	ASK(is, INTERVALS, TR2_KIND_NUMBER),    \
	ASK(is, T_TOTAL, TR2_KIND_NUMBER),      \
	ASK(is, T_MIN, TR2_KIND_NUMBER),        \
	ASK(is, T_MAX, TR2_KIND_NUMBER)
	TIMER_KEYS(TIMER),
	TIMER_KEYS(TH_TIMER),
#define COUNTER_KEYS(is)                        \
	ASK(is, CATEGORY, TR2_STRING),          \
	ASK(is, NAME, TR2_STRING),              \
	ASK(is, COUNT, TR2_KIND_NUMBER)
	COUNTER_KEYS(COUNTER),
	COUNTER_KEYS(TH_COUNTER),
	{ .kinds = 0 },
	/* clang-format on */
};

/* Only for children of class `hook`. */
static const struct tr2_asked asked_hook[] = {
	{ TR2_IS_CHILD_START, TR2_KEY_HOOK_NAME, TR2_STRING, false },
	{ .kinds = 0 },
};

static bool check_keys(struct tr2_reading *reading)
{
	bool missing;
	const struct tr2_asked *bad = tr2_asked_bad(reading, asked, &missing);
	const char *key;

	if (!bad && tr2_reading_is(reading, TR2_KEY_CHILD_CLASS, "hook"))
		bad = tr2_asked_bad(reading, asked_hook, &missing);
	if (!bad)
		return true;
	key = tr2_schema_keys.name[bad->key];
	if (missing)
		tr2_reading_miss(reading, MISSING, bad->key, "there is no %s",
				 key);
	else
		tr2_reading_miss(reading, TYPE, bad->key, "%s is not %s", key,
				 tr2_asked_words(bad));
	return false;
}

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
	if (!check_keys(reading) || !check_time(reading))
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
	.name = "trace2receiver",
	.verdict = "consumer.trace2receiver.verdict",
	.rules = rules,
	.json = JSON,
	.refuses = 1U << TR2_FAULT_SYNTAX | 1U << TR2_FAULT_END |
		   1U << TR2_FAULT_MORE | 1U << TR2_FAULT_NUL,
	.by_line = true,
	.event = take_event,
	.end = take_end,
};
