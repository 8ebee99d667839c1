/* The table of strings: found again, kept apart, and what fits into it. */
#include "kit/trace/meet.h"

#include <stdlib.h>

#include "kit/tap.h"
#include "host/host.h"
#include "trace/fxt_numbers.h"
#include "trace/engine/strings.h"

#define CANARY 64
/* How the memory of a table begins. */
#define SLOTS 65536

static struct tr2_host host;
static char *memory;
static size_t memory_size;

/* The memory is followed by a part that nobody may write. */
static void *give_pages(size_t size)
{
	memory_size = size;
	memory = calloc(1, size + CANARY);
	memset(memory + size, 0x5a, CANARY);
	return memory;
}

static int is_canary_whole(void)
{
	size_t i;

	for (i = 0; i < CANARY; i++)
		if (memory[memory_size + i] != 0x5a)
			return 0;
	return 1;
}

static struct {
	int count;
	uint16_t index;
	char text[16];
	int answer;
} defined = { .answer = 1 };

static int define_string(uint16_t index, const char *bytes, size_t len)
{
	defined.count++;
	defined.index = index;
	snprintf(defined.text, sizeof(defined.text), "%.*s", (int)len, bytes);
	return defined.answer;
}

static struct tr2_trace_strings *strings;

static uint16_t index_of(const char *bytes, size_t len)
{
	return tr2_trace_strings_index(strings, bytes, len, define_string);
}

static void test_one(void)
{
	tap_ok(index_of("abc", 2) == 1 && defined.count == 1 &&
		       defined.index == 1 && !strcmp(defined.text, "ab"),
	       "a new string is defined under the next index");
	tap_ok(index_of("abd", 2) == 1 && defined.count == 1,
	       "a string that is known is found by its bytes alone");
	tap_ok(index_of("ba", 2) == 2 && index_of("b", 1) == 3 &&
		       index_of("ab", 2) == 1,
	       "other strings have other indices");
	tap_str(tr2_trace_strings_text(strings, 1), "ab",
		"the table has a copy of each string");
}

/* Returns the slot for the string with this index: FNV-1a, and the index. */
static uint32_t slot_of(const char *text, uint32_t index, uint32_t *at)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	*at = hash % SLOTS;
	return (hash & ~(uint32_t)FXT_STRINGS) | index;
}

static int is_in_slot(const char *text, uint32_t index, uint32_t behind)
{
	const uint32_t *slot = (const uint32_t *)(const void *)memory;
	uint32_t at, wanted = slot_of(text, index, &at);

	return slot[(at + behind) % SLOTS] == wanted;
}

static void test_slots(void)
{
	uint32_t *slot = (uint32_t *)(void *)memory;
	uint32_t at;

	tr2_trace_strings_clear(strings);
	index_of("ab", 2);
	index_of("jeslE0A", 7);
	index_of("8c2Yp64", 7);
	tap_ok(is_in_slot("ab", 1, 0) && is_in_slot("jeslE0A", 2, 0),
	       "a search begins where the hash says");
	tap_ok(is_in_slot("8c2Yp64", 3, 1), "and goes on behind that");
	slot_of("ab", 1, &at);
	slot[at] ^= 1u << 31;
	tap_int(index_of("ab", 2), 4, "a slot of another hash is passed over");
	slot[SLOTS - 1] = UINT32_MAX;
	tr2_trace_strings_clear(strings);
	tap_ok(!slot[at] && !slot[SLOTS - 1], "no slot is left in use");
	slot[0] = 5;
	tr2_trace_strings_clear(strings);
	tap_int(slot[0], 5, "what is empty is not looked at");
	slot[0] = 0;
}

/* Pairs whose hash is the same. */
static void test_same_hash(void)
{
	tap_ok(index_of("jeslE0A", 7) != index_of("8c2Yp64", 7),
	       "strings that hash alike are kept apart");
	tap_ok(index_of("same6Ro5ug", 10) != index_of("same", 4),
	       "so are two of which one begins the other");
	tap_ok(index_of("s731", 4) != index_of("s38295", 6) &&
		       index_of("s731", 4) == index_of("s731", 4) &&
		       index_of("s38295", 6) == index_of("s38295", 6) &&
		       index_of("s20051", 6) == index_of("s20051", 6),
	       "so are two whose search begins at the last place");
}

/* While one is defined, another thread may bring the other. */
static int define_both(uint16_t index, const char *bytes, size_t len)
{
	define_string(index, bytes, len);
	return index_of("8c2Yp64", 7) != index;
}

