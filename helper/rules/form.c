#include "rules/form.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/common/hash.h"
#include "lib/text/text.h"

#define THREAD_LONGEST 24

enum form {
	COMPACT,
	COMPACT_MIN,
	EVENT_FIRST,
	KEY_ORDER,
	SECONDS,
	ESCAPE_SHORT,
	ESCAPE_RAW,
	SID,
	THREAD
};

static const struct {
	const char *id;
	enum tr2_level level;
} rules[] = {
	[COMPACT] = { "json.compact", TR2_ERROR },
	[COMPACT_MIN] = { "json.compact.min", TR2_WARNING },
	[EVENT_FIRST] = { "json.event-first", TR2_WARNING },
	[KEY_ORDER] = { "json.key-order", TR2_ERROR },
	[SECONDS] = { "json.seconds", TR2_ERROR },
	[ESCAPE_SHORT] = { "json.escape.short", TR2_ERROR },
	[ESCAPE_RAW] = { "json.escape.raw", TR2_ERROR },
	[SID] = { "session.component", TR2_ERROR },
	[THREAD] = { "thread.name", TR2_ERROR },
};

/*
 * The order of the keys of every event: no two events have two keys in
 * different orders. A key that is not here may have any place.
 * SPEC: json.key-order
 */
static const uint8_t order[] = {
	TR2_KEY_EVENT,	   TR2_KEY_SID,	      TR2_KEY_THREAD,
	TR2_KEY_TIME,	   TR2_KEY_FILE,      TR2_KEY_LINE,
	TR2_KEY_REPO,	   TR2_KEY_EVT,	      TR2_KEY_EXEC_ID,
	TR2_KEY_EXE,	   TR2_KEY_T_ABS,     TR2_KEY_SIGNO,
	TR2_KEY_ALIAS,	   TR2_KEY_CHILD_ID,  TR2_KEY_CHILD_CLASS,
	TR2_KEY_HOOK_NAME, TR2_KEY_CD,	      TR2_KEY_USE_SHELL,
	TR2_KEY_ARGV,	   TR2_KEY_PID,	      TR2_KEY_CODE,
	TR2_KEY_READY,	   TR2_KEY_T_REL,     TR2_KEY_NESTING,
	TR2_KEY_SCOPE,	   TR2_KEY_PARAM,     TR2_KEY_CATEGORY,
	TR2_KEY_NAME,	   TR2_KEY_HIERARCHY, TR2_KEY_LABEL,
	TR2_KEY_KEY,	   TR2_KEY_VALUE,     TR2_KEY_COUNT,
	TR2_KEY_INTERVALS, TR2_KEY_T_TOTAL,   TR2_KEY_T_MIN,
	TR2_KEY_T_MAX,	   TR2_KEY_MSG,	      TR2_KEY_FMT,
	TR2_KEY_PATH,	   TR2_KEY_ANCESTRY,  TR2_KEY_WORKTREE,
};

_Static_assert(sizeof(order) <= TR2_KEYS, "each key has one place at most");

struct tr2_formed {
	struct tr2_record *record;
	struct tr2_sink *sink;
	struct tr2_map *told;
	const char *text;
	size_t len;
};

static void report_place(struct tr2_formed *event, enum form form, size_t at,
			 size_t len, const char *message)
{
	struct tr2_what what =
		tr2_what_at(rules[form].level, rules[form].id, at, len);

	if (tr2_map_add(event->told, tr2_hash(what.id, strlen(what.id)).a))
		tr2_sink_report(event->sink, &what, "%s", message);
}

static void report_value(struct tr2_formed *event, enum form form,
			 enum tr2_key key, const char *message)
{
	const struct tr2_value *value = &event->record->value[key];

	report_place(event, form, value->start, value->end - value->start,
		     message);
}

/* SPEC: json.key-order */
static void check_order(struct tr2_formed *event)
{
	const struct tr2_record *record = event->record;
	char message[80];
	uint8_t before = TR2_KEY_EVENT;

	for (size_t i = 0; i < sizeof(order); i++) {
		if (!tr2_record_has(record, order[i]))
			continue;
		if (tr2_record_has(record, before) &&
		    record->value[order[i]].start <
			    record->value[before].start) {
			snprintf(message, sizeof(message),
				 "%s stands before %s, and must follow it",
				 tr2_names_keys.name[order[i]],
				 tr2_names_keys.name[before]);
			report_value(event, KEY_ORDER, order[i], message);
			return;
		}
		before = order[i];
	}
}

/* SPEC: json.event-first */
static void check_first(struct tr2_formed *event)
{
	if (!tr2_text_starts(event->text, event->len, "{\"event\":\""))
		report_place(event, EVENT_FIRST, 0, 1,
			     "the line does not begin with {\"event\":\"");
}

/* The value of data_json is the host's. Returns its end, or `at`. */
static size_t skip_json(const struct tr2_formed *event, size_t at)
{
	const struct tr2_value *value = &event->record->value[TR2_KEY_VALUE];

	if (event->record->is == TR2_IS_DATA_JSON &&
	    tr2_record_has(event->record, TR2_KEY_VALUE) && at == value->start)
		return value->end;
	return at;
}

