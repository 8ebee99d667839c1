/* The reader's hash table, and what of its memory is given back. */
#include <stdlib.h>

#include "kit/tap.h"
#include "host/host.h"
#include "trace/reader/private.h"

#define MANY 3000

struct entry {
	uint64_t key;
	uint64_t value;
};

static struct tr2_host host;
static int open_blocks, asked, failing;

static void *count_realloc(void *old, size_t size)
{
	asked++;
	if (failing)
		return NULL;
	open_blocks += !old;
	return realloc(old, size);
}

static void count_free(void *memory)
{
	open_blocks -= memory != NULL;
	free(memory);
}

static bool is_spent(const void *entry)
{
	return !((const struct entry *)entry)->value;
}

static struct fxt_table table;

static void begin_table(void)
{
	count_free(table.entries);
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
	size_t i;

	for (i = 0; i < table.room; i++) {
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
	tap_int(open_blocks, 1, "a table that grew has given back the old one");
}

static void test_spent(void)
{
	uint64_t key;

	begin_table();
	table.is_spent = is_spent;
	for (key = 1; key <= 12; key++)
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
	uint64_t key;
	size_t i;

	for (i = 0; i < 4; i++) {
		begin_table();
		table.is_spent = is_spent;
		for (key = 1; key <= 12; key++)
			add_key(key, key <= rows[i].kept);
		add_key(13, 1);
		if (table.room != rows[i].room)
			break;
	}
	tap_int((intmax_t)i, 4, "a table that was full is half full at most");
}

/*
 * A whole reader
 */

/* 0, or -1: it is dead. */
static int feed_reader(struct trace_reader *reader, const uint64_t *words,
		       size_t len)
{
	struct trace_reader_record record;
	int got;

	trace_reader_feed(reader, words, len);
	do
		got = trace_reader_next(reader, &record);
	while (got > 0);
	return got;
}

static void test_reader(void)
{
	static const uint64_t begun[] = {
		FXT_MAGIC,
		0x0000000000110010,
		0x21,
		1000,
		0x10033,
		1,
		2,
		/* Strings 1 and 2; a duration and a span that do not end. */
		0x0000000300010022,
		0x636261,
		0x0000000300020022,
		0x636261,
		0x0001000101020024,
		5,
		0x0001000101050034,
		5,
		9,
	};
	static const uint64_t again[] = { 0x0000000300010022, 0x666564 };
	const struct trace_reader_options options = { NULL, NULL, 0 };
	struct trace_reader *reader;
	int before = open_blocks, made;

	reader = trace_reader_new(&options);
	feed_reader(reader, begun, sizeof(begun));
	made = asked;
	feed_reader(reader, again, sizeof(again));
	tap_int(asked, made, "a string of the same length takes no memory");
	trace_reader_end(reader);
	trace_reader_free(reader);
	tap_int(open_blocks, before, "a reader gives back all of its memory");
	trace_reader_free(NULL);
}

static void test_many_strings(void)
{
	const struct trace_reader_options options = { NULL, NULL, 0 };
	const struct trace_reader_text name = { "abc", 3 };
	int before = open_blocks;
	struct trace_reader *reader = trace_reader_new(&options);
	uint64_t i;

	for (i = 1; i <= 700; i++)
		fxt_define_string(reader, i, name);
	trace_reader_free(reader);
	tap_int(open_blocks, before, "it gives back its strings, too");
}

/* More than there is room for at first. */
static void test_no_memory(void)
{
	const struct trace_reader_options options = { NULL, NULL, 0 };
	struct trace_reader *reader;
	uint64_t words[3][13];
	int dead = 0;
	size_t i;

	for (i = 0; i < 13; i++) {
		words[0][i] = fxt_provider_info_header((uint32_t)i + 1, 0);
		words[1][i] = fxt_provider_section_header((uint32_t)i + 1);
		words[2][i] = fxt_string_header((uint16_t)(i + 1), 0);
	}
	for (i = 0; i < 3; i++) {
		reader = trace_reader_new(&options);
		failing = 1;
		dead += feed_reader(reader, words[i], sizeof(words[i])) < 0 &&
			trace_reader_offset(reader) < sizeof(words[i]);
		failing = 0;
		trace_reader_free(reader);
	}
	tap_int(dead, 3, "nothing is read without what it needs");
}

int main(void)
{
	host = tr2_host_system;
	host.realloc = count_realloc;
	host.free = count_free;
	tr2_host = &host;
	tap_run(test_many, test_spent, test_spent_room, test_reader,
		test_many_strings, test_no_memory);
	begin_table();
	return tap_done();
}
