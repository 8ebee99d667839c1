/* Which leave ends the span of a region. */
#include "kit/validate.h"

#include "otlp/otlp.h"
#include "kit/json.h"

static char spans[1 << 14];

/* A tr2_otlp_fn. */
static void keep_spans(void *context, const char *json, size_t len)
{
	(void)context;
	memcpy(spans, json, len);
	spans[len] = '\0';
}

static void tell_event(struct tr2_otlp *otlp, const char *event, int us,
		       const char *rest)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"a\",\"thread\":\"main\","
		 "\"time\":\"2001-09-09T01:46:40.%06dZ\"%s}",
		 event, us, rest);
	if (read_record(line) != TR2_RECORD_OK)
		abort();
	tr2_otlp_event(otlp, &record);
}

/* The microsecond at which the span of this name ends, or -1. */
static int find_end(const char *name)
{
	const char *const key = "\"endTimeUnixNano\":\"1000000000";
	const char *span = strstr(spans, name);
	const char *end = span ? strstr(span, key) : NULL;

	return end ? atoi(end + strlen(key)) / 1000 : -1;
}

#define REGION(category, label) \
	",\"category\":\"" category "\",\"label\":\"" label "\""

static void test_names(void)
{
	struct tr2_otlp otlp;

	tr2_otlp_begin(&otlp, keep_spans, NULL);
	tell_event(&otlp, "region_enter", 1, REGION("a", "b"));
	tell_event(&otlp, "region_leave", 2, REGION("b", "a"));
	tell_event(&otlp, "region_leave", 3, REGION("a", "b"));
	tell_event(&otlp, "region_enter", 4, REGION("c", "c"));
	tell_event(&otlp, "region_leave", 5, REGION("d", "d"));
	tell_event(&otlp, "region_leave", 6, REGION("c", "c"));
	tell_event(&otlp, "atexit", 7, "");
	tap_int(find_end("region(a,b)"), 3,
		"a leave with category and label swapped ends no span");
	tap_int(find_end("region(c,c)"), 6,
		"a span of equal category and label ends by its own leave");
	tr2_otlp_release(&otlp);
}

int main(void)
{
	test_names();
	return tap_done();
}
