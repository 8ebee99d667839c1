/*
 * Bodies of POSTs, byte by byte: several processes in one, lines that are no
 * event, what is remembered, and what time does to processes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include "kit/tap.h"

#include "collect/delivery/spans.h"
#include "read/json/tokens.h"
#include "kit/clock.h"
#include "kit/directory.h"

#define WAIT (10 * CLOCK_SECOND)
#define NEVER (UINT64_MAX / 100)

#define tap_count(got, want, name) \
	tap_int((intmax_t)(got), (intmax_t)(want), name)

static struct tr2_spans spans;

static void begin_spans(uint64_t at, uint64_t number, uint64_t wait)
{
	struct tr2_otlp_place place = { .at = at, .line = number };

	tap_need(!tr2_spans_begin(&spans, place, wait, ".", "name"));
}

static void end_spans(void)
{
	tr2_spans_release(&spans);
	memset(&spans, 0, sizeof(spans)); /* nothing points at its memory */
	unlink("./name.posted");
}

/* These bytes come next in the journal. */
static void read_bytes(const char *bytes, size_t len)
{
	static char room[1 << 12];

	memcpy(room, bytes, len);
	tr2_spans_read(&spans, spans.at + spans.line.len, spans.number, room,
		       len);
}

static void read_text(const char *text)
{
	read_bytes(text, strlen(text));
}

/* Returns the line of an event. */
static const char *show_event(const char *event, const char *sid)
{
	static char line[256];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"main\","
		 "\"code\":0,\"time\":\"2026-11-16T10:00:00.000000Z\"}\n",
		 event, sid);
	return line;
}

static void read_event(const char *event, const char *sid)
{
	read_text(show_event(event, sid));
}

/* Returns the body as a text, which is to be freed, and drops it. */
static char *take_body(void)
{
	char *text;

	tr2_buf_byte(&spans.body, '\0');
	text = strdup(spans.body.bytes);
	tr2_spans_drop_body(&spans, spans.at);
	return text;
}

/*
 * ---- Bodies
 */

static void test_two_processes(void)
{
	static const char head[] = TR2_OTLP_HEAD, tail[] = TR2_OTLP_TAIL;
	char *a, *b, *both, want[4096];

	begin_spans(0, 0, NEVER);
	read_event("atexit", "a");
	a = take_body();
	read_event("atexit", "b");
	b = take_body();
	end_spans();
	begin_spans(0, 0, NEVER);
	read_event("atexit", "a");
	read_event("atexit", "b");
	both = take_body();
	snprintf(want, sizeof(want), "%.*s,%s", (int)(strlen(a) - strlen(tail)),
		 a, b + strlen(head));
	tap_str(both, want, "a body is one list of all its processes");
	end_spans();
	free(a);
	free(b);
	free(both);
}

static void test_lines_at_once(void)
{
	char text[1024];
	size_t part;

	begin_spans(0, 0, NEVER);
	snprintf(text, sizeof(text), "%s", show_event("start", "a"));
	strcat(text, show_event("atexit", "a"));
	strcat(text, show_event("start", "b"));
	strcat(text, show_event("atexit", "b"));
	read_text(text);
	tap_count(tr2_spans_count(&spans), 2, "lines may come all at once");
	tap_count(spans.number, 4, "each is counted");
	tap_count(spans.at, strlen(text), "with all its bytes");
	part = 3 * strlen(text) / 4;
	read_bytes(text, part);
	read_text(text + part);
	tap_count(spans.number, 8, "a part of them may come before the rest");
	tap_count(spans.at, 2 * strlen(text), "without a gap");
	tap_count(tr2_spans_count_outside(&spans), 4,
		  "what comes after the end of a process is in no span");
	end_spans();
}

static void test_pieces(void)
{
	const char *line = show_event("atexit", "a");
	size_t len = strlen(line), i;

	begin_spans(0, 0, NEVER);
	for (i = 0; i < len; i++)
		read_bytes(line + i, 1);
	line = show_event("atexit", "b");
	read_bytes(line, len / 2);
	read_bytes(line + len / 2, len - len / 2);
	tap_count(tr2_spans_count(&spans), 2, "a line may come byte by byte");
	tap_count(tr2_spans_count_outside(&spans), 0,
		  "and has none of the line before it");
	end_spans();
}

static void test_no_events(void)
{
	begin_spans(0, 0, NEVER);
	read_event("start", "a");
	read_text("junk\n");
	read_event("error", "a");
	read_text("[]\n");
	tap_count(tr2_spans_count_outside(&spans), 2,
		  "lines between events are counted if they are none");
	read_text("{\"event\":\"start\",\"thread\":\"main\"}\n");
	tap_count(tr2_spans_count_outside(&spans), 3,
		  "so is an event without a session");
	read_event("atexit", "a");
	tap_count(tr2_spans_count(&spans), 1, "the process is a span");
	end_spans();
}

