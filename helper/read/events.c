#include "read/events.h"

#include <stdio.h>
#include <string.h>

#include "read/json/fault.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* The longest line that every reader accepts. SPEC: input.long-line-read */
#define LONG_LINE ((size_t)1 << 20)

/* A tear may damage this many bytes before it. */
#define TEAR_REACH 8

/* How many possible beginnings of events are tried in a line. */
#define TRIES_MAX 64

#define MESSAGE_ROOM 512

const char *const tr2_level_names[] = { "error", "warning", "info", NULL };

#define INPUT_RULE(input, id, level) { id, level },

/* SPEC: destination.socket.datagram-event */
const struct tr2_input_rule tr2_input_rules[TR2_INPUT_COUNT] = { TR2_INPUT_ROWS(
	INPUT_RULE) };

/* The id and message of each fault. */
static const struct {
	enum tr2_input input;
	const char *message;
} faults[] = {
	[TR2_FAULT_NONE] = { TR2_INPUT_JSON, "not JSON" },
	[TR2_FAULT_SYNTAX] = { TR2_INPUT_JSON, "not JSON" },
	[TR2_FAULT_END] = { TR2_INPUT_TORN_LINE,
			    "the line ends inside the event" },
	[TR2_FAULT_MORE] = { TR2_INPUT_TWO_OBJECTS,
			     "another object on the same line" },
	[TR2_FAULT_UTF8] = { TR2_INPUT_UTF8, "bytes that are not UTF-8" },
	[TR2_FAULT_NUL] = { TR2_INPUT_NUL, "a NUL byte" },
	[TR2_FAULT_SURROGATE] = { TR2_INPUT_LONE_SURROGATE,
				  "half of a surrogate pair is not a "
				  "character" },
	[TR2_FAULT_NUMBER] = { TR2_INPUT_NUMBER_RANGE,
			       "the number is out of range" },
	[TR2_FAULT_DEPTH] = { TR2_INPUT_DEPTH, "nested too deep" },
};

/* Returns where the next event may begin, at or after `at`; or the end. */
static size_t find_beginning(const struct tr2_events *events, size_t at)
{
	const char *found = tr2_text_find(
		events->text + at, events->text_len - at, "{\"event\":\"");

	return found ? (size_t)(found - events->text) : events->text_len;
}

/*
 * Returns the first whole event after the beginning of a broken text, or its
 * end.
 * SPEC: input.glued
 */
static size_t find_whole_event(const struct tr2_events *events)
{
	const char *text = events->text;
	size_t at = 0, len = events->text_len;
	enum tr2_fault_kind kind;

	for (int tries = 0; tries < TRIES_MAX; tries++) {
		at = find_beginning(events, at + 1);
		if (at == len)
			break;
		kind = tr2_fault_find(text + at, len - at).kind;
		if (kind == TR2_FAULT_NONE || kind == TR2_FAULT_MORE)
			return at;
	}
	return len;
}

/*
 * Returns where the event at the start of the text was torn: where another
 * event begins at the fault, or where a whole one begins inside it and its
 * own end is missing. Returns the end if it was not torn.
 */
static size_t find_tear(const struct tr2_events *events,
			const struct tr2_fault *fault, size_t whole)
{
	size_t from = fault->at > TEAR_REACH ? fault->at - TEAR_REACH : 1;
	size_t tear = find_beginning(events, from);

	if (tear < events->text_len && tear <= fault->at + TEAR_REACH)
		return tear;
	return whole < fault->at ? whole : events->text_len;
}

static void report_expected(struct tr2_events *events, enum tr2_input input,
			    size_t at, size_t len, const char *message,
			    const char *expected)
{
	const struct tr2_problem problem = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.message = message,
		.expected = expected,
		.at = at,
		.len = len,
	};

	if (events->tell)
		events->tell(events->owner, &problem);
}

