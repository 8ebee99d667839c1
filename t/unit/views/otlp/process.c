/* A process as ResourceSpans, against known answers, and its memory. */
#include "views/otlp/otlp_kit.h"

#define ATTRIBUTE(name, text) \
	"{\"key\":\"" name "\",\"value\":{\"stringValue\":\"" text "\"}}"
#define NUMBER(name, number) \
	"{\"key\":\"" name "\",\"value\":{\"intValue\":\"" number "\"}}"
#define SPANS "]},\"scopeSpans\":[{\"scope\":{\"name\":\"trace2\"},\"spans\":["
#define TIMES(from, to)                                     \
	"\"startTimeUnixNano\":\"10000000000000" from "\"," \
	"\"endTimeUnixNano\":\"10000000000000" to "\","

/* The ids are of another program's SHA-256. */
#define IDS_OF_A                                             \
	"{\"traceId\":\"ca978112ca1bbdcafac231b39a23dc4d\"," \
	"\"spanId\":\"a786eff8147c4e72\","

static void test_bare(void)
{
	otlp_begin();
	otlp_tell("a", "exit", 1, "");
	tr2_otlp_end(&otlp);
	tap_str(put_text,
		"{\"resource\":{\"attributes\":[" ATTRIBUTE(
			"service.name",
			"unknown_service") "," ATTRIBUTE("service.namespace",
							 "trace2")
			SPANS IDS_OF_A
		"\"name\":\"\",\"kind\":2," TIMES("01000", "01000") "\"attributes\":[" ATTRIBUTE(
			"trace2.cmd.sid",
			"a") "," ATTRIBUTE("trace2.span.type",
					   "process") "]}]}]}",
		"without events that name it, its service is unknown");
	tr2_otlp_release(&otlp);
}

static void test_pid(void)
{
	static const char sid[] = "20260114T093042.112358Z-Hc4f2e1a9-P00001f40";

	otlp_begin();
	otlp_tell(sid, "cmd_mode", 1, ",\"name\":\"m\"");
	otlp_tell(sid, "atexit", 1, "");
	tap_ok(strstr(put_text, "\"trace2\"}}," NUMBER("process.pid",
						       "8000") "]}") != NULL,
	       "a process has the pid of its SID");
	tap_ok(strstr(put_text, ATTRIBUTE("service.name", "#m")) != NULL,
	       "and may have but a mode");
	tap_ok(strstr(put_text, sid) != NULL, "its whole SID is an attribute");
	tr2_otlp_release(&otlp);
}

/* Those inside end first; the others keep their order. */
static void test_order(void)
{
	const char *first, *second, *third;

	otlp_begin();
	otlp_tell("a", "region_enter", 1, ",\"label\":\"x\"");
	otlp_tell("a", "region_enter", 2, ",\"label\":\"y\"");
	otlp_tell("a", "region_enter", 3, ",\"label\":\"z\"");
	otlp_tell("a", "region_leave", 4, ",\"label\":\"z\"");
	otlp_tell("a", "region_enter", 5, ",\"label\":\"w\"");
	otlp_tell("a", "region_leave", 6, ",\"label\":\"w\"");
	otlp_tell("a", "atexit", 9, "");
	first = strstr(put_text, "region(,z)");
	second = strstr(put_text, "region(,w)");
	third = strstr(put_text, "region(,y)");
	tap_ok(first && second && third && first < second && second < third &&
		       third < strstr(put_text, "region(,x)"),
	       "spans come in the order in which they end");
	tap_int(find_us("region(,x)", "endTimeUnixNano"), 9,
		"those that are open end with the process");
	tap_int((int)otlp.spans, 5, "all spans are counted");
	tap_int(count_put("},{\"traceId\""), 4, "commas are between them");
	tr2_otlp_release(&otlp);
}

static void test_memory(void)
{
}

int main(void)
{
	test_bare();
	test_pid();
	test_order();
	test_memory();
	tr2_record_release(&record);
	return tap_done();
}
