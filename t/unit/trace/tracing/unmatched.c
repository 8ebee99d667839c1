/* A category that is on and that no event has. */
#include "kit/trace/tracing.h"

#define FILE_1 "trace.1.json"

int main(void)
{
	struct trace_tracing *tracing = kit_tracing("nobody's");

	kit_begin();
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
	kit_end();
	return tap_done();
}