static void report_problem(struct tr2_events *events, enum tr2_input input,
			   size_t at, size_t len, const char *message)
{
	report_expected(events, input, at, len, message, NULL);
}

static void report_fault(struct tr2_events *events,
			 const struct tr2_fault *fault)
{
	char message[MESSAGE_ROOM];

	snprintf(message, sizeof(message), "%s%s%s",
		 faults[fault->kind].message,
		 fault->expected ? ": expected " : "",
		 fault->expected ? fault->expected : "");
	report_expected(events, faults[fault->kind].input, fault->at,
			fault->len, message, fault->expected);
}

static void lose_text(struct tr2_events *events, const char *text, size_t len)
{
	if (events->lose)
		events->lose(events->owner, text, len);
}

/* Only a text that is not UTF-8 is copied, and it has no tokens. */
static enum tr2_record_result read_record(struct tr2_events *events,
					  const char *text, size_t len)
{
	const struct tr2_line *line = events->line;

	if (line->tokens)
		return tr2_record_read_among(&events->record, line->tokens,
					     text, len, line->escapes);
	return tr2_record_read(&events->record, text, len);
}

/* Read the text, or a mended copy of it. False if it is not JSON. */
static bool read_object(struct tr2_events *events, const char *text, size_t len,
			bool quietly)
{
	events->part++;
	switch (read_record(events, text, len)) {
	case TR2_RECORD_OK:
		events->mending = quietly;
		events->take(events->taker, &events->record);
		return true;
	case TR2_RECORD_NOT_OBJECT:
		if (!quietly)
			report_problem(events, TR2_INPUT_NOT_OBJECT, 0, len,
				       "not a JSON object");
		lose_text(events, text, len);
		return true;
	case TR2_RECORD_REFUSED:;
	}
	return false;
}

/* Repair a copy: the text is the caller's. */
static bool read_mended(struct tr2_events *events, const char *text, size_t len)
{
	struct tr2_buf *mended = &events->mended;

	tr2_buf_reset(mended);
	tr2_buf_add(mended, text, len);
	tr2_buf_fill(mended, '\0', TR2_TOKENS_PADDING);
	if (mended->failed)
		tr2_memory_out();
	tr2_fault_mend_utf8(mended->bytes, len);
	return read_object(events, mended->bytes, len, true);
}

/*
 * Report once what is wrong with a refused text. Returns where the next whole
 * event begins, or the length of the text.
 */
static size_t diagnose_text(struct tr2_events *events, const char *text,
			    size_t len, const struct tr2_fault *fault)
{
	size_t whole = find_whole_event(events);
	size_t tear = find_tear(events, fault, whole);

	if (tear < len)
		report_problem(events, TR2_INPUT_TORN_LINE, tear, 1,
			       "the event is torn: the next one begins here");
	else
		report_fault(events, fault);
	if (whole == len && tear == len && fault->kind == TR2_FAULT_UTF8 &&
	    read_mended(events, text, len))
		return len;
	lose_text(events, text, whole);
	events->in_torn = tear == len && fault->kind == TR2_FAULT_END;
	return whole;
}

/*
 * Read a refused text part by part. Each step reads only up to the next
 * fault, so many parts take no more time than one. False if the end of the
 * text is broken.
 * SPEC: input.continue
 */
static bool read_parts(struct tr2_events *events, const char *text, size_t len)
{
	struct tr2_fault fault;
	size_t next;

	for (; len; text += next, len -= next) {
		events->text = text;
		events->text_len = len;
		fault = tr2_fault_find(text, len);
		if (fault.kind == TR2_FAULT_NONE)
			return read_object(events, text, len, false);
		if (fault.kind == TR2_FAULT_MORE) {
			next = fault.at;
			read_object(events, text, next, false);
			report_fault(events, &fault);
		} else {
			next = diagnose_text(events, text, len, &fault);
		}
	}
	return false;
}

