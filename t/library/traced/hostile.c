/*
 * A program with names that nobody should print as they are: hostile NAME
 * CATEGORY. It writes an event and an alert and waits for the end of its input.
 */
#include <stdio.h>

#include <trace-provider/provider.h>
#include <trace/event.h>

int main(int argc, char **argv)
{
	struct trace_known_category known = { NULL, NULL };
	struct trace_provider_options options = { .categories = &known,
						  .category_count = 1 };

	if (argc < 3)
		return 2;
	options.name = argv[1];
	known.name = known.description = argv[2];
	trace_provider_create_with_options(&options);
	TRACE_INSTANT("example", "tick", TRACE_SCOPE_THREAD, "name",
		      TA_STRING(argv[1]));
	TRACE_ALERT("example", "\x7f\xc2\x9b::x");
	return getchar() != EOF;
}
