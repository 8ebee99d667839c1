/* Which advice is worth a word, and how it is told. */
#include "views/summary/summary_kit.h"
#include "views/result/advice.h"

#define HOOK                                                        \
	"it is a script of this repository; see .git/hooks or "     \
	"core.hooksPath; saves about 500 ms of 1.00 s; not if you " \
	"need what it checks\n"

/* A hook had so many milliseconds of a second. */
static const char *advise_on(const char *id, int64_t time, uint64_t count,
			     int64_t saves)
{
	static char text[1024];

	begin_rows();
	forest.counts.wall = 1000000;
	add_row(TR2_TABLE_PROOFS, id, "h\x1b",
		SUMS(.count = count, .self = time * 1000,
		     .total = saves * 1000));
	snprintf(text, sizeof(text), "%s", write_rows(tr2_advice_put));
	end_rows();
	return text;
}

static void test_text(void)
{
	tap_str(advise_on("hook", 600, 1, 500),
		"advice: h? took 600 ms, 60.0% of the time: " HOOK,
		"advice has its proof, what it saves and when not to");
	tap_str(advise_on("hook", 600, 3, 500),
		"advice: 3 \xc3\x97 h? took 600 ms, 60.0% of the time: " HOOK,
		"the same again is counted");
	tap_str(advise_on("blame", 600, 1, 0),
		"advice: h? took 600 ms, 60.0% of the time: blame compares "
		"every version of the file; --since, a range or -L reads "
		"fewer\n",
		"where nobody knows what it saves nothing is said");
}

static void test_least(void)
{
	tap_ok(*advise_on("hook", 200, 1, 0) != '\0',
	       "a fifth of the time is worth advice");
	tap_str(advise_on("hook", 199, 1, 0), "", "less is not");
	tap_str(advise_on("of-later", 600, 1, 0), "",
		"a rule that this version does not know is left out");
	begin_rows();
	forest.counts.wall = 60000;
	add_row(TR2_TABLE_PROOFS, "hook", "h", SUMS(.count = 1, .self = 49999));
	tap_str(write_rows(tr2_advice_put), "",
		"nor is a time that nobody notices");
	end_rows();
}

static void test_more(void)
{
	tap_ok(strstr(advise_on("hook", 5000, 2, 4000),
		      "took 1.00 s, 100.0% of the time") != NULL,
	       "what ran side by side is not more than all");
}

int main(void)
{
	test_text();
	test_least();
	test_more();
	return tap_done();
}
