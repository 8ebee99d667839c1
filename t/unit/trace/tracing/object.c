/* A tracing object: its state, and the categories of all together. */
#include "kit/trace/tracing.h"

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

int main(void)
{
	kit_begin();
	test_object();
	test_union();
	kit_end();
	return tap_done();
}
