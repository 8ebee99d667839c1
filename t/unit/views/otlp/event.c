/* What each event does to the spans and attributes of its process. */
#include "views/otlp/otlp_kit.h"

#define TEXT(text) "{\"stringValue\":\"" text "\"}"
#define REGION(category, label) \
	",\"category\":\"" category "\",\"label\":\"" label "\""
#define PARENT(trace, span) \
	",\"param\":\"TRACEPARENT\",\"value\":\"00-" trace "-" span "-01\""
#define TRACE "0123456789abcdef0123456789abcdef"
#define ABOVE "fedcba9876543210"

/* An event of process "a". */
static void tell_a(const char *event, int us, const char *rest)
{
	otlp_tell("a", event, us, rest);
}

static void end_a(int us)
{
	tell_a("atexit", us, ",\"code\":0");
	tr2_otlp_release(&otlp);
}

static const struct {
	const char *argv, *name;
} programs[] = {
	{ "\"git\"", "git" },
	{ "\"a/b\\\\c.exe\"", "c" },
	{ "\"/usr/lib/\"", "unknown_service" },
	{ "\".exe\"", ".exe" },
	{ "\"x.exe\"", "x" },
	{ "\"x.exf\"", "x.exf" },
	{ "\"a\\\"b\"", "a\\\"b" },
	{ "\"\"", "unknown_service" },
	{ "", "unknown_service" },
	{ "1", "unknown_service" },
};

static void test_programs(void)
{
	char rest[64], wanted[64];
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		otlp_begin();
		snprintf(rest, sizeof(rest), ",\"argv\":[%s]",
			 programs[i].argv);
		tell_a("start", 1, rest);
		end_a(2);
		snprintf(wanted, sizeof(wanted), "\"value\":" TEXT("%s") "}",
			 programs[i].name);
		tap_ok(strstr(put_text, wanted) &&
			       strstr(put_text, wanted) <
				       strstr(put_text, "service.namespace"),
		       "a program is the base name of the first word");
	}
}

/* The length that the first event has is the last one that is below it. */
static void test_limit(void)
{
	size_t len;

	otlp_begin();
	tell_a("printf", 1, ",\"msg\":\"one\"");
	end_a(2);
	len = strlen(find_of_span("", "events")) - strlen("[]");
	otlp_begin();
	otlp.events_most = len;
	tell_a("region_enter", 1, REGION("c", "r"));
	tell_a("printf", 2, ",\"msg\":\"one\"");
	tell_a("printf", 3, ",\"msg\":\"two\"");
	tell_a("printf", 4, ",\"msg\":\"two\"");
	tell_a("region_leave", 5, REGION("c", "r"));
	tell_a("printf", 6, ",\"msg\":\"end\"");
	end_a(7);
	tap_str(find_of_span("region(c,r)", "droppedEventsCount"), "2",
		"events beyond the limit are counted");
	tap_int(count_put("droppedEventsCount"), 1, "by their own span");
	tap_int(count_put(TEXT("one")) + count_put(TEXT("end")), 2,
		"while others are put");
	tap_int(count_put(TEXT("two")), 0, "and they are not");
	tap_int((int)otlp.crowded, 2, "the crowded ones are counted");
	otlp_begin();
	otlp.events_most = len + 1;
	tell_a("printf", 2, ",\"msg\":\"one\"");
	tell_a("printf", 3, ",\"msg\":\"two\"");
	end_a(4);
	tap_int(count_put(TEXT("two")), 1, "less than the limit is not beyond");
}

static const struct {
	const char *event, *rest, *code, *status, *says;
} ends[] = {
	{ "atexit", ",\"code\":1", TEXT("1"),
	  "{\"code\":2,\"message\":\"exit code 1\"}",
	  "an exit code that is not 0 is a failure" },
	{ "atexit", "", "", "", "an exit without a code has no status" },
	{ "atexit", ",\"code\":\"1\"", "", "",
	  "a text is not taken for a code" },
	{ "signal", ",\"signo\":15", TEXT("143"),
	  "{\"code\":2,\"message\":\"signal 15\"}",
	  "a signal is a failure with its code" },
	{ "signal", ",\"signo\":1", TEXT("129"),
	  "{\"code\":2,\"message\":\"signal 1\"}", "the first one, too" },
	{ "signal", ",\"signo\":127", TEXT("255"),
	  "{\"code\":2,\"message\":\"signal 127\"}", "and the last one" },
	{ "signal", ",\"signo\":128", "", "{\"code\":2,\"message\":\"signal\"}",
	  "a larger signal has no exit code" },
	{ "signal", ",\"signo\":0", "", "{\"code\":2,\"message\":\"signal\"}",
	  "nor has signal 0" },
	{ "signal", ",\"signo\":-128", "",
	  "{\"code\":2,\"message\":\"signal\"}",
	  "a wrong one is a failure, too" },
	{ "signal", ",\"signo\":9223372036854775807", "",
	  "{\"code\":2,\"message\":\"signal\"}", "however large" },
	{ "signal", "", "", "{\"code\":2,\"message\":\"signal\"}",
	  "or missing" },
};

static void test_ends(void)
{
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		otlp_begin();
		tell_a("start", 1, ",\"argv\":[\"p\"]");
		tell_a(ends[i].event, 2, ends[i].rest);
		tap_int(put_count, 1, "the last event puts the process");
		tap_str(find_attribute("trace2.cmd.exit_code"), ends[i].code,
			ends[i].says);
		tap_str(find_of_span("p", "status"), ends[i].status,
			"the status of the span says so");
		tr2_otlp_release(&otlp);
	}
}

/* Spans that have begun and ended before are in the trace, too. */
static void test_trace(void)
{
	otlp_begin();
	tell_a("region_enter", 1, REGION("c", "\\\"traceId\\\":"));
	tell_a("region_leave", 2, REGION("c", "\\\"traceId\\\":"));
	tell_a("region_enter", 3, REGION("c", "open"));
	tell_a("def_param", 4,
	       ",\"param\":\"TRACEPARENX\",\"value\":\"00-" ABOVE ABOVE
	       "-" ABOVE "-01\"");
	tell_a("def_param", 5, ",\"param\":\"TRACEPARENT\",\"value\":7");
	tell_a("def_param", 5, ",\"param\":7");
	tell_a("def_param", 6, PARENT(TRACE, ABOVE));
	tell_a("def_param", 7, PARENT(ABOVE ABOVE, ABOVE));
	tell_a("region_enter", 8, REGION("c", "later"));
	end_a(9);
	tap_int(count_put("{\"traceId\":\"" TRACE "\",\"spanId\":\""), 4,
		"a process and all its spans have the trace of TRACEPARENT");
	tap_int(count_put("\"parentSpanId\":\"" ABOVE "\""), 1,
		"the process is below its span");
	tap_int(count_put("region(c,\\\"traceId\\\":)"), 1,
		"what looks like a trace in a name stays");
}

int main(void)
{
	tap_run(test_programs, test_limit, test_ends, test_trace);
	tr2_record_release(&record);
	return tap_done();
}
