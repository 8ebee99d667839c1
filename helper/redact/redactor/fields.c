#include "redact/redactor/fields.h"

/* A row of the table; 0 means that there is none. */
#define ROW(event, key, field) \
	[TR2_IS_##event][TR2_KEY_##key] = TR2_FIELD_##field + 1
#define COMMON(event)                                             \
	ROW(event, EVENT, KEPT), ROW(event, SID, SID),            \
		ROW(event, THREAD, KEPT), ROW(event, TIME, TIME), \
		ROW(event, FILE, SOURCE)

static const unsigned char table[TR2_IS_OTHER][TR2_KEYS] = {
	/* clang-format off: one row a line, which a test reads */
	COMMON(VERSION),
	ROW(VERSION, EVT, DIGITS),
	ROW(VERSION, EXE, KEPT),
	COMMON(TOO_MANY_FILES),
	COMMON(START),
	ROW(START, ARGV, ARGV),
	COMMON(EXIT),
	COMMON(ATEXIT),
	COMMON(SIGNAL),
	COMMON(ERROR),
	ROW(ERROR, MSG, TEXT),
	ROW(ERROR, FMT, FORMAT),
	COMMON(CMD_PATH),
	ROW(CMD_PATH, PATH, PATH),
	COMMON(CMD_ANCESTRY),
	ROW(CMD_ANCESTRY, ANCESTRY, PROCESS),
	COMMON(CMD_NAME),
	ROW(CMD_NAME, NAME, KEPT),
	ROW(CMD_NAME, HIERARCHY, KEPT),
	COMMON(CMD_MODE),
	ROW(CMD_MODE, NAME, KEPT),
	COMMON(ALIAS),
	ROW(ALIAS, ALIAS, TEXT),
	ROW(ALIAS, ARGV, ALIAS),
	COMMON(CHILD_START),
	ROW(CHILD_START, CHILD_CLASS, KEPT),
	ROW(CHILD_START, HOOK_NAME, KEPT),
	ROW(CHILD_START, CD, PATH),
	ROW(CHILD_START, ARGV, ARGV),
	COMMON(CHILD_EXIT),
	COMMON(CHILD_READY),
	ROW(CHILD_READY, READY, KEPT),
	COMMON(EXEC),
	ROW(EXEC, EXE, PROGRAM),
	ROW(EXEC, ARGV, ARGV),
	COMMON(EXEC_RESULT),
	COMMON(THREAD_START),
	COMMON(THREAD_EXIT),
	COMMON(DEF_PARAM),
	ROW(DEF_PARAM, SCOPE, KEPT),
	ROW(DEF_PARAM, PARAM, PARAM),
	ROW(DEF_PARAM, VALUE, SETTING),
	COMMON(DEF_REPO),
	ROW(DEF_REPO, WORKTREE, PATH),
	COMMON(REGION_ENTER),
	ROW(REGION_ENTER, CATEGORY, KEPT),
	ROW(REGION_ENTER, LABEL, KEPT),
	ROW(REGION_ENTER, MSG, TEXT),
	COMMON(REGION_LEAVE),
	ROW(REGION_LEAVE, CATEGORY, KEPT),
	ROW(REGION_LEAVE, LABEL, KEPT),
	ROW(REGION_LEAVE, MSG, TEXT),
	COMMON(DATA),
	ROW(DATA, CATEGORY, KEPT),
	ROW(DATA, KEY, KEPT),
	ROW(DATA, VALUE, TEXT),
	COMMON(DATA_JSON),
	ROW(DATA_JSON, CATEGORY, KEPT),
	ROW(DATA_JSON, KEY, KEPT),
	ROW(DATA_JSON, VALUE, TEXT),
	COMMON(PRINTF),
	ROW(PRINTF, MSG, TEXT),
	COMMON(TH_TIMER),
	ROW(TH_TIMER, CATEGORY, KEPT),
	ROW(TH_TIMER, NAME, KEPT),
	COMMON(TIMER),
	ROW(TIMER, CATEGORY, KEPT),
	ROW(TIMER, NAME, KEPT),
	COMMON(TH_COUNTER),
	ROW(TH_COUNTER, CATEGORY, KEPT),
	ROW(TH_COUNTER, NAME, KEPT),
	COMMON(COUNTER),
	ROW(COUNTER, CATEGORY, KEPT),
	ROW(COUNTER, NAME, KEPT),
	/* clang-format on */
};

/* What every event has, also one that no schema knows. */
static enum tr2_field common_field(enum tr2_key key)
{
	static const unsigned char common[TR2_KEYS] = {
		[TR2_KEY_EVENT] = TR2_FIELD_KEPT,
		[TR2_KEY_SID] = TR2_FIELD_SID,
		[TR2_KEY_THREAD] = TR2_FIELD_KEPT,
		[TR2_KEY_TIME] = TR2_FIELD_TIME,
		[TR2_KEY_FILE] = TR2_FIELD_SOURCE,
	};

	return (enum tr2_field)common[key]; /* 0 is TR2_FIELD_TEXT */
}

bool tr2_field_is_known(enum tr2_is event, enum tr2_key key)
{
	return event < TR2_IS_OTHER && table[event][key];
}

enum tr2_field tr2_field_of(enum tr2_is event, enum tr2_key key)
{
	if (!tr2_field_is_known(event, key))
		return common_field(key);
	return (enum tr2_field)(table[event][key] - 1);
}
