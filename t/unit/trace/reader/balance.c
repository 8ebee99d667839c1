/* Durations, spans and flows: which end belongs to which begin. */
#include "kit/memory.h"

#include "trace/engine/fxt.h"

#include "trace/reader/told_kit.h"

static const struct told_row rows[] = {
	{ "a duration begins and ends", "1000101020024 5 1000101030024 6", "" },
	{ "it may end at once", "1000101020024 5 1000101030024 5", "" },
	{ "it may be of no thread that is known",
	  "1000101020024 5 1000101030024 5 1000101030024 6",
	  "| fxt.duration.unmatched @0+8 b a duration ends that is not "
	  "open\n" },
	{ "an end needs a begin", "1000101030024 5",
	  "| fxt.duration.unmatched @0+8 b a duration ends that is not "
	  "open\n" },
	{ "of the same thread",
	  "30033 a c 1000101020024 5 1000103030024 6 1000101030024 6",
	  "| fxt.duration.unmatched @0+8 c a duration ends that is not "
	  "open\n" },
	{ "of the same process",
	  "20033 14 15 1000101020024 5 1000102030024 6 1000101030024 6",
	  "| fxt.duration.unmatched @0+8 15 a duration ends that is not"
	  " open\n" },
	{ "a begin needs an end", "1000101020024 5 1000101020024 6",
	  "| fxt.duration.open @-32+8 0 a duration does not end\n"
	  "| fxt.duration.open @-16+8 0 a duration does not end\n" },
	{ "a name goes with it",
	  "800b000101020044 5 6e207265676e6f6c 656d61 800b000101030044 "
	  "6 6e207265676e6f6c 616d61",
	  "| fxt.duration.match @0+8 50 the end of a duration differs from "
	  "its begin\n" },
	{ "each byte of it",
	  "8009000101020044 5 3837363534333231 78 8009000101030044 6 "
	  "3937363534333231 78",
	  "| fxt.duration.match @0+8 50 the end of a duration differs from "
	  "its begin\n" },
	{ "a category goes with it", "1800101020034 5 61 1800101030034 6 62",
	  "| fxt.duration.match @0+8 50 the end of a duration differs from "
	  "its begin\n" },
	{ "in their places",
	  "8001800101020044 5 61 62 8001800101030044 6 62 61",
	  "| fxt.duration.match @0+8 50 the end of a duration differs from "
	  "its begin\n" },
	{ "as long as it is", "8001000101020034 5 61 8002000101030034 6 61",
	  "| fxt.duration.match @0+8 50 the end of a duration differs from "
	  "its begin\n" },
	{ "the empty ones too", "1020024 5 1030024 6", "" },
	{ "eight bytes are a word",
	  "8008000101020034 5 3837363534333231 8008000101030034 6 "
	  "3837363534333231",
	  "" },
	{ "a thread's time goes on",
	  "1000101020024 5 1000101030024 4 1000101020024 4 "
	  "1000101030024 5",
	  "| fxt.time.order @8+8 4 the time is before that of the threa"
	  "d's last one\n"
	  "| fxt.time.order @8+8 4 the time is before that of the threa"
	  "d's last one\n" },
	{ "its ticks are told", "21 3e8 1000101020024 5 1000101030024 4",
	  "| fxt.time.order @8+8 4 the time is before that of the threa"
	  "d's last one\n" },
	{ "other threads have other times",
	  "20033 14 15 1000101020024 5 1000102020024 4 1000102030024 5 "
	  "1000101030024 6",
	  "" },
	{ "what has an error does not count",
	  "1234000101020024 5 1000101030024 6",
	  "| fxt.string.unknown @0+8 1234 no string has this index\n"
	  "| fxt.duration.unmatched @0+8 b a duration ends that is not "
	  "open\n" },
	{ "nor does what is neither",
	  "1000101000024 9 1000101040034 9 9 1000101020024 5 "
	  "1000101030024 6",
	  "" },
	{ "a span begins and ends",
	  "1000101050034 5 7 1000101060034 6 7 1000101070034 6 7", "" },
	{ "in any order", "1000101070034 6 7 1000101050034 5 7", "" },
	{ "a span has its id", "1000101050034 5 7 1000101070034 6 8",
	  "| fxt.async.unmatched @-24+8 0 a span ends that did not begi"
	  "n\n"
	  "| fxt.async.open @-48+8 0 a span does not end\n" },
	{ "and its process", "20033 14 15 1000101050034 5 7 1000102070034 6 7",
	  "| fxt.async.open @-48+8 0 a span does not end\n"
	  "| fxt.async.unmatched @-24+8 0 a span ends that did not begi"
	  "n\n" },
	{ "in any of its threads",
	  "30033 a c 1000101050034 5 7 1000103070034 6 7", "" },
	{ "and its name", "8001000101050044 5 61 7 8001000101070044 6 62 7",
	  "| fxt.async.unmatched @-32+8 0 a span ends that did not begi"
	  "n\n"
	  "| fxt.async.open @-64+8 0 a span does not end\n" },
	{ "and its category", "1800101050044 5 61 7 1800101070044 6 62 7",
	  "| fxt.async.open @-64+8 0 a span does not end\n"
	  "| fxt.async.unmatched @-32+8 0 a span ends that did not begi"
	  "n\n" },
	{ "and begins as often as it ends",
	  "1000101050034 5 7 1000101050034 6 7 1000101070034 7 7",
	  "| fxt.async.open @-48+8 0 a span does not end\n" },
	{ "a flow begins and ends",
	  "20033 14 15 1000101080034 5 7 1000101090034 6 7 "
	  "10001020a0034 6 7",
	  "" },
	{ "a flow is no span", "1000101080034 5 7 1000101070034 6 7",
	  "| fxt.flow.open @-48+8 0 a flow does not end\n"
	  "| fxt.async.unmatched @-24+8 0 a span ends that did not begi"
	  "n\n" },
	{ "a span's step is no end", "1000101060034 6 7 1000101090034 6 7",
	  "" },
	{ "a flow needs a begin", "10001010a0034 5 7",
	  "| fxt.flow.unmatched @-24+8 0 a flow ends that did not begin\n" },
	{ "an id is not the next one's", "1000101080034 5 7 1000101070034 6 8",
	  "| fxt.async.unmatched @-24+8 0 a span ends that did not begi"
	  "n\n"
	  "| fxt.flow.open @-48+8 0 a flow does not end\n" },
};

