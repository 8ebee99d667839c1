/* What a tracing object can be of. */
#include "tracing_kit.h"

static void test_errors(void)
{
	static const char *const holes[] = { "a", NULL };
	static const char *const commas[] = { "a,b" };

	errno = 0;
	tap_ok(!trace_tracing_create(NULL, 0) && errno == EINVAL,
	       "an object has at least one category");
	errno = 0;
	tap_ok(!trace_tracing_create(holes, 2) && errno == EINVAL,
	       "a category is a text");
	errno = 0;
	tap_ok(!trace_tracing_create(commas, 1) && errno == EINVAL,
	       "a category has no comma");
}

int main(void)
{
	kit_begin();
	test_errors();
	kit_end();
	return tap_done();
}
