/* The slowest root of states, and its chain of spans. */
#include "views/summary/state_kit.h"

#define SLOW "slowest\tgit maintenance\t100\t7\n"
#define LINKS                                      \
	"link\tchildren\tgit\tgit repack\t90\t3\n" \
	"link\tregions\ta\\nb\tc\t0\t0\n"          \
	"link\tregions\td\te\t-1\t0\n"
#define STATE(slowest) OPTIONS NO_COUNTS slowest "end\n"

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

int main(void)
{
	tap_run(test_read, test_slower, test_equal);
	return tap_done();
}
