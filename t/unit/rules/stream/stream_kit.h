/*
 * stream_kit.h - stories: the events of a log, and what the rules between
 * events find in it.
 *
 *	{ "a region is left once",
 *	  BEGIN "region_enter nesting=1\n"
 *		"region_leave nesting=1\n"
 *		"region_leave nesting=1\n",
 *	  "5 \"region_leave\" stream.region.leave-unmatched: no region of the "
 *	  "thread is open\n" },
 *
 * An event has a SID, the thread main, and the members that are given, as JSON
 * or as a bare word; `thread=-` takes it away, and `at=` is its `time` in
 * seconds. A slash before the name is a child process, two are a child of
 * that. `!` before it: the line already has a finding; `~`: the event is
 * broken, too. `---` begins the next log, `?` is a line of an unknown process
 * that can't be read, `?` and a text that text, and `.` the end of all logs.
 */
#ifndef UNIT_STREAM_STREAM_KIT_H
#define UNIT_STREAM_STREAM_KIT_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "kit/validate.h"
#include "rules/known.h"
#include "rules/stream/step.h"

#include "kit/json.h" /* its `text` would shadow others */

#define BEGIN "version\nstart\n"
#define TIMED "version at=0\nstart at=0\n"
#define STORY_SID "20260114T093042.112358Z-Hc4f2e1a9-P0000000"

struct story_row {
	const char *name, *log, *said;
};

static struct {
	struct tr2_stream stream;
	struct tr2_sink sink;
	unsigned visit;
	char line[4096], name[32], said[1 << 14];
	size_t len;
} story;

/* The marked bytes of the line, or the name of the log and its line. */
static inline void show_story_place(const struct tr2_finding *finding)
{
	char *to = story.said + story.len;
	const size_t room = sizeof(story.said) - story.len;

	if (finding->text)
		story.len +=
			(size_t)snprintf(to, room, "%lu %.*s", finding->line,
					 (int)finding->width,
					 finding->text + finding->column - 1);
	else
		story.len += (size_t)snprintf(to, room, "%s:%lu", finding->file,
					      finding->line);
}

static inline void take_story_finding(struct tr2_sink *sink,
				      struct tr2_finding *finding)
{
	(void)sink;
	show_story_place(finding);
	story.len += (size_t)snprintf(
		story.said + story.len, sizeof(story.said) - story.len,
		" %s%s%s%s: %s\n", finding->id, finding->known ? "(" : "",
		finding->known ? finding->known : "", finding->known ? ")" : "",
		finding->message);
	tap_need(story.len < sizeof(story.said));
	if (finding->known)
		finding->level = TR2_INFO;
}

static inline void begin_story_log(const char *name)
{
	tr2_stream_begin_log(&story.stream, name, ++story.visit);
	story.sink.file = story.stream.sessions.log->text;
	story.sink.visit = story.visit;
	story.sink.line.number = 0;
}

static inline void begin_story(void)
{
	memset(&story, 0, sizeof(story));
	story.sink.take = take_story_finding;
	begin_story_log("log");
}

static inline bool is_story_json(const char *value)
{
	char *end;

	if (*value == '"')
		return true;
	strtod(value, &end);
	return *value != '\0' && !*end;
}

/* `key=value` as a member; `-` takes away what the event has by itself. */
static inline void add_story_member(char *line, const char *key,
				    const char *value)
{
	const bool bare = !is_story_json(value);
	long us;

	if (!strcmp(value, "-"))
		return;
	line += strlen(line);
	if (!strcmp(key, "at")) {
		us = (long)(strtod(value, NULL) * 1e6 + 0.5);
		sprintf(line, ",\"time\":\"2026-01-14T09:%02ld:%02ld.%06ldZ\"",
			30 + us / 60000000, us / 1000000 % 60, us % 1000000);
		return;
	}
	sprintf(line, ",\"%s\":%s%s%s", key, bare ? "\"" : "", value,
		bare ? "\"" : "");
}

