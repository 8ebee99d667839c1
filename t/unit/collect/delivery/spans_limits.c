/* More than spans may have: processes, sessions, bytes and events. */
#include "collect/delivery/spans_kit.h"

/* More than may be open at once, and more SIDs than are remembered. */
static void test_limits(void)
{
	char sid[16];
	int i;

	begin_spans(UINT64_MAX / 100);
	for (i = 0; i < 10005; i++) {
		snprintf(sid, sizeof(sid), "s%d", i);
		read_event("start", sid, 1000);
	}
	tr2_spans_let_go(&spans, UINT64_MAX);
	tap_count(count_body(), 5, "the oldest ones are put");
	tap_count(spans.otlp.walk.aside.count, 10000, "the others stay");
	for (i = 0; i < 250000; i++) {
		snprintf(sid, sizeof(sid), "e%d", i);
		read_event("atexit", sid, 1000);
		if (spans.body.len > 1 << 20)
			tr2_spans_drop_body(&spans, spans.at);
	}
	tap_ok(spans.otlp.walk.recent.count + spans.otlp.walk.older.count <
		       250000,
	       "old SIDs are forgotten");
	read_event("atexit", sid, 1000);
	tap_count(tr2_spans_count_outside(&spans), 1, "new ones are known");
	read_event("atexit", "s10004", 1000);
	tap_count(tr2_spans_count_outside(&spans), 1,
		  "and those that are open");
	end_spans();
}

static void test_a_large_process(void)
{
	static const char region[] =
		"{\"event\":\"region_%s\",\"sid\":\"a\",\"thread\":\"main\","
		"\"time\":\"2026-11-16T10:00:00.000000Z\",\"category\":\"c\","
		"\"label\":\"l\"}\n";
	char line[512];
	int i;

	begin_spans(UINT64_MAX / 100);
	for (i = 0; i < 6000; i++) {
		snprintf(line, sizeof(line), region, i % 2 ? "leave" : "enter");
		tr2_spans_read(&spans, spans.at, spans.number, line,
			       strlen(line));
	}
	tap_ok(spans.body.len > 512 << 10, "its spans are put in parts");
	tap_count(tr2_spans_find_done(&spans).at, 100, "the journal keeps it");
	end_spans();
}

/* As a program that writes data all its life. */
static void test_many_events(void)
{
	static const char data[] =
		"{\"event\":\"printf\",\"sid\":\"a\",\"thread\":\"main\","
		"\"time\":\"2026-11-16T10:00:00.000000Z\",\"msg\":\"m\"}\n";
	int i;

	begin_spans(UINT64_MAX / 100);
	for (i = 0; i < 10000; i++)
		tr2_spans_read(&spans, spans.at, spans.number, data,
			       strlen(data));
	read_event("atexit", "a", 1000);
	tap_ok(spans.body.len < 66 << 10, "a span has no more than 64 KiB");
	tr2_buf_byte(&spans.body, '\0');
	tap_ok(strstr(spans.body.bytes, "\"droppedEventsCount\":") != NULL,
	       "and tells what it lacks");
	tap_ok(tr2_spans_count_outside(&spans) > 9000, "which is counted");
	end_spans();
}

int main(void)
{
	enter_directory();
	tap_run(test_limits, test_a_large_process, test_many_events);
	leave_directory();
	return tap_done();
}