/* A process with more events than its span may have. */
static void test_crowded(void)
{
	int i;

	begin_spans(0, 0, NEVER);
	read_event("start", "a");
	for (i = 0; i < 2000; i++)
		read_event("error", "a");
	read_event("atexit", "a");
	tap_ok(tr2_spans_count_outside(&spans) > 0 &&
		       tr2_spans_count_outside(&spans) < 2000,
	       "events beyond 64 KiB of a span are in none");
	end_spans();
}

/*
 * ---- Memory
 */

static void test_long_line(void)
{
	static char piece[1 << 12];
	int i;

	begin_spans(0, 0, NEVER);
	memset(piece, 'x', sizeof(piece));
	for (i = 0; i < 200; i++)
		read_bytes(piece, sizeof(piece));
	tap_ok(spans.line.room >= 200 * sizeof(piece),
	       "a long line is kept until its end");
	read_text("\n");
	tap_count(spans.line.room, 0, "then its memory is given back");
	tap_count(spans.at, 200 * sizeof(piece) + 1, "and its bytes count");
	read_bytes(piece, 10);
	read_text("\n");
	tap_ok(spans.line.room > 0, "that of a short one is kept");
	end_spans();
}

/* Processes until the body has so many bytes. */
static void fill_body(size_t len)
{
	static int number;
	char sid[16];

	while (spans.body.len < len) {
		snprintf(sid, sizeof(sid), "s%d", number++);
		read_event("atexit", sid);
	}
}

static void test_large_body(void)
{
	begin_spans(0, 0, NEVER);
	fill_body(1 << 20);
	tr2_spans_drop_body(&spans, 0);
	tap_ok(spans.body.room > 0, "the memory of a usual body is kept");
	fill_body(5 << 20);
	tr2_spans_drop_body(&spans, 0);
	tap_count(spans.body.room, 0, "that of a larger one is given back");
	tap_count(spans.body.len, 0, "in both cases the next body is empty");
	end_spans();
}

/*
 * ---- What was posted
 */

/* Returns the hash and the place of the only process that was posted. */
static struct tr2_posted_process find_posted(void)
{
	tap_need(spans.posted.items.count == 1);
	return *(struct tr2_posted_process *)spans.posted.items.items;
}

static void test_posted(void)
{
	uint64_t last;

	begin_spans(1000, 3, NEVER);
	read_event("start", "a");
	last = spans.at;
	read_event("atexit", "a");
	tap_count(find_posted().at, last,
		  "a process is remembered with the place of its last event");
	tr2_spans_drop_body(&spans, 1000);
	tr2_spans_release(&spans);
	begin_spans(1000, 3, NEVER);
	read_event("start", "a");
	read_event("atexit", "a");
	tap_count(tr2_spans_count(&spans), 0, "it is not posted again");
	tr2_spans_release(&spans);
	begin_spans(last + 1, 5, NEVER);
	tap_count(spans.posted.items.count, 0,
		  "it is forgotten when its events are not read again");
	read_event("start", "a");
	read_event("atexit", "a");
	tap_count(tr2_spans_count(&spans), 1, "then its session is unknown");
	end_spans();
}

/*
 * ---- Time
 */

static bool is_held(void)
{
	return tr2_spans_find_done(&spans).at < spans.at;
}

static void test_times(void)
{
	begin_spans(0, 0, WAIT);
	read_event("start", "a");
	pass_time(9 * CLOCK_SECOND);
	tr2_spans_let_go(&spans, 0);
	tap_ok(is_held(), "a process holds the journal for a while");
	pass_time(2 * CLOCK_SECOND);
	tr2_spans_let_go(&spans, 0);
	tap_ok(!is_held(), "but not for longer than its wait");
	pass_time(200 * CLOCK_SECOND);
	tr2_spans_let_go(&spans, 0);
	tap_count(tr2_spans_count(&spans), 0, "then it may still end");
	read_event("error", "a");
	pass_time(230 * CLOCK_SECOND);
	tr2_spans_let_go(&spans, 0);
	tap_count(tr2_spans_count(&spans), 0, "each event of it counts");
	pass_time(20 * CLOCK_SECOND);
	tr2_spans_let_go(&spans, 0);
	tap_count(tr2_spans_count(&spans), 1,
		  "after 24 times the wait it has ended");
	end_spans();
}

int main(void)
{
	enter_directory();
	tap_run(test_two_processes, test_lines_at_once, test_pieces,
		test_no_events, test_crowded, test_long_line, test_large_body,
		test_posted, test_times);
	leave_directory();
	return tap_done();
}
