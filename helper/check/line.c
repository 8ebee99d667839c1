#include "check/checker.h"

#include "consumer/consumer.h"
#include "json/fault.h"
#include "common/memory.h"
#include "text/text.h"

/* The longest line that every reader accepts. SPEC: input.long-line-read */
#define LONG_LINE ((size_t)1 << 20)

/* A tear may damage this many bytes before it. */
#define TEAR_REACH 8

/* How many possible beginnings of events are tried in a line. */
#define TRIES_MAX 64

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
static size_t find_beginning(const struct tr2_checker *checker, size_t at)
{
	const char *found = tr2_text_find(checker->sink.text + at,
					  checker->text_len - at,
					  "{\"event\":\"");

	return found ? (size_t)(found - checker->sink.text) : checker->text_len;
}

/*
 * Does the SID follow the name of the event at the start of the text? One of
 * these bytes, or a NUL, follows every text.
 */
static bool has_sid(const char *text)
{
	static const char between[] = "\",\"sid\":\"";

	text += strlen("{\"event\":\"");
	text += strcspn(text, "\"{\r\n");
	return !strncmp(text, between, strlen(between));
}

/*
 * Returns the first whole event after the beginning of a broken text, or its
 * end.
 * SPEC: input.glued
 */
static size_t find_whole_event(const struct tr2_checker *checker)
{
	const char *text = checker->sink.text;
	size_t at = 0, len = checker->text_len;
	enum tr2_fault_kind kind;
	int tries;

	for (tries = 0; tries < TRIES_MAX; tries++) {
		at = find_beginning(checker, at + 1);
		if (at == len)
			break;
		if (!has_sid(text + at))
			continue;
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
static size_t find_tear(const struct tr2_checker *checker,
			const struct tr2_fault *fault, size_t whole)
{
	size_t from = fault->at > TEAR_REACH ? fault->at - TEAR_REACH : 1;
	size_t tear = find_beginning(checker, from);

	if (tear < checker->text_len && tear <= fault->at + TEAR_REACH)
		return tear;
	return whole < fault->at ? whole : checker->text_len;
}

static void report_fault(struct tr2_checker *checker,
			 const struct tr2_fault *fault)
{
	enum tr2_input input = faults[fault->kind].input;
	struct tr2_what what = {
		.level = tr2_input_rules[input].level,
		.id = tr2_input_rules[input].id,
		.expected = fault->expected,
		.at = fault->at,
		.len = fault->len,
	};

	checker->sink.writer =
		tr2_writer_of_line(checker->sink.text, checker->text_len);
	tr2_sink_report(&checker->sink, &what, "%s%s%s",
			faults[fault->kind].message,
			fault->expected ? ": expected " : "",
			fault->expected ? fault->expected : "");
	checker->sink.writer = TR2_WRITER_OTHER;
}

/* Only a text that is not UTF-8 is copied, and it has no tokens. */
static enum tr2_record_result read_record(struct tr2_checker *checker,
					  const char *text, size_t len)
{
	const struct tr2_line *line = &checker->sink.line;

	if (line->tokens)
		return tr2_record_read_among(&checker->record, line->tokens,
					     text, len, line->escapes);
	return tr2_record_read(&checker->record, text, len);
}

/*
 * Read and check the text, which is the checker's or a copy of it. False if
 * it is not JSON.
 */
static bool check_object(struct tr2_checker *checker, const char *text,
			 size_t len, bool quietly)
{
	checker->sink.part++;
	switch (read_record(checker, text, len)) {
	case TR2_RECORD_OK:
		if (checker->take)
			checker->take(checker->taker, &checker->record);
		else
			tr2_checker_event(checker, quietly);
		return true;
	case TR2_RECORD_NOT_OBJECT:
		if (!quietly)
			tr2_input_report(&checker->sink, TR2_INPUT_NOT_OBJECT,
					 0, len, "not a JSON object");
		tr2_stream_lose(&checker->stream, &checker->sink, text, len);
		return true;
	case TR2_RECORD_REFUSED:;
	}
	return false;
}

/* Repair a copy: the text is the caller's. */
static bool check_mended(struct tr2_checker *checker, const char *text,
			 size_t len)
{
	struct tr2_buf *mended = &checker->mended;

	tr2_buf_reset(mended);
	tr2_buf_add(mended, text, len);
	tr2_buf_fill(mended, '\0', TR2_TOKENS_PADDING);
	if (mended->failed)
		tr2_memory_out();
	tr2_fault_mend_utf8(mended->bytes, len);
	return check_object(checker, mended->bytes, len, true);
}

/*
 * Report once what is wrong with a refused text. Returns where the next whole
 * event begins, or the length of the text.
 */
static size_t diagnose_text(struct tr2_checker *checker, const char *text,
			    size_t len, const struct tr2_fault *fault)
{
	size_t whole = find_whole_event(checker);
	size_t tear = find_tear(checker, fault, whole);

	if (tear < len)
		tr2_input_report(&checker->sink, TR2_INPUT_TORN_LINE, tear, 1,
				 "the event is torn: the next one begins here");
	else
		report_fault(checker, fault);
	if (whole == len && tear == len && fault->kind == TR2_FAULT_UTF8 &&
	    check_mended(checker, text, len))
		return len;
	tr2_stream_lose(&checker->stream, &checker->sink, text, whole);
	checker->log.in_torn = tear == len && fault->kind == TR2_FAULT_END;
	return whole;
}

/*
 * Check a refused text part by part. Each step reads only up to the next
 * fault, so many parts take no more time than one. False if the end of the
 * text is broken.
 * SPEC: input.continue
 */
static bool check_parts(struct tr2_checker *checker, const char *text,
			size_t len)
{
	struct tr2_fault fault;
	size_t next;

	for (; len; text += next, len -= next) {
		checker->sink.text = text;
		checker->text_len = len;
		fault = tr2_fault_find(text, len);
		if (fault.kind == TR2_FAULT_NONE)
			return check_object(checker, text, len, false);
		if (fault.kind == TR2_FAULT_MORE) {
			next = fault.at;
			check_object(checker, text, next, false);
			report_fault(checker, &fault);
		} else {
			next = diagnose_text(checker, text, len, &fault);
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

static void report_crlf(struct tr2_checker *checker)
{
	struct tr2_what what = {
		.level = tr2_input_rules[TR2_INPUT_CRLF].level,
		.id = tr2_input_rules[TR2_INPUT_CRLF].id,
		.at = checker->sink.line.len - 1,
		.len = 1,
	};

	tr2_sink_report(&checker->sink, &what, "lines end in CR LF, not in LF");
	checker->log.told_crlf = true;
}

static void check_ending(struct tr2_checker *checker, size_t *len)
{
	const struct tr2_line *line = &checker->sink.line;

	if (!line->ended || line->text[line->len - 1] != '\r')
		return;
	--*len;
	if (!checker->log.told_crlf)
		report_crlf(checker);
}

/* Skip a byte order mark; returns its length. */
static size_t check_bom(struct tr2_checker *checker)
{
	const struct tr2_line *line = &checker->sink.line;

	if (line->number > 1 ||
	    !tr2_text_starts(line->text, line->len, "\xef\xbb\xbf"))
		return 0;
	tr2_input_report(&checker->sink, TR2_INPUT_BOM, 0, 3,
			 "a byte order mark before the first event");
	return 3;
}

/* SPEC: destination.socket.datagram-event */
static void report_second(struct tr2_checker *checker)
{
	const struct tr2_what what = {
		.level = TR2_ERROR,
		.id = "destination.socket.datagram-event",
		.expected = "one event",
		.len = checker->sink.line.len,
	};

	tr2_sink_report(&checker->sink, &what,
			"another event in the same datagram");
}

/* May the text of the line be parsed? */
static bool is_sound(struct tr2_checker *checker, const char *text, size_t len)
{
	if (checker->sink.line.cut) {
		tr2_input_report(&checker->sink, TR2_INPUT_HUGE_LINE, 0, 1,
				 "too long to be checked");
		tr2_stream_lose(&checker->stream, &checker->sink, NULL, 0);
		return false;
	}
	/*
	 * After a raw LF in a torn event, the rest of the event is not reported
	 * again.
	 */
	if (checker->log.in_torn && *text != '{')
		return false;
	if (is_blank(text, len)) {
		tr2_input_report(&checker->sink, TR2_INPUT_BLANK_LINE, 0, len,
				 "a line without an event");
		return false;
	}
	if (len > LONG_LINE)
		tr2_input_report(&checker->sink, TR2_INPUT_LONG_LINE, 0, 1,
				 "longer than many readers accept");
	if (checker->sink.line.second)
		report_second(checker);
	return true;
}

/* Is the line one JSON value and nothing else? */
static bool check_line(struct tr2_checker *checker, const struct tr2_line *line)
{
	size_t start, len = line->len;
	bool plain, whole;

	if (len)
		check_ending(checker, &len);
	start = check_bom(checker);
	if (!is_sound(checker, line->text + start, len - start))
		return false;
	checker->log.in_torn = false;
	checker->sink.text = line->text + start;
	plain = check_object(checker, line->text + start, len - start, false);
	whole = plain || check_parts(checker, line->text + start, len - start);
	checker->sink.text = line->text;
	if (whole && !line->ended)
		tr2_input_report(&checker->sink, TR2_INPUT_FINAL_NEWLINE,
				 line->len, 0,
				 "the last line does not end in LF");
	return plain;
}

void tr2_checker_line(struct tr2_checker *checker, const struct tr2_line *line)
{
	bool plain;

	tr2_sink_line(&checker->sink, line);
	checker->sink.part = 0;
	plain = check_line(checker, line);
	if (checker->consumers)
		tr2_consumers_line(checker->consumers, plain);
}