static bool is_blank(const char *text, size_t len)
{
	while (len && (*text == ' ' || *text == '\t' || *text == '\r'))
		text++, len--;
	return !len;
}

static void skip_ending(struct tr2_events *events, size_t *len)
{
	const struct tr2_line *line = events->line;

	if (!line->ended || line->text[line->len - 1] != '\r')
		return;
	--*len;
	if (events->told_crlf)
		return;
	report_problem(events, TR2_INPUT_CRLF, line->len - 1, 1,
		       "lines end in CR LF, not in LF");
	events->told_crlf = true;
}

/* Skip a byte order mark; returns its length. */
static size_t skip_bom(struct tr2_events *events)
{
	const struct tr2_line *line = events->line;

	if (line->number > 1 ||
	    !tr2_text_starts(line->text, line->len, "\xef\xbb\xbf"))
		return 0;
	report_problem(events, TR2_INPUT_BOM, 0, 3,
		       "a byte order mark before the first event");
	return 3;
}

/* May the text of the line be parsed? */
static bool is_sound(struct tr2_events *events, const char *text, size_t len)
{
	if (events->line->cut) {
		report_problem(events, TR2_INPUT_HUGE_LINE, 0, 1,
			       "too long to be checked");
		lose_text(events, NULL, 0);
		return false;
	}
	/*
	 * After a raw LF in a torn event, the rest of the event is not reported
	 * again.
	 */
	if (events->in_torn && *text != '{')
		return false;
	if (is_blank(text, len)) {
		report_problem(events, TR2_INPUT_BLANK_LINE, 0, len,
			       "a line without an event");
		return false;
	}
	if (len > LONG_LINE)
		report_problem(events, TR2_INPUT_LONG_LINE, 0, 1,
			       "longer than many readers accept");
	if (events->line->second)
		report_expected(events, TR2_INPUT_DATAGRAM, 0,
				events->line->len,
				"another event in the same datagram",
				"one event");
	return true;
}

/* Is the line one JSON value and nothing else? */
static bool read_line(struct tr2_events *events, const struct tr2_line *line)
{
	size_t start, len = line->len;
	bool plain, whole;

	if (len)
		skip_ending(events, &len);
	start = skip_bom(events);
	if (!is_sound(events, line->text + start, len - start))
		return false;
	events->in_torn = false;
	events->text = line->text + start;
	plain = read_object(events, line->text + start, len - start, false);
	whole = plain || read_parts(events, line->text + start, len - start);
	events->text = line->text;
	if (whole && !line->ended)
		report_problem(events, TR2_INPUT_FINAL_NEWLINE, line->len, 0,
			       "the last line does not end in LF");
	return plain;
}

bool tr2_events_line(struct tr2_events *events, const struct tr2_line *line)
{
	events->line = line;
	events->record.format = TR2_LOG_EVENT;
	events->text = line->text;
	events->text_len = line->len;
	events->part = 0;
	return read_line(events, line);
}

void tr2_events_made(void *context, const struct tr2_made *made,
		     unsigned long number)
{
	struct tr2_events *events = context;
	const struct tr2_line line = { .text = made->tokens.text,
				       .len = made->tokens.len,
				       .number = number,
				       .ended = true };

	if (made->unsure || line.len > LONG_LINE) {
		tr2_events_line(events, &line);
		return;
	}
	events->line = &line;
	events->text = line.text;
	events->in_torn = events->mending = false;
	tr2_record_take(&events->record, made);
	events->record.format = TR2_LOG_EVENT;
	events->take(events->taker, &events->record);
}

void tr2_events_report(const struct tr2_events *events, const char *id,
		       const char *message)
{
	const struct tr2_problem problem = {
		.level = TR2_ERROR,
		.id = id,
		.message = message,
	};

	if (events->tell)
		events->tell(events->owner, &problem);
}

void tr2_events_release(struct tr2_events *events)
{
	tr2_record_release(&events->record);
	tr2_buf_release(&events->mended);
}
