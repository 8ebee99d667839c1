/* Sets of categories. */
#include <stdlib.h>

#include "kit/tap.h"
#include "host/host.h"
#include "trace/agent/categories.h"

static void test_groups(void)
{
	static const struct {
		const char *list;
		const char *group;
		int matches;
	} rows[] = {
		{ "", "", 0 },		{ "", "a", 0 },
		{ "a", "", 0 },		{ "a", "a", 1 },
		{ "a", "b", 0 },	{ "ab", "a", 0 },
		{ "a", "ab", 0 },	{ "a,b", "b", 1 },
		{ "a,b", "c,b", 1 },	{ "a,b", "c,d,a", 1 },
		{ "a,b", ",,", 0 },	{ "a,,b", ",", 0 },
		{ "a,b", "a,b", 1 },	{ "a,bc", "b,c", 0 },
		{ "aa,b,c", "d,c", 1 }, { ",a", "a", 1 },
		{ "*", "*", 1 },	{ "*", "a", 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (tr2_categories_match(rows[i].list, rows[i].group,
					 strlen(rows[i].group)) !=
		    rows[i].matches)
			break;
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"a group matches a list that has one of its members");
	tap_ok(tr2_categories_match(tr2_categories_all, "", 0) &&
		       tr2_categories_match("a", "a,x", 1) &&
		       !tr2_categories_match("x", "a,x", 1),
	       "all match everything, and a group ends where it ends");
}

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

/*
 * Memory that is not zero, returns NULL for 0 bytes, and is followed by bytes
 * that nobody may write.
 */
#define CANARY 16

static struct tr2_host host;
static int failing; /* the allocation that fails, from 0; -1: none */
static int open_allocations, overruns;

/* Unions are kept for ever: this is where a leak checker finds them. */
static struct block {
	struct block *before;
	size_t size;
	char bytes[];
} * newest;

static void *dirty_realloc(void *old, size_t size)
{
	struct block *made;

	(void)old;
	if (!failing-- || !size)
		return NULL;
	made = malloc(sizeof(*made) + size + CANARY);
	made->before = newest;
	made->size = size;
	memset(made->bytes, 'x', size + CANARY);
	newest = made;
	open_allocations++;
	return made->bytes;
}

static void checking_free(void *memory)
{
	struct block **at = &newest, *made;
	size_t i;

	if (!memory)
		return;
	while ((*at)->bytes != memory)
		at = &(*at)->before;
	made = *at;
	*at = made->before;
	for (i = 0; i < CANARY; i++)
		overruns += made->bytes[made->size + i] != 'x';
	free(made);
	open_allocations--;
}

static const char *union_of(const char *list, int fails)
{
	failing = fails;
	open_allocations = 0;
	return tr2_categories_union(&list, list != NULL);
}

static void test_memory(void)
{
	host = tr2_host_system;
	host.realloc = dirty_realloc;
	host.free = checking_free;
	tr2_host = &host;
	tap_ok(!union_of("new", 0) && !open_allocations &&
		       !union_of("new", 1) && !open_allocations,
	       "there is no union where memory fails");
	tap_str(union_of("new", -1), "new", "a union ends where it ends");
	tap_int(open_allocations, 1, "a new union is kept, and it alone");
	tap_ok(union_of("new", -1) && !open_allocations,
	       "one that was made before takes no memory");
	tap_str(union_of(NULL, -1), "", "the union of nothing is empty");
	union_of("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t", -1);
	union_of("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t", -1);
	tap_int(overruns, 0, "a union has room for all of its names");
	tr2_host = &tr2_host_system;
}

int main(void)
{
	test_memory();
	test_groups();
	test_unions();
	return tap_done();
}
