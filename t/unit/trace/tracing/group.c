/* An event is of a group of categories; any that is on records it. */
#include "kit/trace/tracing.h"

#define FILE_1 "trace.1.json"

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

int main(void)
{
	kit_begin();
	write_groups();
	tap_int(kit_count(FILE_1, "\"ph\":\"I\""), 3,
		"an event is recorded if a member of its group is on");
	tap_int(kit_count(FILE_1, "\"node,node.fs,node.fs.sync\""), 1,
		"an event shows all of its group");
	tap_int(kit_count(FILE_1, KIT_HAS("late")), 0,
		"an event is not recorded while its category is off");
	kit_end();
	return tap_done();
}