static void test_race(void)
{
	uint16_t index;

	tr2_trace_strings_clear(strings);
	defined.count = 0;
	index = tr2_trace_strings_index(strings, "jeslE0A", 7, define_both);
	tap_ok(index == 1 && index_of("jeslE0A", 7) == 1 &&
		       index_of("8c2Yp64", 7) == 2 && defined.count == 2,
	       "a string whose slot is taken meanwhile gets another");
}

/* Behind the slots: how many strings there are, and bytes of them. */
static void take_bytes(void)
{
	((uint32_t *)(void *)memory)[SLOTS + 1] += 5;
}

static void test_bytes_taken(void)
{
	uint16_t index;

	tr2_trace_strings_clear(strings);
	index_of("some", 4);
	meet_at(memory + (SLOTS + 1) * sizeof(uint32_t), take_bytes);
	index = index_of("abc", 3);
	tap_ok(meet_was() && index == 2 &&
		       tr2_trace_strings_text(strings, 2) ==
			       tr2_trace_strings_text(strings, 1) + 10,
	       "two that take bytes at once take others");
}

static void test_refused(void)
{
	const uint16_t before = index_of("last", 4);

	defined.answer = 0;
	tap_int(index_of("refused", 7), 0,
		"a string whose definition fails has no index");
	defined.answer = 1;
	tap_int(index_of("refused", 7), before + 2,
		"nobody finds a string whose definition failed");
}

/* Returns the longest run of used slots. */
static int longest_run(void)
{
	const uint32_t *slot = (const uint32_t *)(const void *)memory;
	int longest = 0, run = 0, i;

	for (i = 0; i < SLOTS; i++) {
		run = slot[i] ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* Many differ in their first byte alone. */
static int name_of(int i, char *text, size_t size)
{
	return snprintf(text, size, "%c name %d", 1 + i % 250, i / 250);
}

static void test_all_indices(void)
{
	char text[16];
	int i, len;

	tr2_trace_strings_clear(strings);
	defined.count = 0;
	tap_ok(index_of("ab", 2) == 1 && defined.count == 1,
	       "a table that was cleared knows no string");
	tr2_trace_strings_clear(strings);
	defined.count = 0;
	for (i = 1; i <= FXT_STRINGS; i++) {
		len = name_of(i, text, sizeof(text));
		if (index_of(text, (size_t)len) != i)
			break;
	}
	tap_int(i, FXT_STRINGS + 1, "a table has an index for 32767 strings");
	tap_int(index_of("one more", 8), 0, "and for none more");
	tap_ok(longest_run() < 100, "a search for a string is short");
	for (i = FXT_STRINGS; i; i--) {
		len = name_of(i, text, sizeof(text));
		if (index_of(text, (size_t)len) != i ||
		    strcmp(tr2_trace_strings_text(strings, (uint16_t)i), text))
			break;
	}
	tap_int(i, 0, "each of them is found again");
	tap_int(defined.count, FXT_STRINGS, "and was defined once");
}

/* 31 strings of 32767 bytes and a NUL each, and one that fills the rest. */
static void test_all_bytes(void)
{
	static char text[32768];
	int i, last;

	tr2_trace_strings_clear(strings);
	memset(text, 'x', sizeof(text));
	for (i = 1; i < 32; i++) {
		text[0] = (char)i;
		if (index_of(text, 32767) != i)
			break;
	}
	tap_int(i, 32, "a table that was cleared has all its room again");
	text[0] = (char)i;
	last = index_of(text, 32768);
	tap_int(last, 0, "a string that needs a byte more has no index");
	tap_ok(index_of(text, 32767) == 32 && index_of("y", 1) == 0,
	       "a string may take the last byte");
	tap_ok(!strncmp(tr2_trace_strings_text(strings, 32), text, 32767) &&
		       strlen(tr2_trace_strings_text(strings, 32)) == 32767,
	       "the last string is whole");
	tap_ok(is_canary_whole(), "nothing is written behind the table");
}

int main(void)
{
	host = tr2_host_system;
	host.pages = give_pages;
	tr2_host = &host;
	strings = tr2_trace_strings_make();
	test_one();
	test_same_hash();
	test_refused();
	test_race();
	test_slots();
	test_bytes_taken();
	test_all_indices();
	test_all_bytes();
	free(memory);
	return tap_done();
}
