/* JSON values that a program builds. */
#include "kit/memory.h"

#include <math.h>
#include <stdarg.h>

#include "trace2-json.h"
#include "base/json.h"
#include "kit/tap.h"

/*
 * What a locale writes in place of the point; NULL: this is the point. No
 * locale but C needs to be there. A compiler that adds checks calls another
 * function.
 */
static const char *point;
static int is_our_point;

int snprintf(char *out, size_t size, const char *format, ...)
{
	char text[512], *at;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	at = point ? strchr(text, '.') : NULL;
	if (at) {
		const size_t more = strlen(point) - 1;

		memmove(at + 1 + more, at + 1, strlen(at));
		memcpy(at, point, 1 + more);
		len += (int)more;
		is_our_point = 1;
	}
	if (size) {
		strncpy(out, text, size - 1);
		out[size - 1] = '\0';
	}
	return len;
}

static const struct tr2_host *real_host;
static struct tr2_host counting_host;

static void use_counting_host(void)
{
	real_host = tr2_host;
	counting_host = *tr2_host;
	counting_host.realloc = memory_realloc;
	counting_host.free = memory_free;
	tr2_host = &counting_host;
}

static void test_values(void)
{
	struct trace2_json json = TRACE2_JSON_INIT;

	tap_int(trace2_json_is_complete(&json), 0, "no value is not complete");
	tap_str(trace2_json_text(&json), "null", "no value is null");
	trace2_json_begin_object(&json, "ignored");
	trace2_json_string(&json, "s", "a\"b\xff");
	trace2_json_string(&json, NULL, NULL);
	trace2_json_int(&json, "i", INTMAX_MIN);
	trace2_json_bool(&json, "t", 2);
	trace2_json_bool(&json, "f", 0);
	trace2_json_null(&json, "n\n");
	trace2_json_begin_array(&json, "a");
	trace2_json_int(&json, "ignored", 1);
	trace2_json_begin_object(&json, NULL);
	trace2_json_end(&json);
	trace2_json_begin_array(&json, NULL);
	trace2_json_end(&json);
	trace2_json_end(&json);
	trace2_json_int(&json, "last", 2);
	tap_int(trace2_json_is_complete(&json), 0,
		"a value with an open object is not complete");
	trace2_json_end(&json);
	tap_int(trace2_json_is_complete(&json), 1,
		"a value whose object has ended is complete");
	tap_str(trace2_json_text(&json),
		"{\"s\":\"a\\\"b\xef\xbf\xbd\",\"\":\"\","
		"\"i\":-9223372036854775808,\"t\":true,\"f\":false,"
		"\"n\\n\":null,\"a\":[1,{},[]],\"last\":2}",
		"an object holds every kind of value");
	tap_int(tr2_json_is_value(trace2_json_text(&json)), 1,
		"what is built is JSON");
	trace2_json_release(&json);
}

/* What does not fit is left out. */
static void test_misuse(void)
{
	struct trace2_json json = TRACE2_JSON_INIT;

	trace2_json_end(&json);
	trace2_json_int(&json, NULL, 1);
	trace2_json_int(&json, NULL, 2);
	trace2_json_null(&json, NULL);
	trace2_json_begin_array(&json, NULL);
	trace2_json_end(&json);
	tap_str(trace2_json_text(&json), "1", "there is no second value");
	trace2_json_release(&json);
	trace2_json_begin_array(&json, NULL);
	trace2_json_begin_object(&json, NULL);
	tap_str(trace2_json_text(&json), "[{}]",
		"the text ends what is still open");
	trace2_json_end(&json);
	tap_str(trace2_json_text(&json), "[{}]",
		"an end without a begin does nothing");
	trace2_json_release(&json);
	trace2_json_release(&json);
}

