/* Many durations and spans, and little memory. */
#include "kit/memory.h"

#include "kit/tap.h"
#include "trace/engine/fxt.h"
#include "trace/reader.h"

/* Magic, provider 1, ticks, string 1 and thread 1. */
static const uint64_t start[] = {
	0x0016547846040010, 0x0040000000110020, 0x74736574, 0x21, 1000000000,
	0x0000000700010022, 0x656d616e677261,	0x10033,    10,	  11,
};

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

	host = tr2_host_system;
	memory_install(&host);
	host.realloc = noting_realloc;
	test_many_spans();
	test_durations();
	return tap_done();
}
