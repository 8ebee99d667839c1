/* The targets that need the engine, on a machine where it does not start. */
#include "trace/engine/fxt.h"

#undef FXT_IS_SUPPORTED
#define FXT_IS_SUPPORTED 0

#include "fxt/engine.c"

#include "kit/destination.h"

static struct tr2_destination_options options = {
	.variable = "GIT_TRACE2_FXT",
	.debug = 1,
};

static int is_there(const char *value)
{
	options.value = value;
	return tr2_fxt_engine_is_there(&options);
}

int main(void)
{
	kit_start();
	tap_int(is_there(kit_path("x.fxt")), 0, "a target with a value is off");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: Operation not supported\n",
			 options.value),
		"that is reported under debug");
	tap_int(is_there("0") || is_there(NULL), 0, "a target may be off");
	tap_str(kit_stderr(), "", "then nothing is reported");
	options.debug = 0;
	tap_int(is_there("af_unix:/x"), 0, "a manager does not help");
	tap_str(kit_stderr(), "", "without debug nothing is reported");
	return kit_done();
}
