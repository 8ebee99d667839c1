/* Points that belong together, and points that describe the process. */
#include "kit/trace/trace.h"

static void start_engine(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
}

static void open_request(int id)
{
	TRACE_DURATION_BEGIN("cat", "request", "id", TA_INT32(id));
	TRACE_EVENT_BEGIN("cat", "read");
	TRACE_EVENT_BEGIN("off", "read", "n", TA_INT32(id));
}

static void close_request(int code)
{
	TRACE_EVENT_END("off", "read");
	TRACE_EVENT_END("cat", "read", "code", TA_INT32(code));
	TRACE_DURATION_END("cat", "request");
}

static void test_open_durations(void)
{
	start_engine();
	open_request(4);
	TRACE_INSTANT("cat", "between", TRACE_SCOPE_PROCESS);
	close_request(-1);
	tap_str(kit_lines(),
		"begin cat/request id=int32:4\n"
		"begin cat/read\n"
		"instant cat/between scope 1\n"
		"end cat/read code=int32:-1\n"
		"end cat/request\n",
		"a duration begins in one function and ends in another");
}

static void test_metadata(void)
{
	start_engine();
	TRACE_EVENT_METADATA("cat", "node", "process.arch", TA_STRING("x64"),
			     "process.platform", TA_STRING("linux"));
	TRACE_EVENT_METADATA1(TRACE_METADATA_CATEGORY, "one", "n", TA_INT32(1));
	TRACE_EVENT_METADATA("cat", "none");
	TRACE_EVENT_METADATA("off", "off", "n", TA_INT32(1));
	tap_ok(TRACE_CATEGORY_ENABLED("__metadata"),
	       "the category of metadata is on with any other");
	tap_str(kit_lines(),
		"instant __metadata/node scope 1 process.arch=string:x64 "
		"process.platform=string:linux\n"
		"instant __metadata/one scope 1 n=int32:1\n"
		"instant __metadata/none scope 1\n",
		"metadata is an instant of its process");
	tap_ok(!TRACE_CATEGORY_ENABLED("__metadata"), "and off with the rest");
}

int main(void)
{
	test_open_durations();
	test_metadata();
	return tap_done();
}
