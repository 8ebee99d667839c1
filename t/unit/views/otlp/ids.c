/*
 * Ids of traces and spans. The expected ones are of another program's
 * SHA-256: of "a", and so on.
 */
#include "kit/tap.h"

#include "views/otlp/process.h"

#define TRACE_A "ca978112ca1bbdcafac231b39a23dc4d"
#define SPAN_A "a786eff8147c4e72"
#define SPAN_B "8bbd7a0088d42c4a"
#define SPAN_C "3393a2029d241394"
#define SPAN_ABA "f715f9950268beff"
#define INNER "50bec2afd4e3c976"
#define THEIRS "0123456789abcdef0123456789abcdef"
#define ABOVE "fedcba9876543210"

static void write_hex(char *out, const unsigned char *bytes, size_t count)
{
	for (; count; count--, out += 2)
		snprintf(out, 3, "%02x", *bytes++);
}

/* "TRACE SPAN PARENT", the last one if there is one. */
static const char *show_ids(const struct tr2_otlp_ids *ids)
{
	static char text[80];

	write_hex(text, ids->trace, sizeof(ids->trace));
	text[32] = ' ';
	write_hex(text + 33, ids->span, sizeof(ids->span));
	if (!ids->has_parent)
		return text;
	text[49] = ' ';
	write_hex(text + 50, ids->parent, sizeof(ids->parent));
	return text;
}

static const char *show_sid(const char *sid)
{
	struct tr2_otlp_ids ids;

	tr2_otlp_ids_of(&ids, sid, strlen(sid));
	return show_ids(&ids);
}

static const char *join_trace(const char *sid, const char *text)
{
	struct tr2_otlp_ids ids;

	tr2_otlp_ids_of(&ids, sid, strlen(sid));
	tr2_otlp_ids_join(&ids, text, strlen(text));
	return show_ids(&ids);
}

static void test_repeated_components(void)
{
	tap_str(show_sid("a/a"), TRACE_A " " SPAN_A,
		"a component that repeats the one before is the same span");
	tap_str(show_sid("a/a/a/b"), TRACE_A " " SPAN_B " " SPAN_A,
		"a child of repeated components has one parent");
	tap_str(show_sid("a/b/b"), TRACE_A " " SPAN_B " " SPAN_A,
		"no process is its own parent");
	tap_str(show_sid("a/b/a"), TRACE_A " " SPAN_ABA " " SPAN_B,
		"a component that occurred before has a span of its own");
	tap_str(show_sid("a/b/a/c"), TRACE_A " " SPAN_C " " SPAN_ABA,
		"its child is below this span");
}

static void test_inner_id(void)
{
	unsigned char span[TR2_OTLP_SPAN];
	char text[2 * TR2_OTLP_SPAN + 1];

	tr2_otlp_inner_id(span, "a/b", 3, 258);
	write_hex(text, span, sizeof(span));
	tap_str(text, INNER, "an inner span is of the SID and its number");
}

static void test_wrong_parents(void)
{
	static const char *const wrong[] = {
		"",
		"01-" THEIRS "-" ABOVE "-01",
		"00-" THEIRS "-" ABOVE "-01-",
		"00-" THEIRS "-" ABOVE "-0",
		"00-" THEIRS "_" ABOVE "-01",
		"00-" THEIRS "-" ABOVE "_01",
		"00-" THEIRS "-" ABOVE "-0g",
		"00-" THEIRS "-" ABOVE "-g0",
		"00-" THEIRS "-FEDCBA9876543210-01",
		"00-" THEIRS "-0000000000000000-01",
		"00-00000000000000000000000000000000-" ABOVE "-01",
		"00-0123456789abcdef0123456789abcde/-" ABOVE "-01",
		"00-0123456789abcdef0123456789abcde:-" ABOVE "-01",
		"00-`123456789abcdef0123456789abcdef-" ABOVE "-01",
	};
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		tap_str(join_trace("a", wrong[i]), TRACE_A " " SPAN_A,
			"a wrong TRACEPARENT changes nothing");
}

int main(void)
{
	tap_run(test_repeated_components, test_inner_id, test_wrong_parents);
	return tap_done();
}
