/* The slowest root of states, and its chain of spans. */
#include "views/summary/state_kit.h"

#define SLOW "slowest\tgit maintenance\t100\t7\n"
#define LINKS                                      \
	"link\tchildren\tgit\tgit repack\t90\t3\n" \
	"link\tregions\ta\\nb\tc\t0\t0\n"          \
	"link\tregions\td\te\t-1\t0\n"
#define STATE(slowest) OPTIONS NO_COUNTS slowest "end\n"

static void test_write(void)
{
	begin_rows();
	set_slowest("git maintenance", 100, 7);
	tap_str(show_state(), STATE(SLOW), "the slowest may have no spans");
	add_link(TR2_TABLE_CHILDREN, "git", "git repack", 90, 3);
	add_link(TR2_TABLE_REGIONS, "a\nb", "c", 0, 0);
	add_link(TR2_TABLE_REGIONS, "d", "e", -1, 0);
	tap_str(show_state(), STATE(SLOW LINKS),
		"its spans follow, from the outside to the inside");
	end_rows();
}

static void test_read(void)
{
	begin_rows();
	tap_str(merge_state(STATE(SLOW LINKS)), NULL,
		"the slowest can be merged");
	tap_str(show_state(), STATE(SLOW LINKS),
		"its chain is read as it was written");
	end_rows();
}

/* Returns the slowest of two states. */
static const char *merge_both(const char *first, const char *second)
{
	const char *shown;

	begin_rows();
	merge_state(first);
	merge_state(second);
	shown = strstr(show_state(), "\nslowest");
	end_rows();
	return shown ? shown + 1 : "";
}

static void test_slower(void)
{
	static const char fast[] = STATE("slowest\tfast\t99\t1\n"
					 "link\tregions\tf\tf\t98\t0\n"
					 "link\tregions\tf\tg\t97\t0\n");
	static const char slow[] = STATE("slowest\tslow\t100\t2\n"
					 "link\tregions\ts\ts\t50\n");

	tap_str(merge_both(fast, slow),
		"slowest\tslow\t100\t2\nlink\tregions\ts\ts\t50\t0\nend\n",
		"a slower one takes the place, and so do its spans");
	tap_str(merge_both(slow, fast),
		"slowest\tslow\t100\t2\nlink\tregions\ts\ts\t50\t0\nend\n",
		"a faster one does not");
}

static void test_equal(void)
{
	static const char low[] = STATE("slowest\tlow\t100\t2\n");
	static const char high[] = STATE("slowest\thigh\t100\t3\n");
	static const char top[] = STATE("slowest\ttop\t100\t-1\n");

	tap_str(merge_both(low, high), "slowest\tlow\t100\t2\nend\n",
		"of two that took as long the one with the lower key stays");
	tap_str(merge_both(high, low), "slowest\tlow\t100\t2\nend\n",
		"in any order");
	tap_str(merge_both(top, low), "slowest\tlow\t100\t2\nend\n",
		"a key has no sign");
	tap_str(merge_both(low, STATE("slowest\tnext\t100\t2\n")),
		"slowest\tlow\t100\t2\nend\n", "of equal keys the first one");
}

static void test_none(void)
{
	tap_str(merge_both(STATE(""), STATE("slowest\tgit\t0\t1\n")),
		"slowest\tgit\t0\t1\nend\n",
		"a root without a length may be the slowest");
	tap_str(merge_both(STATE("slowest\tgit\t0\t1\n"), STATE("")),
		"slowest\tgit\t0\t1\nend\n", "a state may have none");
}

static void test_links(void)
{
	begin_rows();
	merge_state(STATE(SLOW LINKS));
	merge_state(STATE("slowest\tslower\t101\t1\n" LINKS));
	tap_int(forest.slowest.chain.count, 3,
		"a chain that loses its place is freed");
	merge_state(STATE("slowest\tfaster\t1\t1\n" LINKS));
	tap_int(forest.slowest.chain.count, 3,
		"a chain that is not wanted is not kept");
	end_rows();
}

static void test_wrong(void)
{
	static const char *const records[] = {
		"slowest\n",
		"slowest\tgit\n",
		"slowest\tgit\t1\n",
		"slowest\tgit\tx\t1\n",
		"slowest\tgit\t1\tx\n",
		"slowest\tgit\t1\t1\nlink\tregions\ta\tb\n",
		"slowest\tgit\t1\t1\nlink\tregions\ta\tb\tx\n",
		"slowest\tgit\t1\t1\nlink\tregion\ta\tb\t1\n",
		"slowest\tgit\t1\t1\nlink\n",
	};
	char state[256], want[64];
	size_t i;

	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		snprintf(state, sizeof(state), "%s%send\n", OPTIONS,
			 records[i]);
		snprintf(want, sizeof(want), "%d: expected a record of a state",
			 i < 5 ? 2 : 3);
		tap_str(find_wrong(state), want,
			"the slowest and its links have all their fields");
	}
	begin_rows();
	merge_state(STATE(SLOW));
	tap_str(merge_state(STATE("slowest\tfaster\t1\t1\nlink\n")),
		"expected a record of a state",
		"also links that are not wanted");
	end_rows();
}

int main(void)
{
	test_write();
	test_read();
	test_slower();
	test_equal();
	test_none();
	test_links();
	test_wrong();
	return tap_done();
}
