/* Events that were laid out over several lines. */
#include "kit/tap.h"
#include "read/bytes/unfold.h"

#include <string.h>

static const char laid_out[] = "The log:\n"
			       "\n"
			       "[\n"
			       "  {\n"
			       "    \"sid\": \"a }\\\" [\",\n"
			       "    \"argv\": [\n"
			       "      \"x  y\"\r\n"
			       "    ]\n"
			       "  },\n"
			       "  {\"sid\": \"b\"},\n"
			       "  {\n"
			       "\t\"sid\": \"c\"\n"
			       "  }\n"
			       "]\n"
			       "end\n";

static const char lines[] = "The log:\n"
			    "{\"sid\": \"a }\\\" [\",\"argv\": [\"x  y\"]}\n"
			    "{\"sid\": \"b\"}\n"
			    "{\"sid\": \"c\"}\n"
			    "end\n";

static bool has_layout(const char *text)
{
	struct tr2_unfold unfold;

	return tr2_unfold_begins(&unfold, text, strlen(text));
}

/* Read it in two parts, of which the first one has so many bytes. */
static bool reads_in_parts(size_t first)
{
	const size_t len = sizeof(laid_out) - 1;
	char bytes[sizeof(laid_out)];
	struct tr2_unfold unfold;
	size_t left, rest;

	memcpy(bytes, laid_out, len);
	if (!tr2_unfold_begins(&unfold, bytes, len))
		return false;
	left = tr2_unfold_read(&unfold, bytes, first);
	rest = tr2_unfold_read(&unfold, bytes + first, len - first);
	memmove(bytes + left, bytes + first, rest);
	return left + rest == sizeof(lines) - 1 &&
	       !memcmp(bytes, lines, left + rest);
}

int main(void)
{
	size_t first, right = 0;

	for (first = 0; first < sizeof(laid_out); first++)
		right += reads_in_parts(first);
	tap_ok(right == sizeof(laid_out),
	       "each object is a line again, wherever the bytes are divided");
	tap_ok(!has_layout("{\"event\":\"a\",\"sid\":\"b\"}\n{\n\"sid\":1}\n"),
	       "a log whose first event is one line stays as it is");
	tap_ok(!has_layout("[\n {\n  \"ph\": \"X\",\n  \"sid\": 1\n }\n]\n") &&
		       !has_layout("{\n \"traceEvents\": [], \"sid\": 1\n}\n"),
	       "so does a trace of Chrome");
	tap_ok(!has_layout("{\n \"id\": 1\n}\n"), "and JSON without a session");
	return tap_done();
}
