/* Names of categories are compared byte by byte. */
#include "kit/trace/tracing.h"

#define FILE_1 "trace.1.json"

/* How many of the events below are recorded? */
static int is_recorded(const char *category)
{
	struct trace_tracing *tracing = kit_tracing(category);
	int count;

	trace_tracing_enable(tracing);
	TRACE_INSTANT("node", "name", 0);
	TRACE_INSTANT("node.fs.sync,node.f", "name", 0);
	TRACE_INSTANT(" v8", "name", 0);
	TRACE_INSTANT("V8", "name", 0);
	TRACE_INSTANT("", "name", 0);
	trace_tracing_destroy(tracing);
	count = kit_count(FILE_1, KIT_HAS("name"));
	unlink(FILE_1);
	return count;
}

static int is_written(const char *category)
{
	const struct trace_tracing_options again = { .pattern = NULL };

	trace_tracing_configure(&again);
	return is_recorded(category);
}

int main(void)
{
	kit_begin();
	tap_int(is_written("node"), 1, "a name is itself");
	tap_int(is_written("node.fs"), 0, "a name is no part of another one");
	tap_int(is_written("v8"), 0, "neither case nor blanks are forgiven");
	tap_int(is_written(" v8"), 1, "a blank belongs to its name");
	tap_int(is_written("*") + is_written("node*") + is_written(""), 0,
		"no name stands for several categories");
	kit_end();
	return tap_done();
}
