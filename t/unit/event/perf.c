/* How many dots a line of PERF has. */
#include <string.h>

#include "kit/tap.h"
#include "base/buf.h"
#include "event/event.h"
#include "event/format.h"

#define CATEGORY " |              | " /* of an event without one */

/* The dots of an event inside so many regions. */
static size_t count_dots(unsigned regions)
{
	static char bytes[1024];
	const struct tr2_origin origin = { .thread = "main" };
	const struct tr2_format how = { .brief = 1 };
	struct tr2_buf out = TR2_BUF_FIXED(bytes);
	struct tr2_event event = {
		.kind = TR2_EVENT_CMD_MODE,
		.origin = &origin,
		.name = "fast",
		.open_regions = regions,
	};
	const char *at;

	tr2_perf_format(&event, &how, &out);
	tr2_buf_byte(&out, '\0');
	at = out.failed ? NULL : strstr(bytes, CATEGORY);
	return at ? strspn(at + strlen(CATEGORY), ".") : 9999;
}

int main(void)
{
	tap_int((intmax_t)count_dots(0), 0, "no open region has no dots");
	tap_int((intmax_t)count_dots(1), 2, "an open region has two dots");
	tap_int((intmax_t)count_dots(100), 200,
		"a hundred open regions have two dots each");
	tap_int((intmax_t)count_dots(101), 200,
		"the 101st open region has no dots");
	tap_int((intmax_t)count_dots(100000), 200,
		"100,000 open regions make no line longer");
	return tap_done();
}
