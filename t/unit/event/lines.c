/* Lines that are too long for a buffer, and how many dots a line of PERF has. */
#include "event/event.h"
#include "event/format.h"

#include "base/buf.h"
#include "trace2.h"

#include <string.h>

#include "kit/tap.h"

static const struct tr2_origin origin = { 0, "sid", 3, 0, "main", "main", 4 };
static struct tr2_second utc = TR2_SECOND_INIT;
static struct tr2_second local = TR2_SECOND_INIT;

/* Of all the buffers that are too small for the line. */
static int wrong_rooms(tr2_format_fn *format)
{
	struct tr2_event event = {
		.kind = TR2_EVENT_CMD_MODE,
		.origin = &origin,
		.file = "file.c",
		.name = "mode",
		.repo = TRACE2_REPO_NONE,
	};
	struct tr2_format how = { 0, 2, &utc, &local };
	char bytes[512];
	size_t len = 0;
	int wrong = 0;

	for (size_t room = sizeof(bytes); room > len; room--) {
		struct tr2_buf out = { bytes, 0, room, 1, 0 };

		format(&event, &how, &out);
		len = out.failed ? len : out.len;
	}
	for (size_t room = 0; room < len; room++) {
		struct tr2_buf out = { bytes, 0, room, 1, 0 };

		bytes[room] = '#';
		format(&event, &how, &out);
		wrong += !out.failed || out.len > room || bytes[room] != '#';
	}
	return len ? wrong : -1;
}

#define CATEGORY " |              | " /* of an event without one */

/* The dots of an event inside so many regions. */
static size_t count_dots(unsigned regions)
{
	static char bytes[1024];
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

static void test_dots(void)
{
	tap_int((intmax_t)count_dots(0), 0, "no open region has no dots");
	tap_int((intmax_t)count_dots(1), 2, "an open region has two dots");
	tap_int((intmax_t)count_dots(100), 200,
		"a hundred open regions have two dots each");
	tap_int((intmax_t)count_dots(101), 200,
		"the 101st open region has no dots");
	tap_int((intmax_t)count_dots(100000), 200,
		"100,000 open regions make no line longer");
}

int main(void)
{
	test_dots();
	tap_int(wrong_rooms(tr2_normal_format), 0,
		"NORMAL notices each buffer that is too small");
	tap_int(wrong_rooms(tr2_perf_format), 0,
		"PERF notices each buffer that is too small");
	tap_int(wrong_rooms(tr2_event_json_format), 0,
		"EVENT notices each buffer that is too small");
	return tap_done();
}
