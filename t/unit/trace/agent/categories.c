/* Sets of categories. */
#include <stdlib.h>

#include "kit/tap.h"
#include "host/host.h"
#include "trace/agent/categories.h"

static void test_unions(void)
{
	static const char *const one[] = { "b,a,,b" };
	static const char *const many[] = { "c", "", "a,ab,abc", ",b,a" };
	static const char *const beginnings[] = { "a+,a", "a,b,a+" };
	static const char *const all[] = { "a", tr2_categories_all };
	const char *made;

	tap_str(tr2_categories_union(one, 1), "a,b",
		"a union is sorted and has no doubles");
	made = tr2_categories_union(many, 4);
	tap_str(made, "a,ab,abc,b,c", "a union has the names of all lists");
	tap_str(tr2_categories_union(beginnings, 2), "a,a+,b",
		"a name stands before those that begin with it");
	tap_ok(tr2_categories_union(many, 4) == made &&
		       tr2_categories_union(one, 1) != made,
	       "a union that was made before is used again");
	tap_ok(tr2_categories_union(all, 2) == tr2_categories_all,
	       "with all in it a union is all");
}

int main(void)
{
	test_unions();
	return tap_done();
}
