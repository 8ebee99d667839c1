/* The targets that need the engine, on a machine where it does not start. */
#include "trace/engine/fxt.h"

#undef FXT_IS_SUPPORTED
#define FXT_IS_SUPPORTED 0

#include "fxt/engine.c"

#include "config/settings.h"
#include "kit/destination.h"
#include "target/chrome.h"
#include "target/fxt.h"
#include "target/target.h"

static struct tr2_destination_options options = {
	.variable = "GIT_TRACE2_FXT",
	.debug = 1,
};

static int is_there(const char *value)
{
	options.value = value;
	return tr2_fxt_engine_is_there(&options);
}

/* What opens the targets asks first. */
static int open_both(const char *value)
{
	static struct tr2_settings settings;
	const struct tr2_target_options session = {
		.settings = &settings,
		.component = "sid",
	};
	char *text = (char *)(uintptr_t)value;

	settings.target[TR2_TARGET_FXT].variable = "GIT_TRACE2_FXT";
	settings.target[TR2_TARGET_FXT].destination = text;
	settings.target[TR2_TARGET_CHROME].variable = "GIT_TRACE2_CHROME";
	settings.target[TR2_TARGET_CHROME].destination = text;
	settings.destination_debug = 1;
	return tr2_fxt_open(NULL, &session) || tr2_chrome_open(NULL, &session);
}

static void test_opening(void)
{
	const char *path = kit_path("y.fxt");

	tap_int(open_both(path), 0, "neither target is opened");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: Operation not supported\n"
			 "warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_CHROME' tracing: Operation not "
			 "supported\n",
			 path, path),
		"both are reported");
	tap_ok(access(path, F_OK) != 0, "and no file is made");
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
	test_opening();
	return kit_done();
}
