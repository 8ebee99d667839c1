/*
 * Events in an odd order or without what they should have, and SIDs whose
 * components begin alike.
 */
#include "views/otlp/otlp_kit.h"

#include "views/otlp/process.h"

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

static void test_other_param(void)
{
	otlp_begin();
	tell_a("def_param", 1,
	       PARENT("TRACEPARENTS", "00-" TRACE "-00f067aa0ba902b7-01"));
	end_a(9);
	tap_int(count_put(TRACE), 0, "a longer name is another parameter");
	tr2_otlp_release(&otlp);
}

/*
 * ---- Processes
 */

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

int main(void)
{
	test_other_param();
	test_open_ones();
	return tap_done();
}
