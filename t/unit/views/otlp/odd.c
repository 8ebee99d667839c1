/*
 * Events in an odd order or without what they should have, and SIDs whose
 * components begin alike.
 */
#include "views/otlp/otlp_kit.h"

#include "views/otlp/ids.h"

#define REGION(category, label) \
	",\"category\":\"" category "\",\"label\":\"" label "\""
#define TRACE "4bf92f3577b34da6a3ce929d0e0e4736"
#define PARENT(param, value) ",\"param\":\"" param "\",\"value\":\"" value "\""

static void tell_a(const char *event, int us, const char *rest)
{
	otlp_tell("a", event, us, rest);
}

static void end_a(int us)
{
	tell_a("atexit", us, ",\"code\":0");
}

/*
 * ---- Events
 */

static void test_no_time(void)
{
	otlp_begin();
	tell_a("start", 1, "");
	tell_a("error", 7, "");
	otlp_take("{\"event\":\"region_enter\",\"sid\":\"a\","
		  "\"category\":\"c\",\"label\":\"l\"}");
	end_a(9);
	tap_int(find_us("region(c,l)", "startTimeUnixNano"), 7,
		"an event without a time has that of the one before it");
	tr2_otlp_release(&otlp);
}

/* A name may be taken back. */
static void test_empty_names(void)
{
	otlp_begin();
	tell_a("start", 1, ",\"argv\":[\"git\",\"x\"]");
	tell_a("cmd_name", 2, ",\"name\":\"fetch\"");
	tell_a("cmd_mode", 3, ",\"name\":\"all\"");
	tell_a("cmd_name", 4, ",\"name\":\"\"");
	tell_a("cmd_mode", 5, ",\"name\":\"\"");
	end_a(9);
	tap_str(find_attribute("service.name"), "{\"stringValue\":\"git\"}",
		"a command without a name and a mode is its program");
	tr2_otlp_release(&otlp);
	otlp_begin();
	tell_a("start", 1, ",\"argv\":[\"git/\",\"x\"]");
	tell_a("cmd_name", 2, ",\"name\":\"fetch\"");
	tell_a("cmd_name", 3, ",\"name\":\"\"");
	tell_a("cmd_mode", 4, ",\"name\":\"all\"");
	tell_a("cmd_mode", 5, ",\"name\":\"\"");
	end_a(9);
	tap_str(find_attribute("service.name"),
		"{\"stringValue\":\"unknown_service\"}",
		"a program whose names are empty is unknown");
	tr2_otlp_release(&otlp);
}

static void test_other_param(void)
{
	otlp_begin();
	tell_a("def_param", 1,
	       PARENT("TRACEPARENTS", "00-" TRACE "-00f067aa0ba902b7-01"));
	end_a(9);
	tap_int(count_put(TRACE), 0, "a longer name is another parameter");
	tr2_otlp_release(&otlp);
}

/* A process that has a parent of its own, with a region. */
static void test_join_below(void)
{
	otlp_begin();
	otlp_tell("a/b", "region_enter", 1, REGION("c", "l"));
	otlp_tell("a/b", "def_param", 2,
		  PARENT("TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7-01"));
	otlp_tell("a/b", "atexit", 9, ",\"code\":0");
	tap_int(count_put("{\"traceId\":\"" TRACE "\""), 2,
		"a process below another one has the trace, too");
	tap_int(count_put("00f067aa0ba902b7"), 0, "but keeps its parent");
	tr2_otlp_release(&otlp);
}

/*
 * ---- Processes
 */

static char order[16]; /* of the processes that were put */

static void note_put(void *context, const char *json, size_t len)
{
	const char *key = "\"trace2.cmd.sid\",\"value\":{\"stringValue\":\"";
	char copy[4096];
	const char *at;

	(void)context;
	snprintf(copy, sizeof(copy), "%.*s", (int)len, json);
	at = strstr(copy, key);
	if (at && strlen(order) < sizeof(order) - 1)
		strncat(order, at + strlen(key), 1);
}

static void test_order(void)
{
	order[0] = '\0';
	tr2_otlp_begin(&otlp, note_put, NULL);
	otlp_tell("a", "start", 1, "");
	otlp_tell("b", "start", 2, "");
	otlp_tell("c", "start", 3, "");
	otlp_tell("d", "start", 4, "");
	tr2_otlp_let_go(&otlp);
	tr2_otlp_let_go(&otlp);
	tr2_otlp_end(&otlp);
	tap_str(order, "abcd", "at the end the first to begin is put first");
	tr2_otlp_release(&otlp);
}

/* More processes end than are remembered, while three are open. */
static void test_open_ones(void)
{
	static const char *const open[] = { "x", "y", "z" };
	char sid[16];
	size_t i, begun;

	otlp_begin();
	otlp.sids_most = 4;
	for (i = 0; i < 3; i++)
		otlp_tell(open[i], "start", 1, "");
	tr2_otlp_let_go(&otlp);
	for (i = 0; i < 100; i++) {
		snprintf(sid, sizeof(sid), "s%d", (int)i);
		otlp_tell(sid, "atexit", 2, ",\"code\":0");
	}
	begun = otlp.begun;
	for (i = 0; i < 3; i++)
		otlp_tell(open[i], "error", 3, "");
	tap_int((intmax_t)(otlp.begun - begun), 0,
		"processes that are open are remembered, each of them");
	tr2_otlp_release(&otlp);
}

/*
 * ---- Ids
 */

static struct tr2_otlp_ids find_ids(const char *sid)
{
	struct tr2_otlp_ids ids;

	tr2_otlp_ids_of(&ids, sid, strlen(sid));
	return ids;
}

static bool have_same_span(const char *sid, const char *other)
{
	const struct tr2_otlp_ids a = find_ids(sid), b = find_ids(other);

	return !memcmp(a.span, b.span, sizeof(a.span));
}

static void test_components(void)
{
	const struct tr2_otlp_ids below = find_ids("abc/ab"),
				  above = find_ids("abc");

	tap_ok(have_same_span("abc/ab", "ab"),
	       "a component that another one begins with has its own span");
	tap_ok(below.has_parent &&
		       !memcmp(below.parent, above.span, sizeof(above.span)),
	       "below that other one");
	tap_ok(have_same_span("abx/c/ab", "ab"),
	       "also if the other one is further above");
	tap_ok(have_same_span("abx/c/abx/ab", "ab"), "or there twice");
	tap_ok(!have_same_span("ab/c/ab", "ab"),
	       "one that comes again has another span");
}

static bool can_join(const char *parent)
{
	struct tr2_otlp_ids ids = find_ids("a");

	tr2_otlp_ids_join(&ids, parent, strlen(parent));
	return ids.joined;
}

static void test_forms(void)
{
	tap_ok(can_join("00-" TRACE "-00f067aa0ba902b7-01"),
	       "a TRACEPARENT may begin with any digit");
	tap_ok(!can_join("00_" TRACE "-00f067aa0ba902b7-01"),
	       "but has a dash before it");
	tap_ok(!can_join("01-" TRACE "-00f067aa0ba902b7-01"),
	       "after the version 00");
	tap_ok(!can_join("00-/bf92f3577b34da6a3ce929d0e0e4736"
			 "-00f067aa0ba902b7-01"),
	       "a slash is no digit");
}

int main(void)
{
	test_no_time();
	test_empty_names();
	test_other_param();
	test_join_below();
	test_order();
	test_open_ones();
	test_components();
	test_forms();
	return tap_done();
}
