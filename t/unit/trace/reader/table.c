#define _GNU_SOURCE /* MAP_ANONYMOUS */
/*
 * The reader's hash table, what of its memory is given back, and many durations and
 * spans with little memory.
 */
#include <stdlib.h>
#include "kit/tap.h"
#include "host/host.h"
#include "trace/reader/private.h"
#include "kit/memory.h"
#include "trace/engine/fxt.h"
#include "trace/reader.h"

/*
 * ---- Table
 */

#define MANY 3000

struct entry {
	uint64_t key;
	uint64_t value;
};

static struct tr2_host host;
static int failing;

static void *realloc_or_not(void *old, size_t size)
{
	return failing ? NULL : realloc(old, size);
}

static bool is_spent(const void *entry)
{
	return !((const struct entry *)entry)->value;
}

static struct fxt_table table;

static void begin_table(void)
{
	free(table.entries);
	memset(&table, 0, sizeof(table));
	table.size = sizeof(struct entry);
}

static int add_key(uint64_t key, uint64_t value)
{
	struct entry *entry = fxt_table_add(&table, key);

	if (!entry)
		return 0;
	entry->value = value;
	return entry->key == key;
}

/* 0: it is not there. */
static uint64_t value_of(uint64_t key)
{
	const struct entry *entry = fxt_table_find(&table, key);

	return entry && entry->key == key ? entry->value : 0;
}

/* Returns the longest run of used slots. */
static int longest_run(void)
{
	const struct entry *entry = table.entries;
	int longest = 0, run = 0;

	for (size_t i = 0; i < table.room; i++) {
		run = entry[i].key ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

static void test_many(void)
{
	uint64_t key;

	begin_table();
	tap_ok(!fxt_table_find(&table, 1), "an empty table has nothing");
	for (key = 1; key <= MANY; key++)
		if (!add_key(key, key + 7))
			break;
	tap_int((intmax_t)key, MANY + 1, "a table grows");
	for (key = 1; key <= MANY; key++)
		if (value_of(key) != key + 7)
			break;
	tap_int((intmax_t)key, MANY + 1, "what was added is found");
	tap_ok(!fxt_table_find(&table, MANY + 1) && !fxt_table_find(&table, 0),
	       "and nothing else");
	tap_ok(longest_run() < 100, "a search is short");
	tap_ok(add_key(5, 6) && value_of(5) == 6 && table.used == MANY,
	       "a key has one entry");
}

static void test_spent(void)
{
	begin_table();
	table.is_spent = is_spent;
	for (uint64_t key = 1; key <= 12; key++)
		add_key(key, key == 3 || key == 7);
	add_key(13, 1);
	tap_ok(table.room == 16 && table.used == 3 && value_of(3) == 1 &&
		       value_of(7) == 1 && value_of(13) &&
		       !fxt_table_find(&table, 4),
	       "what is spent makes room");
}

/* Twelve entries, of which some are not spent, and room for another. */
static void test_spent_room(void)
{
	static const struct {
		uint64_t kept;
		size_t room;
	} rows[] = { { 0, 16 }, { 7, 16 }, { 8, 32 }, { 12, 32 } };
	size_t i;

	for (i = 0; i < 4; i++) {
		begin_table();
		table.is_spent = is_spent;
		for (uint64_t key = 1; key <= 12; key++)
			add_key(key, key <= rows[i].kept);
		add_key(13, 1);
		if (table.room != rows[i].room)
			break;
	}
	tap_int((intmax_t)i, 4, "a table that was full is half full at most");
}

static void run_table(void)
{
	host = tr2_host_system;
	host.realloc = realloc_or_not;
	tr2_host = &host;
	tap_run(test_many, test_spent, test_spent_room);
	begin_table();
}

/*
 * ---- Balance
 */

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

	for (size_t i = 0; i < 2 * count - open; i++, at += 3) {
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

	for (uint8_t i = 1; i <= count; i++, at += 5) {
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
	int count = 0;

	for (int i = 0; i < 40; i++)
		count += read_spans(make_threads(10, 1000 * (unsigned)i));
	tap_int(count, 400, "a duration of each thread may be open");
	make_threads(2, 0);
	spans[8] = fxt_event_header(FXT_DURATION_END, 2, 0, 2, 0, 0);
	tap_int(read_spans(10 * FXT_WORD), 1001,
		"none ends by a thread of another process");
	for (int i = 0; i < 40; i++) {
		spans[2 * i] = fxt_event_header(i < 20 ? FXT_DURATION_BEGIN
						       : FXT_DURATION_END,
						2, 0, 1, 0, 0);
		spans[2 * i + 1] = (uint64_t)i;
	}
	tap_ok(!read_spans(80 * FXT_WORD), "they may be deep");
	spans[0] = fxt_kernel_object_header(FXT_OBJECT_THREAD, 2, 0, 1);
	spans[1] = 11;
	tap_int(read_spans(2 * FXT_WORD), 0, "a name is none");
	tap_int(memory_live, 0, "durations leave no memory");
}

static void test_many_spans(void)
{
	int count = 0, wrong = 0;

	read_spans(make_spans(4000, 0, 0));
	tap_ok(largest && largest < 20000,
	       "spans that have ended take no room");
	tap_int(read_spans(make_spans(3900, 5, 0)), 5,
		"those that have not are told");
	for (int i = 0; i < 40; i++)
		count += read_spans(make_spans(10, 10, 1000 * (unsigned)i));
	tap_int(count, 400, "each of them");
	memory_fail_on = 1;
	for (int i = 1; i < 10; i++) {
		memory_fail(i);
		count = read_spans(make_spans(10, 10, 0));
		wrong += (count < 0) != (memory_calls >= i);
	}
	memory_fail_on = 0;
	memory_fail(0);
	tap_ok(!wrong && !memory_live,
	       "where they find no memory reading ends");
}

static void run_balance(void)
{
	static struct tr2_host small;

	small = tr2_host_system;
	memory_install(&small);
	small.realloc = noting_realloc;
	test_many_spans();
	test_durations();
}

int main(void)
{
	tap_run(run_table, run_balance);
	return tap_done();
}
