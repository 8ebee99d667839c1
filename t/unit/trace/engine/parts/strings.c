/*
 * The table of strings: found again, kept apart, and what fits into it; and UTF-8:
 * what is no character is replaced.
 */
#include "kit/trace/meet.h"
#include <stdlib.h>
#include "kit/tap.h"
#include "host/host.h"
#include "trace/fxt_numbers.h"
#include "trace/engine/strings.h"
#include "kit/memory.h"
#include "trace/engine/utf8.h"

/*
 * ---- Strings
 */

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

static void run_strings(void)
{
	host = tr2_host_system;
	host.pages = give_pages;
	tr2_host = &host;
	strings = tr2_trace_strings_make();
	tap_run(test_race, test_slots, test_bytes_taken);
	free(memory);
}

/*
 * ---- Utf8
 */

/* One byte that is not part of a character, at each place of a text. */
static void test_mending(void)
{
	char room[64], *text = room + 32, want[32];
	char *end, *page = memory_page(&end);
	size_t at;

	for (at = 0; at < sizeof(want); at++) {
		memset(room, 'x', sizeof(room));
		memset(want, 'x', sizeof(want));
		text[at] = (char)0x80;
		want[at] = '?';
		tr2_trace_utf8_mend(text, sizeof(want));
		if (memcmp(text, want, sizeof(want)) != 0)
			break;
	}
	tap_int((intmax_t)at, sizeof(want),
		"a byte of no character is replaced wherever it stands");
	memcpy(text, "12345678\xc3\xa9\xc3\xe2\x82\xac", 15);
	memset(text + 14, '\xff', 2);
	tr2_trace_utf8_mend(text, 14);
	tap_bytes(text, 16, "12345678\xc3\xa9?\xe2\x82\xac\xff\xff", 16,
		  "characters stay, and what is behind the text");
	memcpy(text, "x\xc3\xa9", 3);
	tr2_trace_utf8_mend(text, 2);
	tap_bytes(text, 3, "x?\xa9", 3, "a character ends with its text");
	(void)page;
	for (at = 1; at <= sizeof(want); at++) {
		memset(end - at, 'x', at);
		tr2_trace_utf8_mend(end - at, at);
	}
	tap_int(end[-1], 'x', "nobody looks behind a text");
}

static void run_utf8(void)
{
	test_mending();
}

int main(void)
{
	tap_run(run_strings, run_utf8);
	return tap_done();
}