/* A line has no LF. */
static bool is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool has_short_escape(unsigned long code)
{
	return (code >= '\b' && code <= '\r' && code != '\v') || code == '"' ||
	       code == '\\';
}

/* The escape `\uXXXX` at this place. */
static void check_unicode(struct tr2_formed *event, size_t at)
{
	const char *digits = event->text + at + 2;
	char copy[5] = { digits[0], digits[1], digits[2], digits[3], '\0' };
	unsigned long code = strtoul(copy, NULL, 16);

	if (has_short_escape(code))
		report_place(event, ESCAPE_SHORT, at, 6,
			     "there is a shorter escape for this character");
	else if (code >= ' ')
		report_place(event, ESCAPE_RAW, at, 6,
			     "expected the character itself, not an escape");
	else if (strpbrk(copy, "ABCDEF"))
		report_place(event, ESCAPE_SHORT, at, 6,
			     "expected lower-case digits");
}

/* SPEC: json.escape.short, json.escape.raw */
static void check_escape(struct tr2_formed *event, size_t at)
{
	char kind = event->text[at + 1];

	if (kind == 'u')
		check_unicode(event, at);
	else if (kind == '/')
		report_place(event, ESCAPE_RAW, at, 2,
			     "expected the character itself, not an escape");
}

/* Returns the place after the string that begins here. */
static size_t check_string(struct tr2_formed *event, size_t at)
{
	for (at++; event->text[at] != '"'; at++)
		if (event->text[at] == '\\')
			check_escape(event, at++);
	return at + 1;
}

/* SPEC: json.compact, json.compact.min */
static void check_space(struct tr2_formed *event, size_t at)
{
	static const char message[] = "white space outside a string";

	if (!is_space(event->text[at]))
		return;
	report_place(event, COMPACT, at, 1, message);
	report_place(event, COMPACT_MIN, at, 1, message);
}

static void check_text(struct tr2_formed *event)
{
	size_t at = 0, next;

	while (at < event->len) {
		next = skip_json(event, at);
		if (next == at && event->text[at] == '"')
			next = check_string(event, at);
		if (next == at)
			check_space(event, next++);
		at = next;
	}
}

/* SPEC: json.seconds */
static void check_seconds(struct tr2_formed *event)
{
	static const uint8_t keys[] = { TR2_KEY_T_ABS, TR2_KEY_T_REL,
					TR2_KEY_T_TOTAL, TR2_KEY_T_MIN,
					TR2_KEY_T_MAX };
	const struct tr2_value *value;
	const char *point;
	size_t len;

	for (size_t i = 0; i < sizeof(keys); i++) {
		value = &event->record->value[keys[i]];
		if (!tr2_record_has(event->record, keys[i]) ||
		    !(value->kind & (TR2_INTEGER | TR2_FRACTION)))
			continue;
		len = value->end - value->start;
		point = memchr(event->text + value->start, '.', len);
		if (!point || event->text + value->end - point != 7 ||
		    strcspn(point, "eE") < 7)
			report_value(event, SECONDS, keys[i],
				     "expected six decimals and no exponent");
	}
}

static bool is_component(const char *part, size_t len)
{
#define TIME "00000000T000000.000000Z-"
	static const char host[] = TIME "Hxxxxxxxx-Pxxxxxxxx";
	static const char no_host[] = TIME "Localhost-Pxxxxxxxx";

	return len == sizeof(host) - 1 &&
	       (tr2_text_has_form(part, len, host) ||
		tr2_text_has_form(part, len, no_host));
}

/* SPEC: session.component */
static void check_sid(struct tr2_formed *event)
{
	size_t len, start;
	const char *sid = tr2_record_text(event->record, TR2_KEY_SID, &len);

	if (event->record->is != TR2_IS_VERSION || !sid)
		return;
	for (start = len; start && sid[start - 1] != '/'; start--)
		;
	if (!is_component(sid + start, len - start))
		report_value(event, SID, TR2_KEY_SID,
			     "expected a last component such as "
			     "20260114T093042.112358Z-Hc4f2e1a9-P00001f40");
}

static bool is_thread(const char *name, size_t len)
{
	size_t digits;

	if (tr2_text_is(name, len, "main"))
		return true;
	if (len > THREAD_LONGEST || !tr2_text_starts(name, len, "th"))
		return false;
	digits = tr2_text_count_digits(name + 2, len - 2);
	return digits >= 2 && 2 + digits < len && name[2 + digits] == ':';
}

/* SPEC: thread.name */
static void check_thread(struct tr2_formed *event)
{
	size_t len;
	const char *name = tr2_record_text(event->record, TR2_KEY_THREAD, &len);

	if (name && !is_thread(name, len))
		report_value(event, THREAD, TR2_KEY_THREAD,
			     "expected main, or thNN:NAME with at least two "
			     "digits and at most 24 bytes");
}

void tr2_form_check(struct tr2_record *record, struct tr2_sink *sink,
		    struct tr2_map *told)
{
	struct tr2_formed event = { .record = record,
				    .sink = sink,
				    .told = told,
				    .text = record->parse.text,
				    .len = record->parse.len };

	check_text(&event);
	check_order(&event);
	check_first(&event);
	check_seconds(&event);
	check_sid(&event);
	check_thread(&event);
}
