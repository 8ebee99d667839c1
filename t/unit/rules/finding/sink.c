/*
 * A sink, and rules that have nothing else: no checker and no report. Each
 * gets a record, a sink of this test, and its own state.
 */
#include "kit/validate.h"

#include "rules/consumer/part.h"
#include "rules/finding/sink.h"
#include "rules/rules.h"
#include "rules/stream/step.h"
#include "rules/textlog/textlog.h"
#include "kit/json.h"

static char told[512];
static size_t told_len;
static size_t event_at;			    /* of the last finding */
static enum tr2_level lowered = TR2_LEVELS; /* to this; TR2_LEVELS: not */

/* `line:column+width id message`, with the level's first letter. */
static void keep_finding(struct tr2_sink *sink, struct tr2_finding *finding)
{
	if (sink->owner != told)
		abort();
	event_at = finding->event_at;
	if (lowered != TR2_LEVELS)
		finding->level = lowered;
	told_len += (size_t)snprintf(told + told_len, sizeof(told) - told_len,
				     "%lu:%zu+%zu %c %s: %s\n", finding->line,
				     finding->column, finding->width,
				     *tr2_level_names[finding->level],
				     finding->id, finding->message);
}

static struct tr2_sink make_sink(void)
{
	told_len = 0;
	*told = '\0';
	lowered = TR2_LEVELS;
	return (struct tr2_sink){
		.take = keep_finding, .owner = told, .file = "log", .visit = 1
	};
}

/* The event is read, and is the next line of the sink. */
static void read_event(struct tr2_sink *sink, const char *event)
{
	size_t len = strlen(event);
	struct tr2_line line = { .text = pad_json(event, len),
				 .len = len,
				 .number = sink->line.number + 1,
				 .ended = true };

	tr2_sink_line(sink, &line);
	if (tr2_record_read(&record, line.text, len) != TR2_RECORD_OK)
		abort();
	sink->event_len = len;
}

/* Where the event is in its line; without one, all of the line counts. */
static void test_event_place(void)
{
	static const struct tr2_what what = { .id = "a" };
	struct tr2_sink sink = make_sink();

	sink.line = (struct tr2_line){ .text = "123{}", .len = 5 };
	sink.text = sink.line.text + 3;
	sink.event_len = 2;
	tr2_sink_report(&sink, &what, "%s", "m");
	tap_int((intmax_t)event_at, 3, "an event has a place in its line");
	sink.event_len = 0;
	tr2_sink_report(&sink, &what, "%s", "m");
	tap_int((intmax_t)event_at, 0, "no event has none");
}

/*
 * ---- Rules
 */

#define EVENT(name, rest)                                            \
	"{\"event\":\"" name "\",\"sid\":\"s\",\"thread\":\"main\"," \
	"\"time\":\"2026-11-21T05:42:08.000001Z\"" rest "}"

static void stream_event(struct tr2_stream *stream, struct tr2_sink *sink,
			 const char *event)
{
	read_event(sink, event);
	tr2_stream_event(stream, sink, &record,
			 tr2_sids_enter(&stream->sids, "s", 1), false, false);
}

static void test_stream(void)
{
	struct tr2_sink sink = make_sink();
	struct tr2_stream stream = { .lost = 0 };

	tr2_stream_begin_log(&stream, "log", 1);
	stream_event(&stream, &sink, EVENT("version", ""));
	stream_event(&stream, &sink, EVENT("start", ""));
	stream_event(&stream, &sink, EVENT("exit", ",\"code\":1"));
	tap_str(told, "", "what is right is not reported");
	stream_event(&stream, &sink, EVENT("start", ""));
	tap_str(told,
		"4:10+7 e stream.start.once: a second start of the process\n",
		"a rule of streams runs with a record and a sink");
	told_len = 0;
	tr2_stream_end(&stream, &sink);
	tap_str(told,
		"4:1+0 i stream.unfinished: the log of the process ends "
		"here, without atexit\n",
		"a process that does not end is reported to the sink");
	tr2_stream_release(&stream);
}

static void test_consumer(void)
{
	struct tr2_sink sink = make_sink();
	struct tr2_reading reading = { .part = &tr2_consumer_git_ai,
				       .sink = &sink,
				       .record = &record,
				       .worst = TR2_INFO };

	read_event(&sink, "{\"event\":\"start\"}");
	reading.part->event(&reading);
	tap_ok(!strncmp(told, "1:10+7 ", 7) && strstr(told, "there is no sid"),
	       "a rule of a program runs with a record and a sink");
	tap_int(reading.worst, reading.part->rules[0].level,
		"and its verdict is in its own state");
	tr2_map_release(&reading.map);
	tr2_vec_release(&reading.stack);
}

static void test_textlog(void)
{
	struct tr2_sink sink = make_sink();
	unsigned long events[TR2_IS_OTHER + 1] = { 0 };
	struct tr2_textlog log =
		TR2_TEXTLOG_INIT(&sink, events, TR2_TEXT_NORMAL);
	const struct tr2_line line = {
		.text = "12:00:00.000000 a.c:1                             "
			"version 2.55.0",
		.len = 64,
		.number = 1,
	};

	tr2_textlog_line(&log, &line);
	tr2_textlog_end(&log);
	tap_str(told,
		"1:65+0 e input.final-newline: the last line does not end "
		"in LF\n",
		"a rule of text logs runs with a line and a sink");
	tap_int((intmax_t)events[TR2_IS_VERSION], 1,
		"its events are counted where it was told to");
}

/*
 * ---- The sink
 */

static enum tr2_level level_of(struct tr2_sink *sink, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static enum tr2_level level_of(struct tr2_sink *sink, const char *fmt, ...)
{
	const struct tr2_what what = { .level = TR2_ERROR, .id = "x" };
	enum tr2_level level;
	va_list ap;

	va_start(ap, fmt);
	level = tr2_sink_vreport(sink, &what, fmt, ap);
	va_end(ap);
	return level;
}

static void test_owner(void)
{
	struct tr2_sink sink = make_sink();

	sink.text = sink.line.text = "";
	tap_int(level_of(&sink, "m"), TR2_ERROR, "a rule says the level");
	lowered = TR2_INFO;
	tap_int(level_of(&sink, "m"), TR2_INFO, "the owner may lower it");
	told_len = 0;
	*told = '\0';
	tr2_sink_report_file(&sink, TR2_INPUT_EMPTY, "m");
	tap_str(told, "1:1+0 i input.empty: m\n",
		"a finding about the file has its first place");
}

int main(void)
{
	test_event_place();
	test_stream();
	test_consumer();
	test_textlog();
	test_owner();
	tr2_record_release(&record);
	return tap_done();
}
