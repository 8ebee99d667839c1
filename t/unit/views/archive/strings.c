/* The indices of strings in an archive's table. */
#include "kit/validate.h"
#include "views/archive/strings.h"
#include "trace/fxt_numbers.h"

static struct tr2_fxt_strings *strings;
static bool is_fresh;

/* The index of the string that spells the number. */
static unsigned find_number(unsigned number)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", number);

	return tr2_fxt_strings_find(strings, text, (size_t)len, &is_fresh);
}

/* Give indices to the numbers from `from` on; returns how many are wrong. */
static unsigned count_wrong(unsigned from, unsigned to, unsigned first)
{
	unsigned number, wrong = 0;

	for (number = from; number < to; number++)
		wrong += find_number(number) != first + number - from ||
			 !is_fresh;
	return wrong;
}

/* How many have another index than their own, or none? */
static unsigned count_lost(unsigned from, unsigned to, unsigned first)
{
	unsigned number, lost = 0;

	for (number = from; number < to; number++)
		lost += find_number(number) != first + number - from ||
			is_fresh;
	return lost;
}

static void test_indices(void)
{
	strings = tr2_fxt_strings_new();
	tap_int(find_number(7), 1, "the first string has index 1");
	tap_ok(is_fresh, "it has to be written");
	tap_int(find_number(7), 1, "a string keeps its index");
	tap_ok(!is_fresh, "it has to be written only once");
	tap_int(find_number(77), 2, "another string has the next one");
	tap_int(tr2_fxt_strings_find(strings, "77", 1, &is_fresh), 1,
		"only so many bytes are the string");
	tap_int(tr2_fxt_strings_find(strings, "7\0", 2, &is_fresh), 3,
		"a NUL is a byte like others");
	tr2_fxt_strings_free(strings);
}

/* The table grows at 256, 512, ... strings. */
static void test_growth(void)
{
	strings = tr2_fxt_strings_new();
	tap_int(count_wrong(0, 5000, 1), 0, "indices follow one another");
	tap_int(count_lost(0, 5000, 1), 0,
		"strings stay while the table grows");
	tr2_fxt_strings_free(strings);
}

static void test_ring(void)
{
	strings = tr2_fxt_strings_new();
	tap_int(count_wrong(0, FXT_STRINGS, 1), 0, "all indices are given");
	tap_int(count_lost(1000, FXT_STRINGS, 1001), 0,
		"and all strings that are not old keep theirs");
	tap_int(count_wrong(40000, 41000, 1), 0,
		"the oldest indices are given again, in turn");
	tap_int(find_number(0), 1001, "who lost its index gets another one");
	tap_ok(is_fresh, "and has to be written again");
	tap_int(count_lost(40000, 41000, 1), 0, "new strings keep theirs");
	tap_int(count_lost(2000, FXT_STRINGS, 2001), 0,
		"and so do those whose index is not taken");
	tap_int(count_wrong(50000, 50000 + 31766, 1002), 0,
		"the ring goes on to its end");
	tap_int(find_number(99999), 1, "and begins again");
	tr2_fxt_strings_free(strings);
}

/*
 * An event names up to 32 strings (category, name, 15 arguments with texts)
 * whose records precede it. The first one must not lose its index to others.
 */
static void test_event(void)
{
	unsigned turn, number, lost = 0, index;

	strings = tr2_fxt_strings_new();
	for (turn = 0; turn < 3 * FXT_STRINGS / 31; turn++) {
		index = find_number(0);
		for (number = 0; number < 31; number++)
			lost += find_number(1 + 31 * turn + number) == index;
	}
	tap_int(lost, 0,
		"no index that an event uses becomes another string's");
	tr2_fxt_strings_free(strings);
}

/* Twelve times around the ring, so that each index has had many strings. */
static void test_rounds(void)
{
	unsigned round, wrong = 0;

	strings = tr2_fxt_strings_new();
	for (round = 0; round < 12; round++)
		wrong += count_wrong(FXT_STRINGS * round,
				     FXT_STRINGS * (round + 1), 1);
	tap_int(wrong, 0, "the ring may go around many times");
	tap_int(count_lost(FXT_STRINGS * 11 + 100, FXT_STRINGS * 12, 101), 0,
		"the strings of the last round are there");
	tr2_fxt_strings_free(strings);
}

/*
 * All indices are given, and a string is found that has the one which is
 * `ahead` of the last; then as many strings follow as must not take its index.
 */
static bool is_kept(unsigned ahead)
{
	unsigned number, index;
	bool kept = true;

	strings = tr2_fxt_strings_new();
	count_wrong(0, FXT_STRINGS, 1);
	index = find_number(ahead - 1);
	for (number = 0; number < TR2_FXT_STRINGS_KEPT; number++)
		kept &= find_number(100000 + number) != index;
	tr2_fxt_strings_free(strings);
	return kept;
}

static void test_kept(void)
{
	unsigned ahead, lost = 0;

	for (ahead = TR2_FXT_STRINGS_KEPT - 2;
	     ahead <= TR2_FXT_STRINGS_KEPT + 2; ahead++)
		lost += !is_kept(ahead);
	tap_int(lost, 0, "an index stays while the next 64 strings are found");
}

int main(void)
{
	test_indices();
	test_growth();
	test_ring();
	test_event();
	test_rounds();
	test_kept();
	tr2_fxt_strings_free(NULL);
	return tap_done();
}
