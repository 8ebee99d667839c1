/*
 * Lines to spans: which processes the journal has to keep, and more than spans may
 * have: processes, sessions, bytes and events.
 */
#include "kit/tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "collect/delivery/spans.h"
#include "read/json/tokens.h"
#include "kit/directory.h"
#include <errno.h>
#include "lib/files/clock.h"

#define LINE                                                    \
	"{\"event\":\"%s\",\"sid\":\"%s\",\"code\":0,\"time\":" \
	"\"2026-11-16T10:00:00.000000Z\"}\n"

#define tap_count(got, want, name) \
	tap_int((intmax_t)(got), (intmax_t)(want), name)

static struct tr2_spans spans;
static char text[1 << 16];

static void begin_spans(uint64_t wait)
{
	struct tr2_otlp_place place = { .at = 100, .line = 7 };

	unlink("./name.posted");
	tap_need(!tr2_spans_begin(&spans, place, wait, ".", "name"));
}

static void end_spans(void)
{
	tr2_spans_release(&spans);
	unlink("./name.posted");
}

/* Read an event, in pieces of so many bytes. Returns its length. */
static size_t read_event(const char *event, const char *sid, size_t piece)
{
	size_t len = (size_t)snprintf(text, sizeof(text), LINE, event, sid);
	size_t done, part;

	for (done = 0; done < len; done += part) {
		part = len - done < piece ? len - done : piece;
		tr2_spans_read(&spans, spans.at + spans.line.len, spans.number,
			       text + done, part);
	}
	return len;
}

static size_t count_body(void)
{
	size_t count = tr2_spans_count(&spans);

	tr2_spans_drop_body(&spans, tr2_spans_find_done(&spans).at);
	return count;
}

/*
 * ---- Spans
 */

static void test_places(void)
{
	size_t len;

	begin_spans(UINT64_MAX / 100);
	tap_count(tr2_spans_find_done(&spans).at, 100, "nothing was read");
	len = read_event("start", "a", 7);
	tap_count(spans.at, 100 + len, "a line in pieces is read");
	tap_count(spans.number, 8, "and counted");
	tap_count(tr2_spans_find_done(&spans).at, 100, "its process holds it");
	read_event("start", "b", 1000);
	read_event("atexit", "b", 1000);
	tap_count(tr2_spans_find_done(&spans).at, 100, "another one does not");
	tap_count(tr2_spans_find_done(&spans).line, 7, "the line is the same");
	tap_count(count_body(), 1, "the other one is in the body");
	read_event("atexit", "a", 1);
	tap_count(tr2_spans_find_done(&spans).at, spans.at, "all are done");
	tap_count(tr2_spans_find_done(&spans).line, 11, "with four lines");
	tap_count(count_body(), 1, "the first one is in the next body");
	end_spans();
}

static void test_missing_lines(void)
{
	begin_spans(UINT64_MAX / 100);
	tr2_spans_read(&spans, 100, 7, "{\"half", 6);
	snprintf(text, sizeof(text), LINE, "atexit", "a");
	tr2_spans_read(&spans, 500, 30, text, strlen(text));
	tap_count(spans.number, 31, "lines that are missing are passed over");
	tap_count(tr2_spans_count_outside(&spans), 0, "half a line is none");
	tap_count(spans.at, 500 + strlen(text), "reading goes on after them");
	tap_count(count_body(), 1, "the next one is whole");
	end_spans();
}

static void test_no_list(void)
{
	struct tr2_otlp_place place = { 0 };

	tap_count(tr2_spans_begin(&spans, place, 1, "./missing", "name"),
		  ENOENT, "a list of what was posted needs its directory");
	read_event("atexit", "a", 1000);
	tap_count(count_body(), 1, "without it spans are put all the same");
	end_spans();
}

/* Its time is longer than the clock has run. */
static void test_long_time(void)
{
	begin_spans(UINT64_MAX / 100);
	read_event("start", "a", 1000);
	tr2_spans_let_go(&spans, UINT64_MAX);
	tap_count(count_body(), 0,
		  "a process may be idle for longer than the clock runs");
	end_spans();
}

static void test_letting_go(void)
{
	uint64_t second;

	begin_spans(UINT64_MAX / 100);
	read_event("start", "a", 1000);
	second = spans.at;
	read_event("start", "b", 1000);
	tr2_spans_let_go(&spans, 101);
	tap_count(tr2_spans_find_done(&spans).at, second,
		  "what the journal has lost is held no more");
	tr2_spans_let_go(&spans, 101);
	tap_count(tr2_spans_find_done(&spans).at, second, "the other one is");
	read_event("atexit", "a", 1000);
	tap_count(count_body(), 1, "a process that was let go ends");
	end_spans();
	begin_spans(0);
	read_event("start", "a", 1000);
	tr2_clock_sleep(2);
	tr2_spans_let_go(&spans, 0);
	tap_count(tr2_spans_find_done(&spans).at, spans.at, "nothing waits");
	tr2_clock_sleep(2);
	tr2_spans_let_go(&spans, 0);
	tap_count(count_body(), 1, "an idle process is put");
	read_event("atexit", "a", 1000);
	tap_count(tr2_spans_count_outside(&spans), 1, "its end comes too late");
	end_spans();
}

static void run_spans(void)
{
	enter_directory();
	tap_run(test_places, test_missing_lines, test_no_list, test_long_time,
		test_letting_go);
	leave_directory();
}

/*
 * ---- Spans limits
 */

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

static void run_spans_limits(void)
{
	enter_directory();
	tap_run(test_limits, test_a_large_process, test_many_events);
	leave_directory();
}

int main(void)
{
	tap_run(run_spans, run_spans_limits);
	return tap_done();
}
