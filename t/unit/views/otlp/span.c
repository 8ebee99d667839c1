/* Spans, attributes and events as JSON of OTLP, against known answers. */
#include "kit/validate.h"

#include "views/otlp/process.h"
#include "kit/json.h"

static struct tr2_buf out;

/* Returns what was put since the last call. */
static const char *show_out(void)
{
	static char shown[2048];
	size_t len = out.len < sizeof(shown) ? out.len : sizeof(shown) - 1;

	if (len)
		memcpy(shown, out.bytes, len);
	shown[len] = '\0';
	tr2_buf_reset(&out);
	return shown;
}

static void test_events(void)
{
	read_record("{\"event\":\"data\",\"category\":\"c\",\"key\":\"k\","
		    "\"value\":\"v\",\"line\":7}");
	tr2_otlp_put_event(&out, &record, 0);
	tap_str(show_out(),
		"{\"timeUnixNano\":\"0\",\"name\":\"data\",\"attributes\":["
		"{\"key\":\"trace2.category\",\"value\":{\"stringValue\":\"c\"}"
		"},{\"key\":\"trace2.key\",\"value\":{\"stringValue\":\"k\"}},"
		"{\"key\":\"trace2.value\",\"value\":{\"stringValue\":\"v\"}},"
		"{\"key\":\"code.line.number\",\"value\":{\"intValue\":\"7\"}}"
		"]}",
		"an event has its name and its values");
	read_record("{\"code\":1}");
	tr2_otlp_put_event(&out, &record, 0);
	tr2_otlp_put_event(&out, &record, 0);
	tap_str(show_out(),
		"{\"timeUnixNano\":\"0\",\"name\":\"\"},"
		"{\"timeUnixNano\":\"0\",\"name\":\"\"}",
		"without values there is no list of them");
}

/* Each timer and counter with its name, of a process and of a thread. */
static struct tr2_map total_names;

static const char *show_total(const char *line)
{
	struct tr2_buf name = TR2_BUF_INIT;

	read_record(line);
	tr2_otlp_name_total(&name, &record, &total_names);
	tr2_otlp_put_total(&out, &record, &name);
	tr2_buf_release(&name);
	return show_out();
}

static const char *show_counter(const char *name)
{
	char line[128];

	snprintf(line, sizeof(line),
		 "{\"event\":\"counter\",\"category\":\"d\",\"name\":\"%s\","
		 "\"count\":1}",
		 name);
	return show_total(line);
}

/* Receivers refuse or lose one of two attributes with the same key. */
static void test_names_of_totals(void)
{
#define COUNTER(name)                                \
	"{\"key\":\"trace2.process.counters.d." name \
	"\",\"value\":{\"intValue\":\"1\"}}"
	tap_str(show_counter("n#2"), COUNTER("n#2"),
		"a name may look as if it had a number");
	tap_str(show_counter("n"), COUNTER("n"),
		"the first counter gets no number");
	tap_str(show_counter("n"), COUNTER("n#3"),
		"the next one gets a number that no other name has");
	tap_str(show_counter("n"), COUNTER("n#4"), "so does the one after it");
	tap_str(show_counter("n#2"), COUNTER("n#2#3"), "and each other name");
	tap_str(show_counter("a\\u0000b"), COUNTER("a\\u0000b"),
		"a name may have a NUL");
	tap_str(show_counter("a\\u0000c"), COUNTER("a\\u0000c"),
		"after which others differ");
}

static void test_spans(void)
{
	struct tr2_otlp_span span = { .kind = TR2_OTLP_SERVER };

	memset(span.ids.trace, 0x11, sizeof(span.ids.trace));
	memset(span.ids.span, 0x22, sizeof(span.ids.span));
	memset(span.ids.parent, 0x33, sizeof(span.ids.parent));
	span.start = INT64_C(1000000000000000);
	tr2_buf_str(&span.name, "git");
	tr2_otlp_put_span(&out, &span, 0);
#define BEGIN                                                \
	"{\"traceId\":\"11111111111111111111111111111111\"," \
	"\"spanId\":\"2222222222222222\","
#define START "\"startTimeUnixNano\":\"1000000000000000000\","
	tap_str(show_out(),
		BEGIN "\"name\":\"git\",\"kind\":2," START
		      "\"endTimeUnixNano\":\"1000000000000000000\"}",
		"a span ends no earlier than it begins");
	span.ids.has_parent = true;
	span.kind = TR2_OTLP_INTERNAL;
	span.failed = true;
	tr2_buf_str(&span.failure, "exit 1");
	tr2_otlp_put_integer(&span.attributes, "a", 1);
	tr2_buf_str(&span.events, "{}");
	tr2_buf_byte(&out, '-');
	tr2_otlp_put_span(&out, &span, span.start + 1);
	tap_str(show_out(),
		"-," BEGIN "\"parentSpanId\":\"3333333333333333\","
		"\"name\":\"git\",\"kind\":1," START
		"\"endTimeUnixNano\":\"1000000000000001000\",\"attributes\":["
		"{\"key\":\"a\",\"value\":{\"intValue\":\"1\"}}],"
		"\"events\":[{}],\"status\":{\"code\":2,"
		"\"message\":\"exit 1\"}}",
		"a span has its parent, its lists and its failure");
	tr2_otlp_span_release(&span);
}

int main(void)
{
	tap_run(test_events, test_names_of_totals, test_spans);
	tr2_buf_release(&out);
	tr2_map_release(&total_names);
	tr2_record_release(&record);
	return tap_done();
}