/* Make the line of an event; it stands in story.line. */
static inline void make_story_line(const char *event, int depth, char *words)
{
	char sid[256] = STORY_SID "1", *value;
	bool has_thread = false;
	int i;

	for (i = 2; i < depth + 2; i++)
		sprintf(sid + strlen(sid), "/" STORY_SID "%d", i);
	if (words && !strncmp(words, "sid=", 4)) {
		value = strtok(words + 4, " ");
		snprintf(sid, sizeof(sid), "%s", value ? value : "");
		words = strtok(NULL, "");
	}
	sprintf(story.line, "{\"event\":\"%s\",\"sid\":\"%s\"", event, sid);
	words = words ? strtok(words, " ") : NULL;
	for (; words; words = strtok(NULL, " ")) {
		value = strchr(words, '=');
		*value++ = '\0';
		has_thread |= !strcmp(words, "thread");
		add_story_member(story.line, words, value);
	}
	if (!has_thread)
		add_story_member(story.line, "thread", "main");
	strcat(story.line, "}");
}

/* The stream gets the event that story.line is. */
static inline void take_story_line(bool muted, bool broken)
{
	struct tr2_line line = story.sink.line;
	struct tr2_sid *sid;
	size_t len = 0;
	const char *of;

	tap_need(read_record(story.line) == TR2_RECORD_OK);
	line.text = text;
	line.len = strlen(story.line);
	tr2_sink_line(&story.sink, &line);
	of = tr2_record_text(&record, TR2_KEY_SID, &len);
	sid = tr2_sids_enter(&story.stream.sids, of, len);
	if (tr2_sid_writer(sid) == TR2_WRITER_UUID)
		tr2_sid_set_writer(
			sid, tr2_writer_of_uuid(of, len,
						record.is == TR2_IS_VERSION));
	story.sink.event_len = line.len;
	tr2_stream_event(&story.stream, &story.sink, &record, sid, muted,
			 broken);
	story.sink.event_len = 0;
}

static inline void lose_story_line(const char *what)
{
	pad_json(what, strlen(what));
	story.sink.line.text = text;
	story.sink.line.len = strlen(what);
	tr2_stream_lose(&story.stream, &story.sink, *what ? text : NULL,
			strlen(what));
}

static inline void tell_story_event(char *row)
{
	bool muted = *row == '!', broken = *row == '~';
	char *name = row + (muted || broken), *words;
	int depth = (int)strspn(name, "/");

	words = strchr(name, ' ');
	if (words)
		*words++ = '\0';
	make_story_line(name + depth, depth, words);
	take_story_line(muted, broken);
}

static inline void tell_story_row(char *row)
{
	story.sink.line.number++;
	if (!strcmp(row, ".")) {
		tr2_stream_end(&story.stream, &story.sink);
	} else if (!strcmp(row, "---")) {
		snprintf(story.name, sizeof(story.name), "log%u",
			 story.visit + 1);
		begin_story_log(story.name);
	} else if (*row == '?') {
		lose_story_line(row + 1);
	} else {
		tell_story_event(row);
	}
}

/* More events of the story. */
static inline void go_on_story(const char *log)
{
	char row[2048];
	size_t len;

	for (; *log; log += len + 1) {
		len = strcspn(log, "\n");
		snprintf(row, sizeof(row), "%.*s", (int)len, log);
		tell_story_row(row);
	}
}

/* Returns what was found; valid until the next story begins. */
static inline const char *end_story(void)
{
	tr2_stream_release(&story.stream);
	return story.said;
}

static inline const char *find_in_story(const char *log)
{
	begin_story();
	go_on_story(log);
	return end_story();
}

#define check_stories(rows) \
	check_story_rows((rows), sizeof(rows) / sizeof(*(rows)))

static inline void check_story_rows(const struct story_row *rows, size_t count)
{
	for (; count; rows++, count--)
		tap_str(find_in_story(rows->log), rows->said, rows->name);
}

#endif
