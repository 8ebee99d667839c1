/* otlp_kit.h - events to spans: what the room puts, process by process. */
#ifndef UNIT_OTLP_OTLP_KIT_H
#define UNIT_OTLP_OTLP_KIT_H

#include "kit/validate.h"

#include "kit/json.h"
#include "views/otlp/otlp.h"

static struct tr2_otlp otlp;
static char put_text[1 << 16]; /* the last ResourceSpans */
static int put_count;	       /* of them, since otlp_begin() */

/* A tr2_otlp_fn. */
static void keep_put(void *context, const char *json, size_t len)
{
	(void)context;
	tap_need(len < sizeof(put_text));
	memcpy(put_text, json, len);
	put_text[len] = '\0';
	put_count++;
}

static inline void otlp_begin(void)
{
	tr2_otlp_begin(&otlp, keep_put, NULL);
	put_text[0] = '\0';
	put_count = 0;
}

/* An event of this line. */
static inline void otlp_take(const char *line)
{
	tap_need(read_record(line) == TR2_RECORD_OK);
	tr2_otlp_event(&otlp, &record);
}

/*
 * An event of the process, so many microseconds after second 1,000,000,000 of
 * Unix; `rest` are more keys, each after a comma.
 */
static inline void otlp_tell(const char *sid, const char *event, int us,
			     const char *rest)
{
	char line[1024];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\","
		 "\"time\":\"2001-09-09T01:46:40.%06dZ\"%s}",
		 event, sid, us, rest);
	otlp_take(line);
}

/*
 * What the last text has after the first `after` and the `key` that follows
 * it: up to a quote if that is what it begins with, and else to the end of the
 * value. "" if there is none. Valid until the next call but one.
 */
static inline const char *find_put(const char *after, const char *key)
{
	static char found[2][1024];
	static int turn;
	const char *at = strstr(put_text, after);
	char *to = found[turn = !turn];
	size_t len = 0;
	int depth = 0;

	at = at ? strstr(at, key) : NULL;
	to[0] = '\0';
	if (!at)
		return to;
	at += strlen(key);
	if (*at == '"')
		len = strcspn(++at, "\"");
	else
		for (; at[len] && (depth || !strchr(",]}", at[len])); len++)
			depth += strchr("[{", at[len])	 ? 1
				 : strchr("]}", at[len]) ? -1
							 : 0;
	snprintf(to, sizeof(found[0]), "%.*s", (int)len, at);
	return to;
}

/* Of the span of this name. */
static inline const char *find_of_span(const char *name, const char *key)
{
	char after[256], before[64];

	snprintf(after, sizeof(after), "\"name\":\"%s\",\"kind\"", name);
	snprintf(before, sizeof(before), "\"%s\":", key);
	return find_put(after, before);
}

/* How often the text is in the last one. */
static inline int count_put(const char *wanted)
{
	const char *at = put_text;
	int count = 0;

	while ((at = strstr(at, wanted))) {
		count++;
		at += strlen(wanted);
	}
	return count;
}

#endif
