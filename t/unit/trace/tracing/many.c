/* Tracing objects that the program may have forgotten. */
#include "kit/trace/tracing.h"

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
	tap_int(said_of(13, false), 0, "no leak is told of without a wish");
}

int main(void)
{
	kit_begin();
	test_many();
	kit_end();
	return tap_done();
}
