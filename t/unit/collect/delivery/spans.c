/* Lines to spans: which processes the journal has to keep. */
#include "collect/delivery/spans_kit.h"

#include <errno.h>

#include "lib/files/clock.h"

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

int main(void)
{
	enter_directory();
	tap_run(test_places, test_missing_lines, test_no_list, test_long_time,
		test_letting_go);
	leave_directory();
	return tap_done();
}
