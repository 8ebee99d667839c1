/* Before any tracing object is enabled nothing is there. */
#include "kit/trace/tracing.h"

#define FILE_1 "trace.1.json"

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

int main(void)
{
	kit_begin();
	test_nothing();
	kit_end();
	return tap_done();
}
