/*
 * Tracing objects: what is on, which categories that means, and what their
 * file has.
 */
#include "kit/trace/tracing.h"

#define FILE_1 "trace.1.json"

/* The next tracing begins with the first file. */
static void forget_files(void)
{
	const struct trace_tracing_options again = { .pattern = NULL };

	unlink(FILE_1);
	trace_tracing_configure(&again);
}

static void test_nothing(void)
{
	struct trace_tracing *tracing = kit_tracing("a");
	const int before = kit_threads();

	TRACE_INSTANT("a", "early", TRACE_SCOPE_THREAD);
	tap_ok(access(FILE_1, F_OK) && kit_threads() == before,
	       "without an enabled object there is no file and no thread");
	tap_ok(!trace_tracing_enabled_categories(),
	       "without an enabled object no category is on");
	trace_tracing_destroy(tracing);
	tap_ok(access(FILE_1, F_OK) && kit_threads() == before,
	       "an object that never was enabled leaves no file");
}

static void test_object(void)
{
	static const char *const names[] = { "b", "a", "b" };
	struct trace_tracing *tracing = trace_tracing_create(names, 3);

	tap_str(trace_tracing_categories(tracing), "b,a,b",
		"an object shows its categories as they were given");
	tap_ok(!trace_tracing_is_enabled(tracing), "an object begins disabled");
	errno = 7;
	tap_int(trace_tracing_enable(tracing), 0, "an object is enabled");
	tap_ok(errno == 7 && trace_tracing_is_enabled(tracing),
	       "an enabled object says so, and errno is kept");
	tap_int(trace_tracing_enable(tracing), 0, "enabling twice is once");
	tap_str(trace_tracing_enabled_categories(), "a,b",
		"categories that are on are sorted, each once");
	trace_tracing_disable(tracing);
	tap_ok(!trace_tracing_is_enabled(tracing) &&
		       !trace_tracing_disable(tracing),
	       "disabling twice is once");
	tap_ok(!trace_tracing_enabled_categories(),
	       "a disabled object's categories are off");
	trace_tracing_destroy(tracing);
}

static void test_union(void)
{
	static const char *const both[] = { "z", "shared" };
	struct trace_tracing *one = trace_tracing_create(both, 2);
	struct trace_tracing *two = kit_tracing("shared");

	trace_tracing_enable(one);
	trace_tracing_enable(two);
	tap_str(trace_tracing_enabled_categories(), "shared,z",
		"what is on is the union of all enabled objects");
	trace_tracing_disable(one);
	tap_str(trace_tracing_enabled_categories(), "shared",
		"a category stays on while one object has it");
	trace_tracing_destroy(one);
	trace_tracing_destroy(two);
}

static void write_groups(void)
{
	struct trace_tracing *tracing = kit_tracing("node.fs");

	trace_tracing_enable(tracing);
	TRACE_INSTANT("node,node.fs,node.fs.sync", "member", 0);
	TRACE_INSTANT("node.fs", "exact", 0);
	TRACE_INSTANT("node", "other", 0);
	trace_tracing_disable(tracing);
	TRACE_INSTANT("node.fs", "late", 0);
	trace_tracing_enable(tracing);
	TRACE_INSTANT("node.fs", "again", 0);
	trace_tracing_destroy(tracing);
}

/* An event is of a group of categories; any that is on records it. */
static void test_groups(void)
{
	forget_files();
	write_groups();
	tap_int(kit_count(FILE_1, "\"ph\":\"I\""), 3,
		"an event is recorded if a member of its group is on");
	tap_int(kit_count(FILE_1, "\"node,node.fs,node.fs.sync\""), 1,
		"an event shows all of its group");
	tap_int(kit_count(FILE_1, KIT_HAS("late")), 0,
		"an event is not recorded while its category is off");
}

/* How many of the events below are recorded? */
static int is_recorded(const char *category)
{
	struct trace_tracing *tracing = kit_tracing(category);
	int count;

	forget_files();
	trace_tracing_enable(tracing);
	TRACE_INSTANT("node", "name", 0);
	TRACE_INSTANT("node.fs.sync,node.f", "name", 0);
	TRACE_INSTANT(" v8", "name", 0);
	TRACE_INSTANT("V8", "name", 0);
	TRACE_INSTANT("", "name", 0);
	trace_tracing_destroy(tracing);
	count = kit_count(FILE_1, KIT_HAS("name"));
	return count;
}

/* Names of categories are compared byte by byte. */
static void test_names(void)
{
	tap_int(is_recorded("node"), 1, "a name is itself");
	tap_int(is_recorded("node.fs"), 0, "a name is no part of another one");
	tap_int(is_recorded("v8"), 0, "neither case nor blanks are forgiven");
	tap_int(is_recorded(" v8"), 1, "a blank belongs to its name");
	tap_int(is_recorded("*") + is_recorded("node*") + is_recorded(""), 0,
		"no name stands for several categories");
}

/* A category that is on and that no event has. */
static void test_unmatched(void)
{
	struct trace_tracing *tracing = kit_tracing("nobody's");

	forget_files();
	trace_tracing_enable(tracing);
	tap_int(kit_count(FILE_1, KIT_HAS("version")), 1,
		"a file is there as soon as a category is on");
	TRACE_INSTANT("somebody's", "event", 0);
	trace_tracing_destroy(tracing);
	tap_ok(kit_count(FILE_1, "\"ph\":\"M\"") >= 2 &&
		       !kit_count(FILE_1, KIT_HAS("event")),
	       "a file without events has metadata");
	tap_int(kit_count(FILE_1, "\n]\n"), 1,
		"a file without events is complete");
}

static int many;
static bool is_warned;

static void enable_many(void)
{
	const struct trace_tracing_options options = { .warn = is_warned };

	trace_tracing_configure(&options);
	while (many--)
		trace_tracing_enable(kit_tracing("a"));
}

static int said_of(int count, bool warn)
{
	many = count;
	is_warned = warn;
	return kit_said(enable_many);
}

static void test_many(void)
{
	tap_int(said_of(10, true), 0, "ten enabled objects are no leak");
	tap_int(said_of(13, true), 3, "each object more than ten is warned of");
	tap_int(said_of(13, false), 0,
		"without the switch no object is warned of");
}

int main(void)
{
	kit_begin();
	tap_run(test_nothing, test_many, test_object, test_union, test_groups,
		test_names, test_unmatched);
	kit_end();
	return tap_done();
}