static const struct {
	double value;
	int decimals;
	const char *text;
} doubles[] = {
	{ 0.5, -1, "[0.5]" },
	{ -1e300, -1, "[-1.0000000000000001e+300]" },
	{ 2, 3, "[2.000]" },
	{ 2.5, 0, "[2]" },
	{ 0.125, 50, "[0.1250000000000000000000000000000000000000]" },
	{ 0.125, 40, "[0.1250000000000000000000000000000000000000]" },
	{ HUGE_VAL, 2, "[null]" },
	{ NAN, -1, "[null]" },
};

static void test_doubles(void)
{
	struct trace2_json json = TRACE2_JSON_INIT;
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(doubles) / sizeof(*doubles); i++) {
		trace2_json_begin_array(&json, NULL);
		trace2_json_double(&json, NULL, doubles[i].value,
				   doubles[i].decimals);
		snprintf(name, sizeof(name), "double %zu is %s", i,
			 doubles[i].text);
		tap_str(trace2_json_text(&json), doubles[i].text, name);
		trace2_json_release(&json);
	}
	trace2_json_double(&json, NULL, -1.7976931348623157e308, 40);
	tap_int((intmax_t)strlen(trace2_json_text(&json)), 351,
		"the largest double has all its digits");
	trace2_json_release(&json);
}

static const struct {
	const char *point;
	double value;
	int decimals;
	const char *text, *name;
} points[] = {
	{ ",", -1.5, 1, "-1.5", "the comma of a locale becomes a point" },
	{ ",", 0x1p80, -1, "1.2089258196146292e+24",
	  "so it does before an exponent" },
	{ "\xd9\xab", 0x1p-40, -1, "9.0949470177292824e-13",
	  "a point of two bytes becomes a point" },
	{ "\xd9\xab", 7, 0, "7", "where there is none, none is made" },
};

static void test_points(void)
{
	struct trace2_json json = TRACE2_JSON_INIT;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(points) / sizeof(*points); i++) {
		point = points[i].point;
		trace2_json_double(&json, NULL, points[i].value,
				   points[i].decimals);
		point = NULL;
		strcpy(text, trace2_json_text(&json));
		trace2_json_release(&json);
		tap_str(text, points[i].text, points[i].name);
	}
	if (!is_our_point)
		tap_skip("the point of a locale", "snprintf is another");
}

static void test_json_in_json(void)
{
	struct trace2_json json = TRACE2_JSON_INIT;

	trace2_json_begin_array(&json, NULL);
	trace2_json_value(&json, NULL, "{\"a\": 1}");
	trace2_json_value(&json, NULL, "{");
	trace2_json_value(&json, NULL, NULL);
	tap_str(trace2_json_text(&json), "[{\"a\": 1},\"{\",\"\"]",
		"a text that is not JSON becomes a string");
	trace2_json_release(&json);
}

/* Returns the text if that call for memory fails. */
static void build_without_memory(int call, char *text, size_t size)
{
	struct trace2_json json = TRACE2_JSON_INIT;

	memory_fail(call);
	trace2_json_begin_array(&json, NULL);
	trace2_json_string(&json, NULL, "a");
	snprintf(text, size, "%s", trace2_json_text(&json));
	if (call == 1)
		tap_int(trace2_json_is_complete(&json), 0,
			"a value without memory is not complete");
	trace2_json_end(&json);
	trace2_json_release(&json);
	memory_fail(0);
}

static void test_memory(void)
{
	char text[64], name[64];
	int call;

	for (call = 1; call <= 3; call++) {
		build_without_memory(call, text, sizeof(text));
		snprintf(name, sizeof(name),
			 "without memory at call %d the text is null", call);
		tap_str(text, "null", name);
	}
	build_without_memory(4, text, sizeof(text));
	tap_str(text, "[\"a\"]", "three calls for memory are enough");
	tap_int(memory_live, 0, "all memory is given back");
	tap_int(memory_breaches(), 0, "no block is written beyond");
}

int main(void)
{
	use_counting_host();
	tap_run(test_values, test_misuse, test_doubles, test_points,
		test_json_in_json, test_memory);
	tr2_host = real_host;
	return tap_done();
}