/*
 * Many spans, and little memory
 */

static size_t largest;

static void *noting_realloc(void *old, size_t size)
{
	largest = size > largest ? size : largest;
	return memory_realloc(old, size);
}

static uint64_t spans[6 * 4000];

/* So many spans of a thread, all ended but the first ones; their bytes. */
static size_t make_spans(size_t count, size_t open, uint64_t id)
{
	uint64_t *at = spans;
	size_t i;

	for (i = 0; i < 2 * count - open; i++, at += 3) {
		const int begins = i < open || (i - open) % 2 == 0;

		at[0] = fxt_event_header(begins ? FXT_ASYNC_BEGIN
						: FXT_ASYNC_END,
					 3, 0, 1, 0, 0);
		at[1] = i;
		at[2] = id + (i < open ? i : open + (i - open) / 2);
	}
	return (size_t)((char *)at - (char *)spans);
}

static unsigned open_spans;

static void count_open(void *unused, const struct trace_reader_finding *finding)
{
	(void)unused;
	open_spans += finding->problem == TRACE_READER_ASYNC_OPEN ||
				      finding->problem == TRACE_READER_OPEN
			      ? 1
			      : 1000;
}

/* How many are open; or -1: memory failed. */
static int read_spans(size_t len)
{
	const struct trace_reader_options options = { count_open, NULL, 0 };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	int more;

	open_spans = 0;
	if (!reader)
		return -1;
	trace_reader_feed(reader, start, sizeof(start));
	while ((more = trace_reader_next(reader, &record)) > 0)
		;
	trace_reader_feed(reader, spans, len);
	while (!more && (more = trace_reader_next(reader, &record)) > 0)
		more = 0;
	trace_reader_end(reader);
	trace_reader_free(reader);
	return more < 0 ? -1 : (int)open_spans;
}

/* A duration that is open in each of so many threads. */
static size_t make_threads(uint8_t count, uint64_t id)
{
	uint64_t *at = spans;
	uint8_t i;

	for (i = 1; i <= count; i++, at += 5) {
		at[0] = fxt_thread_header(i);
		at[1] = id + i;
		at[2] = 7;
		at[3] = fxt_event_header(FXT_DURATION_BEGIN, 2, 0, i, 0, 0);
		at[4] = 1;
	}
	return (size_t)((char *)at - (char *)spans);
}

static void test_durations(void)
{
	int i, count = 0;

	for (i = 0; i < 40; i++)
		count += read_spans(make_threads(10, 1000 * (unsigned)i));
	tap_int(count, 400, "a duration of each thread may be open");
	make_threads(2, 0);
	spans[8] = fxt_event_header(FXT_DURATION_END, 2, 0, 2, 0, 0);
	tap_int(read_spans(10 * FXT_WORD), 1001,
		"none ends by a thread of another process");
	for (i = 0; i < 40; i++) {
		spans[2 * i] = fxt_event_header(i < 20 ? FXT_DURATION_BEGIN
						       : FXT_DURATION_END,
						2, 0, 1, 0, 0);
		spans[2 * i + 1] = (uint64_t)i;
	}
	tap_ok(!read_spans(80 * FXT_WORD) && !memory_broken,
	       "they may be deep");
	spans[0] = fxt_kernel_object_header(FXT_OBJECT_THREAD, 2, 0, 1);
	spans[1] = 11;
	tap_int(read_spans(2 * FXT_WORD), 0, "a name is none");
	tap_int(memory_live, 0, "durations leave no memory");
}

static void test_many_spans(void)
{
	int i, count = 0, wrong = 0;

	read_spans(make_spans(4000, 0, 0));
	tap_ok(largest && largest < 20000,
	       "spans that have ended take no room");
	tap_int(read_spans(make_spans(3900, 5, 0)), 5,
		"those that have not are told");
	for (i = 0; i < 40; i++)
		count += read_spans(make_spans(10, 10, 1000 * (unsigned)i));
	tap_int(count, 400, "each of them");
	memory_fail_on = 1;
	for (i = 1; i < 10; i++) {
		memory_fail(i);
		count = read_spans(make_spans(10, 10, 0));
		wrong += (count < 0) != (memory_calls >= i);
	}
	memory_fail_on = 0;
	memory_fail(0);
	tap_ok(!wrong && !memory_live && !memory_broken,
	       "where they find no memory reading ends");
}

int main(void)
{
	static struct tr2_host host;

	told_flags = 0;
	told_records = 0;
	tap_int(first_wrong(rows, sizeof(rows) / sizeof(*rows)), -1,
		"begins and ends are matched");
	host = tr2_host_system;
	memory_install(&host);
	host.realloc = noting_realloc;
	test_many_spans();
	test_durations();
	return tap_done();
}
