/*
 * Findings of which only the first ones are kept, whatever their order.
 */
#include "lib/files/spool_kit.h"

/* Add so many lines of a file, from a number on, every so many. */
static void add_lines(struct tr2_spool *spool, uint64_t first, int step,
		      int count)
{
	struct tr2_spool_place place = { .file = "a", .line = first };
	char text[24];

	for (; count; count--, place.line += (uint64_t)step) {
		sprintf(text, "%d ", (int)place.line);
		if (tr2_spool_wants(spool, &place))
			tr2_spool_add(spool, &place, text, strlen(text));
	}
}

/* Sorted, the first ones are there, and not many others. */
static void test_limit(void)
{
	struct tr2_spool spool = { .limit = 3 };
	size_t used;

	add_lines(&spool, 9, -1, 5);
	tap_int(spool.entries.count, 5, "few entries are kept, even above it");
	add_lines(&spool, 100, 1, 5000);
	used = kit_used();
	add_lines(&spool, 100, 1, 100000);
	tap_int((intmax_t)kit_used(), (intmax_t)used,
		"what comes behind the first ones takes no memory");
	add_lines(&spool, 4, -1, 3);
	tap_ok(!strncmp(print_sorted(&spool), "2 3 4 5 ", 8),
	       "what comes late, and is among the first, is kept");
	tap_ok(spool.entries.count < 2000, "no more than some are kept");
	tr2_spool_release(&spool);
	spool = (struct tr2_spool){ .limit = 3 };
	used = kit_used();
	add_lines(&spool, 1000000, -1, 100000);
	tap_ok(kit_used() < used + KEPT,
	       "what comes in reverse takes no memory, either");
	tap_ok(!strncmp(print_sorted(&spool), "900001 900002 900003 ", 21),
	       "what comes in reverse has its order");
	tr2_spool_release(&spool);
}

static void test_limit_place(void)
{
	struct tr2_spool spool = { .limit = 2 };
	struct tr2_spool_place place = { "a", 7, 5, 5, 5 };

	add_lines(&spool, 1, 1, 1);
	tap_ok(tr2_spool_wants(&spool, &place), "an empty place is wanted");
	tr2_spool_add(&spool, &place, "x", 1);
	add_lines(&spool, 8, 1, 2000);
	tap_ok(!tr2_spool_wants(&spool, &place),
	       "of one place the first is kept");
	place.part--;
	tap_ok(tr2_spool_wants(&spool, &place), "a part before it is wanted");
	place.part += 2;
	tap_ok(!tr2_spool_wants(&spool, &place), "a part behind it is not");
	tr2_spool_release(&spool);
}

/* As many as are wanted stay when a list is cut. */
static int cut_to(uint32_t limit)
{
	struct tr2_spool spool = { .limit = limit };
	int left;

	add_lines(&spool, 1, 1, 3);
	tr2_spool_cut(&spool);
	left = (int)spool.entries.count;
	tr2_spool_release(&spool);
	return left;
}

static void test_cut(void)
{
	tap_int(cut_to(2), 2, "a list is cut to its limit");
	tap_int(cut_to(4), 3, "a shorter one stays");
	tap_int(cut_to(0), 3, "and so does one without a limit");
}

int main(void)
{
	test_cut();
	test_limit();
	test_limit_place();
	return tap_done();
}
